//! One case, and what came of it.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use loop_spec::Language;
use loop_spec::loop_machine::Outcome;
use serde_json::Value;

use super::{Case, Wanted};
use crate::doors::{Door, DoorFile};
use crate::gate::{Admission, Conditions, Gate, GuardedDoor};
use crate::grants::GrantedDir;

/// What came of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found {
    /// Whether it is what was wanted.
    pub well: bool,
    /// What the door returned, or what it said instead.
    pub observation: String,
    /// Fuel used.
    pub fuel: u64,
    /// What the door printed.
    pub printed: String,
}

/// Opens a door as a case says. `data` is the folder of which it gets a copy as `/data`.
///
/// # Errors
/// When the copy cannot be made.
pub async fn run(
    gate: &Gate,
    file: &Arc<DoorFile>,
    case: &Case,
    data: Option<&Path>,
) -> io::Result<Found> {
    let Some(door) = choose(file.doors(), &case.call) else {
        let names: Vec<String> = file.doors().into_iter().map(|door| door.name).collect();
        let found = names.join(", ");
        return Ok(Found::nothing(format!(
            "expected a door `{}` in {}, found {found}",
            case.call,
            file.label()
        )));
    };
    let mut door = GuardedDoor::pure(door);
    let copy = data.map(copied).transpose()?;
    if let Some(copy) = &copy {
        door.grants.dirs.push(GrantedDir {
            host: copy.path().canonicalize()?,
            guest: "/data".to_owned(),
            write: true,
        });
    }
    let values = match gate.admit(&door, case.args.get(), false) {
        Admission::Open { values, .. } => values,
        Admission::Misfit { what } => {
            let found = format!("arguments: {what}");
            let well = case.wanted().is_error(&found);
            return Ok(Found {
                well,
                ..Found::nothing(found)
            });
        }
        Admission::Locked { .. } | Admission::Ask { .. } => {
            unreachable!("a pure door is not locked or asked first")
        }
    };
    let conditions = Conditions {
        time: case.time,
        seed: case.seed,
        fuel: door.limits.fuel,
        ..Conditions::default()
    };
    let came = gate.open(&door, values, conditions).await;
    let (well, observation) = match (&came.outcome, case.wanted()) {
        (Outcome::Said { text }, Wanted::Value(want)) => {
            let found = door.door.function.value_of(text);
            let well = found.is_some_and(|found| is_same(&found, want));
            (well, text.clone())
        }
        (Outcome::OwnError { text }, wanted @ Wanted::Error(_)) => {
            (wanted.is_error(text), text.clone())
        }
        (outcome, wanted) => {
            let observation = Language::En.observation(outcome);
            (wanted.is_error(&observation), observation)
        }
    };
    Ok(Found {
        well,
        observation,
        fuel: came.fuel,
        printed: came.printed,
    })
}

impl Found {
    fn nothing(observation: String) -> Self {
        Self {
            well: false,
            observation,
            fuel: 0,
            printed: String::new(),
        }
    }
}

fn choose(doors: Vec<Door>, call: &str) -> Option<Door> {
    let mut fitting = doors
        .into_iter()
        .filter(|door| door.name == call || door.function.name == call);
    fitting.next()
}

/// Whether it is the same value, however it is spelled.
fn is_same(found: &Value, want: &str) -> bool {
    let want: Result<Value, _> = serde_json::from_str(want);
    want.is_ok_and(|want| loop_spec::canonical(found) == loop_spec::canonical(&want))
}

fn copied(data: &Path) -> io::Result<tempfile::TempDir> {
    let copy = tempfile::tempdir()?;
    copy_into(data, copy.path())?;
    Ok(copy)
}

fn copy_into(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        // A link leads out of the folder, and is none of a case's files.
        match entry.file_type()? {
            kind if kind.is_dir() => {
                fs::create_dir(&to)?;
                copy_into(&entry.path(), &to)?;
            }
            kind if kind.is_file() => {
                fs::copy(entry.path(), to)?;
            }
            _ => {}
        }
    }
    Ok(())
}
