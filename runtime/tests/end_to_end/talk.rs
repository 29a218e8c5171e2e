//! A running `doorlist` that is talked to, or killed.

use std::io::Write as _;
use std::process::{Child, Stdio};

use crate::command::Doorlist;

/// A process whose pipes a test holds. What it says is waited for; no time is guessed.
pub(crate) struct Talk {
    child: Child,
}

impl Talk {
    pub(crate) fn with(call: Doorlist) -> Self {
        let mut command = call.into_command();
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = command.spawn().expect("the binary starts");
        Self { child }
    }

    /// Reads standard error up to and with `mark`.
    #[track_caller]
    pub(crate) fn until(&mut self, mark: &str) -> String {
        let pipe = self.child.stderr.as_mut().expect("it is piped");
        read_until(pipe, mark)
    }

    /// Reads standard output up to and with `mark`.
    #[track_caller]
    pub(crate) fn until_printed(&mut self, mark: &str) -> String {
        let pipe = self.child.stdout.as_mut().expect("it is piped");
        read_until(pipe, mark)
    }

    /// Waits for what can be seen from outside, and fails when the process ends before.
    #[track_caller]
    pub(crate) fn while_it_runs_until(&mut self, seen: impl Fn() -> bool) {
        while !seen() {
            let ended = self.child.try_wait().expect("a child can be looked at");
            assert_eq!(ended, None, "it ended before");
            std::thread::yield_now();
        }
    }

    pub(crate) fn type_line(&mut self, line: &str) {
        let pipe = self.child.stdin.as_mut().expect("it is piped");
        writeln!(pipe, "{line}").expect("it reads");
    }

    /// Its exit code and the rest of what it printed on standard output.
    pub(crate) fn ended(self) -> (Option<i32>, String) {
        let (code, stdout, _) = self.ended_with();
        (code, stdout)
    }

    /// The same, with the rest of standard error.
    pub(crate) fn ended_with(self) -> (Option<i32>, String, String) {
        let output = self
            .child
            .wait_with_output()
            .expect("a child can be waited for");
        let text = |bytes| String::from_utf8(bytes).expect("it prints UTF-8");
        (
            output.status.code(),
            text(output.stdout),
            text(output.stderr),
        )
    }

    /// Ctrl-C.
    #[cfg(unix)]
    pub(crate) fn interrupt(&mut self) {
        let sent = std::process::Command::new("kill")
            .args(["-INT", &self.child.id().to_string()])
            .status()
            .expect("there is a kill command");
        assert!(sent.success());
    }

    /// Ends it as a power cut would: nothing of it runs any more.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("a child can be waited for");
    }
}

/// Byte by byte, so that nothing behind the mark is taken.
#[track_caller]
fn read_until(pipe: &mut impl std::io::Read, mark: &str) -> String {
    let mut seen = Vec::new();
    while !seen.ends_with(mark.as_bytes()) {
        let mut byte = [0];
        let read = pipe.read(&mut byte).expect("a pipe can be read");
        assert_eq!(
            read,
            1,
            "it ended before {mark:?}: {}",
            String::from_utf8_lossy(&seen)
        );
        seen.push(byte[0]);
    }
    String::from_utf8(seen).expect("it prints UTF-8")
}
