//! `doorlist runs`.

use clap::Args;
use doorlist::journal::{Journal as _, Tenant};
use doorlist::loop_folder::LoopFolder;
use loop_spec::trace::Summary;

use super::folder_choice::FolderChoice;
use super::print::{data, note};
use super::{Exit, Output, own};

/// List the runs of a loop, the newest last.
#[derive(Args)]
pub(crate) struct Runs {
    #[command(flatten)]
    folder: FolderChoice,
}

impl Runs {
    pub(crate) async fn perform(self, output: Output) -> anyhow::Result<Exit> {
        let folder = LoopFolder::open(self.folder.dir(), own()?)?;
        let journal = folder.journal()?;
        let mut exit = Exit::Done;
        for run in journal.runs(&Tenant::local()).await? {
            let name = run.run.as_str();
            let summary = match journal.read(&run, 0).await {
                Ok(reading) => Summary::of(&reading.records).map_err(anyhow::Error::from),
                Err(error) => Err(error.into()),
            };
            match summary {
                Ok(summary) if output.json => {
                    data!("{}", serde_json::json!({ "run": name, "summary": summary }))?;
                }
                Ok(summary) => data!("{name:>4}  {summary}")?,
                // The other runs are still listed.
                Err(error) => {
                    note!("run {name}: {error:#}");
                    exit = Exit::Error;
                }
            }
        }
        Ok(exit)
    }
}
