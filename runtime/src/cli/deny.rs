//! `doorlist deny`.

use clap::Args;
use loop_spec::loop_machine::Nod;

use super::nod::answer;
use super::run_choice::RunChoice;
use super::{Exit, Output};

/// Say no to the call that a run waits for: it is not opened, and the model is told.
#[derive(Args)]
pub(crate) struct Deny {
    #[command(flatten)]
    choice: RunChoice,
}

impl Deny {
    pub(crate) async fn perform(self, output: Output) -> anyhow::Result<Exit> {
        answer(&self.choice, Nod::Denied, output).await
    }
}
