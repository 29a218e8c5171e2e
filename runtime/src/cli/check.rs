//! `doorlist check`.

use clap::Args;
use doorlist::loop_folder::{Finding, LoopFolder};

use super::folder_choice::FolderChoice;
use super::model::missing_key;
use super::print::{data, note};
use super::{Exit, Output, own};

/// Say everything that is wrong with a loop before its first put-back, or with one component.
///
/// Of a folder it reads loop.txt, policy.toml, every door and diagram.txt; of a file it says what any
/// loop would refuse it for (imports, names, types, size) and what a model will miss in it. Nothing is
/// compiled and nothing runs.
#[derive(Args)]
pub(crate) struct Check {
    #[command(flatten)]
    folder: FolderChoice,
}

impl Check {
    pub(crate) fn perform(self, output: Output) -> anyhow::Result<Exit> {
        let dir = self.folder.dir();
        let is_component = dir
            .extension()
            .is_some_and(|it| it == "wasm" || it == "wat");
        let (findings, undrawn, hint) = match is_component && dir.is_file() {
            true => (Finding::of_component(dir), false, None),
            false => {
                let folder = LoopFolder::open(dir, own()?)?;
                let text = folder.loop_text().ok().map(|(_, text)| text);
                let hint = text.and_then(|text| missing_key(&folder, text.model()));
                (folder.findings(), !folder.diagram().exists(), hint)
            }
        };
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
            if let Some(hint) = hint {
                note!("before a run: {hint}");
            }
            if undrawn {
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
