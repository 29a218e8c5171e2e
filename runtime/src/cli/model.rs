//! Which model decides: a flag, then DOORLIST_MODEL, then the header of `loop.txt`.

use std::path::Path;

use anyhow::{Context as _, bail};
use clap::Args;
use doorlist::doors::DoorFile;
use doorlist::gate::Gate;
use doorlist::loop_folder::{Component, LARGEST_TEXT, LoopFolder, read_text};
use doorlist::models::{ComponentModel, Model, ModelSource, PersonModel, ScriptModel};
use doorlist::sandbox::Limits;
use loop_spec::lock::Unaccepted;

/// The choice of a model.
#[derive(Args, Clone, Debug)]
pub(crate) struct ModelChoice {
    /// Who decides: a component (`FILE.wasm`), a script (`script:FILE`) or `person`.
    ///
    /// Goes before `model` in loop.txt. A file is looked for from where you are; one that loop.txt
    /// names, in the loop's folder.
    #[arg(long, env = "DOORLIST_MODEL", value_name = "MODEL")]
    model: Option<String>,
}

impl ModelChoice {
    /// The model for a run of `folder`; `named` is what its `loop.txt` says.
    pub(crate) fn model<'g>(
        &self,
        folder: &LoopFolder,
        named: Option<&str>,
        limits: Limits,
        gate: &'g Gate,
    ) -> anyhow::Result<Box<dyn Model + 'g>> {
        match (&self.model, named) {
            // Whoever names a file here has chosen it.
            (Some(chosen), _) => model(chosen, Path::new(""), limits, gate, |_| Ok(None)),
            (None, Some(named)) => model(named, folder.dir(), limits, gate, |file| {
                let locks = folder.locks(&folder.policy()?)?;
                Ok(locks.refusal(file))
            })
            .with_context(|| format!("{}: `model`", folder.dir().join("loop.txt").display())),
            (None, None) => bail!(
                "expected a model, found none; name one with --model or with `model` in {}",
                folder.dir().join("loop.txt").display()
            ),
        }
    }
}

fn model<'g>(
    name: &str,
    base: &Path,
    limits: Limits,
    gate: &'g Gate,
    locked: impl Fn(&DoorFile) -> anyhow::Result<Option<Unaccepted>>,
) -> anyhow::Result<Box<dyn Model + 'g>> {
    match name.parse()? {
        ModelSource::Person => {
            let reader = tokio::io::BufReader::new(tokio::io::stdin());
            Ok(Box::new(PersonModel::new(reader, tokio::io::stderr())))
        }
        ModelSource::Script(script) => {
            let text = read_text(&base.join(&script), LARGEST_TEXT)?;
            Ok(Box::new(ScriptModel::new(&script, &text)?))
        }
        ModelSource::Component(file) => {
            let door = Component::MODEL.read(&base.join(file), limits)?;
            if let Some(why) = locked(&door.door.file)? {
                let (file, dir) = (door.door.file.label(), base.display());
                bail!("{file}: {why}; `doorlist lock {dir}` shows and accepts it");
            }
            Ok(Box::new(ComponentModel::new(name, gate, door)))
        }
    }
}
