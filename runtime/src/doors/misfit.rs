//! Why some arguments do not fit a door.

use serde_json::Value;

use super::nearest::nearest;
use super::place::Place;
use super::shape::Shape;

/// Why arguments do not fit a function. The text is written for the model that gave them: it names
/// the place, what was expected there and what came, each short and on one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Misfit {
    /// A value of another type, or out of its type's range.
    #[error("{}expected {expected}, found {found}", at(.path))]
    Value {
        /// Where, e.g. `items[3].price`; nothing for the arguments as a whole.
        path: String,
        /// The type, in WIT words.
        expected: String,
        /// What came.
        found: String,
    },
    /// A parameter or a field that is not optional is not there.
    #[error("{}expected {expected}, found nothing", at(.path))]
    Missing {
        /// Where.
        path: String,
        /// The type, in WIT words.
        expected: String,
    },
    /// A parameter, field, case or flag that the type does not have.
    #[error("{}there is no {kind} {found}; {advice}", at(.path))]
    Unknown {
        /// Where.
        path: String,
        /// `parameter`, `field`, `case` or `flag`.
        kind: &'static str,
        /// What came.
        found: String,
        /// The nearest name, or all of them.
        advice: String,
    },
    /// What the schema of a command does not allow.
    #[error("{}{problem}", at(.path))]
    Schema {
        /// Where, as a JSON pointer; nothing for the arguments as a whole.
        path: String,
        /// What is wrong there.
        problem: String,
    },
    /// A flag or a key of a map is given twice.
    #[error("{}{found} is given twice", at(.path))]
    Twice {
        /// Where the second stands.
        path: String,
        /// What came twice.
        found: String,
    },
}

impl Misfit {
    pub(super) fn value(at: &Place<'_>, shape: &Shape, found: &Value) -> Self {
        Self::Value {
            path: at.to_string(),
            expected: expected(shape),
            found: describe(found),
        }
    }

    pub(super) fn not_an_object(at: &Place<'_>, found: &Value) -> Self {
        Self::Value {
            path: at.to_string(),
            expected: "an object keyed by the parameters' names".to_owned(),
            found: describe(found),
        }
    }

    pub(super) fn not_a_plain_object(found: &Value) -> Self {
        Self::Value {
            path: String::new(),
            expected: "a JSON object".to_owned(),
            found: describe(found),
        }
    }

    /// `path` is a JSON pointer; `problem` says what the schema wants there.
    pub(super) fn schema(path: &str, problem: &str) -> Self {
        Self::Schema {
            path: loop_spec::frame::one_line(&clipped(path, LONGEST_TYPE)),
            problem: loop_spec::frame::one_line(&clipped(problem, LONGEST_TYPE)),
        }
    }

    pub(super) fn missing(at: &Place<'_>, shape: &Shape) -> Self {
        Self::Missing {
            path: at.to_string(),
            expected: expected(shape),
        }
    }

    pub(super) fn unknown<'a>(
        at: &Place<'_>,
        kind: &'static str,
        found: &str,
        names: impl Iterator<Item = &'a str> + Clone,
    ) -> Self {
        Self::Unknown {
            path: at.to_string(),
            kind,
            found: quoted(found),
            advice: match nearest(found, names.clone()) {
                Some(name) => format!("did you mean {name:?}?"),
                None => {
                    let all: Vec<&str> = names.collect();
                    match all.is_empty() {
                        true => "none is taken".to_owned(),
                        false => {
                            clipped(&format!("expected one of {}", all.join(", ")), LONGEST_TYPE)
                        }
                    }
                }
            },
        }
    }

    pub(super) fn twice(at: &Place<'_>, found: &Value) -> Self {
        Self::Twice {
            path: at.to_string(),
            found: describe(found),
        }
    }
}

/// The type in WIT words, with what JSON is taken for it where the words do not say it.
fn at(path: &str) -> String {
    match path {
        "" => String::new(),
        path => format!("`{path}`: "),
    }
}

fn expected(shape: &Shape) -> String {
    let words = clipped(&shape.to_string(), LONGEST_TYPE);
    let json = match shape {
        Shape::Char => "a string of one character".to_owned(),
        Shape::F32 | Shape::F64 => r#"a number, "NaN", "Infinity" or "-Infinity""#.to_owned(),
        Shape::Map(..) => "a list of [key, value] pairs, each key once".to_owned(),
        Shape::Record(_) => "an object".to_owned(),
        Shape::Tuple(items) => format!("a list of {}", items.len()),
        Shape::FixedList(_, length) => format!("a list of {length}"),
        Shape::Variant(_) | Shape::Result { .. } => {
            r#"{"case": value}, or "case" where it takes none"#.to_owned()
        }
        Shape::Enum(_) => "one of the names".to_owned(),
        Shape::Flags(_) => "a list of names".to_owned(),
        Shape::Option(some) if matches!(**some, Shape::Option(_)) => {
            r#"null or {"some": value}"#.to_owned()
        }
        Shape::List(_) if shape.is_bytes() => "a base64 string or a list of numbers".to_owned(),
        _ => match shape.integer_range() {
            Some((least, greatest)) => format!("a whole number from {least} to {greatest}"),
            None => return words,
        },
    };
    format!("{words} ({json})")
}

/// A value in a few words, whatever its size.
fn describe(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => quoted(text),
        Value::Array(items) => match items.len() {
            0 => "an empty list".to_owned(),
            length => format!("a list of {length}"),
        },
        Value::Object(fields) => match fields.keys().next() {
            None => "an empty object".to_owned(),
            Some(key) if fields.len() == 1 => format!("an object with the key {}", quoted(key)),
            Some(_) => format!("an object of {} keys", fields.len()),
        },
    }
}

/// `text` in quotes, clipped, without anything in it that could break the line.
fn quoted(text: &str) -> String {
    let mut characters = text.chars();
    let head: String = characters.by_ref().take(LONGEST_FOUND).collect();
    match characters.next() {
        None => format!("{head:?}"),
        Some(_) => format!("{head:?}... ({} bytes)", text.len()),
    }
}

fn clipped(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}

/// In characters: enough to know the value again.
const LONGEST_FOUND: usize = 40;
/// In characters: a whole signature stands on the page anyway.
const LONGEST_TYPE: usize = 160;
