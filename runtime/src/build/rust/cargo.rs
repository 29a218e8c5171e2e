//! One crate through Cargo.

use super::super::{Build, BuildError, Step, program};
use super::toolchain::{Toolchain, missing};
use super::{DoorCrate, remap};
use cargo_metadata::{CrateType, Message, Metadata, PackageId};
use std::path::PathBuf;
use std::process::Command;

/// Compiles one crate alone, since crates that are compiled together share the features of their
/// dependencies, and gives the file of its library.
pub(crate) fn compile(
    build: &Build,
    door: &DoorCrate,
    toolchain: &Toolchain,
    progress: &mut dyn FnMut(Step<'_>),
) -> Result<PathBuf, BuildError> {
    let metadata = dependencies(build, door)?;
    for dependency in remap::outside(&metadata) {
        progress(Step::OutsidePath {
            door: &door.name,
            dependency,
        });
    }
    let mut command = command(build, door);
    command.env(
        "CARGO_ENCODED_RUSTFLAGS",
        remap::flags(&metadata, toolchain).join("\u{1f}"),
    );
    let ran =
        program::run(command, progress).map_err(|source| missing(&build.programs.cargo, source))?;
    let package = metadata.root_package().map(|package| &package.id);
    let library = package
        .filter(|_| ran.success)
        .and_then(|package| library(&ran.stdout, package));
    library.ok_or_else(|| BuildError::Compile {
        name: door.name.clone(),
        output: ran.said,
    })
}

/// Everything the crate is made of. Cargo fetches what is not there yet.
fn dependencies(build: &Build, door: &DoorCrate) -> Result<Metadata, BuildError> {
    let mut options = vec![
        "--filter-platform".to_owned(),
        door.target.triple().to_owned(),
    ];
    options.extend(build.locked.then(|| "--locked".to_owned()));
    build
        .programs
        .metadata(&door.folder.join("Cargo.toml"), |command| {
            command.other_options(options);
        })
}

fn command(build: &Build, door: &DoorCrate) -> Command {
    let mut command = Command::new(&build.programs.cargo);
    command
        .args([
            "build",
            "--release",
            "--lib",
            "--message-format=json-render-diagnostics",
        ])
        .args(["--target", door.target.triple()])
        .arg("--manifest-path")
        .arg(door.folder.join("Cargo.toml"))
        .current_dir(&door.folder);
    if build.locked {
        command.arg("--locked");
    }
    if let Some(folder) = &build.target_dir {
        command.arg("--target-dir").arg(folder);
    }
    command
}

/// The file of the crate's library, by what Cargo says it made.
fn library(messages: &[u8], package: &PackageId) -> Option<PathBuf> {
    let artifacts = Message::parse_stream(messages).filter_map(|message| match message {
        Ok(Message::CompilerArtifact(artifact)) => Some(artifact),
        _ => None,
    });
    let mut of_the_door = artifacts.filter(|artifact| {
        artifact.package_id == *package && artifact.target.crate_types.contains(&CrateType::CDyLib)
    });
    let files = of_the_door.next()?.filenames;
    files
        .into_iter()
        .find(|file| file.extension() == Some("wasm"))
        .map(PathBuf::from)
}
