//! Which loop's folder a command is about.

use std::path::{Path, PathBuf};

use clap::Args;

/// The argument of every command about a folder as a whole: behind the command, or behind `-C` as for
/// the commands about one run.
#[derive(Args, Clone, Debug)]
pub(crate) struct FolderChoice {
    /// The loop's folder; where you are if left out.
    #[arg(value_name = "DIR")]
    dir: Option<PathBuf>,
    /// The same, as other commands take it.
    #[arg(
        long = "dir",
        short = 'C',
        value_name = "DIR",
        conflicts_with = "dir",
        hide = true
    )]
    at: Option<PathBuf>,
}

impl FolderChoice {
    pub(crate) fn dir(&self) -> &Path {
        let chosen = self.dir.as_deref().or(self.at.as_deref());
        chosen.unwrap_or(Path::new("."))
    }
}
