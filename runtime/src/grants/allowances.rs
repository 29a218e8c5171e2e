//! What a person has allowed, kept in the user's configuration outside any loop.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use loop_spec::Digest;
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::Requests;
use super::kept::resolved;

/// The loops whose requests a person has allowed, each with the digest of what was shown.
///
/// A JSON file, replaced as a whole: a reader sees the old one or the new one.
#[derive(Clone, Debug)]
pub struct Allowances {
    dir: PathBuf,
}

/// Why allowances cannot be looked up or kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AllowanceError {
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
        "{} is not a list of allowances ({source}); remove it, and allow the loops again",
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
        let dir = config_dir.to_owned();
        Self { dir }
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
        let allowed = self.read()?;
        Ok(allowed.loops.get(key(requests.loop_dir())?) == Some(&requests.digest()))
    }

    /// Keeps that a person, who was shown these requests, allows them.
    ///
    /// # Errors
    /// The file cannot be read, understood or replaced.
    pub fn allow(&self, requests: &Requests) -> Result<(), AllowanceError> {
        self.check_outside(requests)?;
        let loop_dir = key(requests.loop_dir())?;
        self.change(|loops| {
            loops
                .insert(loop_dir.to_owned(), requests.digest())
                .is_none()
        })?;
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
        self.change(|loops| loops.remove(loop_dir).is_some())
    }

    /// Reads, changes and replaces the file, one process at a time.
    fn change<T>(
        &self,
        change: impl FnOnce(&mut BTreeMap<String, Digest>) -> T,
    ) -> Result<T, AllowanceError> {
        fs::create_dir_all(&self.dir).map_err(|source| self.io(&self.dir, source))?;
        let lock = self.dir.join(LOCK);
        let locked = File::create(&lock).and_then(|file| file.lock().map(|()| file));
        let _locked = locked.map_err(|source| self.io(&lock, source))?;
        let mut allowed = self.read()?;
        let changed = change(&mut allowed.loops);
        self.replace(&allowed)
            .map_err(|source| self.io(&self.file(), source))?;
        Ok(changed)
    }

    fn read(&self) -> Result<Allowed, AllowanceError> {
        let path = self.file();
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Allowed::default()),
            Err(source) => return Err(self.io(&path, source)),
        };
        match serde_json::from_slice::<Allowed>(&bytes) {
            Ok(Allowed { version, .. }) if version != VERSION => {
                let found = version;
                Err(AllowanceError::Version { path, found })
            }
            Ok(allowed) => Ok(allowed),
            Err(source) => Err(AllowanceError::Damaged { path, source }),
        }
    }

    fn replace(&self, allowed: &Allowed) -> io::Result<()> {
        let mut file = NamedTempFile::new_in(&self.dir)?;
        serde_json::to_writer_pretty(&mut file, allowed)?;
        file.write_all(b"\n")?;
        file.as_file().sync_all()?;
        file.persist(self.file())?;
        Ok(())
    }

    fn check_outside(&self, requests: &Requests) -> Result<(), AllowanceError> {
        let dir = resolved(&self.dir);
        if dir.starts_with(requests.loop_dir()) {
            return Err(AllowanceError::InsideLoop {
                path: dir,
                loop_dir: requests.loop_dir().to_owned(),
            });
        }
        Ok(())
    }

    fn file(&self) -> PathBuf {
        self.dir.join(FILE)
    }

    fn io(&self, path: &Path, source: io::Error) -> AllowanceError {
        let path = path.to_owned();
        AllowanceError::Io { path, source }
    }
}

#[derive(Serialize, Deserialize)]
struct Allowed {
    version: u32,
    /// By the loop's resolved path: what was allowed to it.
    #[serde(default)]
    loops: BTreeMap<String, Digest>,
}

impl Default for Allowed {
    fn default() -> Self {
        let loops = BTreeMap::new();
        Self {
            version: VERSION,
            loops,
        }
    }
}

fn key(loop_dir: &Path) -> Result<&str, AllowanceError> {
    loop_dir.to_str().ok_or_else(|| AllowanceError::NotUtf8 {
        path: loop_dir.to_owned(),
    })
}

const FILE: &str = "allowed.json";
const LOCK: &str = "allowed.lock";
/// Version of the file's format.
const VERSION: u32 = 1;
