//! `doorlist allow`.

use clap::Args;
use doorlist::grants::{Allowances, Requests};
use doorlist::loop_folder::LoopFolder;
use serde_json::json;
use std::io;

use super::at_terminal::at_terminal;
use super::folder_choice::FolderChoice;
use super::print::{data, note};
use super::{Exit, Output, own};

/// Show what a loop's policy asks for beyond its own data/, and allow it.
///
/// What is allowed is kept in your configuration, outside any loop, and only for exactly what was
/// shown: an edit of policy.toml asks again.
#[derive(Args)]
pub(crate) struct Allow {
    #[command(flatten)]
    folder: FolderChoice,
    /// Allow without a question. What is allowed is still printed.
    #[arg(long)]
    yes: bool,
    /// Take back what was allowed to this loop.
    #[arg(long, conflicts_with = "yes")]
    revoke: bool,
}

impl Allow {
    pub(crate) async fn perform(self, output: Output) -> anyhow::Result<Exit> {
        let own = own()?;
        let allowances = Allowances::in_dir(&own.config);
        if self.revoke {
            // The folder may be gone, or its policy broken: neither keeps an allowance alive.
            let revoked = allowances.revoke(self.folder.dir())?;
            self.say(
                output,
                None,
                false,
                if revoked {
                    "taken back"
                } else {
                    "nothing was allowed"
                },
            )?;
            return Ok(Exit::Done);
        }
        let folder = LoopFolder::of_doors(self.folder.dir(), own)?;
        let requests = folder.requests(&folder.policy()?)?;
        if requests.beyond_data().is_empty() {
            self.say(
                output,
                Some(&requests),
                true,
                "it asks for nothing beyond its data/",
            )?;
            return Ok(Exit::Done);
        }
        if !output.json {
            data!("{} asks for", folder.policy_file().display())?;
            for request in requests.beyond_data() {
                data!("  {request}")?;
            }
        }
        if allowances.allows(&requests)? {
            self.say(output, Some(&requests), true, "allowed already")?;
            return Ok(Exit::Done);
        }
        if !self.yes && !self.asked().await? {
            self.say(output, Some(&requests), false, "not allowed")?;
            return Ok(Exit::Found);
        }
        allowances.allow(&requests)?;
        self.say(output, Some(&requests), true, "allowed")?;
        Ok(Exit::Done)
    }

    async fn asked(&self) -> anyhow::Result<bool> {
        let Some(mut terminal) = at_terminal() else {
            note!("expected a person at a terminal, found none; --yes allows what is shown");
            return Ok(false);
        };
        let answer = terminal
            .yes_or_no("Allow all of it? [y]es or [n]o: ")
            .await?;
        Ok(answer == Some(true))
    }

    fn say(
        &self,
        output: Output,
        requests: Option<&Requests>,
        allowed: bool,
        what: &str,
    ) -> io::Result<()> {
        if output.json {
            let asked = requests.map(Requests::beyond_data).unwrap_or_default();
            data!(
                "{}",
                json!({ "requests": asked, "allowed": allowed, "what": what })
            )?;
        } else {
            note!("{}: {what}", self.folder.dir().display());
        }
        Ok(())
    }
}
