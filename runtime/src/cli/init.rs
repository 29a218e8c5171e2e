//! `doorlist init`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use doorlist::loop_folder::LOOP_TXT;
use loop_spec::Language;

use super::print::{data, note};
use super::{Exit, Output};

/// Write the fridge loop into a folder: loop.txt, policy.toml, data/ and doors/, ready to run.
#[derive(Args)]
pub(crate) struct Init {
    /// The folder; it is made when it is not there. Nothing that is in it is overwritten.
    dir: PathBuf,
    /// The language of loop.txt and of what Doorlist says on the page.
    #[arg(long, value_enum, default_value = "en")]
    language: Code,
}

/// A language, as it is named on the command line.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Code {
    /// English.
    En,
    /// Chinese.
    Zh,
}

impl From<Code> for Language {
    fn from(code: Code) -> Self {
        match code {
            Code::En => Self::En,
            Code::Zh => Self::Zh,
        }
    }
}

impl Init {
    pub(crate) fn perform(self, output: Output) -> anyhow::Result<Exit> {
        if self.dir.file_name().is_some_and(|name| name == LOOP_TXT) {
            anyhow::bail!(
                "{}: expected the folder that loop.txt is to be in, found the file itself",
                self.dir.display()
            );
        }
        let written = doorlist::init::write(&self.dir, self.language.into())?;
        if output.json {
            data!("{}", serde_json::json!({ "written": written }))?;
        } else {
            for file in written {
                data!("{}", file.display())?;
            }
            note!(
                "next: doorlist run {} \"What do we need?\"",
                self.dir.display()
            );
        }
        Ok(Exit::Done)
    }
}
