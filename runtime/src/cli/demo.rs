//! `doorlist demo`.

use std::path::{Path, PathBuf};

use clap::Args;
use loop_spec::Language;

use super::asking::Asking;
use super::build::build;
use super::model::ModelChoice;
use super::print::note;
use super::run::Run;
use super::{Exit, Output};

/// Write the fridge loop into a folder, build its doors, and run it.
///
/// In a checkout of Doorlist the doors are built from their sources in doors/; elsewhere the
/// components that this binary carries are used. Run it again to run the same loop once more.
#[derive(Args)]
pub(crate) struct Demo {
    /// The folder.
    #[arg(default_value = "fridge-loop")]
    dir: PathBuf,
    /// The user's line.
    #[arg(default_value = "What do we need?")]
    line: String,
    #[command(flatten)]
    model: ModelChoice,
    #[command(flatten)]
    asking: Asking,
}

impl Demo {
    pub(crate) async fn perform(self, output: Output) -> anyhow::Result<Exit> {
        if !self.dir.join("loop.txt").exists() {
            doorlist::init::write(&self.dir, Language::En)?;
            note!("wrote {}", self.dir.display());
        }
        if let Some(sources) = sources() {
            build(&sources, &self.dir.join("doors")).await?;
        }
        let shown = format!("doorlist run {} \"{}\"", self.dir.display(), self.line);
        note!("{shown}");
        Run::new(&self.dir, &self.line, self.model, self.asking)
            .perform(output)
            .await
    }
}

/// The sources of the fridge loop's doors, where the command is called in a checkout.
fn sources() -> Option<Vec<PathBuf>> {
    let here = std::env::current_dir().ok()?;
    let checkout = here.ancestors().find(|dir| is_checkout(dir))?;
    Some(
        DOORS
            .iter()
            .map(|door| checkout.join("doors").join(door))
            .collect(),
    )
}

fn is_checkout(dir: &Path) -> bool {
    dir.join("loop-spec").is_dir()
        && DOORS
            .iter()
            .all(|door| dir.join("doors").join(door).is_dir())
}

/// The doors of the fridge loop, its check and its model.
const DOORS: [&str; 4] = ["fridge", "shopping", "settled", "mind"];
