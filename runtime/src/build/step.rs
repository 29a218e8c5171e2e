//! What a build tells of while it goes on.

use super::{Language, Target};
use std::fmt;
use std::path::Path;

/// One thing that a build does. Its `Display` is a line for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step<'a> {
    /// A target of the compiler is missing and is being added.
    Adding {
        /// The target.
        target: Target,
    },
    /// A door is being compiled.
    Compiling {
        /// The name of the door.
        door: &'a str,
        /// What it is written in.
        language: Language,
    },
    /// A line that a program of the toolchain wrote.
    Said {
        /// The line, without its end.
        line: &'a str,
    },
    /// A dependency lies outside of the workspace: Cargo puts its absolute path into the symbols, so
    /// the same sources give other bytes in another place.
    OutsidePath {
        /// The name of the door.
        door: &'a str,
        /// The name of the dependency.
        dependency: &'a str,
    },
    /// An export was opened once, in the inert world with the least that it takes, and did not
    /// return.
    Failed {
        /// The name of the export's door.
        door: &'a str,
        /// The arguments, as JSON.
        arguments: &'a str,
        /// What came of it.
        observation: &'a str,
    },
    /// A door was written.
    Written {
        /// The name of the door.
        door: &'a str,
        /// The component.
        file: &'a Path,
        /// Its size in bytes.
        size: usize,
    },
}

impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Adding { target } => write!(f, "adding the target {target}"),
            Self::Compiling { door, language } => write!(f, "building {door} from {language}"),
            Self::Said { line } => f.write_str(line),
            Self::OutsidePath { door, dependency } => write!(
                f,
                "{door}: {dependency} lies outside of the workspace, so the bytes of this door \
                 depend on where it is built"
            ),
            Self::Failed {
                door,
                arguments,
                observation,
            } => write!(
                f,
                "{door} {arguments}, opened once to try it: {observation}"
            ),
            Self::Written { file, size, .. } => write!(f, "{} ({size} bytes)", file.display()),
        }
    }
}
