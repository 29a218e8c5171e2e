//! `doorlist page`.

use std::io::{self, Write as _};

use anyhow::{Context as _, bail};
use clap::Args;
use doorlist::driver::fold;
use doorlist::models::remote::Conversation;
use loop_spec::loop_machine::LoopMachine;

use super::print::data;
use super::run_choice::RunChoice;
use super::{Exit, Output};

/// Print a page, byte for byte as the model got it.
///
/// The page is made again from the run's journal; its digest is checked against the one that was
/// recorded when the model got it.
#[derive(Args)]
pub(crate) struct Page {
    #[command(flatten)]
    choice: RunChoice,
    /// Which put-back; the newest if left out.
    #[arg(long, value_name = "N")]
    put_back: Option<u32>,
    /// Print it as the conversation that a provider's model got instead, in JSON: all of it, before
    /// the provider's wire format.
    #[arg(long)]
    messages: bool,
}

impl Page {
    pub(crate) async fn perform(self, output: Output) -> anyhow::Result<Exit> {
        let folder = self.choice.folder()?;
        let (run, reading) = self.choice.read(&folder.journal()?).await?;
        let is_it = |record: &&loop_spec::Record| {
            let number = record.entry.payload.value()["put_back"].as_u64();
            record.entry.kind == "put_back"
                && self
                    .put_back
                    .is_none_or(|wanted| number == Some(u64::from(wanted)))
        };
        let Some(record) = reading.records.iter().rev().find(is_it) else {
            let wanted = self
                .put_back
                .map_or("a put-back".to_owned(), |n| format!("put-back {n}"));
            let found = reading
                .records
                .iter()
                .filter(|r| r.entry.kind == "put_back")
                .count();
            bail!(
                "run {}: expected {wanted}, found {found} put-backs",
                run.run.as_str()
            );
        };
        // Folding checks that the page has the digest that was recorded.
        let upto = usize::try_from(record.seq)? + 1;
        let machine = fold(&run, LoopMachine::new(), &reading.records[..upto])?;
        if self.messages {
            let page = machine.page().context("expected a page, found none")?;
            data!(
                "{}",
                serde_json::to_string_pretty(&Conversation::of(&page)?)?
            )?;
            return Ok(Exit::Done);
        }
        let page = machine
            .page()
            .map(|page| page.to_string())
            .unwrap_or_default();
        if output.json {
            let (put_back, digest) = (machine.put_backs(), &record.entry.payload.value()["page"]);
            data!(
                "{}",
                serde_json::json!({ "put_back": put_back, "digest": digest, "page": page })
            )?;
        } else {
            io::stdout().lock().write_all(page.as_bytes())?;
        }
        Ok(Exit::Done)
    }
}
