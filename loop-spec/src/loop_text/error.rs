//! What can be wrong with a `loop.txt`.

use crate::Place;
use crate::frame::{one_line, visible};

/// Why a `loop.txt` cannot be run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoopTextError {
    /// The first line is not `+++`.
    #[error(
        "loop.txt, line 1: a loop.txt begins with a line `+++` and its header; found `{}`",
        visible(found)
    )]
    NoHeader {
        /// The start of the first line.
        found: String,
    },
    /// The header has no end.
    #[error("loop.txt: the header that begins on line 1 has no second `+++` line")]
    OpenHeader,
    /// Nothing stands below the header.
    #[error("loop.txt: below the header stands the goal, in your words; found nothing")]
    NoGoal,
    /// The header is not TOML, or a value has another type than its key takes.
    #[error("loop.txt, {place}: {found}")]
    Toml {
        /// Where.
        place: Place,
        /// What the reader of TOML says.
        found: String,
    },
    /// A key that no header has.
    #[error("loop.txt, {place}: unknown key `{}`{}", visible(key), meant(.nearest, .known))]
    UnknownKey {
        /// Where.
        place: Place,
        /// The key.
        key: String,
        /// The key that was probably meant.
        nearest: Option<&'static str>,
        /// All keys.
        known: &'static [&'static str],
    },
    /// The header has no list.
    #[error("loop.txt: the header has no `list`, expected e.g. `list = [\"fridge.count\"]`")]
    NoList,
    /// A value that its key cannot have.
    #[error(
        "loop.txt, {place}: `{key}` is `{}`, expected {expected}",
        one_line(found)
    )]
    Value {
        /// Where.
        place: Place,
        /// The key.
        key: &'static str,
        /// The value.
        found: String,
        /// What it could be.
        expected: &'static str,
    },
    /// A listed name that no door can have.
    #[error(
        "loop.txt, {place}: `{}` is no name of a door; expected `file.function`, in letters, digits, \
         `-` and `_`",
        one_line(name)
    )]
    Name {
        /// Where.
        place: Place,
        /// The name.
        name: String,
    },
    /// A name that stands twice on the list.
    #[error("loop.txt, {place}: `{name}` stands twice on the list")]
    Twice {
        /// Where the second one stands.
        place: Place,
        /// The name.
        name: String,
    },
    /// A needed door that is not listed.
    #[error("loop.txt, {place}: `needs` names `{name}`, which is not on the list")]
    NeedsUnlisted {
        /// Where.
        place: Place,
        /// The name.
        name: String,
    },
}

impl LoopTextError {
    /// Where it stands, where it stands anywhere.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        match self {
            Self::NoHeader { .. } | Self::OpenHeader | Self::NoGoal | Self::NoList => None,
            Self::Toml { place, .. }
            | Self::UnknownKey { place, .. }
            | Self::Value { place, .. }
            | Self::Name { place, .. }
            | Self::Twice { place, .. }
            | Self::NeedsUnlisted { place, .. } => Some(*place),
        }
    }
}

fn meant(nearest: &Option<&str>, known: &[&str]) -> String {
    match nearest {
        Some(nearest) => format!("; did you mean `{nearest}`?"),
        None => format!("; the keys are {}", known.join(", ")),
    }
}
