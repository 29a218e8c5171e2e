//! Compiling in a process of its own, which has limits that a thread cannot have.
//!
//! The parent starts the program that [`Apart`] names and hands it the component; the child calls
//! [`compile_apart`], which limits itself before it reads a byte. What a component does to the
//! compiler is then done to that process: the host goes on.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;
use tokio::time::timeout;
use wasmtime::OutOfMemory;

use super::engine::compiler;
use super::error::CompileError;
use super::features;

/// Where components are compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Compiling {
    /// In a thread of this process, without a limit of memory or time: a thread cannot be stopped.
    #[default]
    Here,
    /// In a process for each component.
    Apart(Apart),
}

/// How a process is started that compiles one component, and what it may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apart {
    /// A program that ends by calling [`compile_apart`] with the limits below. Its machine code is
    /// run: it must be this host's own.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Bytes of memory, address space included.
    pub memory: u64,
    /// Time by the clock, and of all processors together, that rounded up to seconds.
    pub time: Duration,
}

impl Apart {
    /// The machine code of a component. The process ends with this future.
    pub(super) async fn compile(&self, component: &[u8]) -> Result<Vec<u8>, CompileError> {
        let late = || CompileError::Limit {
            what: format!("{:?}", self.time),
        };
        let work = timeout(self.time, self.talk(component)).await;
        let (status, code, said) = work.map_err(|_| late())?.map_err(host)?;
        let too_large = || CompileError::Limit {
            what: format!("{} bytes of memory", self.memory),
        };
        match status.code().map(u8::try_from) {
            Some(Ok(0)) => Ok(code),
            Some(Ok(INVALID)) => Err(CompileError::Invalid { what: said }),
            Some(Ok(BROKEN)) => Err(CompileError::Host { what: said }),
            Some(Ok(TOO_LARGE)) => Err(too_large()),
            _ if said.contains(NO_MEMORY) => Err(too_large()),
            _ if out_of_time(status) => Err(late()),
            _ => Err(CompileError::Broke {
                what: format!("{status}: {said}"),
            }),
        }
    }

    async fn talk(&self, component: &[u8]) -> io::Result<(ExitStatus, Vec<u8>, String)> {
        let mut child = Command::new(&self.program)
            .args(&self.arguments)
            .env_clear()
            .envs(FEW_THREADS)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let (mut stdin, stdout, stderr) = (
            child.stdin.take().expect("it is piped"),
            child.stdout.take().expect("it is piped"),
            child.stderr.take().expect("it is piped"),
        );
        let write = async move {
            // Who ends before it has read all says why elsewhere.
            let _: io::Result<()> = stdin.write_all(component).await;
        };
        let ((), code, said) = tokio::join!(
            write,
            read(stdout, self.memory),
            read(stderr, LONGEST_MESSAGE)
        );
        let status = child.wait().await?;
        let said = String::from_utf8_lossy(&said?).trim().to_owned();
        Ok((status, code?, said))
    }
}

async fn read(from: impl AsyncRead + Unpin, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most).read_to_end(&mut bytes).await?;
    Ok(bytes)
}

/// The child's side of [`Compiling::Apart`]: limits this process to `memory` bytes and `time`, reads a
/// component from standard input and writes its machine code to standard output. The code to end with
/// is returned; why is said on standard error.
#[must_use]
pub fn compile_apart(memory: u64, time: Duration) -> u8 {
    let Err(error) = limit(memory, time)
        .map_err(Into::into)
        .and_then(|()| compile())
    else {
        return 0;
    };
    eprintln!("{error:#}");
    let of_the_system = error.downcast_ref::<io::Error>();
    match of_the_system.map(io::Error::kind) {
        _ if error.is::<OutOfMemory>() => TOO_LARGE,
        Some(io::ErrorKind::OutOfMemory) => TOO_LARGE,
        Some(_) => BROKEN,
        None => INVALID,
    }
}

fn compile() -> wasmtime::Result<()> {
    let engine = compiler()?;
    let mut component = Vec::new();
    io::stdin().lock().read_to_end(&mut component)?;
    features::check(&component)?;
    let code = engine.precompile_component(&component)?;
    io::stdout().lock().write_all(&code)?;
    Ok(())
}

#[cfg(unix)]
fn limit(memory: u64, time: Duration) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    // Whole seconds, of which there is at least one.
    let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
    // At the first limit of its time a process is told, at the second it is killed as for other
    // reasons.
    for (resource, limit, most) in [
        (Resource::As, memory, memory),
        (Resource::Cpu, seconds, seconds + 1),
        (Resource::Core, 0, 0),
        (Resource::Fsize, 0, 0),
    ] {
        let limit = Rlimit {
            current: Some(limit),
            maximum: Some(most),
        };
        setrlimit(resource, limit)?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn limit(_: u64, _: Duration) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(unix)]
fn out_of_time(status: ExitStatus) -> bool {
    use rustix::process::Signal;
    use std::os::unix::process::ExitStatusExt as _;
    status.signal() == Some(Signal::XCPU.as_raw())
}

#[cfg(not(unix))]
fn out_of_time(_: ExitStatus) -> bool {
    false
}

fn host(error: io::Error) -> CompileError {
    CompileError::Host {
        what: error.to_string(),
    }
}

/// Each thread of the compiler, and each arena of the allocator, takes address space of its own: on a
/// machine of many processors as much as a component may take.
const FEW_THREADS: [(&str, &str); 2] = [("RAYON_NUM_THREADS", "4"), ("MALLOC_ARENA_MAX", "4")];

/// How the child ends: over a component that is none, over what is not the component's fault, and for
/// want of memory.
const INVALID: u8 = 65;
const BROKEN: u8 = 70;
const TOO_LARGE: u8 = 71;

/// What Rust says before it ends at once for want of memory.
const NO_MEMORY: &str = "memory allocation of";

/// Bytes that are read of what the child says.
const LONGEST_MESSAGE: u64 = 16 << 10;
