//! All the doors of a folder.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::door::Door;
use super::door_file::{DoorFile, DoorFileError};
use super::name::{is_usable, mapped, stem_of};
use super::own;
use super::shape::Commas;

/// Doors by name. No two share a name, as it is or [`mapped`].
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    doors: BTreeMap<String, Door>,
}

/// Why there is no catalogue.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogueError {
    /// The folder cannot be read.
    #[error("{}: expected a folder of components, found none that can be read: {source}", dir.display())]
    Folder {
        /// The folder.
        dir: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file's name is not text.
    #[error("{}: expected file names in UTF-8, found {name:?}", dir.display())]
    FileName {
        /// The folder.
        dir: PathBuf,
        /// The name.
        name: OsString,
    },
    /// A file gives no doors.
    #[error(transparent)]
    File(#[from] DoorFileError),
    /// There is no file for a stem.
    #[error(
        "expected the doors of {stem:?} in a file, found neither {} nor {}",
        binary.display(),
        text.display()
    )]
    NoFile {
        /// The stem that was asked for.
        stem: String,
        /// Where its binary form would be.
        binary: PathBuf,
        /// Where its text form would be.
        text: PathBuf,
    },
    /// There is a file for a name's stem, but no door of the name in it.
    #[error("expected a door `{name}` in {file}, found {}", Commas(found))]
    NoDoor {
        /// The name that was asked for.
        name: String,
        /// The file that was read for it.
        file: String,
        /// The doors that it has.
        found: Vec<String>,
    },
    /// Two files have one stem.
    #[error("expected one file for the doors of `{stem}`, found {first} and {second}")]
    TwoFiles {
        /// The stem.
        stem: String,
        /// One file.
        first: String,
        /// The other.
        second: String,
    },
    /// Two doors have one name, or would have once dots are mapped.
    #[error(
        "expected doors with names of their own, found `{first}` of {first_file} and `{second}` of \
         {second_file}, both `{mapped}` where names have no dots; rename a file"
    )]
    Twice {
        /// One door.
        first: String,
        /// Its file.
        first_file: String,
        /// The other door.
        second: String,
        /// Its file.
        second_file: String,
        /// The name that they would share.
        mapped: String,
    },
}

impl Catalogue {
    /// Reads every `.wasm` and `.wat` file of a folder. Anything else in it is left alone.
    ///
    /// # Errors
    ///
    /// The first thing in the order of file names that is wrong with any of them.
    pub fn read(dir: &Path) -> Result<Self, CatalogueError> {
        let files: Result<Vec<_>, _> = Self::read_each(dir)?.into_iter().collect();
        Self::of(files?)
    }

    /// Reads the files of these doors, and looks at no others: what a run does with its list. The
    /// other doors of those files are in the catalogue too.
    ///
    /// # Errors
    ///
    /// When a file is missing or gives no doors, or has no door of the name.
    pub fn listed(dir: &Path, names: &[impl AsRef<str>]) -> Result<Self, CatalogueError> {
        let names = || names.iter().map(AsRef::as_ref);
        let catalogue = Self::only(dir, names().map(stem_of))?;
        let missing = names().find(|name| catalogue.door(name).is_none());
        match missing {
            Some(name) => Err(catalogue.no_door(name)),
            None => Ok(catalogue),
        }
    }

    fn no_door(&self, name: &str) -> CatalogueError {
        let in_file = |door: &&Door| door.file.stem == stem_of(name);
        let doors: Vec<&Door> = self.doors().filter(in_file).collect();
        CatalogueError::NoDoor {
            name: name.to_owned(),
            file: doors
                .first()
                .map_or_else(String::new, |door| door.file.label()),
            found: doors.iter().map(|door| door.name.clone()).collect(),
        }
    }

    /// Reads the files with these stems, and looks at no others. Where there is none, a door of
    /// Doorlist's own may have the name.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, in the order of the stems; a stem without a file is one.
    pub fn only<'a>(
        dir: &Path,
        stems: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, CatalogueError> {
        let mut stems: Vec<&str> = stems.into_iter().collect();
        stems.sort_unstable();
        stems.dedup();
        let read = |stem: &str| match (path_of(dir, stem), own::component(stem)) {
            (Ok(path), _) => Ok(DoorFile::read(&path)?),
            (Err(CatalogueError::NoFile { .. }), Some(own)) => Ok(DoorFile::from_bytes(stem, own)?),
            (Err(error), _) => Err(error),
        };
        let files: Result<Vec<_>, _> = stems.into_iter().map(read).collect();
        Self::of(files?)
    }

    /// What each `.wasm` and `.wat` file of a folder has to say, in the order of their names: for
    /// those who want to know everything that is wrong.
    ///
    /// # Errors
    ///
    /// When the folder itself cannot be read, or a file's name is not UTF-8.
    pub fn read_each(dir: &Path) -> Result<Vec<Result<DoorFile, DoorFileError>>, CatalogueError> {
        Ok(files(dir)?
            .iter()
            .map(|path| DoorFile::read(path))
            .collect())
    }

    /// A catalogue of these components, in whatever order they come: for hosts without a folder.
    ///
    /// # Errors
    ///
    /// When the host does not meet an import, or two doors would share a name.
    pub fn of(files: impl IntoIterator<Item = DoorFile>) -> Result<Self, CatalogueError> {
        let mut files: Vec<DoorFile> = files.into_iter().collect();
        files.sort_by_cached_key(|file| (file.stem.clone(), file.label()));
        for pair in files.windows(2) {
            if pair[0].stem == pair[1].stem {
                return Err(CatalogueError::TwoFiles {
                    stem: pair[0].stem.clone(),
                    first: pair[0].label(),
                    second: pair[1].label(),
                });
            }
        }
        let mut catalogue = Self::default();
        let mut taken = BTreeMap::new();
        for file in files {
            file.check()?;
            for door in Arc::new(file).doors() {
                catalogue.add(door, &mut taken)?;
            }
        }
        Ok(catalogue)
    }

    /// `taken` holds the mapped names so far and whose they are.
    fn add(
        &mut self,
        door: Door,
        taken: &mut BTreeMap<String, String>,
    ) -> Result<(), CatalogueError> {
        let mapped = mapped(&door.name);
        if let Some(first) = taken.get(&mapped) {
            return Err(CatalogueError::Twice {
                first: first.clone(),
                first_file: self.doors[first].file.label(),
                second: door.name,
                second_file: door.file.label(),
                mapped,
            });
        }
        taken.insert(mapped, door.name.clone());
        self.doors.insert(door.name.clone(), door);
        Ok(())
    }

    /// The door of this name.
    #[must_use]
    pub fn door(&self, name: &str) -> Option<&Door> {
        self.doors.get(name)
    }

    /// All doors, in the order of their names.
    pub fn doors(&self) -> impl Iterator<Item = &Door> {
        self.doors.values()
    }
}

/// The component files of a folder, in the order of their names.
fn files(dir: &Path) -> Result<Vec<PathBuf>, CatalogueError> {
    let unreadable = |source| CatalogueError::Folder {
        dir: dir.to_owned(),
        source,
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if !ENDINGS
            .iter()
            .any(|ending| path.extension().is_some_and(|e| e == *ending))
        {
            continue;
        }
        match path.file_name() {
            Some(name) if name.to_str().is_none() => {
                return Err(CatalogueError::FileName {
                    dir: dir.to_owned(),
                    name: name.to_owned(),
                });
            }
            _ => files.push(path),
        }
    }
    files.sort();
    Ok(files)
}

/// The one file for a stem. The stem is checked first, so that it cannot lead out of the folder.
fn path_of(dir: &Path, stem: &str) -> Result<PathBuf, CatalogueError> {
    let [binary, text] = ENDINGS.map(|ending| dir.join(format!("{stem}.{ending}")));
    let exists = |path: &Path| is_usable(stem) && path.symlink_metadata().is_ok();
    match (exists(&binary), exists(&text)) {
        (true, false) => Ok(binary),
        (false, true) => Ok(text),
        (true, true) => Err(CatalogueError::TwoFiles {
            stem: stem.to_owned(),
            first: binary.display().to_string(),
            second: text.display().to_string(),
        }),
        (false, false) => Err(CatalogueError::NoFile {
            stem: stem.to_owned(),
            binary,
            text,
        }),
    }
}

/// Of component files: the binary form and the text form.
const ENDINGS: [&str; 2] = ["wasm", "wat"];
