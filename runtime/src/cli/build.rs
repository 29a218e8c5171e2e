//! `doorlist build`.

use std::path::{Path, PathBuf};

use clap::Args;
use doorlist::build::{Build as Builder, Built};
use doorlist::doors::DoorFile;
use doorlist::lock::LockFile;

use super::print::{data, note};
use super::{Exit, Output};

/// Build doors from their Rust sources.
///
/// PATH is a door's crate, a folder of them, or a loop whose doors/ has them. Missing targets of the
/// compiler are added with rustup first. Building runs the build scripts of the crates: build only
/// what you trust. What is built into a loop is locked there as built: see `doorlist lock`.
#[derive(Args)]
pub(crate) struct Build {
    /// What to build.
    #[arg(default_value = ".")]
    paths: Vec<PathBuf>,
    /// Where the components go; for one loop its doors/, else the folder of the sources.
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
}

impl Build {
    pub(crate) fn perform(self, output: Output) -> anyhow::Result<Exit> {
        let into = match (&self.into, &self.paths[0]) {
            (Some(into), _) => into.clone(),
            (None, path) if path.join("doors").is_dir() => path.join("doors"),
            (None, path) => path.clone(),
        };
        let built = build(&self.paths, &into)?;
        if output.json {
            let doors: Vec<_> = built
                .iter()
                .map(|door| {
                    serde_json::json!({ "name": door.name, "file": door.file, "size": door.size })
                })
                .collect();
            data!("{}", serde_json::json!({ "built": doors }))?;
        }
        Ok(Exit::Done)
    }
}

/// Builds `paths` into `into`, telling of each step on standard error.
pub(crate) fn build<P: AsRef<Path>>(paths: &[P], into: &Path) -> anyhow::Result<Vec<Built>> {
    let told = &mut |step: doorlist::build::Step<'_>| note!("{step}");
    let built = Builder::default().run(paths, into, told)?;
    if let Some(dir) = loop_of(into) {
        let components = built.iter().map(|door| DoorFile::read(&door.file));
        let components: Vec<_> = components.collect::<Result<_, _>>()?;
        LockFile::in_loop(dir).built(&components)?;
    }
    Ok(built)
}

/// The loop whose doors lie in `into`.
fn loop_of(into: &Path) -> Option<&Path> {
    let dir = into.parent().filter(|_| into.ends_with("doors"))?;
    dir.join("loop.txt").exists().then_some(dir)
}
