//! How a model is named: by a person, in a flag or in a `loop.txt`.

use std::str::FromStr;

use super::remote::Provider;

/// Where answers come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelSource {
    /// The person at the terminal: `person`.
    Person,
    /// A file of answers: `script:FILE`.
    Script(String),
    /// A component that exports `doorlist:model/decide`: `FILE.wasm` or `FILE.wat`.
    Component(String),
    /// A model that a provider serves: `openai:NAME`, and so on.
    Remote {
        /// Who serves it.
        provider: Provider,
        /// Its name there.
        name: String,
    },
}

/// A text that names no model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected a component (`FILE.wasm`), a script (`script:FILE`), `person`, or a model of a provider \
     (`openai:NAME`, `anthropic:NAME`, `gemini:NAME`, `ollama:NAME`; a server that speaks like OpenAI's is \
     `openai:NAME` with `--endpoint URL`), found `{found}`"
)]
pub struct NotAModel {
    /// The text.
    pub found: String,
}

impl FromStr for ModelSource {
    type Err = NotAModel;

    fn from_str(text: &str) -> Result<Self, NotAModel> {
        if let Some((word, name)) = text.split_once(':')
            && let Some(provider) = Provider::of_word(word)
            && !name.is_empty()
        {
            let name = name.to_owned();
            return Ok(Self::Remote { provider, name });
        }
        match text.strip_prefix("script:") {
            Some(file) if !file.is_empty() => Ok(Self::Script(file.to_owned())),
            _ if text == "person" => Ok(Self::Person),
            _ if text.ends_with(".wasm") || text.ends_with(".wat") => {
                Ok(Self::Component(text.to_owned()))
            }
            _ => Err(NotAModel {
                found: text.to_owned(),
            }),
        }
    }
}
