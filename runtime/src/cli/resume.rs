//! `doorlist resume`.

use clap::Args;
use doorlist::ambient::System;
use doorlist::journal::Journal as _;
use doorlist::loop_folder::{FolderSource, HistoryFile};
use doorlist::loop_run::{LoopHands, LoopRun};
use doorlist::sandbox::Limits;
use loop_spec::trace::Summary;

use super::asking::Asking;
use super::model::ModelChoice;
use super::run::{accepted, ctrl_c, finish, gate};
use super::run_choice::{RunChoice, check_history};
use super::show::Show;
use super::terminal::{Face, Streams};
use super::{Exit, Output};

/// Go on with a run that stopped or was killed.
///
/// What is in its journal stays as it is: no door is opened twice, and put-backs, failures and fuel
/// count on. A door that was open when the run was killed is opened again only if it is granted
/// nothing; of any other the model is told that it may have run.
///
/// At a terminal it shows and hears what `doorlist run` does; so does --json.
#[derive(Args)]
pub(crate) struct Resume {
    #[command(flatten)]
    choice: RunChoice,
    #[command(flatten)]
    model: ModelChoice,
    #[command(flatten)]
    asking: Asking,
}

impl Resume {
    pub(crate) async fn perform(self, output: Output) -> anyhow::Result<Exit> {
        let folder = self.choice.folder()?;
        let gate = gate(&folder)?;
        let journal = folder.journal()?;
        let (run, reading) = self.choice.read(&journal).await?;
        let source = FolderSource::open(folder.clone());
        let (source, snapshot) = source.map_err(|wrong| Exit::BadLoop.with(wrong))?;
        accepted(&folder, &snapshot)?;
        let limits = Limits::of(folder.policy()?.limits());
        let model = self
            .model
            .model(&folder, snapshot.text.model(), limits, &gate)?;
        let line = String::new();
        let path = folder.history();
        let face = Face::of(output, model.as_ref(), folder.inbox(&run));
        let hands =
            LoopHands::new(&gate, Box::new(source), model, line).heard_by(Box::new(Streams));
        let hands = self.asking.of(hands, &snapshot.ask, face.keyboard());
        let hands = hands.hearing(Box::new(folder.inbox(&run)));
        let mut loop_run = LoopRun::from_journal(&journal, &System, run.clone(), hands).await?;
        check_history(&journal, &path, &run, loop_run.machine()).await?;
        let history = HistoryFile::go_on(&path, loop_run.machine().pasted())?;
        let mut show = Show::new(
            output,
            history,
            loop_run.machine(),
            reading.records.len() as u64,
        );
        let stop = loop_run.go_on(&mut show, &ctrl_c().await).await?;
        drop(face);
        let summary = Summary::of(&journal.read(&run, 0).await?.records)?;
        let (run, with_model) = (self.choice.shown(&run), self.model.shown());
        finish(output, &run, &with_model, &loop_run, &stop, &summary)
    }
}
