//! Where a model is asked, with which key: from what a person gave, what the host-wide policy says and what
//! the environment holds.

use std::num::NonZeroU32;
use std::path::Path;

use loop_spec::policy::{KeyFrom, RemotePolicy};

use super::{BadEndpoint, Endpoint, Provider, RemoteLimits};
use crate::grants::{BadSecret, Secret};
use crate::loop_folder::{FolderError, read_text};

/// How a remote model is asked.
#[derive(Clone, Debug)]
pub struct RemoteSettings {
    /// Who serves it.
    pub provider: Provider,
    /// The model's name there.
    pub model: String,
    /// Where it is asked.
    pub endpoint: Endpoint,
    /// What is shown there.
    pub key: Option<Secret>,
    /// Tokens of one answer at most; the server's own number if left out.
    pub max_tokens: Option<NonZeroU32>,
    /// How much chance is in an answer; the server's own number if left out.
    pub temperature: Option<f64>,
    /// Whether the answer is asked for in pieces. Some servers cannot stream the names of doors.
    pub stream: bool,
    /// How long it is waited for, and so on.
    pub limits: RemoteLimits,
}

impl RemoteSettings {
    /// Whether the provider itself is asked, and not a server that speaks like it.
    pub(super) fn is_own_endpoint(&self) -> bool {
        own_endpoint(self.provider).is_ok_and(|own| own == self.endpoint)
    }
}

/// What decides where a model is asked and with which key.
///
/// A folder has no part in it beyond the provider and the model's name: a key goes to the endpoint that it
/// was given for. One that a person gave goes where this run asks, the policy's to the policy's endpoint,
/// and one from a provider's usual variable to that provider's own endpoint. To any other endpoint no key
/// is sent.
#[derive(Clone, Debug)]
pub struct RemoteChoice<'a> {
    /// Who serves the model.
    pub provider: Provider,
    /// The endpoint that a person gave for this run.
    pub endpoint: Option<&'a str>,
    /// The key that a person gave for this run.
    pub key: Option<GivenKey<'a>>,
    /// What the host-wide policy says of the provider.
    pub policy: Option<&'a RemotePolicy>,
    /// The value of a variable, where it is set.
    pub variable: fn(&str) -> Option<String>,
}

/// A key that a person named: `env:NAME` or `file:PATH`.
#[derive(Clone, Copy, Debug)]
pub struct GivenKey<'a> {
    /// The text, which may be the key itself by mistake.
    pub text: &'a str,
}

/// Why there is no telling where to ask, or with what.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BadSettings {
    /// An endpoint is none.
    #[error("{from}: {source}")]
    Endpoint {
        /// Where it stands.
        from: &'static str,
        /// What is wrong.
        source: BadEndpoint,
    },
    /// A key is named in another way. It is not told: it may be the key itself.
    #[error(
        "--key: expected where the key is, `env:NAME` or `file:PATH`, found something else; never write \
         the key itself where others of this machine can read it"
    )]
    KeyItself,
    /// There is none, and the endpoint is not on this machine.
    #[error(
        "{endpoint}: expected a key for {provider}, found none; {}", named(*.provider, *.own)
    )]
    NoKey {
        /// The provider.
        provider: Provider,
        /// The endpoint.
        endpoint: String,
        /// Whether it is the provider's own, to which its usual variables lead.
        own: bool,
    },
    /// A variable is not set.
    #[error("expected a key in the variable {name}, which is not set")]
    Unset {
        /// The variable.
        name: String,
    },
    /// A file cannot be read.
    #[error(transparent)]
    File(Box<FolderError>),
    /// What was found is no key.
    #[error("{from}: {source} of a key, found something else")]
    Value {
        /// Where it was found.
        from: String,
        /// What was expected.
        source: BadSecret,
    },
}

impl RemoteChoice<'_> {
    /// Where it is asked, and the key that goes there.
    ///
    /// # Errors
    /// An endpoint is none, or a key is missing or none.
    pub fn settle(&self) -> Result<(Endpoint, Option<Secret>), BadSettings> {
        let own = own_endpoint(self.provider)?;
        let policys = match self.policy.and_then(|it| it.endpoint.as_deref()) {
            Some(text) => read(text, "the host-wide policy.toml, `endpoint`")?,
            None => own.clone(),
        };
        let endpoint = match self.endpoint {
            Some(text) => read(text, "--endpoint")?,
            None => policys.clone(),
        };
        let key = self.key(&endpoint, &policys, &own)?;
        if key.is_none() && !endpoint.is_this_machine() {
            return Err(BadSettings::NoKey {
                provider: self.provider,
                own: endpoint == own,
                endpoint: endpoint.to_string(),
            });
        }
        Ok((endpoint, key))
    }

    fn key(
        &self,
        endpoint: &Endpoint,
        policys: &Endpoint,
        own: &Endpoint,
    ) -> Result<Option<Secret>, BadSettings> {
        if let Some(GivenKey { text }) = self.key {
            let from = text.parse().map_err(|_| BadSettings::KeyItself)?;
            return self.fetch(&from).map(Some);
        }
        let kept = self.policy.and_then(|it| it.key.as_ref());
        if let Some(from) = kept.filter(|_| endpoint == policys) {
            return self.fetch(from).map(Some);
        }
        let mut usual = self.provider.variables().iter();
        let set = usual.find(|name| (self.variable)(name).is_some_and(|value| !value.is_empty()));
        match set.filter(|_| endpoint == own) {
            Some(name) => self.of_variable(name).map(Some),
            None => Ok(None),
        }
    }

    fn fetch(&self, from: &KeyFrom) -> Result<Secret, BadSettings> {
        match from {
            KeyFrom::Variable(name) => self.of_variable(name),
            KeyFrom::File(path) => of_file(Path::new(path)),
        }
    }

    fn of_variable(&self, name: &str) -> Result<Secret, BadSettings> {
        let value = (self.variable)(name).filter(|value| !value.is_empty());
        let value = value.ok_or_else(|| BadSettings::Unset {
            name: name.to_owned(),
        })?;
        secret(&value, format!("the variable {name}"))
    }
}

fn of_file(file: &Path) -> Result<Secret, BadSettings> {
    let text = read_text(file, LARGEST_KEY).map_err(|error| BadSettings::File(Box::new(error)))?;
    secret(&text, file.display().to_string())
}

/// A line end behind it is none of the key's.
fn secret(value: &str, from: String) -> Result<Secret, BadSettings> {
    Secret::new(value.trim()).map_err(|source| BadSettings::Value { from, source })
}

fn own_endpoint(provider: Provider) -> Result<Endpoint, BadSettings> {
    read(provider.own_endpoint(), "the provider's own endpoint")
}

fn read(text: &str, from: &'static str) -> Result<Endpoint, BadSettings> {
    let endpoint = text.parse();
    endpoint.map_err(|source| BadSettings::Endpoint { from, source })
}

fn named(provider: Provider, own: bool) -> String {
    match provider.variables() {
        [first, ..] if own => format!(
            "set {first}, name another place with `--key env:NAME` or `--key file:PATH`, or keep that in \
             the host-wide policy.toml as `key` in [model.{provider}]"
        ),
        _ => format!(
            "name its place with `--key env:NAME` or `--key file:PATH`, or keep both in the host-wide \
             policy.toml as `endpoint` and `key` in [model.{provider}]"
        ),
    }
}

/// Bytes of a file with a key.
const LARGEST_KEY: u64 = 16 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(provider: Provider) -> RemoteChoice<'static> {
        RemoteChoice {
            provider,
            endpoint: None,
            key: None,
            policy: None,
            variable: |name| match name {
                "OPENAI_API_KEY" => Some("openai-key-1".to_owned()),
                "ANTHROPIC_API_KEY" => Some("anthropic-key-1".to_owned()),
                "OTHER" => Some("other-key-1\n".to_owned()),
                "SHORT" => Some("short".to_owned()),
                _ => None,
            },
        }
    }

    /// The endpoint, and the key that goes there.
    #[track_caller]
    fn settled(choice: &RemoteChoice<'_>) -> (String, Option<String>) {
        let (endpoint, key) = choice.settle().unwrap();
        let key = key.map(|key| key.reveal().to_owned());
        (endpoint.to_string(), key)
    }

    fn to(endpoint: &str, key: &str) -> (String, Option<String>) {
        let key = (!key.is_empty()).then(|| key.to_owned());
        (endpoint.to_owned(), key)
    }

    const LOCAL: &str = "http://127.0.0.1:8080/v1";
    const FAR: &str = "https://gateway.example.com/v1";

    #[test]
    fn a_providers_usual_variable_goes_to_its_own_endpoint_alone() {
        let mut openai = choice(Provider::OpenAi);
        let own = Provider::OpenAi.own_endpoint();
        assert_eq!(settled(&openai), to(own, "openai-key-1"));
        openai.endpoint = Some(LOCAL);
        assert_eq!(settled(&openai), to(LOCAL, ""));
        openai.endpoint = Some(FAR);
        let none = openai.settle().unwrap_err().to_string();
        assert!(
            none.contains("expected a key for openai, found none"),
            "{none}"
        );
        // Spelled otherwise it is the same.
        openai.endpoint = Some("https://API.openai.com:443/v1/");
        assert_eq!(settled(&openai).1.as_deref(), Some("openai-key-1"));
        for near in [
            "https://api.openai.com/v2",
            "https://api.openai.com.evil.org/v1",
        ] {
            openai.endpoint = Some(near);
            assert!(
                matches!(openai.settle(), Err(BadSettings::NoKey { .. })),
                "{near}"
            );
        }
        // Whichever provider a folder names, it is asked with its own key.
        let anthropic = choice(Provider::Anthropic);
        let own = Provider::Anthropic.own_endpoint();
        assert_eq!(settled(&anthropic), to(own, "anthropic-key-1"));
        assert_eq!(settled(&choice(Provider::Ollama)).1, None);
    }

    #[test]
    fn a_key_of_the_policy_goes_to_the_policys_endpoint_alone() {
        let both = RemotePolicy {
            endpoint: Some(FAR.to_owned()),
            key: Some("env:OTHER".parse().unwrap()),
        };
        let mut openai = choice(Provider::OpenAi);
        openai.policy = Some(&both);
        assert_eq!(settled(&openai), to(FAR, "other-key-1"));
        openai.endpoint = Some(LOCAL);
        assert_eq!(settled(&openai), to(LOCAL, ""));
        let own = Provider::OpenAi.own_endpoint();
        openai.endpoint = Some(own);
        assert_eq!(settled(&openai), to(own, "openai-key-1"));
        let only_key = RemotePolicy {
            endpoint: None,
            ..both.clone()
        };
        let mut openai = choice(Provider::OpenAi);
        openai.policy = Some(&only_key);
        assert_eq!(settled(&openai), to(own, "other-key-1"));
        openai.endpoint = Some(FAR);
        assert!(matches!(openai.settle(), Err(BadSettings::NoKey { .. })));
    }

    #[test]
    fn a_key_that_a_person_gives_goes_where_the_run_asks() {
        let mut openai = choice(Provider::OpenAi);
        openai.key = Some(GivenKey { text: "env:OTHER" });
        let own = Provider::OpenAi.own_endpoint();
        assert_eq!(settled(&openai), to(own, "other-key-1"));
        openai.endpoint = Some(FAR);
        assert_eq!(settled(&openai), to(FAR, "other-key-1"));
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "file-key-1\n").unwrap();
        let text = format!("file:{}", file.path().display());
        openai.key = Some(GivenKey { text: &text });
        assert_eq!(settled(&openai), to(FAR, "file-key-1"));
    }

    #[test]
    fn what_is_wrong_is_told_and_no_key_is() {
        let mut openai = choice(Provider::OpenAi);
        for (text, why) in [
            ("sk-0123456789", "expected where the key is"),
            ("env:", "expected where the key is"),
            ("env:UNSET", "expected a key in the variable UNSET"),
            (
                "env:SHORT",
                "the variable SHORT: expected at least 8 characters",
            ),
            (
                "file:/nowhere/key",
                "/nowhere/key: expected a text file, found nothing",
            ),
        ] {
            openai.key = Some(GivenKey { text });
            let said = openai.settle().unwrap_err().to_string();
            assert!(said.contains(why), "{said}");
            assert!(!said.contains("sk-") && !said.contains("short"), "{said}");
        }
        openai.endpoint = Some("http://me:password@example.com");
        let said = openai.settle().unwrap_err().to_string();
        assert!(
            said.starts_with("--endpoint: ") && !said.contains("password"),
            "{said}"
        );
    }
}
