//! `doorlist run`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use clap::Args;
use doorlist::ambient::System;
use doorlist::driver::DriveError;
use doorlist::gate::Gate;
use doorlist::journal::{AppendError, Journal as _, RunKey, next_run};
use doorlist::loop_folder::{FolderSource, HistoryFile, LoopFolder};
use doorlist::loop_run::{LoopHands, LoopRun, Snapshot};
use doorlist::models::Model;
use doorlist::sandbox::Limits;
use loop_spec::loop_machine::{LoopMachine, Stop};
use loop_spec::trace::Summary;
use tokio::signal;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::asking::Asking;
use super::model::ModelChoice;
use super::place::sandbox;
use super::print::note;
use super::run_choice::shown;
use super::show::{self, Show};
use super::terminal::{Face, Streams};
use super::{Exit, Output, own};

/// Run a loop with the user's line.
///
/// Each round is shown as it happens on standard error; the close is printed on standard output.
/// The run is kept in runs/, what is pasted in history.txt. Ctrl-C stops it so that `doorlist
/// resume` can go on; a second Ctrl-C ends it at once.
///
/// At a terminal, the bottom row says what happens now and what is used up, above it a model's words
/// as they come; a line that you type is said to the run, as `doorlist say` says it. With --json each
/// event is a line on standard output, as the journal in runs/ has it.
#[derive(Args)]
pub(crate) struct Run {
    /// The loop's folder; where you are if left out. With -C it is left out.
    #[arg(value_name = "DIR")]
    dir: Option<OsString>,
    /// The user's line: what is wanted of this run.
    line: Option<String>,
    /// The loop's folder, as other commands take it.
    #[arg(
        long = "dir",
        short = 'C',
        value_name = "DIR",
        conflicts_with = "line",
        hide = true
    )]
    at: Option<PathBuf>,
    #[command(flatten)]
    model: ModelChoice,
    #[command(flatten)]
    asking: Asking,
}

impl Run {
    pub(crate) fn new(dir: &Path, line: &str, model: ModelChoice, asking: Asking) -> Self {
        Self {
            dir: Some(dir.into()),
            line: Some(line.to_owned()),
            at: None,
            model,
            asking,
        }
    }

    pub(crate) async fn perform(self, output: Output) -> anyhow::Result<Exit> {
        let (dir, line) = self.dir_and_line()?;
        let folder = LoopFolder::open(&dir, own()?)?;
        let gate = gate(&folder)?;
        // Everything that can be known before the first put-back refuses the run before it exists.
        let source = FolderSource::open(folder.clone());
        let (source, snapshot) = source.map_err(|wrong| Exit::BadLoop.with(wrong))?;
        accepted(&folder, &snapshot)?;
        let limits = Limits::of(folder.policy()?.limits());
        let with_model = self.model.shown();
        let model = self
            .model
            .model(&folder, snapshot.text.model(), limits, &gate)?;
        let journal = folder.journal()?;
        let run = next_run(&journal).await?;
        if !output.json {
            announce(&run, model.as_ref());
        }
        let history = HistoryFile::start(&folder.history())?;
        let face = Face::of(output, model.as_ref(), folder.inbox(&run));
        let hands =
            LoopHands::new(&gate, Box::new(source), model, line).heard_by(Box::new(Streams));
        let hands = self.asking.of(hands, &snapshot.ask, face.keyboard());
        let hands = hands.hearing(Box::new(folder.inbox(&run)));
        let mut show = Show::new(output, history, &LoopMachine::new(), 0);
        let mut loop_run = LoopRun::new(&journal, &System, run.clone(), hands);
        let stop = loop_run
            .drive(&mut show, &ctrl_c().await)
            .await
            .map_err(other_run)?;
        drop(face);
        let summary = Summary::of(&journal.read(&run, 0).await?.records)?;
        let run = shown(&run, &dir);
        finish(output, &run, &with_model, &loop_run, &stop, &summary)
    }
}

impl Run {
    /// With `-C` the first word is the line.
    fn dir_and_line(&self) -> anyhow::Result<(PathBuf, String)> {
        let here = || PathBuf::from(".");
        let Some(at) = &self.at else {
            let dir = self.dir.as_ref().map_or_else(here, PathBuf::from);
            let is_other = self.line.is_none() && !dir.exists() && Path::new("loop.txt").exists();
            if let Some(line) = self.dir.as_ref().and_then(|line| line.to_str())
                && is_other
                && line.contains(char::is_whitespace)
            {
                return Ok((here(), line.to_owned()));
            }
            if is_other {
                bail!(
                    "expected a loop's folder, found nothing at {dir:?}; if it is the line for the \
                     loop here, write `doorlist run . {dir:?}`"
                );
            }
            return Ok((dir, self.line.clone().unwrap_or_default()));
        };
        let line = self.dir.clone().unwrap_or_default().into_string();
        let line = line.map_err(|line| anyhow!("expected a line in UTF-8, found {line:?}"))?;
        Ok((at.clone(), line))
    }
}

/// Refuses a run that would meet a component which is not accepted, before it exists.
pub(crate) fn accepted(folder: &LoopFolder, snapshot: &Snapshot) -> anyhow::Result<()> {
    for lacking in snapshot.doors.values() {
        if let Some(what) = lacking.grants.secrets.lacking() {
            note!("{what}; the door stays closed");
        }
    }
    let locked = snapshot.locked();
    if locked.is_empty() {
        return Ok(());
    }
    let lines = locked.iter().map(|(file, (why, component))| {
        let told = folder.told(*why, component)?;
        Ok(format!("{file}: {told}"))
    });
    let lines = lines.collect::<anyhow::Result<Vec<String>>>()?;
    bail!("{}", lines.join("\n"));
}

/// The gate for one loop at a terminal.
pub(crate) fn gate(folder: &LoopFolder) -> anyhow::Result<Gate> {
    Ok(Gate::new(sandbox(folder.own())?))
}

/// Shows how a run ended, and whether its model has something left over. `run` is how it is typed,
/// `with_model` how its model is.
pub(crate) fn finish(
    output: Output,
    run: &str,
    with_model: &str,
    loop_run: &LoopRun<'_>,
    stop: &Stop,
    summary: &Summary,
) -> anyhow::Result<Exit> {
    show::stopped(output, run, with_model, loop_run.machine(), stop)?;
    if !output.json {
        show::used(summary);
    }
    let left_over = loop_run.finish();
    match stop {
        Stop::Done { .. } => left_over.context("the run is over, but")?,
        Stop::WaitingForNod { .. } | Stop::Cancelled | Stop::BadLoop { .. } => {}
        // The code says which stop it was.
        _ => left_over.unwrap_or_else(|left_over| note!("{left_over}")),
    }
    Ok(Exit::of_stop(stop))
}

/// Cancels at the first Ctrl-C, from the moment that this returns. The second ends the process, where
/// something does not let itself be cancelled; the run can be resumed then too.
pub(crate) async fn ctrl_c() -> CancellationToken {
    let token = CancellationToken::new();
    let cancel = token.clone();
    let mut pressed = Box::pin(signal::ctrl_c());
    // Asked for once, the handler is installed.
    let early = timeout(Duration::ZERO, &mut pressed).await;
    tokio::spawn(async move {
        let first = match early {
            Ok(first) => first,
            Err(_) => pressed.await,
        };
        // Without a handler Ctrl-C ends the process, as it does by itself.
        if first.is_ok() {
            note!("cancelling; Ctrl-C again ends it at once");
            cancel.cancel();
            if signal::ctrl_c().await.is_ok() {
                note!("ended at once; `doorlist resume` goes on from its journal");
                std::process::exit(Exit::Interrupted as i32);
            }
        }
    });
    token
}

fn other_run(error: DriveError) -> anyhow::Error {
    match error {
        DriveError::Append(error @ AppendError::Conflict { .. }) => {
            anyhow::Error::new(error).context("another run took this number at the same moment")
        }
        error => error.into(),
    }
}

fn announce(run: &RunKey, model: &dyn Model) {
    note!("run {}, decided by {}", run.run.as_str(), model.name());
}
