//! The folder that a user writes: `loop.txt`, `policy.toml`, `doors/`, `data/`, `runs/` and the rest.

mod drawing;
mod findings;
mod history;
mod inbox;
mod parts;
mod refused;
mod review;
mod source;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use loop_spec::policy::{Ceiling, CompileLimits, Policy, PolicyError, RemotePolicy};
use loop_spec::{LoopText, LoopTextError};

use crate::OwnFileError;
use crate::doors::CatalogueError;
use crate::grants::GrantError;
use crate::journal::{FolderJournal, ReadError, RunKey};
use crate::lock::{Key, LockFile, LockFileError, Revoked};
use crate::models::remote::Provider;

pub use findings::Finding;
pub use history::{HistoryError, HistoryFile};
pub use inbox::{FolderInbox, Letter};
pub use parts::{Component, Parts};
pub use review::{Change, Review};
pub use source::FolderSource;

/// A loop's folder. Nothing of it is kept open.
#[derive(Clone, Debug)]
pub struct LoopFolder {
    dir: PathBuf,
    /// Where Doorlist keeps what it trusts: never granted to a door.
    own: Own,
}

/// What a loop is given from outside its folder.
#[derive(Clone, Debug)]
pub struct Own {
    /// What a person has allowed, and the host-wide policy.
    pub config: PathBuf,
    /// Compiled components.
    pub cache: PathBuf,
    /// The value of a variable that a policy takes a secret from, where it is set.
    pub variable: fn(&str) -> Option<String>,
}

/// What is wrong with a loop's folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// It is not there, or no folder.
    #[error("{}: expected a loop's folder, found {found}; `doorlist init DIR` makes one", dir.display())]
    NoFolder {
        /// The path.
        dir: PathBuf,
        /// What is there.
        found: &'static str,
    },
    /// There is no `loop.txt` in it.
    #[error("{}: expected a loop.txt, found none; `doorlist init DIR` makes a loop", dir.display())]
    NoLoopText {
        /// The folder.
        dir: PathBuf,
    },
    /// There is neither a `loop.txt` nor a door to list without one.
    #[error(
        "{}: expected a loop.txt, or doors that were built or accepted here, found neither; `doorlist \
         add FILE.wasm -C {}` brings one",
        dir.display(), dir.display()
    )]
    NoDoors {
        /// The folder.
        dir: PathBuf,
    },
    /// A file cannot be read.
    #[error("{}: {source}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file is not text.
    #[error(
        "{}: expected text in UTF-8, found byte {byte:#04x} at offset {offset}", file.display()
    )]
    NotText {
        /// The file.
        file: PathBuf,
        /// Where the first wrong byte stands.
        offset: usize,
        /// The byte.
        byte: u8,
    },
    /// `loop.txt` cannot be run.
    #[error("{}/{source}", dir.display())]
    LoopText {
        /// The folder.
        dir: PathBuf,
        /// What is wrong.
        source: LoopTextError,
    },
    /// `policy.toml` is not understood.
    #[error("{}/{source}", dir.display())]
    Policy {
        /// The folder.
        dir: PathBuf,
        /// What is wrong.
        source: PolicyError,
    },
    /// `policy.toml` asks for what this version does not have, or names a door that was probably
    /// meant otherwise.
    #[error("{}/{what}", dir.display())]
    Unfit {
        /// The folder.
        dir: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A door cannot be read.
    #[error(transparent)]
    Doors(#[from] CatalogueError),
    /// A listed name without a door.
    #[error("{}: expected a door `{name}`, which loop.txt lists; found {}", file.display(), has(.found))]
    NoDoor {
        /// The name.
        name: String,
        /// The file that was looked into.
        file: PathBuf,
        /// The doors that it has.
        found: Vec<String>,
    },
    /// A door imports what it is not granted and cannot do without.
    #[error(
        "{file}: expected `{key} = true` in [door.\"{name}\"] of policy.toml, which the door needs for \
         its import `{import}`; found none"
    )]
    Lacks {
        /// The component's file.
        file: String,
        /// The door.
        name: String,
        /// The key of the grant.
        key: &'static str,
        /// What it imports.
        import: &'static str,
    },
    /// The component that `close` or `model` names is of another kind.
    #[error("{}: expected a component that exports `{interface}`, which loop.txt names as `{key}`", file.display())]
    OtherInterface {
        /// The file.
        file: PathBuf,
        /// The key of the header.
        key: &'static str,
        /// The interface that was looked for.
        interface: &'static str,
    },
    /// A grant cannot be given.
    #[error(transparent)]
    Grant(#[from] GrantError),
    /// `doors.lock` cannot be used.
    #[error(transparent)]
    Lock(#[from] LockFileError),
    /// What a person has revoked cannot be looked up.
    #[error(transparent)]
    Own(#[from] OwnFileError),
    /// `runs/` cannot be used.
    #[error(transparent)]
    Runs(#[from] ReadError),
}

impl LoopFolder {
    /// The loop in `dir`.
    ///
    /// # Errors
    /// When there is no such folder, or no `loop.txt` in it.
    pub fn open(dir: &Path, own: Own) -> Result<Self, FolderError> {
        let folder = Self::of_doors(dir, own)?;
        match folder.has_text() {
            true => Ok(folder),
            false => Err(FolderError::NoLoopText { dir: folder.dir }),
        }
    }

    /// A folder of doors, which may have no `loop.txt`: then every door of a component that was built
    /// or accepted in it is listed, with the stops that a loop has by itself.
    ///
    /// # Errors
    /// When there is no such folder.
    pub fn of_doors(dir: &Path, own: Own) -> Result<Self, FolderError> {
        let no_folder = |found| FolderError::NoFolder {
            dir: dir.to_owned(),
            found,
        };
        match fs::metadata(dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(no_folder("nothing"))?,
            Err(source) => Err(FolderError::Unreadable {
                file: dir.to_owned(),
                source,
            })?,
            Ok(metadata) if !metadata.is_dir() => Err(no_folder("a file"))?,
            Ok(_) => {}
        }
        Ok(Self {
            dir: dir.to_owned(),
            own,
        })
    }

    /// Whether there is a `loop.txt`.
    #[must_use]
    pub fn has_text(&self) -> bool {
        fs::symlink_metadata(self.dir.join(LOOP_TXT)).is_ok()
    }

    /// The folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Where its doors are.
    #[must_use]
    pub fn doors(&self) -> PathBuf {
        self.dir.join("doors")
    }

    /// Its diagram.
    #[must_use]
    pub fn diagram(&self) -> PathBuf {
        self.dir.join("diagram.txt")
    }

    /// The pasted part of its newest run.
    #[must_use]
    pub fn history(&self) -> PathBuf {
        self.dir.join("history.txt")
    }

    /// Its policy.
    #[must_use]
    pub fn policy_file(&self) -> PathBuf {
        self.dir.join("policy.toml")
    }

    /// What was built or accepted in it.
    #[must_use]
    pub fn lock_file(&self) -> LockFile {
        LockFile::in_loop(&self.dir)
    }

    /// What a person has revoked on this machine.
    #[must_use]
    pub fn revoked(&self) -> Revoked {
        Revoked::in_dir(&self.own.config)
    }

    /// Folders of Doorlist's own.
    #[must_use]
    pub fn own(&self) -> &Own {
        &self.own
    }

    /// The journal of its runs.
    ///
    /// # Errors
    /// When `runs/` cannot be used.
    pub fn journal(&self) -> Result<FolderJournal, FolderError> {
        Ok(FolderJournal::open(&self.dir)?)
    }

    /// What is said to one of its runs.
    #[must_use]
    pub fn inbox(&self, run: &RunKey) -> FolderInbox {
        FolderInbox::of(&self.dir.join("runs"), run)
    }

    /// The text of `loop.txt`, and what it says; without one, the text that lists what was built or
    /// accepted.
    ///
    /// # Errors
    /// When it cannot be read or run.
    pub fn loop_text(&self) -> Result<(String, LoopText), FolderError> {
        let raw = match self.has_text() {
            true => read_text(&self.dir.join(LOOP_TXT), LARGEST_TEXT)?,
            false => self.listing()?,
        };
        match LoopText::parse(&raw) {
            Ok(text) => Ok((raw, text)),
            Err(source) => Err(FolderError::LoopText {
                dir: self.dir.clone(),
                source,
            }),
        }
    }

    /// A `loop.txt` of all doors that `doors.lock` knows and that are there.
    fn listing(&self) -> Result<String, FolderError> {
        let lock = self.lock_file().read()?;
        let there = lock
            .entries()
            .filter(|(file, _)| self.dir.join(file).is_file());
        let functions = there.flat_map(|(_, entry)| &entry.functions);
        let names: Vec<String> = functions
            .filter_map(|function| function.signature.split('(').next())
            .map(|name| format!("    {name:?},\n"))
            .collect();
        if names.is_empty() {
            return Err(FolderError::NoDoors {
                dir: self.dir.clone(),
            });
        }
        Ok(format!(
            "+++\nlist = [\n{}]\n+++\nDoors that were built or accepted in this folder.\n",
            names.concat()
        ))
    }

    /// The text of `diagram.txt`, if it was drawn.
    ///
    /// # Errors
    /// When it is there and cannot be read.
    pub fn drawn(&self) -> Result<Option<String>, FolderError> {
        read_optional(&self.diagram())
    }

    /// What `policy.toml` says, under the host-wide policy; without one, nothing is asked first and
    /// nothing is granted.
    ///
    /// # Errors
    /// When one of the two cannot be read or is not understood, or no key satisfies both.
    pub fn policy(&self) -> Result<Policy, FolderError> {
        let policy = match read_optional(&self.policy_file())? {
            None => Policy::default(),
            Some(raw) => Policy::parse(&raw).map_err(|source| FolderError::Policy {
                dir: self.dir.clone(),
                source,
            })?,
        };
        let Some(ceiling) = self.own.ceiling()? else {
            return Ok(policy);
        };
        ceiling.over(policy).map_err(|wrong| FolderError::Unfit {
            dir: self.dir.clone(),
            what: wrong.to_string(),
        })
    }
}

impl Own {
    /// What compiling a component may take in a process of its own, where the host-wide policy wants
    /// one.
    ///
    /// # Errors
    /// When that policy cannot be read or is not understood.
    pub fn compile_limits(&self) -> Result<Option<CompileLimits>, FolderError> {
        Ok(self.ceiling()?.and_then(|it| it.compile().cloned()))
    }

    /// What the host-wide policy says of a provider of models. A folder's policy has no word in it.
    ///
    /// # Errors
    /// When that policy cannot be read or is not understood.
    pub fn model_policy(&self, provider: Provider) -> Result<Option<RemotePolicy>, FolderError> {
        let ceiling = self.ceiling()?;
        Ok(ceiling.and_then(|it| it.model(provider.word()).cloned()))
    }

    /// The host-wide policy: `policy.toml` beside what a person has allowed.
    fn ceiling(&self) -> Result<Option<Ceiling>, FolderError> {
        let dir = &self.config;
        let Some(raw) = read_optional(&dir.join("policy.toml"))? else {
            return Ok(None);
        };
        let ceiling = Ceiling::parse(&raw).map_err(|source| FolderError::Policy {
            dir: dir.clone(),
            source,
        })?;
        let unfit = |what| FolderError::Unfit {
            dir: dir.clone(),
            what,
        };
        for (text, place) in ceiling.keys() {
            let wrong = |wrong| unfit(format!("policy.toml, {place}: `keys`: {wrong}"));
            text.parse::<Key>().map_err(wrong)?;
        }
        Ok(Some(ceiling))
    }
}

/// A text file, if it is there.
fn read_optional(file: &Path) -> Result<Option<String>, FolderError> {
    match read_text(file, LARGEST_TEXT) {
        Err(FolderError::Unreadable { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            Ok(None)
        }
        text => text.map(Some),
    }
}

/// A text file of at most `largest` bytes. What is no plain file is not opened, so a pipe cannot hang
/// it.
pub fn read_text(file: &Path, largest: u64) -> Result<String, FolderError> {
    let unreadable = |source| FolderError::Unreadable {
        file: file.to_owned(),
        source,
    };
    let metadata = fs::metadata(file).map_err(|error| match error.kind() {
        kind @ io::ErrorKind::NotFound => {
            unreadable(io::Error::new(kind, "expected a text file, found nothing"))
        }
        _ => unreadable(error),
    })?;
    let refuse = |what: String| unreadable(io::Error::new(io::ErrorKind::InvalidData, what));
    if !metadata.is_file() {
        let found = if metadata.is_dir() {
            "a folder"
        } else {
            "a device or a pipe"
        };
        return Err(refuse(format!("expected a text file, found {found}")));
    }
    if metadata.len() > largest {
        let found = metadata.len();
        return Err(refuse(format!(
            "expected at most {largest} bytes of text, found {found}"
        )));
    }
    let bytes = fs::read(file).map_err(unreadable)?;
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let byte = error.as_bytes()[offset];
        FolderError::NotText {
            file: file.to_owned(),
            offset,
            byte,
        }
    })
}

fn has(found: &[String]) -> String {
    match found {
        [] => "no doors in it".to_owned(),
        found => found.join(", "),
    }
}

/// The file that makes a folder a loop.
pub const LOOP_TXT: &str = "loop.txt";
/// Bytes of a `loop.txt`, a `policy.toml` or a `diagram.txt`: a page of a million characters is no goal any more.
pub const LARGEST_TEXT: u64 = 1 << 20;
