//! `doorlist nod`, and how a question is answered, which `deny` and `withdraw` share with it.

use std::sync::Arc;

use anyhow::{Context as _, anyhow, bail, ensure};
use clap::Args;
use doorlist::ambient::{Ambient, System};
use doorlist::driver::{DriveError, Driver};
use doorlist::journal::{FolderJournal, RunKey};
use doorlist::loop_folder::{HistoryFile, LoopFolder};
use doorlist::session;
use loop_spec::loop_machine::{Asked, Event, LoopMachine, Nod, NodAnswered};
use loop_spec::policy::Approver;
use loop_spec::session::QuestionName;
use serde_json::json;

use super::print::{data, note};
use super::run_choice::{RunChoice, check_history};
use super::{Exit, Output, own};

/// Give your nod to the call that a run waits for: it may open, this once.
///
/// The nod is for exactly this door, these bytes and these arguments. `doorlist resume` goes on with
/// the run and uses it. `s1.3` in the place of RUN is the third call of the client's session 1, which
/// uses it when it calls again.
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

/// Answers the call that a run waits for, or a question of a session.
pub(crate) async fn answer(choice: &RunChoice, nod: Nod, output: Output) -> anyhow::Result<Exit> {
    if let Some(name) = choice.question() {
        return answer_session(choice, name, nod, output).await;
    }
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
    may_answer(&folder, &asked, nod, "`doorlist resume` asks again")?;
    let nod = in_time(&asked, nod, driver.ambient());
    let (path, pasted) = (folder.history(), driver.machine().pasted());
    check_history(&journal, &path, &run, driver.machine()).await?;
    let mut history = HistoryFile::go_on(&path, pasted)?;
    let event = Event::NodAnswered(NodAnswered {
        call: asked.call,
        nod,
    });
    driver.record(event, &mut history).await?;
    let next = format!("`doorlist resume {}` goes on.", choice.shown(&run));
    say(&asked, nod, &next, output)
}

/// Answers what a client's call left behind: `s1.3` is the third call of the session 1.
async fn answer_session(
    choice: &RunChoice,
    name: QuestionName,
    nod: Nod,
    output: Output,
) -> anyhow::Result<Exit> {
    let folder = LoopFolder::of_doors(&choice.dir, own()?)?;
    let journal = Arc::new(FolderJournal::sessions(folder.dir())?);
    let run = RunKey::local(&name.session.to_string())?;
    let session = session::read(&*journal, &run).await;
    let session = session.map_err(|error| match error {
        DriveError::NoRun { .. } => anyhow!(
            "expected a session {} in {}, found none",
            name.session,
            folder.dir().join("sessions").display()
        ),
        error => error.into(),
    })?;
    let asked = session.pending().find(|asked| asked.call == name.call());
    let asked = asked.with_context(|| {
        let pending = session.pending();
        let waiting: Vec<String> = pending
            .map(|asked| QuestionName::new(name.session, asked.call).to_string())
            .collect();
        let found = match waiting.is_empty() {
            true => "none".to_owned(),
            false => waiting.join(", "),
        };
        format!(
            "session {}: expected a call that waits for a nod, found {found}",
            name.session
        )
    })?;
    may_answer(&folder, asked, nod, "the client's next call asks again")?;
    let nod = in_time(asked, nod, &System);
    session::answer(journal, run, asked.call, nod, System.now()).await?;
    say(
        asked,
        nod,
        "The client is told when it calls again.",
        output,
    )
}

/// An answer that comes too late is none.
fn in_time(asked: &Asked, nod: Nod, ambient: &dyn Ambient) -> Nod {
    match ambient.now() >= asked.expires {
        true => Nod::Expired,
        false => nod,
    }
}

/// The policy must let a terminal answer, and a nod be for what would be opened now; `again` says how
/// it is asked about otherwise.
fn may_answer(folder: &LoopFolder, asked: &Asked, nod: Nod, again: &str) -> anyhow::Result<()> {
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
            "{}: it was changed since you were asked about {}; {again}",
            door.door.file.label(),
            asked.door
        ),
        None => bail!(
            "{} is not on the list any more, and will not be opened",
            asked.door
        ),
    }
}

/// Says what was answered, and what comes `next`.
fn say(asked: &Asked, nod: Nod, next: &str, output: Output) -> anyhow::Result<Exit> {
    let said = match nod {
        Nod::Given => "it may open, this once",
        Nod::Expired => "too late: the question has expired",
        nod => nod.word(),
    };
    if output.json {
        data!("{}", json!({ "asked": asked, "nod": nod }))?;
    } else {
        note!("{}", asked.shown().trim_end());
        note!("{said}. {next}");
    }
    Ok(match nod {
        Nod::Expired => Exit::Error,
        _ => Exit::Done,
    })
}
