//! `doorlist history`.

use std::io::{self, Write as _};

use clap::Args;

use super::print::{data, note};
use super::run_choice::RunChoice;
use super::{Exit, Output};

/// Print what is pasted in a run, as it stands on the page.
#[derive(Args)]
pub(crate) struct History {
    #[command(flatten)]
    choice: RunChoice,
}

impl History {
    pub(crate) async fn perform(self, output: Output) -> anyhow::Result<Exit> {
        let folder = self.choice.folder()?;
        let (run, reading, machine) = self.choice.machine(&folder.journal()?).await?;
        if output.json {
            // One event a line, as the journal has them.
            for record in &reading.records {
                data!("{}", serde_json::to_string(record)?)?;
            }
        } else {
            note!("run {}", run.run.as_str());
            io::stdout().lock().write_all(machine.pasted().as_bytes())?;
        }
        Ok(Exit::Done)
    }
}
