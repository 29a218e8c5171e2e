//! Runs that are driven through the library, as an embedder would.

use std::time::Duration;

use doorlist::ambient::System;
use doorlist::driver::{DriveError, fold};
use doorlist::gate::Gate;
use doorlist::journal::{Journal, RunKey};
use doorlist::loop_folder::{FolderSource, HistoryFile};
use doorlist::loop_run::{LoopHands, LoopRun, ResumeError};
use doorlist::models::Model;
use doorlist::sandbox::{Sandbox, Settings};
use loop_spec::loop_machine::{LoopMachine, Stop};
use tokio_util::sync::CancellationToken;

use crate::command::cache;
use crate::laid::{LINE, Laid};

/// A gate of its own, whose counters are this test's alone.
pub(crate) fn gate() -> Gate {
    let settings = Settings::for_one_loop(Some(cache()));
    Gate::new(Sandbox::new(settings).expect("this machine runs WebAssembly"))
}

/// Starts run 1 of the loop.
pub(crate) async fn start(
    laid: &Laid,
    journal: &dyn Journal,
    gate: &Gate,
    model: Box<dyn Model + '_>,
) -> Result<Stop, DriveError> {
    let mut history = HistoryFile::start(&laid.folder().history()).expect("it can be written");
    let mut run = LoopRun::new(journal, &System, run_one(), hands(laid, gate, model));
    within(run.drive(&mut history, &CancellationToken::new())).await
}

/// Goes on with run 1.
pub(crate) async fn go_on(
    laid: &Laid,
    journal: &dyn Journal,
    gate: &Gate,
    model: Box<dyn Model + '_>,
) -> Result<Stop, ResumeError> {
    let hands = hands(laid, gate, model);
    let mut run = LoopRun::from_journal(journal, &System, run_one(), hands).await?;
    let (file, pasted) = (laid.folder().history(), run.machine().pasted());
    HistoryFile::check(&file, pasted).expect("nobody edited it");
    let mut history = HistoryFile::go_on(&file, pasted).expect("it can be written");
    within(run.go_on(&mut history, &CancellationToken::new())).await
}

/// Run 1, folded from its journal.
pub(crate) async fn folded(journal: &dyn Journal) -> LoopMachine {
    let records = journal
        .read(&run_one(), 0)
        .await
        .expect("it can be read")
        .records;
    fold(&run_one(), LoopMachine::new(), &records).expect("it follows")
}

pub(crate) fn run_one() -> RunKey {
    RunKey::local("1").expect("1 is an id")
}

fn hands<'a>(laid: &Laid, gate: &'a Gate, model: Box<dyn Model + 'a>) -> LoopHands<'a> {
    let (source, _) = FolderSource::open(laid.folder()).unwrap();
    let source = Box::new(source);
    LoopHands::new(gate, source, model, LINE.to_owned())
}

/// A run that hangs fails its test; no run is measured.
async fn within<T>(run: impl Future<Output = T>) -> T {
    let ended = tokio::time::timeout(Duration::from_secs(60), run).await;
    ended.expect("a run of a few doors comes to an end")
}
