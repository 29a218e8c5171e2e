//! The shape that all machines share: a step is asked for, an event moves it, nothing else does.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Entry;

/// A machine without effects.
///
/// A driver takes [`step`](Machine::step), does what it says, appends the event that came of it to a
/// journal, and gives the event to [`apply`](Machine::apply). Folding a journal from the start
/// gives the same machine.
pub trait Machine: Sized {
    /// What can happen to it.
    type Event: Recorded;
    /// What it can want next.
    type Step;

    /// What it wants next; nothing when it stands still.
    fn step(&self) -> Option<Self::Step>;

    /// The events that say that somebody cancelled the run here. Empty where nothing has begun.
    fn cancelled(&self) -> Vec<Self::Event>;

    /// Moves the machine, and says which arrows of its chart were walked.
    ///
    /// # Errors
    /// When the event cannot happen where the machine stands; the machine is then unchanged.
    fn apply(&mut self, event: &Self::Event) -> Result<Vec<Arrow>, Misapplied>;

    /// Folds entries into a machine.
    ///
    /// # Errors
    /// When an entry is no event of this machine, or cannot happen where it stands.
    fn fold<'a>(
        mut self,
        entries: impl IntoIterator<Item = &'a Entry>,
    ) -> Result<Self, Unfoldable> {
        for entry in entries {
            let event = Self::Event::of_entry(entry)?;
            self.apply(&event)?;
        }
        Ok(self)
    }
}

/// An event that a journal can keep.
pub trait Recorded: Sized {
    /// The event as a journal keeps it.
    fn to_entry(&self) -> Entry;

    /// The event that an entry keeps.
    ///
    /// # Errors
    /// When the entry is no event of this kind.
    fn of_entry(entry: &Entry) -> Result<Self, NotAnEvent>;
}

/// A place a machine can be at, which is also a cell of its diagram: `assemble`,
/// `open:fridge.count`, `stop:done`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Node(Cow<'static, str>);

impl Node {
    /// A node that every machine of its kind has.
    #[must_use]
    pub const fn fixed(name: &'static str) -> Self {
        Self(Cow::Borrowed(name))
    }

    /// A node that a folder's own files bring.
    #[must_use]
    pub fn named(name: String) -> Self {
        Self(Cow::Owned(name))
    }

    /// Its name as it stands in a diagram.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A way from one node to another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Arrow {
    /// Where it begins.
    pub from: Node,
    /// Where it ends.
    pub to: Node,
}

impl fmt::Display for Arrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", self.from, self.to)
    }
}

/// A journal entry that is no event of the machine it was given to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected an event of this kind of run, found `{kind}`: {why}")]
pub struct NotAnEvent {
    /// The entry's kind.
    pub kind: String,
    /// What does not fit.
    pub why: String,
}

/// An event that cannot happen where the machine stands.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the event `{event}` cannot happen at `{at}`: {why}")]
pub struct Misapplied {
    /// The event's kind.
    pub event: String,
    /// Where the machine stands.
    pub at: Node,
    /// What stands against it.
    pub why: String,
}

/// Why a journal could not be folded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unfoldable {
    /// An entry is not one of the machine's.
    #[error(transparent)]
    NotAnEvent(#[from] NotAnEvent),
    /// An entry came at the wrong place.
    #[error(transparent)]
    Misapplied(#[from] Misapplied),
}
