//! `doorlist diagram`.

use std::io::{self, Write as _};
use std::path::Path;

use anyhow::Context as _;
use clap::Args;
use doorlist::loop_folder::LoopFolder;

use super::folder_choice::FolderChoice;
use super::print::{data, note};
use super::{Exit, Output, own};

/// Draw diagram.txt from loop.txt, policy.toml and the doors.
///
/// Every cell names the file that decides it. Lines that begin with # are yours and stay where they
/// are. `doorlist check` says which cells are stale.
#[derive(Args)]
pub(crate) struct Diagram {
    #[command(flatten)]
    folder: FolderChoice,
    /// Print it and write nothing.
    #[arg(long)]
    print: bool,
}

impl Diagram {
    pub(crate) fn perform(self, output: Output) -> anyhow::Result<Exit> {
        let folder = LoopFolder::open(self.folder.dir(), own()?)?;
        let (drawn, file) = (folder.draw()?, folder.diagram());
        let old = folder.drawn()?.unwrap_or_default();
        let text = drawn.redraw(&old);
        if output.json {
            data!("{}", serde_json::to_string(&drawn)?)?;
        } else if self.print {
            data!("{}", text.trim_end_matches('\n'))?;
        }
        if !self.print {
            write_whole(&file, &text).with_context(|| file.display().to_string())?;
            note!("wrote {}", file.display());
        }
        Ok(Exit::Done)
    }
}

/// The reader's lines are in it: it is replaced whole, or not at all.
fn write_whole(file: &Path, text: &str) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    // A temporary file would be the user's alone; a diagram is read like the files beside it.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut new = builder.tempfile_in(file.parent().unwrap_or(Path::new(".")))?;
    new.write_all(text.as_bytes())?;
    new.persist(file)?;
    Ok(())
}
