//! `doorlist build`.

use std::path::{Path, PathBuf};

use clap::Args;
use doorlist::build::{Build as Builder, Built};
use doorlist::doors::DoorFile;
use doorlist::gate::Gate;
use doorlist::lock::LockFile;
use serde_json::json;

use super::place::sandbox;
use super::print::{data, note};
use super::{Exit, Output, own};

/// Build doors from their sources: Rust, C, JavaScript, TypeScript, Python, Go, WebAssembly text.
///
/// PATH is a door's folder, a folder of them, or a loop whose doors/ has them. The language is known
/// by the files: Cargo.toml, go.mod, door.ts, door.js, door.py, .c or .wat. Toolchains are looked for
/// first, and what is missing is named with the command that installs it; missing targets of Rust are
/// added with rustup. Nothing is written before every door is built and each of its exports was opened
/// once, granted nothing.
///
/// Building runs what a toolchain runs, such as the build scripts of crates: build only what you trust.
/// What is built into a loop is locked there as built: see `doorlist lock`.
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
    pub(crate) async fn perform(self, output: Output) -> anyhow::Result<Exit> {
        let into = self.into.clone();
        let into = into.unwrap_or_else(|| components_of(&self.paths[0]));
        let built = build(&self.paths, &into).await?;
        if output.json {
            let doors: Vec<_> = built
                .iter()
                .map(|door| {
                    json!({
                        "name": door.name,
                        "language": door.language.word(),
                        "file": door.file,
                        "size": door.size,
                    })
                })
                .collect();
            data!("{}", json!({ "built": doors }))?;
        } else if let [path] = &self.paths[..] {
            note!("next: doorlist test {}", path.display());
        }
        Ok(Exit::Done)
    }
}

/// Builds `paths` into `into`, telling of each step on standard error. Nothing is written before
/// every door is built and was opened once.
pub(crate) async fn build<P: AsRef<Path>>(paths: &[P], into: &Path) -> anyhow::Result<Vec<Built>> {
    let told = &mut |step: doorlist::build::Step<'_>| note!("{step}");
    let made = Builder::default().make(paths, told)?;
    let gate = Gate::new(sandbox(&own()?)?);
    for door in &made {
        door.prove(&gate, told).await?;
    }
    let built = made.iter().map(|door| door.write(into, told));
    let built: Vec<_> = built.collect::<Result<_, _>>()?;
    if let Some(dir) = loop_of(into) {
        let components = built.iter().map(|door| DoorFile::read(&door.file));
        let components: Vec<_> = components.collect::<Result<_, _>>()?;
        LockFile::in_loop(dir).built(&components)?;
    }
    Ok(built)
}

/// Where the components of sources at a path are: of a loop's in its doors/, else beside the sources.
pub(crate) fn components_of(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let above = whole.parent().filter(|above| loop_of(above).is_some());
    match above {
        Some(doors) => path
            .parent()
            .filter(|parent| parent.ends_with("doors"))
            .map_or_else(|| doors.to_owned(), Path::to_owned),
        None if path.join("doors").is_dir() => path.join("doors"),
        None => path.to_owned(),
    }
}

/// The loop whose doors lie in `into`.
fn loop_of(into: &Path) -> Option<&Path> {
    let dir = into.parent().filter(|_| into.ends_with("doors"))?;
    let kept = ["loop.txt", "doors.lock"];
    kept.iter()
        .any(|file| dir.join(file).exists())
        .then_some(dir)
}
