//! `doorlist trace`.

use clap::{Args, ValueEnum};
use loop_spec::trace::Trace;

use super::print::data;
use super::run_choice::RunChoice;
use super::{Exit, Output};

/// List the steps of a run: step, node, duration, outcome, and fuel beside them.
#[derive(Args)]
pub(crate) struct TraceCommand {
    #[command(flatten)]
    choice: RunChoice,
    /// Hold the run against the diagram, both ways: steps that are no arrow, cells and arrows that
    /// were not walked.
    #[arg(long, value_enum)]
    against: Option<Against>,
}

/// What a trace can be held against.
#[derive(Clone, Copy, ValueEnum)]
enum Against {
    /// The diagram as the files draw it now.
    Diagram,
}

impl TraceCommand {
    pub(crate) async fn perform(self, output: Output) -> anyhow::Result<Exit> {
        let folder = self.choice.folder()?;
        let (_, reading) = self.choice.read(&folder.journal()?).await?;
        let trace = Trace::of(&reading.records)?;
        let Some(Against::Diagram) = self.against else {
            if output.json {
                data!("{}", serde_json::to_string(&trace)?)?;
            } else {
                data!("{}", trace.to_string().trim_end_matches('\n'))?;
            }
            return Ok(Exit::Done);
        };
        let against = trace.against(&folder.draw()?);
        if output.json {
            data!("{}", serde_json::to_string(&against)?)?;
        } else {
            data!("{}", against.to_string().trim_end_matches('\n'))?;
        }
        Ok(if against.holds() {
            Exit::Done
        } else {
            Exit::Found
        })
    }
}
