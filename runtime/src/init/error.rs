//! Why the example was not written.

use std::io;
use std::path::PathBuf;

use crate::lock::LockFileError;

/// Why the example was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "each field is in the message of its variant")]
pub enum InitError {
    /// Files of the example are there already. Nothing was changed.
    #[error(
        "{} has files that would be overwritten; nothing was changed:{}",
        folder.display(),
        files.iter().map(|file| format!("\n  {}", file.display())).collect::<String>()
    )]
    InTheWay {
        folder: PathBuf,
        files: Vec<PathBuf>,
    },

    /// What the components are can not be kept. The files that were written are removed again.
    #[error("{} can not be written: {source}", file.display())]
    Lock {
        file: PathBuf,
        source: LockFileError,
    },

    /// A file can not be written. Those that were written are removed again.
    #[error("{} can not be written: {source}", file.display())]
    Write { file: PathBuf, source: io::Error },
}
