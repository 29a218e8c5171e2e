//! What in a `doors.lock` is not understood.

use crate::Place;
use crate::frame::one_line;

/// The first thing in a `doors.lock` that is not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LockError {
    /// It is not TOML, or has a key or a value that none has.
    #[error("doors.lock, {place}: {}", one_line(message))]
    Toml {
        /// Where.
        place: Place,
        /// What the reader of TOML says.
        message: String,
    },
    /// Another version of Doorlist wrote it.
    #[error("doors.lock: expected version 1, found version {found}")]
    Version {
        /// Its version.
        found: u32,
    },
    /// An accepted file without the time at which it was accepted.
    #[error(
        "doors.lock: file {file:?}: expected the time at which it was accepted in `at`, such as \
         \"2026-12-01T17:00:00Z\", found {found:?}"
    )]
    Time {
        /// The file's path.
        file: String,
        /// What stands there.
        found: Option<String>,
    },
}
