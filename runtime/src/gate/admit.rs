//! From arguments to an opening that may begin: fit, lock, ask.

use loop_spec::lock::Unaccepted;
use wasmtime::component::Val;

use super::{Gate, GuardedDoor};
use crate::doors::parse_arguments;

/// What became of a name at the gate.
#[derive(Debug)]
pub enum Admission {
    /// The arguments do not fit the interface.
    Misfit {
        /// Which field, what it takes and what came.
        what: String,
    },
    /// Its bytes are not those that were built or accepted here.
    Locked {
        /// Why not.
        why: Unaccepted,
        /// The canonical arguments.
        arguments: String,
    },
    /// A person must be asked first.
    Ask {
        /// The canonical arguments.
        arguments: String,
    },
    /// It may be opened.
    Open {
        /// The canonical arguments.
        arguments: String,
        /// The arguments as the component takes them.
        values: Vec<Val>,
    },
}

impl Gate {
    /// Takes a listed name up to its opening. Nothing of the door is compiled or instantiated.
    ///
    /// `nodded`: a person has given their nod to exactly this call.
    #[must_use]
    pub fn admit(&self, door: &GuardedDoor, arguments: &str, nodded: bool) -> Admission {
        match (fit(door, arguments), door.locked) {
            (Err(what), _) => Admission::Misfit { what },
            (Ok((arguments, _)), Some(why)) => Admission::Locked { why, arguments },
            (Ok((arguments, _)), None) if door.asked_first && !nodded => {
                Admission::Ask { arguments }
            }
            (Ok((arguments, values)), None) => Admission::Open { arguments, values },
        }
    }
}

/// The arguments in canonical form, and as the component takes them.
pub(super) fn fit(door: &GuardedDoor, arguments: &str) -> Result<(String, Vec<Val>), String> {
    let function = &door.door.function;
    let json = parse_arguments(arguments).map_err(|error| error.to_string())?;
    let values = function.fit(&json).map_err(|misfit| misfit.to_string())?;
    let canonical = function
        .canonical(&values)
        .map_err(|error| error.to_string())?;
    Ok((canonical, values))
}
