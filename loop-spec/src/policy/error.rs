//! What in a `policy.toml` is not understood.

use crate::Place;
use crate::frame::visible;

/// The first thing in a `policy.toml` that is not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// It is not TOML, or a value has the wrong type.
    #[error("policy.toml, {place}: {message}")]
    Toml {
        /// Where.
        place: Place,
        /// What the TOML reader says.
        message: String,
    },
    /// A key or section that does not exist.
    #[error(
        "policy.toml, {place}: unknown key `{}` in {}{}; expected one of {}",
        visible(key),
        visible(section),
        nearest.map(|known| format!(" (did you mean `{known}`?)")).unwrap_or_default(),
        known.join(", ")
    )]
    UnknownKey {
        /// Where.
        place: Place,
        /// The key.
        key: String,
        /// What it stands in, e.g. `[limits]`.
        section: String,
        /// The key that was probably meant.
        nearest: Option<&'static str>,
        /// The keys that exist there.
        known: &'static [&'static str],
    },
    /// A door's name without the quotes that make one key of it.
    #[error(
        "policy.toml, {place}: expected a door's name in quotes, [door.\"{0}\"], found [door.{0}]",
        visible(name)
    )]
    Unquoted {
        /// Where.
        place: Place,
        /// The name.
        name: String,
    },
    /// A value that the key cannot have.
    #[error("policy.toml, {place}: `{key}`: expected {expected}, found `{found}`")]
    Value {
        /// Where.
        place: Place,
        /// The key.
        key: &'static str,
        /// What it can be.
        expected: &'static str,
        /// What it is.
        found: String,
    },
}

impl PolicyError {
    /// Where it stands.
    #[must_use]
    pub fn place(&self) -> Place {
        match self {
            Self::Toml { place, .. }
            | Self::UnknownKey { place, .. }
            | Self::Unquoted { place, .. }
            | Self::Value { place, .. } => *place,
        }
    }
}
