//! A cell, and what decides it.

use std::fmt;

use crate::Node;

/// A cell: a node with what happens there and what decides it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The node.
    pub node: Node,
    /// What happens there, in one sentence.
    pub does: &'static str,
    /// What decides it; at least one.
    pub decided_by: Vec<Decision>,
}

/// One place that decides a cell, and what stands there now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The place that a person would change.
    pub by: DecidedBy,
    /// What stands there, on one line, where that is short enough to be drawn.
    pub value: Option<String>,
}

/// What decides a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecidedBy {
    /// A key of `loop.txt`; no key is the prose.
    Loop(Option<&'static str>),
    /// A key of a policy.
    Policy {
        /// The policy's file, e.g. `policy.toml`.
        file: String,
        /// The key, e.g. `ask.first`.
        key: String,
    },
    /// A function that a component in the folder exports.
    Door {
        /// The component's file, e.g. `doors/fridge.wasm`.
        file: String,
        /// The function, e.g. `count`.
        function: String,
    },
    /// The file that is pasted into.
    History,
    /// The file that says which bytes were built or accepted here.
    Lock,
    /// A function of Doorlist itself: a source file and a name in it.
    Doorlist {
        /// The version of Doorlist.
        version: String,
        /// The source file from the repository's root.
        file: &'static str,
        /// The function.
        function: &'static str,
    },
}

/// File, and key or function: what a person opens.
impl fmt::Display for DecidedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Loop(None) => f.write_str(PROSE),
            Self::Loop(Some(key)) => write!(f, "loop.txt, {key}"),
            Self::Policy { file, key } => write!(f, "{file}, {key}"),
            Self::Door { file, function } => write!(f, "{file}, {function}"),
            Self::History => f.write_str("history.txt"),
            Self::Lock => f.write_str("doors.lock"),
            Self::Doorlist {
                version,
                file,
                function,
            } => write!(f, "doorlist {version} {file}::{function}"),
        }
    }
}

const PROSE: &str = "loop.txt, the prose";
