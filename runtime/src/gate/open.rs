//! From an opening that may begin to what came of it: compile, instantiate, call, clip.

use std::sync::Arc;

use loop_spec::clip;
use loop_spec::kv::{Changes, Keys};
use loop_spec::loop_machine::Outcome;
use wasmtime::component::Val;

use super::outcome::{of_compile_error, of_fault};
use super::{Conditions, Gate, GuardedDoor, admit, command};
use crate::doors::{Said, Unsayable};
use crate::grants::Masks;
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
    /// What its component keeps of it: nothing, unless it returned and is granted that.
    pub kept: Changes,
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
        let (values, input) = match &function.command {
            Some(_) => (Vec::new(), Some(command::input(&values))),
            None => (values, None),
        };
        let mut limits = door.limits.clone();
        limits.fuel = limits.fuel.min(conditions.fuel);
        let output = limits.output;
        let before = match door.grants.kv {
            true => conditions.keys,
            false => Keys::default(),
        };
        let opening = Opening {
            time: conditions.time,
            seed: conditions.seed,
            limits,
            grants: door.grants.clone(),
            keys: before.clone(),
            returned: match door.grants.history {
                true => conditions.returned,
                false => Arc::default(),
            },
            input,
        };
        let masks = door.grants.secrets.masks();
        let opened = compiled.open(&export, values, opening).await;
        let said = match &function.command {
            Some(_) => command::said(opened.outcome, &opened.answer, &opened.printed),
            None => opened.outcome.map_err(of_fault).and_then(|values| {
                let unsayable = |what: Unsayable| Outcome::Unsayable {
                    what: what.to_string(),
                };
                function.say(&values).map_err(unsayable)
            }),
        };
        // Hidden first: what is left of a secret that was cut in two would show.
        let outcome = match said {
            Ok(Said::Text(text)) => Outcome::Said {
                text: clip(&masks.text(text), output),
            },
            Ok(Said::DoorError(text)) => Outcome::OwnError {
                text: clip(&masks.text(text), output),
            },
            Err(Outcome::Unsayable { what }) => Outcome::Unsayable {
                what: masks.text(what),
            },
            Err(outcome) => outcome,
        };
        let kept = match outcome {
            Outcome::Said { .. } if door.grants.kv => changed(&opened.keys, &before, masks),
            _ => Changes::default(),
        };
        Came {
            outcome,
            kept,
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
            kept: Changes::default(),
            reached: Reached::default(),
        }
    }
}

/// What a door changed, for the journal: no secret shows there.
fn changed(after: &Keys, before: &Keys, masks: &Masks) -> Changes {
    let hidden = |(key, value): (&str, Option<&[u8]>)| {
        let value = value.map(|value| {
            let mut value = value.to_vec();
            masks.hide(&mut value);
            value
        });
        (masks.text(key.to_owned()), value)
    };
    after.since(before).iter().map(hidden).collect()
}
