//! Makes doors of sources: finds them, knows their language, compiles them and packs them as
//! components.
//!
//! | a folder with | is a door in |
//! |---|---|
//! | `Cargo.toml` whose library is a `cdylib` | Rust |
//! | `go.mod` | Go |
//! | `wit/` and `door.ts` or `door.js` | TypeScript or JavaScript |
//! | `wit/` and `door.py` | Python |
//! | `.c` files | C |
//! | one `.wat` file | WebAssembly text |
//!
//! A door is named after its folder (in Rust after its package), and so is the file: `fridge.wasm`.
//! The comments of the WIT are what a model reads. A folder of C or Go without `wit/` is a program
//! that reads JSON from standard input; `door.schema.json` beside it says what it takes.
//!
//! The Cargo.toml of a door in Rust may say more:
//!
//! ```toml
//! [package.metadata.door]
//! target = "wasm32-wasip2"    # for a door that uses files or the network
//! wit = "wit"                 # where the door's WIT is
//! ```
//!
//! Without a `target` it is compiled for `wasm32-unknown-unknown` and has no imports but those of its
//! own WIT.
//!
//! In Rust the same sources, lock file and compiler give the same bytes in any folder on any machine
//! whose paths are written with `/`. The one exception is Cargo's: a dependency by a path outside of
//! the crate's workspace, which [`Step::OutsidePath`] tells of.
//!
//! Nothing of the sources is run but what their toolchain runs to build them: in Rust build scripts
//! and macros, in JavaScript and Python what stands at the top of a module, inside a sandbox of the
//! toolchain's own.
//!
//! ```no_run
//! use doorlist::build::Build;
//! use std::path::Path;
//!
//! let built = Build::default().run(&["my-loop/doors"], Path::new("my-loop/doors"), &mut |step| {
//!     eprintln!("{step}");
//! })?;
//! assert_eq!(built[0].name, "fridge");
//! # Ok::<(), doorlist::build::BuildError>(())
//! ```

mod c;
mod error;
mod go;
mod javascript;
mod language;
mod pack;
mod program;
mod proof;
mod python;
mod rust;
mod source;
mod step;
mod text;
mod trim;

mod world;

pub use error::BuildError;
pub use language::Language;
pub use rust::{DoorCrate, Programs, Target};
pub use source::Source;
pub use step::Step;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// How doors are built.
#[derive(Debug, Clone, Default)]
pub struct Build {
    /// Where Cargo keeps what it compiled. Unset: where it does for the crate's workspace.
    pub target_dir: Option<PathBuf>,
    /// Whether a lock file that needs an update is an error.
    pub locked: bool,
    /// The programs of the Rust toolchain.
    pub programs: Programs,
}

/// What makes components of the sources of one language.
trait Maker: Send {
    /// Finds the toolchain, and everything that the sources must have; nothing is built yet.
    fn ready(
        &mut self,
        build: &Build,
        progress: &mut dyn FnMut(Step<'_>),
    ) -> Result<(), BuildError>;

    /// The component.
    fn make(
        &self,
        build: &Build,
        progress: &mut dyn FnMut(Step<'_>),
    ) -> Result<Vec<u8>, BuildError>;
}

/// A door that was made and is not written yet.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Made {
    /// The stem of its file.
    pub name: String,
    /// What its sources are in.
    pub language: Language,
    /// The component.
    pub component: Vec<u8>,
    /// The JSON Schema of what a program takes, where its sources have one.
    pub schema: Option<String>,
}

/// A door that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Built {
    /// The stem of its file.
    pub name: String,
    /// What its sources are in.
    pub language: Language,
    /// The component.
    pub file: PathBuf,
    /// The size of the component in bytes.
    pub size: usize,
}

impl Build {
    /// Builds the doors at each of the paths (see [`Source::find`]) into the folder `out`, which is
    /// made when it is not there. Nothing is written before every door is built.
    ///
    /// # Errors
    /// As [`make`](Self::make), and when a file can not be written.
    pub fn run<P: AsRef<Path>>(
        &self,
        paths: &[P],
        out: &Path,
        progress: &mut dyn FnMut(Step<'_>),
    ) -> Result<Vec<Built>, BuildError> {
        let made = self.make(paths, progress)?;
        made.iter().map(|door| door.write(out, progress)).collect()
    }

    /// Builds the doors at each of the paths. Every toolchain is found before the first is used.
    ///
    /// # Errors
    /// When no door is found or two share a name, when a part of a toolchain is missing (and, of a
    /// target of Rust, can not be added), when sources do not compile or what comes of them is no
    /// component.
    pub fn make<P: AsRef<Path>>(
        &self,
        paths: &[P],
        progress: &mut dyn FnMut(Step<'_>),
    ) -> Result<Vec<Made>, BuildError> {
        let mut sources = self.find(paths)?;
        for source in &mut sources {
            source.maker.ready(self, progress)?;
        }
        let mut made = Vec::new();
        for source in &sources {
            progress(Step::Compiling {
                door: &source.name,
                language: source.language,
            });
            made.push(Made {
                name: source.name.clone(),
                language: source.language,
                component: source.maker.make(self, progress)?,
                schema: schema(&source.folder)?,
            });
        }
        Ok(made)
    }

    fn find<P: AsRef<Path>>(&self, paths: &[P]) -> Result<Vec<Source>, BuildError> {
        let mut doors: BTreeMap<String, Source> = BTreeMap::new();
        for path in paths {
            for door in Source::find(path.as_ref(), &self.programs)? {
                match doors.get(&door.name) {
                    Some(there) if there.folder != door.folder => {
                        return Err(BuildError::SameName {
                            name: door.name,
                            first: there.folder.clone(),
                            second: door.folder,
                        });
                    }
                    _ => doors.insert(door.name.clone(), door),
                };
            }
        }
        Ok(doors.into_values().collect())
    }
}

impl Made {
    /// Writes the component, and the schema beside it. A reader of the folder sees the old file or the
    /// new one, never a part.
    ///
    /// # Errors
    /// When a file can not be written.
    pub fn write(
        &self,
        out: &Path,
        progress: &mut dyn FnMut(Step<'_>),
    ) -> Result<Built, BuildError> {
        let file = out.join(format!("{}.wasm", self.name));
        if let Some(schema) = &self.schema {
            replace(&crate::doors::schema_of(&file), schema.as_bytes())?;
        }
        replace(&file, &self.component)?;
        progress(Step::Written {
            door: &self.name,
            file: &file,
            size: self.component.len(),
        });
        Ok(Built {
            name: self.name.clone(),
            language: self.language,
            size: self.component.len(),
            file,
        })
    }
}

/// What the sources say that a program takes.
fn schema(folder: &Path) -> Result<Option<String>, BuildError> {
    let file = folder.join("door.schema.json");
    if !file.exists() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(&file);
    text.map(Some)
        .map_err(|source| BuildError::Read { file, source })
}

fn replace(file: &Path, bytes: &[u8]) -> Result<(), BuildError> {
    let written = || -> std::io::Result<()> {
        let folder = file.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let mut temporary = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Less what the umask takes away: a temporary file is for its owner alone otherwise.
            temporary.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let mut temporary = temporary.tempfile_in(folder)?;
        temporary.write_all(bytes)?;
        temporary.persist(file)?;
        Ok(())
    };
    written().map_err(|source| BuildError::Write {
        file: file.to_owned(),
        source,
    })
}

fn read_file(file: &Path) -> Result<Vec<u8>, BuildError> {
    std::fs::read(file).map_err(|source| BuildError::Read {
        file: file.to_owned(),
        source,
    })
}

/// Writes a file that only a toolchain reads, with the folders that it lies in.
fn write_file(file: &Path, bytes: &[u8]) -> Result<(), BuildError> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(file, bytes));
    written.map_err(|source| BuildError::Write {
        file: file.to_owned(),
        source,
    })
}

/// A folder for what only a toolchain reads, gone when it is dropped.
fn scratch() -> Result<tempfile::TempDir, BuildError> {
    let made = tempfile::Builder::new().prefix("doorlist-").tempdir();
    made.map_err(|source| BuildError::Write {
        file: std::env::temp_dir(),
        source,
    })
}

/// Copies the sources of a door for a toolchain that writes beside them, without what is no source.
fn copy_sources(from: &Path, to: &Path) -> Result<(), BuildError> {
    let unreadable = |source| BuildError::Read {
        file: from.to_owned(),
        source,
    };
    for entry in from.read_dir().map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name();
        let left = LEFT.iter().any(|left| name == *left);
        if left || name.to_string_lossy().starts_with('.') {
            continue;
        }
        let (file, copied) = (entry.path(), to.join(&name));
        match file.is_dir() {
            true => copy_sources(&file, &copied)?,
            false => write_file(&copied, &read_file(&file)?)?,
        }
    }
    Ok(())
}

/// What is in a door's folder and no source of it.
const LEFT: [&str; 3] = ["wit", "data", "__pycache__"];

#[cfg(test)]
mod tests;
