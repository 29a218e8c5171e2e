//! One event as a journal keeps it, whatever machine it belongs to.

use serde::Serialize;

use crate::Payload;

/// The version of the journal's record format that this crate writes.
pub const RECORD_VERSION: u16 = 1;

/// An event before it has a place in a journal: what kind it is and what it says.
///
/// Every machine turns its own typed events into entries and back, so a journal knows no machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// The event's kind in snake case, e.g. `put_back`.
    pub kind: String,
    /// The event's content.
    pub payload: Payload,
}

/// An entry and when it happened, on its way into a journal.
#[derive(Clone, Debug, PartialEq)]
pub struct Stamped {
    /// Microseconds since the Unix epoch; see [`Record::time`].
    pub time: u64,
    /// What happened.
    pub entry: Entry,
}

/// An entry at its place in a run's journal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Record {
    /// Version of this format, [`RECORD_VERSION`] when written by this crate.
    pub v: u16,
    /// Place in the run, from 0 without gaps.
    pub seq: u64,
    /// When it was appended, in microseconds since the Unix epoch. For people and for durations; no
    /// machine decides anything by it.
    pub time: u64,
    /// What happened.
    #[serde(flatten)]
    pub entry: Entry,
}
