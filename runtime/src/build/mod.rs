//! Makes doors of Rust sources: finds the crates, compiles them, packs them as components.
//!
//! A door crate is a crate whose library is a `cdylib`. Its Cargo.toml may say more:
//!
//! ```toml
//! [package.metadata.door]
//! target = "wasm32-wasip2"    # for a door that uses files or the network
//! wit = "wit"                 # where the door's WIT is; its comments are what a model reads
//! ```
//!
//! Without a `target` a door is compiled for `wasm32-unknown-unknown` and has no imports but those
//! of its own WIT. The door is named after its package, and so is the file: `fridge.wasm`.
//!
//! The same sources, lock file and compiler give the same bytes in any folder on any machine whose
//! paths are written with `/`. The one exception is Cargo's: a dependency by a path outside of the
//! crate's workspace, which [`Step::OutsidePath`] tells of.
//!
//! Nothing of a crate is run but what Cargo runs to build it: its build script and the macros it
//! uses.
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

mod cargo;
mod door_crate;
mod error;
mod pack;
mod remap;
mod step;
mod target;
mod toolchain;

pub use door_crate::DoorCrate;
pub use error::BuildError;
pub use step::Step;
pub use target::Target;
pub use toolchain::Programs;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use toolchain::Toolchain;

/// How doors are built.
#[derive(Debug, Clone, Default)]
pub struct Build {
    /// Where Cargo keeps what it compiled. Unset: where it does for the crate's workspace.
    pub target_dir: Option<PathBuf>,
    /// Whether a lock file that needs an update is an error.
    pub locked: bool,
    /// The programs to call.
    pub programs: Programs,
}

/// A door that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Built {
    /// The name of the door's crate, which is the stem of its file.
    pub name: String,
    /// The component.
    pub file: PathBuf,
    /// The size of the component in bytes.
    pub size: usize,
}

impl Build {
    /// Builds the doors at each of the paths (see [`DoorCrate::find`]) into the folder `out`, which
    /// is made when it is not there. Nothing is written before every door is built.
    ///
    /// # Errors
    /// When no door is found or two share a name, when Cargo or a target is missing and can not be
    /// added, when a crate does not compile or is no component, when a file can not be written.
    pub fn run<P: AsRef<Path>>(
        &self,
        paths: &[P],
        out: &Path,
        progress: &mut dyn FnMut(Step<'_>),
    ) -> Result<Vec<Built>, BuildError> {
        let crates = self.find(paths)?;
        let toolchains = self.toolchains(&crates, progress)?;
        let mut components = Vec::new();
        for (door, toolchain) in crates.iter().zip(&toolchains) {
            components.push(self.component(door, toolchain, progress)?);
        }
        let written = crates.iter().zip(components);
        written
            .map(|(door, component)| write(door, &component, out, progress))
            .collect()
    }

    fn find<P: AsRef<Path>>(&self, paths: &[P]) -> Result<Vec<DoorCrate>, BuildError> {
        let mut doors: BTreeMap<String, DoorCrate> = BTreeMap::new();
        for path in paths {
            for door in DoorCrate::find(path.as_ref(), &self.programs)? {
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

    /// All targets are there before the first crate is compiled.
    fn toolchains(
        &self,
        crates: &[DoorCrate],
        progress: &mut dyn FnMut(Step<'_>),
    ) -> Result<Vec<Toolchain>, BuildError> {
        let ready = |door: &DoorCrate| {
            let toolchain = Toolchain::of(&self.programs, &door.folder)?;
            toolchain.ensure(door.target, progress)?;
            Ok(toolchain)
        };
        crates.iter().map(ready).collect()
    }

    fn component(
        &self,
        door: &DoorCrate,
        toolchain: &Toolchain,
        progress: &mut dyn FnMut(Step<'_>),
    ) -> Result<Vec<u8>, BuildError> {
        progress(Step::Compiling {
            door: &door.name,
            target: door.target,
        });
        let artifact = cargo::compile(self, door, toolchain, progress)?;
        let wasm = std::fs::read(&artifact).map_err(|source| BuildError::Read {
            file: artifact.clone(),
            source,
        })?;
        pack::component(wasm, door)
    }
}

/// A reader of the folder sees the old file or the new one, never a part.
fn write(
    door: &DoorCrate,
    component: &[u8],
    out: &Path,
    progress: &mut dyn FnMut(Step<'_>),
) -> Result<Built, BuildError> {
    let file = out.join(format!("{}.wasm", door.name));
    replace(&file, component).map_err(|source| BuildError::Write {
        file: file.clone(),
        source,
    })?;
    progress(Step::Written {
        door: &door.name,
        file: &file,
        size: component.len(),
    });
    Ok(Built {
        name: door.name.clone(),
        file,
        size: component.len(),
    })
}

fn replace(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
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
}

#[cfg(test)]
mod tests;
