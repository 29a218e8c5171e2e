//! Whether a component may be opened in a loop.

use std::collections::BTreeMap;

use loop_spec::Digest;
use loop_spec::lock::{Came, Lock, Unaccepted};

use super::{Key, LockFile, LockFileError, Revocation, Signer, entry, signatures};
use crate::doors::DoorFile;

/// All that decides which components may be opened in one loop, read once.
#[derive(Clone, Debug)]
pub struct Locks {
    file: LockFile,
    lock: Lock,
    keys: Vec<Key>,
    revoked: BTreeMap<Digest, Revocation>,
}

impl Locks {
    /// What holds for a loop: its lock, the keys that its policy names, and what is revoked on this
    /// machine.
    ///
    /// # Errors
    /// The lock cannot be read or understood.
    pub fn read(
        file: LockFile,
        keys: Vec<Key>,
        revoked: BTreeMap<Digest, Revocation>,
    ) -> Result<Self, LockFileError> {
        let lock = file.read()?;
        Ok(Self {
            file,
            lock,
            keys,
            revoked,
        })
    }

    /// What was built or accepted.
    #[must_use]
    pub fn lock(&self) -> &Lock {
        &self.lock
    }

    /// Why a component of the loop's folder is not opened; `None` if it may be.
    #[must_use]
    pub fn refusal(&self, file: &DoorFile) -> Option<Unaccepted> {
        if self.revocation(file).is_some() {
            return Some(Unaccepted::Revoked);
        }
        if !self.keys.is_empty() && !matches!(self.signer(file), Signer::Key(_)) {
            return Some(Unaccepted::Unsigned);
        }
        let name = file.path.as_deref().map(|path| self.file.name_of(path));
        let Some(Ok(name)) = name else {
            return Some(Unaccepted::NoEntry);
        };
        let found = entry(file, Came::Built);
        self.lock.refusal(&name, &found.digests())
    }

    /// The revocation of the file's bytes, where a person has revoked them on this machine.
    #[must_use]
    pub fn revocation(&self, file: &DoorFile) -> Option<&Revocation> {
        self.revoked.get(&file.artifact.digest())
    }

    /// Who has signed the file's bytes, in `NAME.sig` beside it.
    #[must_use]
    pub fn signer(&self, file: &DoorFile) -> Signer {
        let signatures = file.path.as_deref().and_then(signatures);
        Signer::of(&file.artifact, signatures.as_deref(), &self.keys)
    }
}
