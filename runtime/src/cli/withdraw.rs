//! `doorlist withdraw`.

use clap::Args;
use loop_spec::loop_machine::Nod;

use super::nod::answer;
use super::run_choice::RunChoice;
use super::{Exit, Output};

/// Take back the question that a run waits for: nothing is opened, and it is no denial.
#[derive(Args)]
pub(crate) struct Withdraw {
    #[command(flatten)]
    choice: RunChoice,
}

impl Withdraw {
    pub(crate) async fn perform(self, output: Output) -> anyhow::Result<Exit> {
        answer(&self.choice, Nod::Withdrawn, output).await
    }
}
