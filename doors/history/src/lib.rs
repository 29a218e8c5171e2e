//! The door `history`: reads what doors returned, where the page shows it cut.
//!
//! It keeps nothing and reaches nothing but the texts of its own run.

#![allow(
    clippy::too_many_arguments,
    reason = "an option is two of them in what is generated"
)]

use std::ops::Range;

wit_bindgen::generate!({ world: "history", generate_all });

#[cfg(target_family = "wasm")]
export!(Door);

/// What the component exports.
pub struct Door;

impl Guest for Door {
    fn fetch(
        call: String,
        from_byte: Option<u64>,
        bytes: Option<u32>,
        from_line: Option<u32>,
        lines: Option<u32>,
    ) -> Result<String, String> {
        let text = doorlist::host::history::returned(&call).ok_or_else(|| {
            format!(
                "expected a call whose door has returned, as `[… bytes cut; read them with …]` \
                 names it, found `{call}`"
            )
        })?;
        match (
            from_byte.or(bytes.map(|_| 0)),
            from_line.or(lines.map(|_| 1)),
        ) {
            (Some(_), Some(_)) => {
                Err("expected a part in bytes or in lines, found both".to_owned())
            }
            (None, Some(from)) => by_lines(&text, from, lines),
            (from, None) => by_bytes(&text, from.unwrap_or(0), bytes),
        }
    }
}

fn by_bytes(text: &str, from: u64, bytes: Option<u32>) -> Result<String, String> {
    let from = usize::try_from(from).unwrap_or(usize::MAX);
    if from >= text.len() && !text.is_empty() {
        return Err(format!(
            "expected `from-byte` below {}, which is how long the text is, found {from}",
            text.len()
        ));
    }
    let most = bytes.map_or(MOST, |bytes| bytes as usize);
    let part = part(text, from, from.saturating_add(most));
    Ok(format!(
        "bytes {} to {} of {}\n{}",
        part.start,
        part.end,
        text.len(),
        &text[part.clone()]
    ))
}

fn by_lines(text: &str, from: u32, lines: Option<u32>) -> Result<String, String> {
    let begins: Vec<usize> = std::iter::once(0)
        .chain(text.match_indices('\n').map(|(at, _)| at + 1))
        .filter(|at| *at < text.len() || *at == 0)
        .collect();
    let first = (from as usize)
        .checked_sub(1)
        .filter(|it| *it < begins.len());
    let Some(first) = first else {
        return Err(format!(
            "expected `from-line` from 1 to {}, found {from}",
            begins.len()
        ));
    };
    let most = lines.map_or(usize::MAX, |lines| lines as usize);
    let end = begins.get(first.saturating_add(most)).copied();
    let part = part(text, begins[first], end.unwrap_or(text.len()));
    let last = begins.partition_point(|at| *at < part.end.max(part.start + 1));
    Ok(format!(
        "lines {from} to {last} of {}, bytes {} to {} of {}\n{}",
        begins.len(),
        part.start,
        part.end,
        text.len(),
        &text[part.clone()]
    ))
}

/// The part between two places, cut between characters: at least one, at most [`MOST`] bytes.
fn part(text: &str, from: usize, to: usize) -> Range<usize> {
    let start = text.floor_char_boundary(from);
    let to = to.min(start.saturating_add(MOST)).min(text.len());
    let one = text[start..].chars().next().map_or(0, char::len_utf8);
    let end = text.floor_char_boundary(to).max(start + one);
    start..end
}

/// Bytes that are read at once: half of what is pasted of one result.
const MOST: usize = 50_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_cut_between_characters_and_say_where_they_stand() {
        let text = "milk 家 eggs";
        assert_eq!(
            by_bytes(text, 0, Some(4)).unwrap(),
            "bytes 0 to 4 of 13\nmilk"
        );
        assert_eq!(
            by_bytes(text, 6, Some(3)).unwrap(),
            "bytes 5 to 9 of 13\n家 "
        );
        assert_eq!(
            by_bytes(text, 5, Some(1)).unwrap(),
            "bytes 5 to 8 of 13\n家"
        );
        assert_eq!(
            by_bytes(text, 9, None).unwrap(),
            "bytes 9 to 13 of 13\neggs"
        );
        assert!(by_bytes(text, 13, None).unwrap_err().contains("below 13"));
        assert_eq!(by_bytes("", 0, None).unwrap(), "bytes 0 to 0 of 0\n");
    }

    #[test]
    fn lines_are_whole_and_say_where_they_stand() {
        let text = "a\nb\nc\n";
        assert_eq!(
            by_lines(text, 2, Some(1)).unwrap(),
            "lines 2 to 2 of 3, bytes 2 to 4 of 6\nb\n"
        );
        assert_eq!(
            by_lines(text, 2, None).unwrap(),
            "lines 2 to 3 of 3, bytes 2 to 6 of 6\nb\nc\n"
        );
        assert!(by_lines(text, 4, None).unwrap_err().contains("from 1 to 3"));
        assert!(by_lines(text, 0, None).is_err());
    }

    #[test]
    fn no_part_is_longer_than_may_be_read_at_once() {
        let text = "x".repeat(3 * MOST);
        let read = by_bytes(&text, 10, None).unwrap();
        assert!(read.starts_with("bytes 10 to 50010 of 150000\n"));
        let read = by_lines(&text, 1, Some(9)).unwrap();
        assert!(read.starts_with("lines 1 to 1 of 1, bytes 0 to 50000 of 150000\n"));
    }
}
