//! What the host-wide policy says of a provider of models.

use std::str::FromStr;

/// `[model.openai]` and its likes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemotePolicy {
    /// Where its models are asked; the provider's own endpoint if left out.
    pub endpoint: Option<String>,
    /// Where the key is that goes to that endpoint, and to no other.
    pub key: Option<KeyFrom>,
}

/// Where a key is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyFrom {
    /// In a variable: `env:NAME`.
    Variable(String),
    /// In a file: `file:PATH`.
    File(String),
}

/// A text that names no place of a key. It is not told: it may be the key itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected where the key is, `env:NAME` or `file:PATH`, found something else")]
pub struct NotAPlace;

impl FromStr for KeyFrom {
    type Err = NotAPlace;

    fn from_str(text: &str) -> Result<Self, NotAPlace> {
        match text.split_once(':') {
            Some(("env", name)) if super::raw::is_variable(name) => {
                Ok(Self::Variable(name.to_owned()))
            }
            Some(("file", path)) if !path.is_empty() && !path.contains('\0') => {
                Ok(Self::File(path.to_owned()))
            }
            _ => Err(NotAPlace),
        }
    }
}

/// The words that stand in front of a model's name, each a provider.
pub(super) const PROVIDERS: &[&str] = &["openai", "anthropic", "gemini", "ollama"];
