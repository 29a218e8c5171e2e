//! The file `doors.lock` of a loop, and what is locked of a component.

use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use loop_spec::Digest;
use loop_spec::lock::{Came, Entry, Lock, LockError, LockedFunction};
use tempfile::NamedTempFile;

use crate::doors::{DoorFile, packages};

/// The `doors.lock` of one loop.
#[derive(Clone, Debug)]
pub struct LockFile {
    dir: PathBuf,
}

/// Why a `doors.lock` cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LockFileError {
    /// It cannot be read or written.
    #[error("{}: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is not understood.
    #[error("{}/{source}", dir.display())]
    Lock {
        /// The loop's folder.
        dir: PathBuf,
        /// What is wrong.
        source: LockError,
    },
    /// A component that does not lie in the loop's folder, or under a path that is no text.
    #[error("{}: expected a component in {}, under a path in UTF-8", file.display(), dir.display())]
    Elsewhere {
        /// The component's file.
        file: PathBuf,
        /// The loop's folder.
        dir: PathBuf,
    },
}

impl LockFile {
    /// The lock of the loop in `dir`.
    #[must_use]
    pub fn in_loop(dir: &Path) -> Self {
        let dir = dir.to_owned();
        Self { dir }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.dir.join(NAME)
    }

    /// What it says; nothing where it is not there.
    ///
    /// # Errors
    /// It cannot be read or understood.
    pub fn read(&self) -> Result<Lock, LockFileError> {
        let text = match fs::read_to_string(self.path()) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Lock::default()),
            Err(source) => return Err(self.io(source)),
        };
        text.parse().map_err(|source| LockFileError::Lock {
            dir: self.dir.clone(),
            source,
        })
    }

    /// Puts `lock` in its place, as a whole.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, lock: &Lock) -> Result<(), LockFileError> {
        let replaced = NamedTempFile::new_in(&self.dir).and_then(|mut file| {
            file.write_all(lock.to_string().as_bytes())?;
            readable(&file)?;
            file.as_file().sync_all()?;
            file.persist(self.path())?;
            Ok(())
        });
        replaced.map_err(|source| self.io(source))
    }

    /// Locks components that were built from source into the loop's folder.
    ///
    /// # Errors
    /// The lock cannot be read or written, or one of them lies elsewhere.
    pub fn built<'f>(
        &self,
        components: impl IntoIterator<Item = &'f DoorFile>,
    ) -> Result<(), LockFileError> {
        let mut lock = self.read()?;
        for component in components {
            let name = self.name_of(component.path.as_deref().unwrap_or(Path::new("")))?;
            let entry = entry(component, Came::Built);
            lock.insert(&name, entry);
        }
        self.write(&lock)
    }

    /// How a component of the loop is called in the lock: its path in the folder, with `/`.
    ///
    /// # Errors
    /// It lies elsewhere.
    pub fn name_of(&self, file: &Path) -> Result<String, LockFileError> {
        let name = file.strip_prefix(&self.dir).ok().and_then(|inside| {
            let parts = inside.components().map(|part| part.as_os_str().to_str());
            Some(parts.collect::<Option<Vec<_>>>()?.join("/"))
        });
        name.ok_or_else(|| LockFileError::Elsewhere {
            file: file.to_owned(),
            dir: self.dir.clone(),
        })
    }

    fn io(&self, source: io::Error) -> LockFileError {
        let file = self.path();
        LockFileError::Io { file, source }
    }
}

/// What is locked of a component that came in so.
#[must_use]
pub fn entry(file: &DoorFile, came: Came) -> Entry {
    let functions = file.functions().map(|(name, function)| LockedFunction {
        signature: function.signature(&name),
        about: function.docs.clone(),
    });
    let mut entry = Entry::new(file.artifact.digest(), file.interface.digest, came);
    entry.functions = functions.collect();
    entry.imports = packages(&file.interface.imports);
    entry.sidecar = file.schema.as_ref().map(Digest::of);
    entry
}

/// A temporary file is for its owner alone; this one goes with the loop.
#[cfg(unix)]
fn readable(file: &NamedTempFile) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = fs::Permissions::from_mode(0o644);
    file.as_file().set_permissions(mode)
}

#[cfg(not(unix))]
fn readable(_: &NamedTempFile) -> io::Result<()> {
    Ok(())
}

const NAME: &str = "doors.lock";
