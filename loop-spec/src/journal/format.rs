//! JSON in which no character can be taken for the end of a line.

use std::io::{Error, Result, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// Writes `value` as compact JSON; an error says that it is nested deeper than can be read back.
///
/// Beyond what JSON demands, characters that some programs take for a line's end, that move a
/// terminal's cursor or that turn the direction of the text are written as escapes: what a door
/// returned stays inside its own string in every viewer.
pub(super) fn write(value: &impl Serialize, out: &mut Vec<u8>) -> serde_json::Result<()> {
    value.serialize(&mut Serializer::with_formatter(
        out,
        LineFormat { depth: 0 },
    ))
}

struct LineFormat {
    depth: usize,
}

impl LineFormat {
    /// Refuses while writing, so that a value of any depth ends here and not in a full stack.
    fn deeper(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Error::other(format!(
                "nested deeper than {MAX_DEPTH} levels"
            )));
        }
        Ok(())
    }
}

impl Formatter for LineFormat {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.deeper()?;
        out.write_all(b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.depth -= 1;
        out.write_all(b"]")
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.deeper()?;
        out.write_all(b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> Result<()> {
        self.depth -= 1;
        out.write_all(b"}")
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, text: &str) -> Result<()> {
        let mut rest = text;
        while let Some((at, found)) = rest.char_indices().find(|(_, c)| is_deceptive(*c)) {
            write!(out, "{}\\u{:04x}", &rest[..at], u32::from(found))?;
            rest = &rest[at + found.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }
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

/// The deepest nesting that `serde_json` reads back: its limit is 128 and refuses at the limit.
pub(super) const MAX_DEPTH: usize = 127;

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

    #[test]
    fn what_is_written_is_never_too_deep_to_read() {
        let nested = |depth| (0..depth).fold(Value::Null, |inner, _| json!([inner]));
        let mut out = Vec::new();
        write(&nested(MAX_DEPTH), &mut out).unwrap();
        serde_json::from_slice::<Value>(&out).unwrap();
        let error = write(&nested(MAX_DEPTH + 1), &mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains("127 levels"), "{error}");
    }
}
