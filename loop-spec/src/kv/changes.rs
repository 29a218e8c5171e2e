//! What one opening changed, as a journal has it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What an opening changed of its component's keys: the values that it gave, and the keys that it took
/// away.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Changes(BTreeMap<String, Option<Value>>);

/// A value: text as it is, so that a journal can be read, and the rest in hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Value {
    Text(String),
    Bytes {
        #[serde(with = "hexadecimal")]
        hex: Vec<u8>,
    },
}

impl Changes {
    /// Whether nothing was changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each key with its new value; without one where it was taken away.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Option<&[u8]>)> {
        let changed = self.0.iter();
        changed.map(|(key, value)| (key.as_str(), value.as_ref().map(Value::bytes)))
    }
}

impl FromIterator<(String, Option<Vec<u8>>)> for Changes {
    fn from_iter<I: IntoIterator<Item = (String, Option<Vec<u8>>)>>(changes: I) -> Self {
        let changes = changes.into_iter();
        Self(
            changes
                .map(|(key, value)| (key, value.map(Value::of)))
                .collect(),
        )
    }
}

impl Value {
    fn of(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self::Text(text),
            Err(other) => Self::Bytes {
                hex: other.into_bytes(),
            },
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes { hex } => hex,
        }
    }
}

mod hexadecimal {
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        let digits = bytes.iter().map(|byte| format!("{byte:02x}"));
        to.serialize_str(&digits.collect::<String>())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(from)?;
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let digit = |digit: u8| char::from(digit).to_digit(16);
        let bytes = pairs.iter().map(|[high, low]| {
            let byte = digit(*high)? * 16 + digit(*low)?;
            u8::try_from(byte).ok()
        });
        let bytes: Option<Vec<u8>> = bytes.collect();
        bytes
            .filter(|_| rest.is_empty())
            .ok_or_else(|| D::Error::custom("expected pairs of hexadecimal digits"))
    }
}
