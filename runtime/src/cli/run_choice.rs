//! Which run of a folder a command is about.

use super::own;
use super::print::note;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use doorlist::driver::fold;
use doorlist::journal::{FolderJournal, Journal as _, RunKey, RunReading, Tenant};
use doorlist::loop_folder::{HistoryError, HistoryFile, LoopFolder};
use loop_spec::loop_machine::LoopMachine;
use loop_spec::session::QuestionName;

/// The arguments of every command about one run.
#[derive(Args, Clone, Debug)]
pub(crate) struct RunChoice {
    /// The run's number; the newest if left out.
    #[arg(value_name = "RUN")]
    run: Option<String>,
    /// The loop's folder.
    #[arg(long, short = 'C', value_name = "DIR", default_value = ".")]
    pub(crate) dir: PathBuf,
}

impl RunChoice {
    /// The loop's folder.
    pub(crate) fn folder(&self) -> anyhow::Result<LoopFolder> {
        match (LoopFolder::open(&self.dir, own()?), &self.run) {
            (Err(_), Some(run)) if Path::new(run).is_dir() => bail!(
                "expected the number of a run, found the folder {run}; a loop's folder goes behind \
                 -C: `-C {run}`"
            ),
            (folder, _) => Ok(folder?),
        }
    }

    /// The chosen run with its records. A torn last line is told of on standard error.
    pub(crate) async fn read(
        &self,
        journal: &FolderJournal,
    ) -> anyhow::Result<(RunKey, RunReading)> {
        let run = match &self.run {
            Some(run) => RunKey::local(run)?,
            None => newest(journal, &self.dir).await?,
        };
        let reading = journal.read(&run, 0).await?;
        if let Some(torn) = &reading.torn {
            note!(
                "{}: {torn}",
                self.dir.join("runs").join(file_of(&run)).display()
            );
        }
        if reading.records.is_empty() {
            bail!(
                "expected a run {} in {}, found none; see `doorlist runs`",
                run.run.as_str(),
                self.dir.join("runs").display()
            );
        }
        Ok((run, reading))
    }

    /// The question of a session that is named instead of a run: `s1.3`.
    pub(crate) fn question(&self) -> Option<QuestionName> {
        self.run.as_deref()?.parse().ok()
    }

    /// `run` as it is typed after a command, from where this one was typed.
    pub(crate) fn shown(&self, run: &RunKey) -> String {
        shown(run, &self.dir)
    }

    /// The chosen run, folded.
    pub(crate) async fn machine(
        &self,
        journal: &FolderJournal,
    ) -> anyhow::Result<(RunKey, RunReading, LoopMachine)> {
        let (run, reading) = self.read(journal).await?;
        let machine = fold(&run, LoopMachine::new(), &reading.records)?;
        Ok((run, reading, machine))
    }
}

/// Refuses a `history.txt` that no run of the folder has pasted. `machine` is the run that goes on; a
/// crash can leave the file as it was before a summary took its place. The file may also be another
/// run's, which was the newest until now.
pub(crate) async fn check_history(
    journal: &FolderJournal,
    file: &Path,
    run: &RunKey,
    machine: &LoopMachine,
) -> anyhow::Result<()> {
    let edited = match HistoryFile::check(file, machine.pasted()) {
        Err(edited @ HistoryError::Edited { .. }) => edited,
        other => return Ok(other?),
    };
    let before = machine.pasted_before();
    if before.is_some_and(|before| HistoryFile::check(file, before).is_ok()) {
        return Ok(());
    }
    for other in journal
        .runs(&Tenant::local())
        .await?
        .into_iter()
        .rev()
        .filter(|key| key != run)
    {
        // A damaged run is no reason to refuse this one.
        let Ok(reading) = journal.read(&other, 0).await else {
            continue;
        };
        let Ok(machine) = fold(&other, LoopMachine::new(), &reading.records) else {
            continue;
        };
        if !machine.pasted().is_empty() && HistoryFile::check(file, machine.pasted()).is_ok() {
            return Ok(());
        }
    }
    Err(edited.into())
}

/// A run of the loop in `dir` as it is typed after a command: `1 -C my-loop`.
pub(crate) fn shown(run: &RunKey, dir: &Path) -> String {
    let run = run.run.as_str();
    if dir == Path::new(".") {
        return run.to_owned();
    }
    format!("{run} -C {}", dir.display())
}

async fn newest(journal: &FolderJournal, dir: &Path) -> anyhow::Result<RunKey> {
    let runs = journal.runs(&Tenant::local()).await?;
    runs.into_iter().next_back().with_context(|| {
        format!(
            "expected a run in {}, found none; `doorlist run` makes one",
            dir.join("runs").display()
        )
    })
}

fn file_of(run: &RunKey) -> String {
    format!("{}.jsonl", run.run.as_str())
}
