//! `doorlist diagram`.

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use doorlist::loop_folder::LoopFolder;

use super::{Exit, Output, own};

/// Draw diagram.txt from loop.txt, policy.toml and the doors.
///
/// Every cell names the file that decides it. Lines that begin with # are yours and stay where they
/// are. `doorlist check` says which cells are stale.
#[derive(Args)]
pub(crate) struct Diagram {
    /// The loop's folder.
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// Print it and write nothing.
    #[arg(long)]
    print: bool,
}

impl Diagram {
    pub(crate) fn perform(self, output: Output) -> anyhow::Result<Exit> {
        let folder = LoopFolder::open(&self.dir, own()?)?;
        let (drawn, file) = (folder.draw()?, folder.diagram());
        let old = fs::read_to_string(&file).unwrap_or_default();
        let text = drawn.redraw(&old);
        if output.json {
            println!("{}", serde_json::to_string(&drawn)?);
        } else if self.print {
            print!("{text}");
        }
        if !self.print {
            write_whole(&file, &text).with_context(|| file.display().to_string())?;
            eprintln!("wrote {}", file.display());
        }
        Ok(Exit::Done)
    }
}

/// The reader's lines are in it: it is replaced whole, or not at all.
fn write_whole(file: &std::path::Path, text: &str) -> std::io::Result<()> {
    let new = file.with_extension("txt.new");
    fs::write(&new, text)?;
    fs::rename(&new, file)
}
