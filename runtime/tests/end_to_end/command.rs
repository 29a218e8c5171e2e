//! One call of the `doorlist` binary, and everything it may print.

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A call of the binary in an environment of its own. Whatever it prints must have been declared.
#[must_use = "nothing is called before `.call()`"]
pub(crate) struct Doorlist {
    command: Command,
    stdin: Vec<u8>,
    exit: i32,
    stdout: Declared,
    stderr: Declared,
}

/// What a stream may hold: exactly this text, or anything that has all of these parts.
enum Declared {
    Exactly(String),
    With(Vec<String>),
}

impl Doorlist {
    /// A call in the folder `here`, whose configuration is `own`. It ends with code 0 and prints
    /// nothing, unless it is said otherwise.
    pub(crate) fn new(here: &Path, own: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_doorlist"));
        Self::outfit(&mut command, here, own);
        Self {
            command,
            stdin: Vec::new(),
            exit: 0,
            stdout: Declared::Exactly(String::new()),
            stderr: Declared::Exactly(String::new()),
        }
    }

    /// The same call made by `sh -c script`, in which `"$@"` is the binary with its arguments.
    #[cfg(unix)]
    pub(crate) fn by_shell(mut self, script: &str) -> Self {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", script, "sh"]);
        shell.arg(self.command.get_program());
        shell.args(self.command.get_args());
        shell.env_clear();
        for (key, value) in self.command.get_envs() {
            shell.env(key, value.expect("no variable is taken away"));
        }
        if let Some(here) = self.command.get_current_dir() {
            shell.current_dir(here);
        }
        self.command = shell;
        self
    }

    pub(crate) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    pub(crate) fn args<A: Into<OsString>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.command.args(args.into_iter().map(Into::into));
        self
    }

    pub(crate) fn env(mut self, key: &str, value: &str) -> Self {
        self.command.env(key, value);
        self
    }

    pub(crate) fn stdin(mut self, typed: impl Into<Vec<u8>>) -> Self {
        self.stdin = typed.into();
        self
    }

    /// The code it ends with.
    pub(crate) fn exit(mut self, code: i32) -> Self {
        self.exit = code;
        self
    }

    /// Standard output is exactly this.
    pub(crate) fn stdout(mut self, text: impl Into<String>) -> Self {
        self.stdout = Declared::Exactly(text.into());
        self
    }

    /// Standard output has this somewhere.
    pub(crate) fn stdout_has(mut self, part: impl Into<String>) -> Self {
        self.stdout.with(part.into());
        self
    }

    /// Standard error is exactly this.
    pub(crate) fn stderr(mut self, text: impl Into<String>) -> Self {
        self.stderr = Declared::Exactly(text.into());
        self
    }

    /// Standard error has this somewhere.
    pub(crate) fn stderr_has(mut self, part: impl Into<String>) -> Self {
        self.stderr.with(part.into());
        self
    }

    /// Makes the call, and fails when it ends or prints otherwise than declared.
    #[track_caller]
    pub(crate) fn call(self) -> Ended {
        let Self {
            mut command,
            stdin,
            exit,
            stdout,
            stderr,
        } = self;
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let mut pipe = child.stdin.take().expect("it is piped");
        // It may end before it has read everything.
        let writer = std::thread::spawn(move || drop(pipe.write_all(&stdin)));
        let output = child.wait_with_output().expect("a child can be waited for");
        writer.join().expect("writing does not panic");
        let ended = Ended::new(output);
        let whole = format!("{command:?}\n{ended}");
        assert_eq!(ended.code, Some(exit), "the exit code of {whole}");
        stdout.check("standard output", &ended.stdout, &whole);
        stderr.check("standard error", &ended.stderr, &whole);
        ended
    }

    /// The command itself, for a test that holds its pipes or kills it.
    pub(crate) fn into_command(self) -> Command {
        self.command
    }

    fn outfit(command: &mut Command, here: &Path, own: &Path) {
        command.env_clear().current_dir(here);
        command
            .env("DOORLIST_CONFIG", own)
            .env("DOORLIST_CACHE", cache());
        // What the system itself needs to start a process.
        for name in ["SystemRoot", "TEMP", "TMPDIR", "LLVM_PROFILE_FILE"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
    }
}

impl Declared {
    fn with(&mut self, part: String) {
        match self {
            Self::With(parts) => parts.push(part),
            Self::Exactly(_) => *self = Self::With(vec![part]),
        }
    }

    #[track_caller]
    fn check(&self, stream: &str, found: &str, whole: &str) {
        match self {
            Self::Exactly(text) => assert_eq!(found, text, "{stream} of {whole}"),
            Self::With(parts) => {
                for part in parts {
                    assert!(found.contains(part), "{stream} has no {part:?}: {whole}");
                }
            }
        }
    }
}

/// How a call ended.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    /// Standard output, which is one JSON value.
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self}"))
    }

    fn new(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("it prints UTF-8");
        Self {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            code,
            stdout,
            stderr,
        } = self;
        write!(
            f,
            "ended with {code:?}\n--- stdout\n{stdout}\n--- stderr\n{stderr}"
        )
    }
}

/// Compiled components, shared by all tests: entries are keyed by content, and only what doorlist
/// wrote itself is loaded.
pub(crate) fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")
}
