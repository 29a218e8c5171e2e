//! What can come of a name: it is refused, or it opens.

use serde::{Deserialize, Serialize};

use crate::lock::Unaccepted;

/// What came of opening a door. Each is a different observation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// It returned.
    Said {
        /// What it returned, as text, clipped to its limit.
        text: String,
    },
    /// It returned its own error.
    OwnError {
        /// The error, as text, clipped to its limit.
        text: String,
    },
    /// It trapped.
    Trap {
        /// The trap.
        what: String,
    },
    /// It ran into a limit.
    Limit {
        /// Which one.
        limit: Limit,
        /// The limit in its unit: fuel, bytes, elements, milliseconds, or a number of times.
        amount: u64,
    },
    /// It ended its own process instead of returning.
    Exit {
        /// The exit code.
        code: i64,
    },
    /// It is not opened: it cannot be compiled, or not with what a door may have.
    Unusable {
        /// What stands against it.
        what: String,
    },
    /// It returned what JSON cannot hold.
    Unsayable {
        /// What and where.
        what: String,
    },
    /// It returned, and a hook holds back what.
    Withheld {
        /// Why.
        why: String,
    },
    /// The run ended between the intent and the outcome: it may have run.
    Unknown,
    /// The run was cancelled while the door was open.
    Aborted,
    /// Doorlist could not open it; the door is not at fault.
    HostFault {
        /// What failed.
        what: String,
    },
}

/// A limit of one opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Limit {
    /// Fuel.
    Fuel,
    /// Bytes of linear memory, summed over all memories.
    Memory,
    /// Elements of a table.
    Table,
    /// Resources held at once.
    Resources,
    /// Bytes of the stack of its calls.
    Stack,
    /// Random bytes drawn.
    Random,
    /// Milliseconds by the host's clock.
    Time,
    /// Bytes of what it returned.
    Output,
    /// Calls of the host.
    HostCalls,
    /// Bytes that its requests sent and received.
    Network,
}

/// Why a name was answered without opening anything.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Refusal {
    /// It is not on the list.
    OffList,
    /// The arguments do not fit the interface.
    Misfit {
        /// Which field, what it takes, and what came.
        what: String,
        /// The canonical arguments, or the text itself where it is no JSON.
        arguments: String,
    },
    /// The door's bytes are not those that were built or accepted here.
    Locked {
        /// Why not.
        why: Unaccepted,
        /// The canonical arguments.
        arguments: String,
    },
    /// A hook says no.
    Hook {
        /// Why.
        reason: String,
        /// The canonical arguments.
        arguments: String,
    },
    /// The name is empty.
    NoName,
    /// Another call of this run has the same id, so that it is not known which is meant.
    SameId {
        /// The id.
        id: String,
    },
    /// The answer that named it was cut short by its length.
    CutShort,
    /// The answer that named it broke off.
    BrokenOff,
    /// The answer names more than may be named at once; nothing of it is opened.
    TooMany {
        /// How many it names.
        named: u32,
        /// How many it may.
        most: u32,
    },
    /// The run was cancelled before it was its turn.
    Aborted,
    /// The run came to another stop before it was its turn.
    Stopped,
}

impl Refusal {
    /// The arguments that would be refused again, for the same-failure stop (acceptance A14).
    #[must_use]
    pub fn arguments(&self) -> Option<&str> {
        match self {
            Self::OffList
            | Self::NoName
            | Self::SameId { .. }
            | Self::CutShort
            | Self::BrokenOff
            | Self::TooMany { .. }
            | Self::Aborted
            | Self::Stopped => None,
            Self::Misfit { arguments, .. }
            | Self::Locked { arguments, .. }
            | Self::Hook { arguments, .. } => Some(arguments),
        }
    }
}

impl Refusal {
    /// The refusal in a word or two, for traces.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::OffList => "off the list",
            Self::Misfit { .. } => "misfit",
            Self::Locked { .. } => "locked",
            Self::Hook { .. } => "hook",
            Self::NoName => "no name",
            Self::SameId { .. } => "same id",
            Self::CutShort => "cut short",
            Self::BrokenOff => "broken off",
            Self::TooMany { .. } => "too many",
            Self::Aborted => "aborted",
            Self::Stopped => "stopped",
        }
    }
}

impl Outcome {
    /// Whether this counts towards the same-failure stop (acceptance A14).
    #[must_use]
    pub fn is_failure(&self) -> bool {
        match self {
            Self::OwnError { .. }
            | Self::Trap { .. }
            | Self::Limit { .. }
            | Self::Exit { .. }
            | Self::Unusable { .. }
            | Self::Unsayable { .. }
            | Self::Withheld { .. } => true,
            Self::Said { .. } | Self::Unknown | Self::Aborted | Self::HostFault { .. } => false,
        }
    }

    /// Whether the door itself said something, its own error included.
    #[must_use]
    pub fn has_returned(&self) -> bool {
        matches!(self, Self::Said { .. } | Self::OwnError { .. })
    }

    /// The outcome in one word, for traces.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Said { .. } => "said",
            Self::OwnError { .. } => "error",
            Self::Trap { .. } => "trap",
            Self::Limit { .. } => "limit",
            Self::Exit { .. } => "exit",
            Self::Unusable { .. } => "unusable",
            Self::Unsayable { .. } => "unsayable",
            Self::Withheld { .. } => "withheld",
            Self::Unknown => "unknown",
            Self::Aborted => "aborted",
            Self::HostFault { .. } => "host fault",
        }
    }
}
