//! JSON in which no character can be taken for the end of a line.

use std::io::{Result, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// Writes `value` as compact JSON.
///
/// Beyond what JSON demands, characters that some programs take for a line's end, that move a
/// terminal's cursor or that turn the direction of the text are written as escapes: what a door
/// returned stays inside its own string in every viewer.
pub(super) fn write(value: &impl Serialize, out: &mut Vec<u8>) -> serde_json::Result<()> {
    value.serialize(&mut Serializer::with_formatter(out, LineFormat))
}

struct LineFormat;

impl Formatter for LineFormat {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, text: &str) -> Result<()> {
        escaped(out, text)
    }

    /// Of a payload's text. Deceptive characters stand in JSON only within strings.
    fn write_raw_fragment<W: ?Sized + Write>(&mut self, out: &mut W, text: &str) -> Result<()> {
        escaped(out, text)
    }
}

fn escaped<W: ?Sized + Write>(out: &mut W, text: &str) -> Result<()> {
    let mut rest = text;
    while let Some((at, found)) = rest.char_indices().find(|(_, c)| is_deceptive(*c)) {
        write!(out, "{}\\u{:04x}", &rest[..at], u32::from(found))?;
        rest = &rest[at + found.len_utf8()..];
    }
    out.write_all(rest.as_bytes())
}

/// Control characters that JSON leaves as they are, line and paragraph separators, marks of
/// direction and the byte order mark. All are in the basic plane: one `\u` escape each.
fn is_deceptive(c: char) -> bool {
    matches!(c,
        '\u{7f}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn deceptive_characters_are_escaped_and_come_back() {
        let value = json!({"a\u{202e}b": "x\u{2028}y\u{85}\u{9b}2J\n名\u{feff}\u{2069}é"});
        let mut out = Vec::new();
        write(&value, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            text,
            r#"{"a\u202eb":"x\u2028y\u0085\u009b2J\n名\ufeff\u2069é"}"#
        );
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
