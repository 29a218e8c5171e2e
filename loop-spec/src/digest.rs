//! The name of some bytes: their SHA-256.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

/// SHA-256 of some bytes, written `sha256:<64 hex digits>`.
///
/// ```
/// use loop_spec::Digest;
/// let digest = Digest::of(b"milk");
/// assert_eq!(digest.to_string().parse::<Digest>().unwrap(), digest);
/// assert_eq!(digest.short().len(), 12);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

/// What stands where a digest was expected.
#[derive(Debug, thiserror::Error)]
#[error("expected `sha256:` and 64 hexadecimal digits, found `{found}`")]
pub struct NotADigest {
    /// The text that was found.
    pub found: String,
}

impl Digest {
    /// The digest of `bytes`.
    #[must_use]
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest of several pieces that stand one after the other.
    #[must_use]
    pub fn of_parts(parts: &[&[u8]]) -> Self {
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update(part);
        }
        Self(hasher.finalize().into())
    }

    /// The raw 32 bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The first twelve hexadecimal digits: enough for people to tell two apart.
    #[must_use]
    pub fn short(&self) -> String {
        self.text(|text| text[SCHEME.len()..][..12].to_owned())
    }

    /// Its text. An opening writes two of these: formatting each byte, or each text on the heap,
    /// would take as long as a part of the opening.
    fn text<T>(&self, with: impl FnOnce(&str) -> T) -> T {
        let mut text = [0; SCHEME.len() + 64];
        text[..SCHEME.len()].copy_from_slice(SCHEME);
        for (i, byte) in self.0.iter().enumerate() {
            let at = SCHEME.len() + 2 * i;
            text[at] = DIGITS[usize::from(byte >> 4)];
            text[at + 1] = DIGITS[usize::from(byte & 0xf)];
        }
        with(str::from_utf8(&text).expect("letters, digits and a colon"))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text(|text| f.write_str(text))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Digest {
    type Err = NotADigest;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || NotADigest {
            found: text.to_owned(),
        };
        let hex = text.strip_prefix("sha256:").ok_or_else(error)?;
        if hex.len() != 64 || !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(error());
        }
        let mut bytes = [0; 32];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).map_err(|_| error())?;
        }
        Ok(Self(bytes))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.text(|text| serializer.serialize_str(text))
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

const SCHEME: &[u8] = b"sha256:";
const DIGITS: &[u8; 16] = b"0123456789abcdef";
