//! One crate through Cargo.

use super::toolchain::{Toolchain, missing};
use super::{Build, BuildError, DoorCrate, Step, remap};
use cargo_metadata::{CrateType, Message, Metadata, PackageId};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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
    let (artifacts, said, success) = run(command, &build.programs.cargo, progress)?;
    let package = metadata.root_package().map(|package| &package.id);
    let library = package
        .filter(|_| success)
        .and_then(|package| library(&artifacts, package));
    library.ok_or_else(|| BuildError::Compile {
        name: door.name.clone(),
        output: said,
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
        .current_dir(&door.folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if build.locked {
        command.arg("--locked");
    }
    if let Some(folder) = &build.target_dir {
        command.arg("--target-dir").arg(folder);
    }
    command
}

/// What Cargo wrote to stdout (messages for programs), to stderr (for people), and whether it
/// succeeded.
fn run(
    mut command: Command,
    cargo: &Path,
    progress: &mut dyn FnMut(Step<'_>),
) -> Result<(Vec<u8>, String, bool), BuildError> {
    let failed = |source| missing(cargo, source);
    let mut child = command.spawn().map_err(failed)?;
    let stdout = child.stdout.take();
    let stderr = child.stderr.take();
    let (messages, said) = std::thread::scope(|scope| {
        // Both pipes are read at once: a full one would stop Cargo.
        let messages = scope.spawn(move || {
            let mut messages = Vec::new();
            stdout
                .map(|mut stdout| stdout.read_to_end(&mut messages))
                .transpose()?;
            Ok(messages)
        });
        let said = stderr
            .map(|stderr| follow(stderr, progress))
            .unwrap_or_default();
        let messages = messages
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (messages, said)
    });
    let status = child.wait().map_err(failed)?;
    Ok((messages.map_err(failed)?, said, status.success()))
}

/// Tells of each line as it comes, and gives all of them.
fn follow(stderr: impl Read, progress: &mut dyn FnMut(Step<'_>)) -> String {
    let mut said = String::new();
    for line in BufReader::new(stderr).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        progress(Step::Said {
            line: line.trim_end(),
        });
        said.push_str(&line);
        said.push('\n');
    }
    said
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
