//! A file of Doorlist's own: what a person decided on this machine, outside any loop.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

/// A JSON file that holds a `T`, replaced as a whole: a reader sees the old one or the new one. One
/// that is not there holds `T`'s default.
#[derive(Clone, Debug)]
pub(crate) struct OwnFile<T> {
    dir: PathBuf,
    name: &'static str,
    holds: PhantomData<fn() -> T>,
}

/// Why a file of Doorlist's own cannot be read or replaced.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OwnFileError {
    /// The file or its folder cannot be used.
    #[error("{} cannot be read or written: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is not what Doorlist wrote.
    #[error(
        "{} is not what doorlist writes there ({source}); look at it, and remove it to begin anew",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// The file was written by a later version of Doorlist.
    #[error("{} has version {found}, and this doorlist reads version {VERSION}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
}

impl<T: Serialize + DeserializeOwned + Default> OwnFile<T> {
    /// The file `name`.json in `dir`. The folder is made when something is kept.
    pub(crate) fn new(dir: &Path, name: &'static str) -> Self {
        Self {
            dir: dir.to_owned(),
            name,
            holds: PhantomData,
        }
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.dir.join(format!("{}.json", self.name))
    }

    pub(crate) fn read(&self) -> Result<T, OwnFileError> {
        let path = self.path();
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(T::default()),
            Err(source) => return Err(OwnFileError::Io { path, source }),
        };
        let damaged = |source| OwnFileError::Damaged {
            path: path.clone(),
            source,
        };
        let Version { version } = serde_json::from_slice(&bytes).map_err(damaged)?;
        if version != VERSION {
            let found = version;
            return Err(OwnFileError::Version { path, found });
        }
        let versioned: Versioned<T> = serde_json::from_slice(&bytes).map_err(damaged)?;
        Ok(versioned.holds)
    }

    /// Reads, changes and replaces the file, one process at a time.
    pub(crate) fn change<R>(&self, change: impl FnOnce(&mut T) -> R) -> Result<R, OwnFileError> {
        let io = |path: &Path| {
            let path = path.to_owned();
            move |source| OwnFileError::Io { path, source }
        };
        fs::create_dir_all(&self.dir).map_err(io(&self.dir))?;
        let lock = self.dir.join(format!("{}.lock", self.name));
        let locked = File::create(&lock).and_then(|file| file.lock().map(|()| file));
        let _locked = locked.map_err(io(&lock))?;
        let mut holds = self.read()?;
        let changed = change(&mut holds);
        self.replace(holds).map_err(io(&self.path()))?;
        Ok(changed)
    }

    fn replace(&self, holds: T) -> io::Result<()> {
        let version = VERSION;
        let mut file = NamedTempFile::new_in(&self.dir)?;
        serde_json::to_writer_pretty(&mut file, &Versioned { version, holds })?;
        file.write_all(b"\n")?;
        file.as_file().sync_all()?;
        file.persist(self.path())?;
        Ok(())
    }
}

#[derive(Deserialize)]
struct Version {
    version: u32,
}

#[derive(Serialize, Deserialize)]
struct Versioned<T> {
    version: u32,
    #[serde(flatten)]
    holds: T,
}

/// Version of the format of every such file.
const VERSION: u32 = 1;
