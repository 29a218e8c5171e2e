//! The Rust toolchain that is there.

use super::super::{BuildError, Step};
use super::Target;
use cargo_metadata::{Metadata, MetadataCommand};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The programs of the Rust toolchain, by name or path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Programs {
    /// Builds crates.
    pub cargo: PathBuf,
    /// Says where its targets are.
    pub rustc: PathBuf,
    /// Adds targets.
    pub rustup: PathBuf,
}

/// The toolchain that is used in one folder (a folder can name its own).
#[derive(Debug)]
pub(crate) struct Toolchain {
    /// Where compiler and targets are installed.
    pub(crate) sysroot: PathBuf,
    /// The commit of the compiler, which stands in the paths of its standard library.
    pub(crate) commit: String,
    folder: PathBuf,
    rustup: PathBuf,
}

impl Default for Programs {
    /// Those on the `PATH`.
    fn default() -> Self {
        Self {
            cargo: "cargo".into(),
            rustc: "rustc".into(),
            rustup: "rustup".into(),
        }
    }
}

impl Programs {
    /// What Cargo knows of a manifest.
    pub(crate) fn metadata(
        &self,
        manifest: &Path,
        options: impl FnOnce(&mut MetadataCommand),
    ) -> Result<Metadata, BuildError> {
        let mut command = MetadataCommand::new();
        command.cargo_path(&self.cargo).manifest_path(manifest);
        if let Some(folder) = manifest.parent().filter(|folder| folder.is_absolute()) {
            command.current_dir(folder);
        }
        options(&mut command);
        command.exec().map_err(|error| match error {
            cargo_metadata::Error::Io(source) => missing(&self.cargo, source),
            error => BuildError::Manifest {
                manifest: manifest.to_owned(),
                reason: error.to_string(),
            },
        })
    }
}

impl Toolchain {
    /// Asks the compiler that is used in a folder.
    pub(crate) fn of(programs: &Programs, folder: &Path) -> Result<Self, BuildError> {
        let ask = |arguments: &[&str]| {
            let output = output(&programs.rustc, arguments, folder)?;
            match output.status.success() {
                true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
                false => Err(BuildError::Compiler {
                    program: programs.rustc.display().to_string(),
                    folder: folder.to_owned(),
                    output: text(&output),
                }),
            }
        };
        let version = ask(&["-vV"])?;
        let commit = version
            .lines()
            .find_map(|line| line.strip_prefix("commit-hash: "));
        Ok(Self {
            sysroot: ask(&["--print", "sysroot"])?.trim_end().into(),
            commit: commit.unwrap_or("unknown").to_owned(),
            folder: folder.to_owned(),
            rustup: programs.rustup.clone(),
        })
    }

    /// Adds a target if it is missing, one build after another: rustup does not stand two at once.
    pub(crate) fn ensure(
        &self,
        target: Target,
        progress: &mut dyn FnMut(Step<'_>),
    ) -> Result<(), BuildError> {
        let _turn = self.turn();
        if self.has(target) {
            return Ok(());
        }
        progress(Step::Adding { target });
        let no_target = |reason| BuildError::NoTarget {
            target,
            folder: self.folder.clone(),
            reason,
        };
        let added = output(
            &self.rustup,
            &["target", "add", target.triple()],
            &self.folder,
        )
        .map_err(|error| no_target(error.to_string()))?;
        text(&added)
            .lines()
            .for_each(|line| progress(Step::Said { line }));
        match self.has(target) {
            true => Ok(()),
            false => Err(no_target(text(&added))),
        }
    }

    fn has(&self, target: Target) -> bool {
        self.targets().join(target.triple()).join("lib").is_dir()
    }

    fn targets(&self) -> PathBuf {
        self.sysroot.join("lib/rustlib")
    }

    /// Waits until no other build adds a target. Where a directory cannot be locked nobody waits, and
    /// rustup's own error is what is told.
    fn turn(&self) -> Option<File> {
        let targets = File::open(self.targets()).ok()?;
        targets.lock().ok().map(|()| targets)
    }
}

fn output(program: &Path, arguments: &[&str], folder: &Path) -> Result<Output, BuildError> {
    let mut command = Command::new(program);
    let output = command.args(arguments).current_dir(folder).output();
    output.map_err(|source| missing(program, source))
}

pub(crate) fn missing(program: &Path, source: std::io::Error) -> BuildError {
    BuildError::Missing {
        program: program.display().to_string(),
        source,
    }
}

fn text(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8_lossy(&text).trim_end().to_owned()
}
