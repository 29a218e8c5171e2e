//! `doorlist compile-apart`: the process in which a component is compiled by itself.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use doorlist::sandbox::compile_apart;

/// Compile a component from standard input to standard output, within limits.
///
/// Doorlist starts this itself where the host-wide policy has `[compile] apart = true`.
#[derive(Args)]
pub(crate) struct CompileApart {
    /// Bytes of memory.
    memory: u64,
    /// Milliseconds of time.
    time: u64,
}

impl CompileApart {
    pub(crate) fn perform(&self) -> ExitCode {
        compile_apart(self.memory, Duration::from_millis(self.time)).into()
    }
}
