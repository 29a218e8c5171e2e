//! From an opening that may begin to what came of it: compile, instantiate, call, clip.

use loop_spec::clip;
use loop_spec::loop_machine::Outcome;
use wasmtime::component::Val;

use super::outcome::{of_compile_error, of_fault};
use super::{Conditions, Gate, GuardedDoor, admit};
use crate::doors::Said;
use crate::sandbox::{Export, Opening, Reached};

/// What came of an opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Came {
    /// The observation.
    pub outcome: Outcome,
    /// Fuel used.
    pub fuel: u64,
    /// What the door printed, for the trace.
    pub printed: String,
    /// What it reached for.
    pub reached: Reached,
}

impl Gate {
    /// Opens a door with arguments that came from [`Gate::admit`].
    pub async fn open(&self, door: &GuardedDoor, values: Vec<Val>, conditions: Conditions) -> Came {
        let file = &door.door.file;
        let compiled = match self.sandbox.compile(&file.component).await {
            Ok(compiled) => compiled,
            Err(error) => return Came::without_running(of_compile_error(error)),
        };
        let function = &door.door.function;
        let export = Export {
            interface: function.interface.as_deref(),
            function: &function.name,
        };
        let mut limits = door.limits.clone();
        limits.fuel = limits.fuel.min(conditions.fuel);
        let output = limits.output;
        let opening = Opening {
            time: conditions.time,
            seed: conditions.seed,
            limits,
            grants: door.grants.clone(),
        };
        let masks = door.grants.secrets.masks();
        let opened = compiled.open(&export, values, opening).await;
        let outcome = match opened.outcome {
            Err(fault) => of_fault(fault),
            // Hidden first: what is left of a secret that was cut in two would show.
            Ok(values) => match function.say(&values) {
                Ok(Said::Text(text)) => Outcome::Said {
                    text: clip(&masks.text(text), output),
                },
                Ok(Said::DoorError(text)) => Outcome::OwnError {
                    text: clip(&masks.text(text), output),
                },
                Err(unsayable) => Outcome::Unsayable {
                    what: masks.text(unsayable.to_string()),
                },
            },
        };
        Came {
            outcome,
            fuel: opened.fuel,
            printed: masks.text(opened.printed.to_string()),
            reached: opened.reached,
        }
    }

    /// Opens a door with arguments that stand in the journal in canonical form.
    pub async fn open_recorded(
        &self,
        door: &GuardedDoor,
        arguments: &str,
        conditions: Conditions,
    ) -> Came {
        match admit::fit(door, arguments) {
            Ok((_, values)) => self.open(door, values, conditions).await,
            Err(what) => Came::without_running(Outcome::HostFault {
                what: format!("recorded arguments do not fit: {what}"),
            }),
        }
    }
}

impl Came {
    fn without_running(outcome: Outcome) -> Self {
        Self {
            outcome,
            fuel: 0,
            printed: String::new(),
            reached: Reached::default(),
        }
    }
}
