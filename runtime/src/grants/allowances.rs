//! What a person has allowed, kept in the user's configuration outside any loop.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use loop_spec::Digest;
use serde::{Deserialize, Serialize};

use super::Requests;
use super::kept::resolved;
use crate::own_file::{OwnFile, OwnFileError};

/// The loops whose requests a person has allowed, each with the digest of what was shown.
#[derive(Clone, Debug)]
pub struct Allowances {
    file: OwnFile<Allowed>,
}

/// Why allowances cannot be looked up or kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AllowanceError {
    /// The file cannot be read or replaced.
    #[error(transparent)]
    File(#[from] OwnFileError),
    /// The configuration lies in the loop's folder, where a stranger's folder could bring its own.
    #[error(
        "the configuration {} lies inside the loop {}; keep it elsewhere",
        path.display(), loop_dir.display()
    )]
    InsideLoop {
        /// The configuration's folder.
        path: PathBuf,
        /// The loop's folder.
        loop_dir: PathBuf,
    },
    /// A path that cannot be written down.
    #[error("{}: expected a path in UTF-8", path.display())]
    NotUtf8 {
        /// The path.
        path: PathBuf,
    },
}

impl Allowances {
    /// The allowances kept in the folder `config_dir`, which is made when something is allowed.
    #[must_use]
    pub fn in_dir(config_dir: &Path) -> Self {
        Self {
            file: OwnFile::new(config_dir, "allowed"),
        }
    }

    /// Whether a person has allowed exactly these requests of this loop; always if there are none.
    ///
    /// # Errors
    /// The file cannot be read or understood.
    pub fn allows(&self, requests: &Requests) -> Result<bool, AllowanceError> {
        if requests.beyond_data().is_empty() {
            return Ok(true);
        }
        self.check_outside(requests)?;
        let allowed = self.file.read()?;
        Ok(allowed.loops.get(key(requests.loop_dir())?) == Some(&requests.digest()))
    }

    /// Keeps that a person, who was shown these requests, allows them.
    ///
    /// # Errors
    /// The file cannot be read, understood or replaced.
    pub fn allow(&self, requests: &Requests) -> Result<(), AllowanceError> {
        self.check_outside(requests)?;
        let loop_dir = key(requests.loop_dir())?;
        let (loop_dir, digest) = (loop_dir.to_owned(), requests.digest());
        self.file
            .change(|allowed| allowed.loops.insert(loop_dir, digest))?;
        Ok(())
    }

    /// Takes back what was allowed to the loop at `loop_dir`; says whether there was anything.
    ///
    /// # Errors
    /// The file cannot be read, understood or replaced.
    pub fn revoke(&self, loop_dir: &Path) -> Result<bool, AllowanceError> {
        // A folder that is gone can still be named by the path that it had.
        let real = loop_dir
            .canonicalize()
            .unwrap_or_else(|_| loop_dir.to_owned());
        let loop_dir = key(&real)?;
        Ok(self
            .file
            .change(|allowed| allowed.loops.remove(loop_dir).is_some())?)
    }

    fn check_outside(&self, requests: &Requests) -> Result<(), AllowanceError> {
        let dir = resolved(self.file.dir());
        if dir.starts_with(requests.loop_dir()) {
            return Err(AllowanceError::InsideLoop {
                path: dir,
                loop_dir: requests.loop_dir().to_owned(),
            });
        }
        Ok(())
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Allowed {
    /// By the loop's resolved path: what was allowed to it.
    #[serde(default)]
    loops: BTreeMap<String, Digest>,
}

fn key(loop_dir: &Path) -> Result<&str, AllowanceError> {
    loop_dir.to_str().ok_or_else(|| AllowanceError::NotUtf8 {
        path: loop_dir.to_owned(),
    })
}
