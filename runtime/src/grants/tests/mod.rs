//! From a policy to what is granted.

mod allowances;
mod kept;
mod offered;
mod requests;

use std::fs;
use std::path::{Path, PathBuf};

use loop_spec::policy::{Ceiling, Policy, Source};
use tempfile::TempDir;

use super::*;

/// A loop folder, and beside it the folders where Doorlist keeps what it trusts.
struct Bench {
    top: TempDir,
}

impl Bench {
    fn new() -> Self {
        let top = TempDir::new().unwrap();
        let bench = Self { top };
        for dir in [
            "loop/doors",
            "loop/runs",
            "loop/lists",
            "config",
            "cache",
            "elsewhere",
        ] {
            fs::create_dir_all(bench.path(dir)).unwrap();
        }
        for file in [
            "loop.txt",
            "policy.toml",
            "history.txt",
            "doors.lock",
            "run",
        ] {
            fs::write(bench.path("loop").join(file), "").unwrap();
        }
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.top.path().canonicalize().unwrap().join(name)
    }

    fn requests(&self, policy: &str) -> Result<Requests, GrantError> {
        let own = [self.path("cache"), self.path("config")];
        let own: Vec<&Path> = own.iter().map(PathBuf::as_path).collect();
        Requests::of(&self.path("loop"), &Policy::parse(policy).unwrap(), &own)
    }

    fn dir(&self, host: &str, write: bool) -> Result<Requests, GrantError> {
        self.requests(&dirs(host, write))
    }

    fn allowances(&self) -> Allowances {
        Allowances::in_dir(&self.path("config"))
    }

    /// The message with which a grant for writing is refused.
    fn refused(&self, host: &str) -> String {
        let error = self.dir(host, true).expect_err(host);
        assert!(matches!(error, GrantError::Kept { .. }), "{host}: {error}");
        error.to_string()
    }
}

/// No variable is set.
fn nothing(_: &str) -> Option<String> {
    None
}

fn dirs(host: &str, write: bool) -> String {
    let host = host.escape_default();
    format!("[door.a]\ndirs = [{{ host = \"{host}\", guest = \"/d\", write = {write} }}]\n")
}
