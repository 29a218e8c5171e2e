//! Programs of toolchains: where they are, and one run of one.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{BuildError, Step};

/// What a program wrote, and whether it succeeded.
pub(super) struct Ran {
    /// To standard output: messages for programs.
    pub(super) stdout: Vec<u8>,
    /// To standard error: for people.
    pub(super) said: String,
    pub(super) success: bool,
}

/// The first of these programs that is in one of the folders, or on the `PATH`.
pub(super) fn find(programs: &[&str], folders: &[PathBuf]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = folders.iter().cloned().chain(std::env::split_paths(&path));
    let all = std::env::join_paths(folders).ok()?;
    let found = |program: &&str| which::which_in(program, Some(&all), ".").ok();
    programs.iter().find_map(found)
}

/// Runs a program to its end, telling of each line that it writes to standard error.
pub(super) fn run(mut command: Command, progress: &mut dyn FnMut(Step<'_>)) -> io::Result<Ran> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let stdout = child.stdout.take();
    let stderr = child.stderr.take();
    let (stdout, said) = std::thread::scope(|scope| {
        // Both pipes are read at once: a full one would stop the program.
        let stdout = scope.spawn(move || {
            let mut bytes = Vec::new();
            stdout
                .map(|mut stdout| stdout.read_to_end(&mut bytes))
                .transpose()?;
            Ok::<_, io::Error>(bytes)
        });
        let said = stderr
            .map(|stderr| follow(stderr, progress))
            .unwrap_or_default();
        let stdout = stdout
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (stdout, said)
    });
    let success = child.wait()?.success();
    Ok(Ran {
        stdout: stdout?,
        said,
        success,
    })
}

/// Runs one step of a toolchain for a door. What it wrote is told of when it ends well; where it fails
/// it is in the error, once. Programs written in Rust are kept from telling of their own calls.
pub(super) fn step(
    door: &str,
    mut command: Command,
    progress: &mut dyn FnMut(Step<'_>),
) -> Result<Vec<u8>, BuildError> {
    let program = command.get_program().to_owned();
    command
        .env_remove("RUST_BACKTRACE")
        .env_remove("RUST_LIB_BACKTRACE");
    let ran = run(command, &mut |_| {}).map_err(|source| not_started(&program, source))?;
    match ran.success {
        true => {
            ran.said
                .lines()
                .for_each(|line| progress(Step::Said { line }));
            Ok(ran.stdout)
        }
        false => {
            let stdout = String::from_utf8_lossy(&ran.stdout);
            let output = [stdout.trim_end(), ran.said.trim_end()].join("\n");
            Err(BuildError::Compile {
                name: door.to_owned(),
                output: output.trim().to_owned(),
            })
        }
    }
}

/// Runs the last step of a toolchain, which writes `made`, and gives that.
pub(super) fn made(
    door: &str,
    command: Command,
    made: &Path,
    progress: &mut dyn FnMut(Step<'_>),
) -> Result<Vec<u8>, BuildError> {
    let program = Path::new(command.get_program()).display().to_string();
    step(door, command, progress)?;
    match std::fs::read(made) {
        Ok(bytes) if !bytes.is_empty() => Ok(bytes),
        _ => Err(BuildError::NothingMade {
            name: door.to_owned(),
            program,
        }),
    }
}

fn not_started(program: &OsStr, source: io::Error) -> BuildError {
    BuildError::NotStarted {
        program: Path::new(program).display().to_string(),
        source,
    }
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
