//! What a loop is right now: its text, its doors, and what policy says of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use loop_spec::lock::Unaccepted;
use loop_spec::loop_machine::{Card, LoopMachine, LoopRead};
use loop_spec::policy::Ask;
use loop_spec::{Digest, LoopText};

use crate::gate::{GuardedDoor, Hooks};

/// One reading of a loop.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The text of `loop.txt`.
    pub raw: String,
    /// The same, parsed.
    pub text: LoopText,
    /// Every listed door, by name.
    pub doors: BTreeMap<String, GuardedDoor>,
    /// The door that is asked whether a close stands.
    pub close: Option<GuardedDoor>,
    /// What is asked before and after a door is opened, and before the end.
    pub hooks: Hooks,
    /// How a person is asked about a door that must be asked first.
    pub ask: Ask,
}

/// Where a loop is read from, at every assembly.
pub trait LoopSource: Send {
    /// What the loop is now. Cheap where nothing has changed.
    ///
    /// # Errors
    /// What cannot be read or does not fit, for a person: what was expected, what was found, and
    /// which file to open.
    fn read(&mut self) -> Result<Arc<Snapshot>, String>;
}

impl Snapshot {
    /// What a page says of the listed doors, in the order of the list.
    #[must_use]
    pub fn cards(&self) -> Vec<Card> {
        self.text
            .list()
            .iter()
            .filter_map(|name| Some(card(self.doors.get(name)?)))
            .collect()
    }

    /// The listed doors that a person must be asked about first.
    #[must_use]
    pub fn asked_first(&self) -> Vec<String> {
        let asked = self
            .text
            .list()
            .iter()
            .filter(|name| self.doors.get(*name).is_some_and(|door| door.asked_first));
        asked.cloned().collect()
    }

    /// The components that would be refused whatever is asked of them, each file once, with why and
    /// with the digest of its bytes.
    #[must_use]
    pub fn locked(&self) -> BTreeMap<String, (Unaccepted, Digest)> {
        let doors = self.doors.values().chain(&self.close);
        let doors = doors.chain(self.hooks.doors());
        let locked = |door: &GuardedDoor| Some((door.locked?, door.door.component_digest()));
        doors
            .filter_map(|door| Some((door.door.file.label(), locked(door)?)))
            .collect()
    }

    /// The event that says so, unless the machine has read the same before.
    #[must_use]
    pub fn news(&self, machine: &LoopMachine) -> Option<LoopRead> {
        let (digest, cards, asked_first) = (self.text.digest(), self.cards(), self.asked_first());
        let hooks = self.hooks.there();
        if machine
            .reading()
            .is_some_and(|reading| reading.is(&digest, &cards, &asked_first, hooks))
        {
            return None;
        }
        let text = (!machine.knows(&digest)).then(|| self.raw.clone());
        Some(LoopRead {
            digest,
            text,
            cards,
            asked_first,
            hooks,
        })
    }
}

/// What a page says of one door.
fn card(door: &GuardedDoor) -> Card {
    Card {
        name: door.door.name.clone(),
        signature: door.door.signature(),
        about: door.door.function.docs.clone(),
        schema: Some(door.door.schema()),
        component: door.door.component_digest(),
        interface: door.door.interface_digest(),
        pure: door.is_pure(),
        marks: door.marks(),
        fuel: door.limits.fuel,
    }
}

/// A loop that does not change while it runs: for hosts without a folder.
#[derive(Clone, Debug)]
pub struct FixedLoop(Arc<Snapshot>);

impl FixedLoop {
    /// The loop whose `loop.txt` is `raw` and whose doors are `doors`, by name; those that it does
    /// not list are left out.
    ///
    /// # Errors
    /// When `raw` is no `loop.txt`, or lists a door that is not among `doors`.
    pub fn new(
        raw: &str,
        doors: impl IntoIterator<Item = GuardedDoor>,
    ) -> Result<Self, FixedLoopError> {
        let text = LoopText::parse(raw)?;
        let named = doors.into_iter().map(|door| (door.door.name.clone(), door));
        let doors: BTreeMap<_, _> = named.filter(|(name, _)| text.lists(name)).collect();
        if let Some(name) = text.list().iter().find(|name| !doors.contains_key(*name)) {
            return Err(FixedLoopError::NoDoor { name: name.clone() });
        }
        let raw = raw.to_owned();
        Ok(Self(Arc::new(Snapshot {
            raw,
            text,
            doors,
            close: None,
            hooks: Hooks::default(),
            ask: Ask::default(),
        })))
    }
}

impl LoopSource for FixedLoop {
    fn read(&mut self) -> Result<Arc<Snapshot>, String> {
        Ok(self.0.clone())
    }
}

/// Why there is no fixed loop.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FixedLoopError {
    /// The text cannot be run.
    #[error(transparent)]
    LoopText(#[from] loop_spec::LoopTextError),
    /// A listed door is not there.
    #[error("expected a door `{name}`, which the list names; found none")]
    NoDoor {
        /// The name.
        name: String,
    },
}
