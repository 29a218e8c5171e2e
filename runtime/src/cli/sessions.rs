//! `doorlist sessions`.

use std::path::Path;

use clap::Args;
use doorlist::ambient::{Ambient as _, System};
use doorlist::journal::{FolderJournal, Journal as _, Tenant};
use doorlist::loop_folder::LoopFolder;
use doorlist::session;
use loop_spec::frame::one_line;
use loop_spec::loop_machine::Asked;
use loop_spec::numbers::grouped;
use loop_spec::session::QuestionName;
use serde_json::json;

use super::folder_choice::FolderChoice;
use super::print::{data, note};
use super::{Exit, Output, own};

/// List the sessions of a folder's clients, the newest last, with the calls that wait for a nod.
///
/// A client of `doorlist mcp` is a session. `doorlist nod s1.3` answers what its third call asked.
#[derive(Args)]
pub(crate) struct Sessions {
    #[command(flatten)]
    folder: FolderChoice,
}

impl Sessions {
    pub(crate) async fn perform(self, output: Output) -> anyhow::Result<Exit> {
        let folder = LoopFolder::of_doors(self.folder.dir(), own()?)?;
        let journal = FolderJournal::sessions(folder.dir())?;
        let mut exit = Exit::Done;
        let place = match self.folder.dir() {
            dir if dir == Path::new(".") => String::new(),
            dir => format!(" -C {}", dir.display()),
        };
        for run in journal.runs(&Tenant::local()).await? {
            let name = run.run.as_str();
            let machine = match session::read(&journal, &run).await {
                Ok(machine) => machine,
                Err(error) => {
                    // The others are still listed.
                    note!("session {name}: {error}");
                    exit = Exit::Error;
                    continue;
                }
            };
            let now = System.now();
            let waiting: Vec<&Asked> = machine.pending().filter(|it| now < it.expires).collect();
            let number = name.parse().unwrap_or_default();
            let ask = |asked: &Asked| QuestionName::new(number, asked.call).to_string();
            let client = machine.started().map_or("", |started| &started.client);
            let calls = machine.calls();
            if output.json {
                let waiting: Vec<_> = waiting
                    .iter()
                    .map(|asked| json!({ "name": ask(asked), "asked": asked }))
                    .collect();
                data!(
                    "{}",
                    json!({
                        "session": name,
                        "client": client,
                        "calls": calls,
                        "fuel": machine.fuel(),
                        "waiting": waiting,
                    })
                )?;
                continue;
            }
            data!(
                "{name:>4}  {}, {calls} calls, {} fuel",
                one_line(client),
                grouped(machine.fuel())
            )?;
            for asked in waiting {
                data!("      waits for a nod: doorlist nod {}{place}", ask(asked))?;
                for line in asked.shown().lines() {
                    data!("        {line}")?;
                }
            }
        }
        Ok(exit)
    }
}
