//! What is wrong with a line of a journal.

/// A line that does not continue the journal before it.
///
/// A line that was taken out, put in or moved is noticed at the first line that no longer follows
/// the one above it. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// The checksum is not that of the lines so far: this line was edited, or a line above it was
    /// taken out, put in or moved.
    #[error(
        "line {line} does not follow from the lines above it: expected the checksum {expected}, \
         found {found}"
    )]
    Checksum {
        /// The line, from 1.
        line: u64,
        /// The checksum of the lines up to this one.
        expected: String,
        /// The checksum that the line carries.
        found: String,
    },
    /// The line is no record at all, or not the one that belongs here.
    #[error("line {line} is not what belongs here: expected {expected}, found {found}")]
    Shape {
        /// The line, from 1.
        line: u64,
        /// What belongs there.
        expected: String,
        /// The beginning of what stands there.
        found: String,
    },
    /// The line was written by a later version of Doorlist.
    #[error(
        "line {line} has version {found} of the journal's format, and this doorlist reads up to \
         version {known}: open it with a newer doorlist"
    )]
    Version {
        /// The line, from 1.
        line: u64,
        /// The version that the line names.
        found: u64,
        /// The latest version that this crate reads.
        known: u16,
    },
}

impl Damage {
    /// The line to look at, from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        match self {
            Self::Checksum { line, .. } | Self::Shape { line, .. } | Self::Version { line, .. } => {
                *line
            }
        }
    }
}
