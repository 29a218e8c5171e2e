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
}

impl Refusal {
    /// The arguments that would be refused again, for the same-failure stop (acceptance A14).
    #[must_use]
    pub fn arguments(&self) -> Option<&str> {
        match self {
            Self::OffList => None,
            Self::Misfit { arguments, .. } | Self::Locked { arguments, .. } => Some(arguments),
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
            | Self::Unsayable { .. } => true,
            Self::Said { .. } | Self::Unknown | Self::Aborted | Self::HostFault { .. } => false,
        }
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
            Self::Unknown => "unknown",
            Self::Aborted => "aborted",
            Self::HostFault { .. } => "host fault",
        }
    }
}
