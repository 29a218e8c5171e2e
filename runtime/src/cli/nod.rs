//! `doorlist nod`, and how a question is answered, which `deny` and `withdraw` share with it.

use std::io;

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use doorlist::ambient::System;
use doorlist::driver::Driver;
use doorlist::loop_folder::{HistoryFile, LoopFolder};
use loop_spec::loop_machine::{Asked, Event, LoopMachine, Nod, NodAnswered};
use loop_spec::policy::Approver;
use serde_json::json;

use super::at_terminal::shown;
use super::print::{data, note};
use super::run_choice::{RunChoice, check_history};
use super::{Exit, Output};

/// Give your nod to the call that a run waits for: it may open, this once.
///
/// The nod is for exactly this door, these bytes and these arguments. `doorlist resume` goes on with
/// the run and uses it.
#[derive(Args)]
pub(crate) struct NodCommand {
    #[command(flatten)]
    choice: RunChoice,
}

impl NodCommand {
    pub(crate) async fn perform(self, output: Output) -> anyhow::Result<Exit> {
        answer(&self.choice, Nod::Given, output).await
    }
}

/// Answers the call that a run waits for.
pub(crate) async fn answer(choice: &RunChoice, nod: Nod, output: Output) -> anyhow::Result<Exit> {
    let folder = choice.folder()?;
    let journal = folder.journal()?;
    let (run, _) = choice.read(&journal).await?;
    let mut driver = Driver::resume(&journal, &System, run.clone(), LoopMachine::new()).await?;
    let asked = driver.machine().asked().cloned();
    let asked = asked.with_context(|| {
        format!(
            "run {}: expected a call that waits for a nod, found none",
            run.run.as_str()
        )
    })?;
    may_answer(&folder, &asked, nod)?;
    let nod = if driver.ambient().now() >= asked.expires {
        Nod::Expired
    } else {
        nod
    };
    let (path, pasted) = (folder.history(), driver.machine().pasted());
    check_history(&journal, &path, &run, pasted).await?;
    let mut history = HistoryFile::go_on(&path, pasted)?;
    let event = Event::NodAnswered(NodAnswered {
        call: asked.call,
        nod,
    });
    driver.record(event, &mut history).await?;
    say(&asked, nod, &choice.shown(&run), output)?;
    Ok(if nod == Nod::Expired {
        Exit::Error
    } else {
        Exit::Done
    })
}

/// The policy must let a terminal answer, and a nod be for what would be opened now.
fn may_answer(folder: &LoopFolder, asked: &Asked, nod: Nod) -> anyhow::Result<()> {
    let policy = folder.policy()?;
    ensure!(
        policy.ask().by.contains(&Approver::Terminal),
        "{}: `by` in [ask] does not let the terminal answer",
        folder.policy_file().display()
    );
    if nod != Nod::Given {
        return Ok(());
    }
    let snapshot = folder.snapshot()?;
    match snapshot.doors.get(&asked.door) {
        Some(door) if door.door.component_digest() == asked.component => Ok(()),
        Some(door) => bail!(
            "{}: it was changed since you were asked about {}; `doorlist resume` asks again",
            door.door.file.label(),
            asked.door
        ),
        None => bail!(
            "{} is not on the list any more; `doorlist resume` tells the model so",
            asked.door
        ),
    }
}

fn say(asked: &Asked, nod: Nod, run: &str, output: Output) -> io::Result<()> {
    let said = match nod {
        Nod::Given => "it may open, this once",
        Nod::Expired => "too late: the question has expired",
        nod => nod.word(),
    };
    if output.json {
        data!("{}", json!({ "asked": asked, "nod": nod }))?;
        return Ok(());
    }
    note!("{}", shown(asked).trim_end());
    note!("{said}. `doorlist resume {run}` goes on.");
    Ok(())
}
