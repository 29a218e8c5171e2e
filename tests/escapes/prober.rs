//! The door that tries, and how it is opened.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use doorlist::doors::{Catalogue, DoorFile};
use doorlist::gate::{Admission, Came, Conditions, Gate, GuardedDoor};
use doorlist::grants::Grants;
use doorlist::sandbox::{Limits, Sandbox, Settings};
use serde_json::{Map, Value};

use crate::build::{build, repository, target_dir};

/// The prober behind a gate.
pub(crate) struct Prober {
    gate: Gate,
    pub(crate) grants: Grants,
    pub(crate) limits: Limits,
}

impl Prober {
    pub(crate) fn new(grants: Grants) -> Self {
        Self::with(grants, Settings::for_one_loop(None))
    }

    pub(crate) fn with(grants: Grants, settings: Settings) -> Self {
        let settings = Settings {
            cache: Some(cache()),
            ..settings
        };
        Self {
            gate: Gate::new(Sandbox::new(settings).unwrap()),
            grants,
            limits: Limits::default(),
        }
    }

    /// Opens one of its functions with arguments in their order.
    pub(crate) async fn open(&self, function: &str, arguments: &[Value]) -> Came {
        let file = DoorFile::read(&prober()).unwrap();
        let catalogue = Catalogue::of([file]).unwrap();
        let mut doors = catalogue.doors();
        let door = doors.find(|door| door.function.name == function).unwrap();
        let mut door = GuardedDoor::pure(door.clone());
        door.grants = self.grants.clone();
        door.limits = self.limits.clone();
        let conditions = Conditions {
            time: 0,
            seed: 0,
            fuel: door.limits.fuel,
            ..Conditions::default()
        };
        let params = &door.door.function.parameters;
        assert_eq!(params.len(), arguments.len(), "{function}");
        let names = params.iter().map(|param| param.name.clone());
        let named: Map<_, _> = names.zip(arguments.iter().cloned()).collect();
        let named = Value::from(named).to_string();
        match self.gate.admit(&door, &named, false) {
            Admission::Open { values, .. } => self.gate.open(&door, values, conditions).await,
            other => panic!("{arguments:?}: {other:?}"),
        }
    }
}

fn prober() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let out = target_dir().join("prober");
        build(&[repository().join("tests/prober")], &out);
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
