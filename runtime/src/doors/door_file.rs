//! One file of `doors/`.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::command::{NoSchema, Takes};
use super::door::Door;
use super::function::Function;
use super::imports::UnmetImport;
use super::interface::{Interface, InterfaceError};
use super::module::{adapt, is_module};
use super::name::{LONGEST_NAME, door_names, is_usable, mapped};
use super::shape::Commas;
use crate::Artifact;

/// A component and where it came from. One that exists has an interface that doors can be made of;
/// whether the host meets its imports is for [`check`](Self::check).
#[non_exhaustive]
pub struct DoorFile {
    /// The first part of its doors' names: the file's name without its ending.
    pub stem: String,
    /// The file, unless the bytes were given.
    pub path: Option<PathBuf>,
    /// What the file holds, in its binary form: what is locked, signed and accepted.
    pub artifact: Artifact,
    /// What is compiled: the same, or, of a core module, the component that it was made.
    pub component: Artifact,
    /// What it exports and imports.
    pub interface: Interface,
    /// The JSON Schema that describes it, where it is a command that one was given for.
    pub schema: Option<String>,
}

/// Why a file gives no doors.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DoorFileError {
    /// It cannot be read.
    #[error("{file}: expected a component, found a file that cannot be read: {source}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system said.
        source: io::Error,
    },
    /// It is not a regular file.
    #[error("{file}: expected a component in a file, found {found}")]
    NotAFile {
        /// The file.
        file: String,
        /// What it is.
        found: &'static str,
    },
    /// It is larger than any door needs to be.
    #[error("{file}: expected a component of at most {LARGEST_FILE} bytes, found {size} bytes")]
    TooLarge {
        /// The file.
        file: String,
        /// Its size in bytes.
        size: u64,
    },
    /// Its text form is not right.
    #[error("{file}: expected WebAssembly text; {problem}")]
    Text {
        /// The file.
        file: String,
        /// What is wrong, and where.
        problem: String,
    },
    /// It has no interface to make doors of.
    #[error("{file}: {source}")]
    Interface {
        /// The file.
        file: String,
        /// Why.
        source: InterfaceError,
    },
    /// What describes it is wrong.
    #[error("{file}: {source}")]
    Schema {
        /// The file that describes it.
        file: String,
        /// Why.
        source: NoSchema,
    },
    /// Its doors would have names that cannot be used.
    #[error(
        "{file}: expected a name of ASCII letters, digits, - and _ in each part, at most \
         {LONGEST_NAME} characters with __ for each dot, found {name:?}"
    )]
    Name {
        /// The file.
        file: String,
        /// The name.
        name: String,
    },
    /// It imports what this host does not have.
    #[error("{file}: it cannot be opened here: {}", Commas(imports))]
    Imports {
        /// The file.
        file: String,
        /// What is not met.
        imports: Vec<UnmetImport>,
    },
}

impl DoorFile {
    /// Reads a file: a binary component, or its text form when the name ends in `.wat`.
    ///
    /// # Errors
    ///
    /// When it is no regular file of at most [`LARGEST_FILE`] bytes, or no component with an interface
    /// that doors can be made of.
    pub fn read(path: &Path) -> Result<Self, DoorFileError> {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        Self::at(&stem, path)
    }

    fn at(stem: &str, path: &Path) -> Result<Self, DoorFileError> {
        let file = Self::new(stem, Some(path.to_owned()), read_binary(path)?)?;
        match file.interface.is_command() {
            true => file.described_beside(path),
            false => Ok(file),
        }
    }

    /// With the file beside it that says what a command takes, where there is one.
    fn described_beside(self, path: &Path) -> Result<Self, DoorFileError> {
        let path = schema_of(path);
        if path.symlink_metadata().is_err() {
            return Ok(self);
        }
        let text = read_bounded(&path)?;
        let schema = String::from_utf8(text).map_err(|error| NoSchema::NotJson {
            problem: error.to_string(),
        });
        let described = schema.and_then(|schema| self.described(&schema));
        described.map_err(|source| DoorFileError::Schema {
            file: path.display().to_string(),
            source,
        })
    }

    /// With a JSON Schema of what it takes, where it is a command. The doors of any other component
    /// are described by their interface, and stay as they are.
    ///
    /// # Errors
    ///
    /// When it is no JSON Schema of an object.
    pub fn described(mut self, schema: &str) -> Result<Self, NoSchema> {
        let takes = Takes::read(schema)?;
        if self.interface.is_command() {
            self.interface = self.interface.described(&takes);
            self.schema = Some(schema.to_owned());
        }
        Ok(self)
    }

    /// Reads a file whatever it is called: one whose name cannot be part of a door's is called
    /// `door`. For trying a component that is in no loop.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read), but for the file's own name.
    pub fn read_any(path: &Path) -> Result<Self, DoorFileError> {
        match Self::read(path) {
            Err(DoorFileError::Name { .. }) => Self::at("door", path),
            read => read,
        }
    }

    /// A component whose bytes, in the binary form, are at hand.
    ///
    /// # Errors
    ///
    /// When `bytes` are no component with an interface that doors can be made of, or `stem` cannot
    /// be part of a name.
    pub fn from_bytes(stem: &str, bytes: impl Into<Arc<[u8]>>) -> Result<Self, DoorFileError> {
        Self::new(stem, None, bytes)
    }

    fn new(
        stem: &str,
        path: Option<PathBuf>,
        bytes: impl Into<Arc<[u8]>>,
    ) -> Result<Self, DoorFileError> {
        let artifact = Artifact::new(bytes);
        let file = path
            .as_ref()
            .map_or(stem.into(), |path| path.display().to_string());
        if !is_usable(stem) {
            let name = stem.to_owned();
            return Err(DoorFileError::Name { file, name });
        }
        let read = component_of(&artifact).and_then(|component| {
            let interface = Interface::read(&component)?;
            Ok((component, interface))
        });
        let (component, interface) = match read {
            Ok(read) => read,
            Err(source) => return Err(DoorFileError::Interface { file, source }),
        };
        let names = door_names(stem, &interface.functions);
        let usable =
            |name: &str| name.split('.').all(is_usable) && mapped(name).len() <= LONGEST_NAME;
        if let Some(name) = names.into_iter().find(|name| !usable(name)) {
            return Err(DoorFileError::Name { file, name });
        }
        Ok(Self {
            stem: stem.to_owned(),
            path,
            artifact,
            component,
            interface,
            schema: None,
        })
    }

    /// The file's path, or the stem when there is no file: what a message calls it.
    #[must_use]
    pub fn label(&self) -> String {
        let path = self.path.as_ref().map(|path| path.display().to_string());
        path.unwrap_or_else(|| self.stem.clone())
    }

    /// Whether this host has everything that the component imports.
    ///
    /// # Errors
    ///
    /// When it does not, naming each import that is missing and the grant that would allow it.
    pub fn check(&self) -> Result<(), DoorFileError> {
        let imports = self.interface.unmet_imports();
        match imports.is_empty() {
            true => Ok(()),
            false => Err(DoorFileError::Imports {
                file: self.label(),
                imports,
            }),
        }
    }

    /// What refuses no door, and makes one worse than its writer could have it.
    #[must_use]
    pub fn doubts(&self) -> Vec<String> {
        let file = self.label();
        let mut doubts = Vec::new();
        for (name, function) in self.functions() {
            if function.docs.is_some() {
                continue;
            }
            doubts.push(match &function.command {
                None => format!(
                    "{file}: {name} has no documentation; expected a comment above it in its WIT, \
                     which is what a model reads"
                ),
                Some(_) if self.schema.is_some() => format!(
                    "{}: {name} has no description; expected a `description` in it, which is what a \
                     model reads",
                    schema_of(Path::new(&file)).display()
                ),
                Some(_) => format!(
                    "{file}: {name} takes any JSON object; expected {} beside it, with a \
                     description, to say what it takes",
                    schema_of(Path::new(&file)).display()
                ),
            });
        }
        let size = self.artifact.len();
        if size > LARGE {
            doubts.push(format!(
                "{file}: {size} bytes; a door of more than {LARGE} takes seconds to compile where it \
                 is opened first"
            ));
        }
        doubts
    }

    /// Its exported functions, each with the name of its door.
    pub fn functions(&self) -> impl Iterator<Item = (String, &Function)> {
        let functions = &self.interface.functions;
        let names = door_names(&self.stem, functions);
        names.into_iter().zip(functions)
    }

    /// Its doors, one for each exported function.
    #[must_use]
    pub fn doors(self: &Arc<Self>) -> Vec<Door> {
        let door = |(name, function): (String, &Function)| Door {
            name,
            function: function.clone(),
            file: Arc::clone(self),
        };
        self.functions().map(door).collect()
    }
}

/// Without the bytes.
impl std::fmt::Debug for DoorFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DoorFile")
            .field("file", &self.label())
            .field("artifact", &self.artifact)
            .finish_non_exhaustive()
    }
}

/// Where what a command takes is described: `NAME.schema.json` beside `NAME.wasm`.
#[must_use]
pub fn schema_of(component: &Path) -> PathBuf {
    component.with_extension("schema.json")
}

/// What is compiled of these bytes.
fn component_of(artifact: &Artifact) -> Result<Artifact, InterfaceError> {
    match is_module(artifact) {
        true => Ok(Artifact::new(adapt(artifact)?)),
        false => Ok(artifact.clone()),
    }
}

/// Reads a component, and makes its binary form where the file has the other.
fn read_binary(path: &Path) -> Result<Vec<u8>, DoorFileError> {
    let bytes = read_bounded(path)?;
    match path.extension().is_some_and(|ending| ending == "wat") {
        true => binary(&bytes, path).map_err(|problem| DoorFileError::Text {
            file: path.display().to_string(),
            problem,
        }),
        false => Ok(bytes),
    }
}

/// Reads a regular file of a bounded size. It is looked at before it is opened, since opening a named
/// pipe waits for a writer, and measured before it is read.
fn read_bounded(path: &Path) -> Result<Vec<u8>, DoorFileError> {
    let file = || path.display().to_string();
    let unreadable = |source| DoorFileError::Unreadable {
        file: file(),
        source,
    };
    let about = std::fs::metadata(path).map_err(unreadable)?;
    if !about.is_file() {
        let found = if about.is_dir() {
            "a folder"
        } else {
            "a device or a pipe"
        };
        return Err(DoorFileError::NotAFile {
            file: file(),
            found,
        });
    }
    if about.len() > LARGEST_FILE {
        let size = about.len();
        return Err(DoorFileError::TooLarge { file: file(), size });
    }
    let mut bytes = Vec::with_capacity(usize::try_from(about.len()).unwrap_or_default());
    let opened = File::open(path).map_err(unreadable)?;
    // It may have grown since it was measured.
    opened
        .take(LARGEST_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    match bytes.len() as u64 {
        size if size > LARGEST_FILE => Err(DoorFileError::TooLarge { file: file(), size }),
        _ => Ok(bytes),
    }
}

/// The binary form of WebAssembly text, or what is wrong with it, with the line it stands on.
fn binary(text: &[u8], path: &Path) -> Result<Vec<u8>, String> {
    let text = std::str::from_utf8(text).map_err(|error| format!("it is not UTF-8: {error}"))?;
    wat::parse_str(text).map_err(|mut error| {
        error.set_path(path.file_name().map_or(path, Path::new));
        error.to_string()
    })
}

/// Bytes: what compiles in a second or two.
const LARGE: usize = 4_000_000;

/// The largest file that is taken, in bytes: 100 MB. The largest door that a toolchain is known to
/// make is a fifth of that.
pub const LARGEST_FILE: u64 = 100_000_000;
