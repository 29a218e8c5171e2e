//! A prober in a small world: what it is granted, and what lies beside that.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use doorlist::doors::{Catalogue, DoorFile};
use doorlist::gate::{Admission, Conditions, Gate, GuardedDoor};
use doorlist::grants::GrantedDir;
use doorlist::sandbox::{Sandbox, Settings};
use loop_spec::loop_machine::Outcome;
use serde_json::{Map, Value};

use crate::build::{build, repository, target_dir};

/// Folders that are granted (`/read`, `/write`, `/other`), and one that is not (`outside`).
pub(crate) struct World {
    gate: Gate,
    folder: PathBuf,
    _place: tempfile::TempDir,
}

/// What came of a call: what it returned, or its error.
pub(crate) type Came = Result<String, String>;

impl World {
    pub(crate) fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().canonicalize().unwrap();
        for (file, text) in FILES {
            let file = folder.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        Self {
            gate: Gate::new(Sandbox::new(Settings::for_one_loop(Some(cache()))).unwrap()),
            folder,
            _place: place,
        }
    }

    /// A path of the host.
    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    /// Calls a function of the prober with its arguments in their order.
    pub(crate) async fn call<const N: usize>(&self, function: &str, arguments: [&str; N]) -> Came {
        match self.open(function, &arguments).await {
            Outcome::Said { text } => Ok(text),
            Outcome::OwnError { text } => Err(text),
            other => panic!("{function} {arguments:?}: {other:?}"),
        }
    }

    async fn open(&self, function: &str, arguments: &[&str]) -> Outcome {
        let file = DoorFile::read(&prober()).unwrap();
        let catalogue = Catalogue::of([file]).unwrap();
        let mut doors = catalogue.doors();
        let door = doors.find(|door| door.function.name == function).unwrap();
        let mut door = GuardedDoor::pure(door.clone());
        door.grants.dirs = GRANTED
            .map(|(name, write)| GrantedDir {
                host: self.at(name),
                guest: format!("/{name}"),
                write,
            })
            .into();
        let conditions = Conditions {
            time: 0,
            seed: 0,
            fuel: door.limits.fuel,
        };
        let params = &door.door.function.parameters;
        assert_eq!(params.len(), arguments.len(), "{function}");
        let names = params.iter().map(|param| param.name.clone());
        let named: Map<_, _> = names
            .zip(arguments.iter().map(|&text| text.into()))
            .collect();
        match self
            .gate
            .admit(&door, &Value::from(named).to_string(), false)
        {
            Admission::Open { values, .. } => {
                self.gate.open(&door, values, conditions).await.outcome
            }
            other => panic!("{arguments:?}: {other:?}"),
        }
    }

    /// What no door may read or change is as it was.
    pub(crate) fn unharmed(&self) {
        for (file, text) in FILES.iter().filter(|(file, _)| !file.starts_with("write")) {
            let found =
                fs::read_to_string(self.at(file)).unwrap_or_else(|_| panic!("{file} is gone"));
            assert_eq!(found, *text, "{file}");
        }
        for folder in ["outside", "read"] {
            let files = fs::read_dir(self.at(folder)).unwrap();
            assert_eq!(files.count(), 1, "{folder}");
        }
    }
}

fn prober() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let out = target_dir().join("prober");
        build(&repository().join("tests/prober"), &out);
        out
    });
    built.join("prober.wasm")
}

/// Compiled once for all tests.
fn cache() -> PathBuf {
    static CACHE: OnceLock<tempfile::TempDir> = OnceLock::new();
    let path: &Path = CACHE.get_or_init(|| tempfile::tempdir().unwrap()).path();
    path.to_owned()
}

pub(crate) const SECRET: &str = "a secret of the host";

const GRANTED: [(&str, bool); 3] = [("read", false), ("write", true), ("other", true)];

const FILES: [(&str, &str); 4] = [
    ("outside/secret.txt", SECRET),
    ("read/note.txt", "a note"),
    ("write/own.txt", "the door's own"),
    ("other/kept.txt", "kept"),
];
