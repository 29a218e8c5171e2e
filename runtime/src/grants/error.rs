//! Why a folder's grants cannot be given.

use std::io;
use std::path::PathBuf;

use loop_spec::Place;

use super::{AllowanceError, BadSecret};

/// Why a folder's grants cannot be given. Nothing of the folder may run then.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GrantError {
    /// The loop's folder, or its `data/`, cannot be used.
    #[error("{}: {source}", path.display())]
    LoopDir {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A folder that is asked for is not there, or is no folder.
    #[error(
        "policy.toml, {place}: `host` in dirs of [door.\"{door}\"]: expected a folder at {}: {source}",
        path.display()
    )]
    NoFolder {
        /// Where the policy asks for it.
        place: Place,
        /// For which door.
        door: String,
        /// Where it was looked for.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A folder that is asked for writing holds, or lies within, what no door may change.
    #[error(
        "policy.toml, {place}: `host` in dirs of [door.\"{door}\"]: {} cannot be granted with \
         write = true, because no door may change {}; name another folder or remove `write`",
        path.display(), kept.display()
    )]
    Kept {
        /// Where the policy asks for it.
        place: Place,
        /// For which door.
        door: String,
        /// The folder asked for, resolved.
        path: PathBuf,
        /// What no door may change.
        kept: PathBuf,
    },
    /// A folder that is asked for writing holds, by a hard link, a file that no door may change.
    #[error(
        "policy.toml, {place}: `host` in dirs of [door.\"{door}\"]: {} is another name of {}, which no \
         door may change; remove it, or remove `write`",
        name.display(), kept.display()
    )]
    Linked {
        /// Where the policy asks for it.
        place: Place,
        /// For which door.
        door: String,
        /// The file's name in the folder asked for.
        name: PathBuf,
        /// The same file where it is kept.
        kept: PathBuf,
    },
    /// The host-wide policy does not offer it.
    #[error("policy.toml, {place}: {request}, which the host-wide policy does not offer it")]
    NotOffered {
        /// Where the policy asks for it, or names the door.
        place: Place,
        /// What is asked for.
        request: String,
    },
    /// A secret is not there, or cannot be sent.
    #[error(
        "policy.toml, {place}: `from` in secrets of [door.\"{door}\"]: the environment variable {variable}: {why}"
    )]
    NoSecret {
        /// Where the policy asks for it.
        place: Place,
        /// For which door.
        door: String,
        /// The variable that is to hold it.
        variable: String,
        /// What is wrong.
        why: NoSecret,
    },
    /// A path that cannot be written down in an allowance.
    #[error("{}: expected a path in UTF-8", path.display())]
    NotUtf8 {
        /// The path.
        path: PathBuf,
    },
    /// No person has allowed what the folder asks for, or it was edited since.
    #[error(
        "{} asks for more than its own data/, and nobody has allowed it:\n{asked}\
         Look at it and allow it with: doorlist allow {}",
        loop_dir.display(), loop_dir.display()
    )]
    NotAllowed {
        /// The loop's folder.
        loop_dir: PathBuf,
        /// What it asks for, one line each.
        asked: String,
    },
    /// A granted folder was moved or replaced while the run went on.
    #[error("{} is no longer the folder that was granted; start the run again", path.display())]
    Moved {
        /// The granted folder.
        path: PathBuf,
    },
    /// What was allowed cannot be looked up.
    #[error(transparent)]
    Allowance(#[from] AllowanceError),
}

/// Why a secret cannot be had. It never holds the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoSecret {
    /// Nothing was set.
    #[error("expected a secret, found nothing; set it where doorlist is started")]
    Unset,
    /// It is none that can be sent and hidden.
    #[error("{0}")]
    Bad(#[from] BadSecret),
}
