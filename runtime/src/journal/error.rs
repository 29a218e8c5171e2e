//! Why a journal was not written or not read.

use std::io;

use loop_spec::journal::{Damage, Unwritable};

/// Why entries were not kept. Except where it says otherwise, none of them was.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AppendError {
    /// Another writer was there first, or the writer's count is wrong.
    #[error("the run has {found} records and not {expected}: another writer appended to it")]
    Conflict {
        /// How many records the writer believed to be there.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// An entry could not be read back if it were written.
    #[error(transparent)]
    Unwritable(#[from] Unwritable),
    /// The run cannot be read, so nothing may be added to it.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// Writing failed, for example because the disk is full.
    #[error(
        "{place}: {entries} were not written ({source}); everything before them is kept, and the \
         run can be resumed"
    )]
    NotWritten {
        /// Where the run is kept.
        place: String,
        /// How many entries of which kinds.
        entries: String,
        /// What the system said.
        source: io::Error,
    },
    /// Writing failed, and so did taking back what was written of it.
    #[error(
        "{place}: it is not known whether {entries} were written ({source}); everything before \
         them is kept: resume the run to see"
    )]
    Unknown {
        /// Where the run is kept.
        place: String,
        /// How many entries of which kinds.
        entries: String,
        /// What the system said.
        source: io::Error,
    },
}

/// Why a run was not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// A line does not fit those before it.
    #[error("{place} is damaged: {damage}")]
    Damaged {
        /// Where the run is kept.
        place: String,
        /// Which line, and how.
        damage: Damage,
    },
    /// Something else stands where a run's file belongs, e.g. a folder or a symbolic link.
    #[error("{place}: expected {expected}, found {found}")]
    Misplaced {
        /// Where it stands.
        place: String,
        /// What belongs there.
        expected: &'static str,
        /// What is there.
        found: &'static str,
    },
    /// The system refused.
    #[error("{place} cannot be opened or read: {source}")]
    Io {
        /// What was to be read.
        place: String,
        /// What the system said.
        source: io::Error,
    },
    /// The journal of a folder keeps the runs of one tenant only.
    #[error("{place} keeps the runs of the tenant `local` only, not of `{tenant}`")]
    OtherTenant {
        /// Where the runs are kept.
        place: String,
        /// Whose runs were asked for.
        tenant: String,
    },
}
