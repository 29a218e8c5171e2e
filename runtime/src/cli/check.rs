//! `doorlist check`.

use clap::Args;
use doorlist::loop_folder::LoopFolder;

use super::folder_choice::FolderChoice;
use super::print::{data, note};
use super::{Exit, Output, own};

/// Say everything that is wrong with a loop before its first put-back.
///
/// Reads loop.txt, policy.toml, every door and diagram.txt. Nothing is compiled and nothing runs.
#[derive(Args)]
pub(crate) struct Check {
    #[command(flatten)]
    folder: FolderChoice,
}

impl Check {
    pub(crate) fn perform(self, output: Output) -> anyhow::Result<Exit> {
        let folder = LoopFolder::open(self.folder.dir(), own()?)?;
        let findings = folder.findings();
        if output.json {
            data!("{}", serde_json::json!({ "findings": findings }))?;
        } else {
            for finding in &findings {
                data!(
                    "{}: {}",
                    if finding.error { "error" } else { "warning" },
                    finding.what
                )?;
            }
            if findings.is_empty() {
                data!("{}: nothing is wrong", self.folder.dir().display())?;
            }
            if !folder.diagram().exists() {
                note!(
                    "there is no diagram.txt; `doorlist diagram {}` draws it",
                    self.folder.dir().display()
                );
            }
        }
        let wrong = findings.iter().any(|finding| finding.error);
        Ok(if wrong { Exit::Found } else { Exit::Done })
    }
}
