//! A prober in a small world: what it is granted, and what lies beside that.

use std::fs;
use std::path::PathBuf;

use doorlist::grants::{GrantedDir, Grants};
use loop_spec::loop_machine::Outcome;
use serde_json::Value;

use super::prober::Prober;

/// Folders that are granted (`/read`, `/write`, `/other`), and one that is not (`outside`).
pub(crate) struct World {
    prober: Prober,
    folder: PathBuf,
    _place: tempfile::TempDir,
}

/// What came of a call: what it returned, or its error.
pub(crate) type Came = Result<String, String>;

impl World {
    pub(crate) fn new() -> Self {
        Self::with(Vec::new())
    }

    /// With these folders granted as well.
    pub(crate) fn with(others: Vec<GrantedDir>) -> Self {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().canonicalize().unwrap();
        for (file, text) in FILES {
            let file = folder.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        let dirs = GRANTED.map(|(name, write)| GrantedDir {
            host: folder.join(name),
            guest: format!("/{name}"),
            write,
        });
        let grants = Grants {
            dirs: dirs.into_iter().chain(others).collect(),
            ..Grants::default()
        };
        Self {
            prober: Prober::new(grants),
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
        let arguments = arguments.map(Value::from);
        match self.prober.open(function, &arguments).await.outcome {
            Outcome::Said { text } => Ok(text),
            Outcome::OwnError { text } => Err(text),
            other => panic!("{function} {arguments:?}: {other:?}"),
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

pub(crate) const SECRET: &str = "a secret of the host";

const GRANTED: [(&str, bool); 3] = [("read", false), ("write", true), ("other", true)];

const FILES: [(&str, &str); 4] = [
    ("outside/secret.txt", SECRET),
    ("read/note.txt", "a note"),
    ("write/own.txt", "the door's own"),
    ("other/kept.txt", "kept"),
];
