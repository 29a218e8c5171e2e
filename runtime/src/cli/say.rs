//! `doorlist say`.

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use doorlist::ambient::System;
use doorlist::loop_folder::Letter;
use loop_spec::loop_machine::Stop;
use serde_json::json;

use super::print::{data, note};
use super::run_choice::RunChoice;
use super::{Exit, Output};

/// Say something to a run: while it goes on, or before it is resumed.
///
/// It is on the next page when the model has named doors, and at the latest when the run would end:
/// the close then stands, and the run goes on. It resets no cap.
#[derive(Args)]
pub(crate) struct Say {
    /// What is said.
    text: String,
    /// Keep it until the run would end.
    #[arg(long)]
    at_the_end: bool,
    #[command(flatten)]
    choice: RunChoice,
}

impl Say {
    pub(crate) async fn perform(self, output: Output) -> anyhow::Result<Exit> {
        let text = self.text.trim();
        ensure!(!text.is_empty(), "expected something to say, found nothing");
        ensure!(
            text.len() <= LONGEST,
            "expected at most {LONGEST} bytes to say, found {}",
            text.len()
        );
        let folder = self.choice.folder()?;
        let journal = folder.journal()?;
        let (run, _, machine) = self.choice.machine(&journal).await?;
        if let Some(Stop::Done { .. }) = machine.stop() {
            let shown = self.choice.shown(&run);
            bail!(
                "run {shown}: expected a run that can go on, found one that is done; `doorlist run` \
                 starts another"
            );
        }
        let letter = Letter {
            text: text.to_owned(),
            at_the_end: self.at_the_end,
        };
        let left = folder.inbox(&run).leave(&letter, &System);
        left.with_context(|| format!("{}: runs/ cannot be written", folder.dir().display()))?;
        if output.json {
            data!("{}", json!({ "run": run.run.as_str(), "said": text }))?;
            return Ok(Exit::Done);
        }
        let shown = self.choice.shown(&run);
        match machine.stop() {
            None => note!("run {shown} hears it when it comes to its next page."),
            Some(_) => note!("run {shown} hears it when `doorlist resume {shown}` goes on."),
        }
        Ok(Exit::Done)
    }
}

/// Bytes; a text that is longer belongs into a file that a door may read.
const LONGEST: usize = 100_000;
