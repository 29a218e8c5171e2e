//! The secret that this host authenticates its compiled components with.

use std::fs::{self, Metadata};
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

/// 32 random bytes, made once a directory and readable by its owner alone.
pub(super) struct HostKey([u8; 32]);

impl HostKey {
    /// The key kept in `dir`, made when there is none that can be trusted. `None` when others can
    /// write to `dir`: they could put a key of their own there.
    pub(super) fn in_dir(dir: &Path) -> io::Result<Option<Self>> {
        let mut fresh = NamedTempFile::new_in(dir)?;
        let own = fresh.as_file().metadata()?;
        if !private(&fs::metadata(dir)?, &own, DIR_MODE) {
            return Ok(None);
        }
        let path = dir.join(FILE);
        if let Some(key) = read(&path, &own) {
            return Ok(Some(key));
        }
        let mut key = [0; 32];
        getrandom::fill(&mut key).map_err(io::Error::other)?;
        fresh.write_all(&key)?;
        fresh.as_file().sync_all()?;
        // Whoever makes it at the same time may win; the other's entries are then compiled again.
        fresh.persist(&path)?;
        Ok(Some(Self(key)))
    }

    pub(super) fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    #[cfg(test)]
    pub(super) fn fixed(byte: u8) -> Self {
        Self([byte; 32])
    }
}

fn read(path: &Path, own: &Metadata) -> Option<HostKey> {
    let found = fs::symlink_metadata(path).ok()?;
    if !found.is_file() || !private(&found, own, FILE_MODE) {
        return None;
    }
    fs::read(path).ok()?.try_into().ok().map(HostKey)
}

/// Whether `found` belongs to who owns `own`, and gives others nothing of `forbidden`.
#[cfg(unix)]
fn private(found: &Metadata, own: &Metadata, forbidden: u32) -> bool {
    use std::os::unix::fs::MetadataExt;
    found.uid() == own.uid() && found.mode() & forbidden == 0
}

/// Elsewhere a user's directories are private unless they were shared on purpose.
#[cfg(not(unix))]
fn private(_: &Metadata, _: &Metadata, _: u32) -> bool {
    true
}

const FILE: &str = "host-key";

/// Others must not write to the directory.
const DIR_MODE: u32 = 0o022;

/// Others must not read the key either.
const FILE_MODE: u32 = 0o077;

#[cfg(all(test, unix))]
mod tests {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn key(dir: &Path) -> [u8; 32] {
        *HostKey::in_dir(dir).unwrap().unwrap().bytes()
    }

    #[test]
    fn a_key_is_made_once_and_for_its_owner_alone() {
        let dir = tempfile::tempdir().unwrap();
        let first = key(dir.path());
        assert_eq!(key(dir.path()), first);
        let mode = fs::metadata(dir.path().join(FILE))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(
            fs::read_dir(dir.path()).unwrap().count(),
            1,
            "nothing is left behind"
        );
    }

    #[test]
    fn a_key_that_others_may_know_or_that_is_no_key_is_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(FILE);
        let first = key(dir.path());
        set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        let second = key(dir.path());
        assert_ne!(first, second);
        fs::write(&path, "short").unwrap();
        assert_ne!(key(dir.path()), second);
        fs::rename(&path, dir.path().join("elsewhere")).unwrap();
        symlink(dir.path().join("elsewhere"), &path).unwrap();
        assert!(fs::symlink_metadata(&path).unwrap().is_symlink());
        key(dir.path());
        assert!(!fs::symlink_metadata(&path).unwrap().is_symlink());
    }

    #[test]
    fn a_directory_that_others_write_to_has_no_key() {
        let dir = tempfile::tempdir().unwrap();
        set_permissions(dir.path(), Permissions::from_mode(0o777)).unwrap();
        assert!(HostKey::in_dir(dir.path()).unwrap().is_none());
    }
}
