//! Arguments as text, read strictly.

use std::cell::RefCell;
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Why a text is not the JSON of some arguments.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotJson {
    /// There is nothing in it.
    #[error("expected arguments as a JSON object, found nothing; write {{}} for none")]
    Empty,
    /// It breaks the rules of JSON.
    #[error("expected arguments as JSON; line {line}, column {column}: {problem}")]
    Syntax {
        /// From 1.
        line: usize,
        /// From 1, in bytes.
        column: usize,
        /// What is wrong there.
        problem: String,
    },
    /// Arrays and objects stand in each other too deep.
    #[error("expected arguments as JSON; they are nested deeper than {DEEPEST_JSON} levels")]
    TooDeep,
    /// A key stands twice in one object, so it is not said which of its values is meant.
    #[error("expected arguments as JSON; the key {key:?} stands twice in one object")]
    DuplicateKey {
        /// The key.
        key: String,
    },
    /// Something follows the value.
    #[error(
        "expected one JSON value as arguments; line {line}, column {column}: more text after it"
    )]
    Trailing {
        /// From 1.
        line: usize,
        /// From 1, in bytes.
        column: usize,
    },
}

/// Reads arguments as JSON. Whether they fit a door is for [`Function::fit`](super::Function::fit).
///
/// # Errors
///
/// When `text` is not one JSON value, nests deeper than [`DEEPEST_JSON`] levels, or has a key twice in
/// one object: nothing of what was said is dropped.
pub fn parse_arguments(text: &str) -> Result<Value, NotJson> {
    if text.trim().is_empty() {
        return Err(NotJson::Empty);
    }
    let found = RefCell::new(None);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let strict = Strict {
        depth: 0,
        found: &found,
    };
    let value = strict.deserialize(&mut deserializer).map_err(|error| {
        let found = found.take();
        found.unwrap_or_else(|| syntax(&error))
    })?;
    deserializer.end().map_err(|error| NotJson::Trailing {
        line: error.line(),
        column: error.column(),
    })?;
    Ok(value)
}

fn syntax(error: &serde_json::Error) -> NotJson {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    NotJson::Syntax {
        line: error.line(),
        column: error.column(),
        problem: text.strip_suffix(&place).unwrap_or(&text).to_owned(),
    }
}

/// Reads a value at one depth. What is wrong beyond the syntax goes into `found`, since an error of
/// the deserializer is only a text.
#[derive(Clone, Copy)]
struct Strict<'a> {
    depth: usize,
    found: &'a RefCell<Option<NotJson>>,
}

impl Strict<'_> {
    fn deeper<E: de::Error>(self) -> Result<Self, E> {
        if self.depth == DEEPEST_JSON {
            return Err(self.fail(NotJson::TooDeep));
        }
        Ok(Self {
            depth: self.depth + 1,
            ..self
        })
    }

    fn fail<E: de::Error>(self, problem: NotJson) -> E {
        let error = E::custom(&problem);
        self.found.replace(Some(problem));
        error
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, bool: bool) -> Result<Value, E> {
        Ok(bool.into())
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Value, E> {
        let number = Number::from_f64(number);
        number
            .map(Value::Number)
            .ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inside = self.deeper()?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(inside)? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let inside = self.deeper()?;
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if object.contains_key(&key) {
                return Err(self.fail(NotJson::DuplicateKey { key }));
            }
            let value = entries.next_value_seed(inside)?;
            object.insert(key, value);
        }
        Ok(object.into())
    }
}

/// Levels of arrays and objects. The parser itself stops at 128; no type that a door may have needs
/// as many.
pub const DEEPEST_JSON: usize = 126;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_serde_json_reads() {
        let text = r#" {"a":[1,-2,3.5,18446744073709551615,true,null,"x\u00e9"],"b":{}} "#;
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(parse_arguments(text).unwrap(), value);
        let deep = "[".repeat(DEEPEST_JSON) + &"]".repeat(DEEPEST_JSON);
        assert!(parse_arguments(&deep).is_ok());
    }

    #[test]
    fn says_what_is_wrong() {
        let deep = "[".repeat(100_000);
        let rows = [
            (
                "",
                "expected arguments as a JSON object, found nothing; write {} for none",
            ),
            (
                "{\"a\": nul}",
                "expected arguments as JSON; line 1, column 10: expected ident",
            ),
            (
                "{\n  a: 1}",
                "expected arguments as JSON; line 2, column 3: key must be a string",
            ),
            (
                "{\"a\":1",
                "expected arguments as JSON; line 1, column 6: EOF while parsing an object",
            ),
            (
                "{\"a\":{\"b\":1,\"b\":2}}",
                "expected arguments as JSON; the key \"b\" stands twice in one object",
            ),
            (
                "{} {}",
                "expected one JSON value as arguments; line 1, column 4: more text after it",
            ),
            (
                &deep,
                "expected arguments as JSON; they are nested deeper than 126 levels",
            ),
            (
                "1e400",
                "expected arguments as JSON; line 1, column 5: number out of range",
            ),
        ];
        for (text, expected) in rows {
            assert_eq!(parse_arguments(text).unwrap_err().to_string(), expected);
        }
    }
}
