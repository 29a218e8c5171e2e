//! The sources of doors: where they are, and which language each is in.

use std::fmt;
use std::path::{Path, PathBuf};

use super::c::CDoor;
use super::go::GoDoor;
use super::javascript::ScriptDoor;
use super::python::PythonDoor;
use super::rust::RustDoor;
use super::text::WatDoor;
use super::world::World;
use super::{BuildError, DoorCrate, Language, Maker, Programs, pack};

/// The sources of one door.
#[non_exhaustive]
pub struct Source {
    /// The stem of its component: the folder's name, or that of a crate's package.
    pub name: String,
    /// Where they are.
    pub folder: PathBuf,
    /// What they are in.
    pub language: Language,
    pub(super) maker: Box<dyn Maker>,
}

impl Source {
    /// The doors at a path, in the order of their folders: of a door's folder that one, of a loop's
    /// folder those under `doors/`, of another folder those in the folders in it. Folders that are no
    /// doors are passed over.
    ///
    /// # Errors
    /// When there is none, or what describes one can not be read.
    pub fn find(path: &Path, programs: &Programs) -> Result<Vec<Self>, BuildError> {
        let doors = path.join("doors");
        let folder = if path.join("loop.txt").is_file() && doors.is_dir() {
            &doors
        } else {
            path
        };
        if let Some(door) = Self::of(folder, programs)? {
            return Ok(vec![door]);
        }
        let mut found = Vec::new();
        for candidate in folders(folder)? {
            found.extend(Self::of(&candidate, programs)?);
        }
        match found.is_empty() {
            true => Err(BuildError::NoDoor {
                path: path.to_owned(),
            }),
            false => Ok(found),
        }
    }

    /// The door whose sources lie in a folder itself, by the files that are there.
    fn of(folder: &Path, programs: &Programs) -> Result<Option<Self>, BuildError> {
        if let Some(door) = DoorCrate::of(folder, programs)? {
            return Ok(Some(Self {
                name: door.name.clone(),
                folder: door.folder.clone(),
                language: Language::Rust,
                maker: Box::new(RustDoor::new(door)),
            }));
        }
        if folder.join("Cargo.toml").is_file() {
            return Ok(None);
        }
        let folder = std::path::absolute(folder).map_err(|source| BuildError::Read {
            file: folder.to_owned(),
            source,
        })?;
        let name = folder.file_name().unwrap_or_default();
        let files = Files {
            name: name.to_string_lossy().into_owned(),
            wit: Some(folder.join("wit")).filter(|wit| wit.is_dir()),
            folder,
        };
        Ok(files.known())
    }
}

/// A folder of sources that no package manager describes.
#[derive(Clone)]
pub(super) struct Files {
    /// The folder's name.
    pub(super) name: String,
    pub(super) folder: PathBuf,
    /// The folder of its WIT, where it has one.
    pub(super) wit: Option<PathBuf>,
}

impl Files {
    fn known(self) -> Option<Source> {
        let with_wit = self.wit.is_some();
        let (language, maker): (_, Box<dyn Maker>) = if self.folder.join("go.mod").is_file() {
            (Language::Go, Box::new(GoDoor::new(self.clone())))
        } else if let Some((language, entry)) = self.script().filter(|_| with_wit) {
            (language, Box::new(ScriptDoor::new(self.clone(), entry)))
        } else if with_wit && self.folder.join("door.py").is_file() {
            (Language::Python, Box::new(PythonDoor::new(self.clone())))
        } else if let Some(sources) = self.ending("c") {
            (Language::C, Box::new(CDoor::new(self.clone(), sources)))
        } else if let Some([source]) = self.ending("wat").as_deref() {
            let door = WatDoor::new(self.clone(), source.clone());
            (Language::Wat, Box::new(door))
        } else {
            return None;
        };
        Some(Source {
            name: self.name,
            folder: self.folder,
            language,
            maker,
        })
    }

    /// Its world, where it has WIT.
    pub(super) fn world(&self) -> Result<Option<World>, BuildError> {
        let wit = self.wit.as_deref();
        wit.map(|wit| World::read(&self.name, wit)).transpose()
    }

    /// The component with the comments of its WIT, where it has one.
    pub(super) fn documented(&self, component: Vec<u8>) -> Result<Vec<u8>, BuildError> {
        match &self.wit {
            Some(wit) => pack::documented(component, &self.name, wit),
            None => Ok(component),
        }
    }

    /// The file that a bundle starts from.
    fn script(&self) -> Option<(Language, PathBuf)> {
        [
            (Language::TypeScript, "door.ts"),
            (Language::JavaScript, "door.js"),
            (Language::JavaScript, "door.mjs"),
        ]
        .into_iter()
        .map(|(language, name)| (language, self.folder.join(name)))
        .find(|(_, file)| file.is_file())
    }

    /// The files of the folder itself with this ending, in order; `None` if there is none.
    fn ending(&self, ending: &str) -> Option<Vec<PathBuf>> {
        let entries = self.folder.read_dir().ok()?.flatten();
        let files = entries
            .map(|entry| entry.path())
            .filter(|file| file.is_file() && file.extension().is_some_and(|found| found == ending));
        let mut files: Vec<PathBuf> = files.collect();
        files.sort();
        (!files.is_empty()).then_some(files)
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source")
            .field("name", &self.name)
            .field("folder", &self.folder)
            .field("language", &self.language)
            .finish_non_exhaustive()
    }
}

fn folders(folder: &Path) -> Result<Vec<PathBuf>, BuildError> {
    let unreadable = |source| BuildError::Read {
        file: folder.to_owned(),
        source,
    };
    let mut folders = Vec::new();
    for entry in folder.read_dir().map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            folders.push(path);
        }
    }
    folders.sort();
    Ok(folders)
}
