//! `doorlist lock`.

use clap::Args;
use doorlist::ambient::{Ambient as _, System};
use doorlist::loop_folder::{LoopFolder, Review};
use loop_spec::lock::Came;
use serde_json::json;

use super::at_terminal::at_terminal;
use super::folder_choice::FolderChoice;
use super::print::{data, note};
use super::shown_change::{in_json, show};
use super::{Exit, Output, own};

/// Show the components of a loop that are new or changed, and accept them.
///
/// doors.lock says which bytes were built here by `doorlist build` or accepted by a person; any other
/// bytes are refused. What came from elsewhere is shown first: what it exports, what it imports, what
/// the policy asks for on its behalf; of a changed one, the old beside the new.
///
/// Exit codes: 0 nothing is new or it was accepted, 30 something is new and was not accepted.
#[derive(Args)]
pub(crate) struct Lock {
    #[command(flatten)]
    folder: FolderChoice,
    /// Accept without a question. What is accepted is still printed.
    #[arg(long)]
    yes: bool,
}

impl Lock {
    pub(crate) async fn perform(self, output: Output) -> anyhow::Result<Exit> {
        let folder = LoopFolder::of_doors(self.folder.dir(), own()?)?;
        let (at, from) = (System.now(), None);
        let review = folder.review(&Came::Accepted { at, from })?;
        for broken in &review.broken {
            note!("{broken}");
        }
        let accepted = accept(&folder, &review, self.yes, output).await?;
        if review.is_empty() && !output.json {
            data!(
                "{}: every component is as it was built or accepted",
                self.folder.dir().display()
            )?;
        }
        Ok(if accepted { Exit::Done } else { Exit::Found })
    }
}

/// Shows a review, and keeps it once a person has accepted it; says whether they did.
pub(crate) async fn accept(
    folder: &LoopFolder,
    review: &Review,
    yes: bool,
    output: Output,
) -> anyhow::Result<bool> {
    if !output.json {
        for change in &review.changes {
            show(change)?;
        }
        for gone in &review.gone {
            data!("{gone}: it is gone")?;
        }
    }
    let accepted = review.is_empty() || yes || asked().await?;
    if accepted && !review.is_empty() {
        folder.accept(review)?;
    }
    if output.json {
        let changes: Vec<_> = review.changes.iter().map(in_json).collect();
        data!(
            "{}",
            json!({ "changes": changes, "gone": review.gone, "accepted": accepted })
        )?;
    } else if !review.is_empty() {
        note!("{}", if accepted { "accepted" } else { "not accepted" });
    }
    Ok(accepted)
}

async fn asked() -> anyhow::Result<bool> {
    let Some(mut terminal) = at_terminal() else {
        note!("expected a person at a terminal, found none; --yes accepts what is shown");
        return Ok(false);
    };
    let answer = terminal
        .yes_or_no("Accept all of it? [y]es or [n]o: ")
        .await?;
    Ok(answer == Some(true))
}
