//! What an entry says, as JSON text.

use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// An event's content as a journal keeps it: the JSON text of an object.
///
/// It is written once and never taken apart on its way: a journal copies a pointer and writes the
/// text as it is. Two payloads are equal when they say the same, however it is spelled.
///
/// ```
/// use loop_spec::Payload;
/// let payload = Payload::of(&serde_json::json!({ "fuel": 3 })).unwrap();
/// assert_eq!(payload.as_str(), r#"{"fuel":3}"#);
/// assert_eq!(payload.value()["fuel"], 3);
/// ```
#[derive(Clone)]
pub struct Payload(Arc<str>);

impl Payload {
    /// The payload that says `content`.
    ///
    /// # Errors
    /// JSON cannot hold it: a key that is no text, or its own serialisation fails.
    pub fn of(content: &impl Serialize) -> serde_json::Result<Self> {
        let mut text = Vec::with_capacity(USUAL);
        serde_json::to_writer(&mut text, content)?;
        let text = str::from_utf8(&text).expect("JSON is UTF-8");
        Ok(Self(text.into()))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What it says, as `T`.
    ///
    /// # Errors
    /// It says something else.
    pub fn read<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        serde_json::from_str(self.as_str())
    }

    /// What it says, as any JSON; null where it nests too deep to be read.
    #[must_use]
    pub fn value(&self) -> Value {
        self.read().unwrap_or_default()
    }

    /// Whether arrays and objects stand in each other on more than `levels` levels.
    pub(crate) fn is_deeper_than(&self, levels: usize) -> bool {
        let text = self.as_str();
        // Nearly every payload has fewer brackets in all.
        text.bytes().filter(|byte| is_open(*byte)).count() > levels && depth(text) > levels
    }
}

/// How deep arrays and objects stand in each other in a JSON text.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut in_string, mut escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b']' | b'}' => depth -= 1,
            _ if is_open(byte) => depth += 1,
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

fn is_open(byte: u8) -> bool {
    matches!(byte, b'[' | b'{')
}

/// Bytes in which the events of an opening find room.
const USUAL: usize = 1 << 10;

impl PartialEq for Payload {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str() || self.value() == other.value()
    }
}

impl fmt::Debug for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Payload {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text: &RawValue = serde_json::from_str(&self.0).map_err(S::Error::custom)?;
        text.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Payload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(|text| Self(text.get().into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn payload(value: &Value) -> Payload {
        Payload::of(value).unwrap()
    }

    #[test]
    fn depth_counts_no_brackets_in_strings() {
        let rows = [
            (json!(1), 0),
            (json!({}), 1),
            (json!({"a": [[], {"b": 1}]}), 3),
            (json!({"[{": "]]\"[[\\", "a": []}), 2),
            (json!({"a": "\\"}), 1),
        ];
        for (value, expected) in rows {
            assert_eq!(depth(&value.to_string()), expected, "{value}");
        }
    }

    #[test]
    fn equal_is_what_says_the_same() {
        let spelled: Payload = serde_json::from_str(r#"{"b": "\u0061", "a": 1}"#).unwrap();
        assert_eq!(spelled, payload(&json!({"a": 1, "b": "a"})));
        assert_ne!(spelled, payload(&json!({"a": 2, "b": "a"})));
    }
}
