//! What happens to a name, in this order: recognise, fit, lock, ask, compile, instantiate, call, clip,
//! journal.
//!
//! Recognising is the machine's: it knows the list, and a name that is not on it never comes here.
//! [`Gate::admit`] goes up to the question whether a person must be asked; nothing of the door is
//! compiled or instantiated before that is answered. [`Gate::open`] does the rest but the journal,
//! which is the driver's.

mod admit;
mod command;
mod hooks;
mod open;
mod outcome;

use std::sync::Arc;

use loop_spec::kv::Keys;
use loop_spec::lock::Unaccepted;
use loop_spec::loop_machine::Returned;
use loop_spec::policy::Marks;

use crate::doors::{Door, HISTORY, KV};
use crate::grants::Grants;
use crate::sandbox::{Limits, Sandbox};

pub use admit::Admission;
pub use hooks::{Before, Hooks};
pub use open::Came;

/// The gate in front of the doors.
#[derive(Clone)]
pub struct Gate {
    sandbox: Sandbox,
}

/// A door with what policy says of it.
#[derive(Clone, Debug)]
pub struct GuardedDoor {
    /// The door.
    pub door: Door,
    /// What it is granted.
    pub grants: Grants,
    /// The limits of one opening.
    pub limits: Limits,
    /// Why its bytes are not opened; `None` where they were built or accepted. A host without a
    /// `doors.lock` answers for them itself.
    pub locked: Option<Unaccepted>,
    /// Whether a person must be asked first.
    pub asked_first: bool,
    /// What its policy says that it is like.
    pub marks: Marks,
}

/// What an opening is given beside its arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    /// The inert world's clock, in microseconds since the Unix epoch.
    pub time: u64,
    /// The inert world's seed.
    pub seed: u64,
    /// Fuel that it may use at most; its own limit may be less.
    pub fuel: u64,
    /// What its component has kept, for a door that is granted it.
    pub keys: Keys,
    /// What the doors of its run returned, for a door that is granted to read it.
    pub returned: Arc<Returned>,
}

impl Gate {
    /// A gate whose doors open in `sandbox`.
    #[must_use]
    pub fn new(sandbox: Sandbox) -> Self {
        Self { sandbox }
    }

    /// The sandbox behind the gate.
    #[must_use]
    pub fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }
}

impl GuardedDoor {
    /// A door that is granted nothing, under the default limits.
    #[must_use]
    pub fn pure(door: Door) -> Self {
        let (grants, limits) = (Grants::default(), Limits::default());
        Self {
            door,
            grants,
            limits,
            locked: None,
            asked_first: false,
            marks: Marks::default(),
        }
    }

    /// The grant that it cannot do without and does not have, by its key in a policy, and what it
    /// imports for which it needs it.
    #[must_use]
    pub fn lacks(&self) -> Option<(&'static str, &'static str)> {
        let mut imports = self.door.file.interface.imports.iter();
        let grants = [
            ("kv", KV, self.grants.kv),
            ("history", HISTORY, self.grants.history),
        ];
        imports.find_map(|import| {
            let lacking = |(_, name, granted): &(_, _, bool)| import.name == *name && !granted;
            let (key, name, _) = grants.into_iter().find(lacking)?;
            Some((key, name))
        })
    }

    /// A door that is granted nothing: it can be opened again at will.
    #[must_use]
    pub fn is_pure(&self) -> bool {
        self.grants.is_none()
    }

    /// What it is like for a loop: a pure door may be open beside others whatever its policy says, and
    /// one that keeps something may not.
    #[must_use]
    pub fn marks(&self) -> Marks {
        Marks {
            concurrent: self.is_pure() || (self.marks.concurrent && !self.grants.kv),
            ..self.marks
        }
    }
}
