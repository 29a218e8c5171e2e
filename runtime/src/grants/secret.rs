//! Secrets: what the host adds to a door's requests, and keeps out of all that the door sees.

use std::fmt;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use loop_spec::policy::{Origin, SecretPlace};
use memchr::memmem;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use zeroize::Zeroizing;

/// A secret that the host adds to the requests of a door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantedSecret {
    /// The requests it is added to: those to exactly this.
    pub origin: Origin,
    /// Where in the request.
    pub put: SecretPlace,
    /// The secret itself.
    pub value: Secret,
}

/// The secrets of one door, with what hides them. Clones share them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Secrets {
    all: Arc<[GrantedSecret]>,
    masks: Masks,
    missing: Option<Arc<str>>,
}

impl Secrets {
    /// Those that are granted.
    #[must_use]
    pub fn new(all: Vec<GrantedSecret>) -> Self {
        let masks = Masks::of(&all);
        let all = all.into();
        Self {
            all,
            masks,
            missing: None,
        }
    }

    /// Those of a door that is not opened, because one of them cannot be had: `what` says which.
    #[must_use]
    pub fn missing(what: &str) -> Self {
        Self {
            missing: Some(what.into()),
            ..Self::default()
        }
    }

    /// Which secret cannot be had, and why; `None` where all are here.
    #[must_use]
    pub fn lacking(&self) -> Option<&str> {
        self.missing.as_deref()
    }

    /// The secrets that are added to requests to `origin`.
    pub fn of<'s>(&'s self, origin: &'s Origin) -> impl Iterator<Item = &'s GrantedSecret> {
        self.all.iter().filter(move |it| it.origin == *origin)
    }

    /// What hides them.
    #[must_use]
    pub fn masks(&self) -> &Masks {
        &self.masks
    }
}

/// A text that shows nowhere. Clones share it; the last one to go wipes it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Arc<Zeroizing<String>>);

/// What is wrong with the value of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadSecret {
    /// It is so short that hiding it would hide ordinary text.
    #[error("expected at least {SHORTEST} characters")]
    Short,
    /// A header or a query cannot hold it.
    #[error("expected ASCII letters without spaces and line ends")]
    Signs,
}

impl Secret {
    /// # Errors
    /// It cannot be sent, or could not be hidden.
    pub fn new(value: &str) -> Result<Self, BadSecret> {
        if value.len() < SHORTEST {
            return Err(BadSecret::Short);
        }
        match value.bytes().all(|b| b.is_ascii_graphic()) {
            true => Ok(Self(Arc::new(Zeroizing::new(value.to_owned())))),
            false => Err(BadSecret::Signs),
        }
    }

    /// The secret itself, to be sent.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// As a query holds it.
    pub(crate) fn in_query(&self) -> String {
        utf8_percent_encode(self.reveal(), NON_ALPHANUMERIC).to_string()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Hides secrets in what comes back: as they are, as a query has them and as JSON has them. Each byte
/// of one becomes a `*`, so that nothing moves.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Masks(Arc<[Zeroizing<Vec<u8>>]>);

impl Masks {
    fn of(secrets: &[GrantedSecret]) -> Self {
        Self::over(secrets.iter().map(|secret| &secret.value))
    }

    /// What hides these secrets.
    #[must_use]
    pub fn over<'s>(secrets: impl IntoIterator<Item = &'s Secret>) -> Self {
        let mut hidden = Vec::new();
        for value in secrets {
            let json = serde_json::Value::from(value.reveal()).to_string();
            let json = json.trim_matches('"').to_owned();
            let forms = [value.reveal().to_owned(), value.in_query(), json];
            hidden.extend(forms.map(|form| Zeroizing::new(form.into_bytes())));
        }
        // The longest first: a secret may begin another.
        hidden.sort_by(|one, other| other.len().cmp(&one.len()).then(one[..].cmp(&other[..])));
        hidden.dedup();
        Self(hidden.into())
    }

    /// Whether there is nothing to hide.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text with all secrets hidden.
    #[must_use]
    pub fn text(&self, text: String) -> String {
        if self.is_empty() {
            return text;
        }
        let mut bytes = text.into_bytes();
        self.hide(&mut bytes);
        // Secrets are ASCII, and so is what stands for them.
        String::from_utf8(bytes).expect("ASCII was replaced by ASCII")
    }

    pub(crate) fn hide(&self, bytes: &mut [u8]) {
        for secret in &*self.0 {
            let found: Vec<usize> = memmem::find_iter(bytes, &secret[..]).collect();
            for at in found {
                bytes[at..at + secret.len()].fill(b'*');
            }
        }
    }

    /// Bytes at the end of `bytes` with which a secret may begin that goes on behind them.
    fn begun(&self, bytes: &[u8]) -> usize {
        let begins = |secret: &Zeroizing<Vec<u8>>| {
            let longest = (secret.len() - 1).min(bytes.len());
            let mut lengths = (1..=longest).rev();
            lengths.find(|length| secret.starts_with(&bytes[bytes.len() - length..]))
        };
        self.0.iter().filter_map(begins).max().unwrap_or(0)
    }
}

impl fmt::Debug for Masks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Masks({})", self.0.len())
    }
}

/// [`Masks`] over bytes that come piece by piece, wherever they are cut.
#[derive(Debug)]
pub(crate) struct MaskedStream {
    masks: Masks,
    held: BytesMut,
}

impl MaskedStream {
    pub(crate) fn new(masks: Masks) -> Self {
        let held = BytesMut::new();
        Self { masks, held }
    }

    /// What can be let through once `more` has come.
    pub(crate) fn push(&mut self, more: Bytes) -> Bytes {
        if self.masks.is_empty() {
            return more;
        }
        self.held.extend_from_slice(&more);
        self.masks.hide(&mut self.held);
        let begun = self.masks.begun(&self.held);
        self.held.split_to(self.held.len() - begun).freeze()
    }

    /// What was held back when nothing more comes.
    pub(crate) fn rest(&mut self) -> Bytes {
        self.held.split().freeze()
    }
}

/// Shorter ones stand in ordinary text by chance.
const SHORTEST: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn masks(values: &[&str]) -> Masks {
        let secrets = values.iter().map(|value| GrantedSecret {
            origin: "https://a.b".parse().unwrap(),
            put: SecretPlace::Query {
                name: "k".to_owned(),
            },
            value: Secret::new(value).unwrap(),
        });
        Masks::of(&secrets.collect::<Vec<_>>())
    }

    #[test]
    fn a_secret_is_hidden_in_every_form_it_is_sent_or_written_in() {
        let masks = masks(&["s/cr\"t+key", "plain-key-1"]);
        let hidden = |text: &str| masks.text(text.to_owned());
        assert_eq!(hidden("a s/cr\"t+key b"), "a ********** b");
        assert_eq!(hidden("a=s%2Fcr%22t%2Bkey"), "a=****************");
        assert_eq!(hidden(r#"{"a":"s/cr\"t+key"}"#), r#"{"a":"***********"}"#);
        assert_eq!(hidden("plain-key-1plain-key-1"), "*".repeat(22));
        assert_eq!(hidden("ünharmed plain-key-"), "ünharmed plain-key-");
    }

    #[test]
    fn a_secret_that_begins_another_hides_no_less() {
        let masks = masks(&["abcdefgh", "abcdefghijkl"]);
        assert_eq!(masks.text("abcdefghijkl".to_owned()), "*".repeat(12));
        assert_eq!(masks.text("abcdefghijk".to_owned()), "********ijk");
    }

    #[test]
    fn a_secret_shows_nowhere() {
        let secret = Secret::new("0123456789").unwrap();
        assert_eq!(format!("{secret:?}"), "Secret(…)");
        let masks = masks(&["0123456789"]);
        assert!(!format!("{masks:?}").contains("0123"));
        assert_eq!(Secret::new("short"), Err(BadSecret::Short));
        assert_eq!(Secret::new("with a space"), Err(BadSecret::Signs));
        assert_eq!(Secret::new("with\r\nlines"), Err(BadSecret::Signs));
    }

    proptest! {
        /// Wherever the pieces are cut, no secret comes through whole and nothing else is lost.
        #[test]
        fn no_cut_lets_a_secret_through(
            pieces in prop::collection::vec("[ab]{0,7}|aabaabab|babababab", 0..30),
        ) {
            let masks = masks(&["aabaabab", "babababab"]);
            let mut stream = MaskedStream::new(masks.clone());
            let mut through = Vec::new();
            for piece in &pieces {
                through.extend_from_slice(&stream.push(Bytes::from(piece.clone())));
            }
            through.extend_from_slice(&stream.rest());
            let whole = pieces.concat();
            prop_assert_eq!(through.len(), whole.len());
            for secret in ["aabaabab", "babababab"] {
                prop_assert!(memmem::find(&through, secret.as_bytes()).is_none());
            }
        }
    }
}
