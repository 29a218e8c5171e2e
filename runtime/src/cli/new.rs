//! `doorlist new`.

use std::path::{Path, PathBuf};

use clap::Args;
use doorlist::build::Language;

use super::print::{data, note};
use super::{Exit, Output};

/// Write the sources of a small door, which builds as it is: its WIT, its code, its cases, a README.
///
/// In a loop's folder it goes into doors/NAME, elsewhere into NAME. A folder that is there is left as
/// it is.
#[derive(Args)]
pub(crate) struct New {
    /// The door's name: small letters, digits, words joined by -.
    name: String,
    /// What it is written in: rust, c, js, ts, python, go or wat.
    #[arg(long, short, value_name = "LANG")]
    lang: Language,
    /// The loop's folder, or the one to write into.
    #[arg(long, short = 'C', value_name = "DIR", default_value = ".")]
    dir: PathBuf,
}

impl New {
    pub(crate) fn perform(self, output: Output) -> anyhow::Result<Exit> {
        let within = match self.dir.join("loop.txt").is_file() {
            true => self.dir.join("doors"),
            false => self.dir.clone(),
        };
        // `./NAME` is written as people write it.
        let folder = match within == Path::new(".") {
            true => PathBuf::from(&self.name),
            false => within.strip_prefix(".").unwrap_or(&within).join(&self.name),
        };
        let written = doorlist::new_door::write(&folder, &self.name, self.lang)?;
        if output.json {
            data!("{}", serde_json::json!({ "written": written }))?;
        } else {
            for file in written {
                data!("{}", file.display())?;
            }
            note!("next: doorlist build {}", folder.display());
        }
        Ok(Exit::Done)
    }
}
