//! Which model decides: a flag, then DOORLIST_MODEL, then the header of `loop.txt`.

use std::num::NonZeroU32;
use std::path::Path;

use anyhow::{Context as _, bail};
use clap::Args;
use doorlist::doors::DoorFile;
use doorlist::gate::Gate;
use doorlist::loop_folder::{Component, LARGEST_TEXT, LoopFolder, read_text};
use doorlist::models::remote::{
    BadSettings, GivenKey, Provider, RemoteChoice, RemoteLimits, RemoteSettings,
};
use doorlist::models::{ComponentModel, Model, ModelSource};
use doorlist::models::{PersonModel, RemoteModel, ScriptModel};
use doorlist::sandbox::Limits;

/// The choice of a model.
#[derive(Args, Clone, Debug)]
pub(crate) struct ModelChoice {
    /// Who decides: a component (`FILE.wasm`), a script (`script:FILE`), `person`, or a model of a
    /// provider: `openai:NAME`, `anthropic:NAME`, `gemini:NAME`, `ollama:NAME`.
    ///
    /// Goes before `model` in loop.txt. A file is looked for from where you are; one that loop.txt
    /// names, in the loop's folder.
    #[arg(long, env = "DOORLIST_MODEL", value_name = "MODEL")]
    model: Option<String>,
    /// Where a provider's model is asked, instead of at the provider: `http://127.0.0.1:8080/v1` for a
    /// server of this machine that speaks like OpenAI's.
    ///
    /// https, but for this machine. No key goes there that was not given for it, with --key or in the
    /// host-wide policy.
    #[arg(long, env = "DOORLIST_ENDPOINT", value_name = "URL")]
    endpoint: Option<String>,
    /// Where the key for it is: `env:NAME` or `file:PATH`, never the key itself.
    ///
    /// Without it, at the provider's own endpoint: OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY.
    /// Given together with --model or --endpoint, so that no loop.txt says where it goes.
    #[arg(
        long,
        env = "DOORLIST_KEY",
        value_name = "WHERE",
        hide_env_values = true
    )]
    key: Option<String>,
    /// Tokens that a provider's model may say at once.
    #[arg(long, value_name = "N")]
    max_tokens: Option<NonZeroU32>,
    /// How much chance is in what a provider's model says: 0 for as little as it can.
    #[arg(long, value_name = "X")]
    temperature: Option<f64>,
    /// Ask a provider's model for its answer at once: some servers cannot stream the names of doors.
    #[arg(long)]
    no_stream: bool,
}

impl ModelChoice {
    /// The choice as it is typed after a command, from where this one was typed: nothing, or
    /// ` --model …` with what else there is. What a run was begun with, a resume is not told by
    /// anything else.
    pub(crate) fn shown(&self) -> String {
        // Where a key is, and never a key.
        let is_place = |key: &&String| key.starts_with("env:") || key.starts_with("file:");
        let mut shown = String::new();
        let options = [
            ("model", self.model.clone()),
            ("endpoint", self.endpoint.clone()),
            ("key", self.key.as_ref().filter(is_place).cloned()),
            ("max-tokens", self.max_tokens.map(|most| most.to_string())),
            ("temperature", self.temperature.map(|heat| heat.to_string())),
        ];
        for (option, value) in options {
            if let Some(value) = value {
                shown += &format!(" --{option} {}", quoted(&value));
            }
        }
        if self.no_stream {
            shown += " --no-stream";
        }
        shown
    }

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
            (Some(chosen), _) => self.open(chosen, Path::new(""), folder, limits, gate, |file| {
                let component = file.artifact.digest();
                let revocation = folder.revoked().of(&component)?;
                Ok(revocation.map(|revocation| revocation.told(&component)))
            }),
            (None, Some(named)) => self
                .open(named, folder.dir(), folder, limits, gate, |file| {
                    let refusal = folder.locks(&folder.policy()?)?.refusal(file);
                    let told = refusal.map(|why| folder.told(why, &file.artifact.digest()));
                    Ok(told.transpose()?)
                })
                .with_context(|| format!("{}: `model`", folder.dir().join("loop.txt").display())),
            (None, None) => bail!(
                "expected a model, found none; name one with --model or with `model` in {}",
                folder.dir().join("loop.txt").display()
            ),
        }
    }

    fn open<'g>(
        &self,
        name: &str,
        base: &Path,
        folder: &LoopFolder,
        limits: Limits,
        gate: &'g Gate,
        locked: impl Fn(&DoorFile) -> anyhow::Result<Option<String>>,
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
                    bail!("{}: {why}", door.door.file.label());
                }
                Ok(Box::new(ComponentModel::new(name, gate, door)))
            }
            ModelSource::Remote { provider, name } => Ok(Box::new(RemoteModel::new(
                self.settings(folder, provider, name)?,
            )?)),
        }
    }

    fn settings(
        &self,
        folder: &LoopFolder,
        provider: Provider,
        model: String,
    ) -> anyhow::Result<RemoteSettings> {
        if self.key.is_some() && self.model.is_none() && self.endpoint.is_none() {
            bail!(
                "--key: expected --model or --endpoint beside it, found neither: loop.txt must not say \
                 where a key goes"
            );
        }
        let policy = folder.own().model_policy(provider)?;
        let choice = RemoteChoice {
            provider,
            endpoint: self.endpoint.as_deref(),
            key: self.key.as_deref().map(|text| GivenKey { text }),
            policy: policy.as_ref(),
            variable: folder.own().variable,
        };
        let (endpoint, key) = choice.settle()?;
        Ok(RemoteSettings {
            provider,
            model,
            endpoint,
            key,
            max_tokens: self.max_tokens,
            temperature: self.temperature,
            stream: !self.no_stream,
            limits: RemoteLimits::default(),
        })
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,+@".contains(c);
    match word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// What a person should know before a run of the model that loop.txt names: that it needs a key which is
/// not there. A hint and no finding: where a folder is checked is not always where it is run.
pub(crate) fn missing_key(folder: &LoopFolder, named: Option<&str>) -> Option<String> {
    let Some(Ok(ModelSource::Remote { provider, .. })) = named.map(str::parse) else {
        return None;
    };
    let policy = folder.own().model_policy(provider).ok()?;
    let choice = RemoteChoice {
        provider,
        endpoint: None,
        key: None,
        policy: policy.as_ref(),
        variable: folder.own().variable,
    };
    match choice.settle() {
        Err(hint @ (BadSettings::NoKey { .. } | BadSettings::Unset { .. })) => {
            Some(hint.to_string())
        }
        _ => None,
    }
}
