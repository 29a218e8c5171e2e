//! Keys by which components are signed.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ed25519_dalek::{Signature, VerifyingKey};

/// An ed25519 key whose signatures over a component's bytes are taken. Written `ed25519:` and the 32
/// bytes in base64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(VerifyingKey);

/// A text that is no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected `ed25519:` and a key of 32 bytes in base64, found {found:?}")]
pub struct NotAKey {
    /// The text.
    pub found: String,
}

impl Key {
    /// Whether one of `signatures`, each a line of 64 bytes in base64, is this key's over `bytes`.
    /// Lines that are no signatures are passed over.
    #[must_use]
    pub fn signed(&self, bytes: &[u8], signatures: &str) -> bool {
        signatures
            .lines()
            .filter_map(signature)
            .any(|signature| self.0.verify_strict(bytes, &signature).is_ok())
    }
}

fn signature(line: &str) -> Option<Signature> {
    let line = line.trim();
    let bytes = STANDARD
        .decode(line.strip_prefix(SCHEME).unwrap_or(line))
        .ok()?;
    Signature::from_slice(&bytes).ok()
}

/// As it is written.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SCHEME}{}", STANDARD.encode(self.0.as_bytes()))
    }
}

impl FromStr for Key {
    type Err = NotAKey;

    fn from_str(text: &str) -> Result<Self, NotAKey> {
        let key = text
            .strip_prefix(SCHEME)
            .and_then(|base64| STANDARD.decode(base64).ok())
            .and_then(|bytes| <[u8; 32]>::try_from(bytes).ok())
            .and_then(|bytes| VerifyingKey::from_bytes(&bytes).ok())
            // A weak key has signatures that fit any bytes.
            .filter(|key| !key.is_weak());
        key.map(Self).ok_or_else(|| NotAKey {
            found: text.to_owned(),
        })
    }
}

const SCHEME: &str = "ed25519:";

#[cfg(test)]
mod tests {
    use super::*;
    use ed25519_dalek::{Signer as _, SigningKey};

    fn pair(seed: u8) -> (SigningKey, Key) {
        let signing = SigningKey::from_bytes(&[seed; 32]);
        let text = format!(
            "ed25519:{}",
            STANDARD.encode(signing.verifying_key().as_bytes())
        );
        (signing, text.parse().unwrap())
    }

    fn sign(key: &SigningKey, bytes: &[u8]) -> String {
        STANDARD.encode(key.sign(bytes).to_bytes())
    }

    #[test]
    fn a_signature_is_over_all_the_bytes_and_by_this_key() {
        let ((ada, key), (eve, _)) = (pair(1), pair(2));
        let right = sign(&ada, b"component");
        assert!(key.signed(b"component", &right));
        assert!(key.signed(b"component", &format!("ed25519:{right}\r\n")));
        assert!(key.signed(
            b"component",
            &format!("of Eve\n{}\n{right}\n", sign(&eve, b"component"))
        ));
        for wrong in [
            "",
            "AAAA",
            "not base64",
            &right[1..],
            &sign(&eve, b"component"),
        ] {
            assert!(!key.signed(b"component", wrong), "{wrong}");
        }
        assert!(!key.signed(b"component ", &right));
    }

    #[test]
    fn what_is_no_key_is_refused() {
        let (signing, _) = pair(1);
        let bare = STANDARD.encode(signing.verifying_key().as_bytes());
        let zero = format!("ed25519:{}", STANDARD.encode([0; 32]));
        for text in ["", "ed25519:", "ed25519:AAAA", &bare, &zero] {
            text.parse::<Key>().expect_err(text);
        }
    }
}
