//! A text of TOML without what is wrong in it, so that a reader finds what else is.

use std::ops::Range;

use toml::de::DeTable;

/// The same text with blanks in the place of the entry that holds byte `offset`: everything else stays
/// where it is. `None` where there is no such entry, or what is left would be no TOML.
pub(crate) fn without_entry(text: &str, offset: usize) -> Option<String> {
    let table = DeTable::parse(text).ok()?;
    let entry = entry(text, table.get_ref(), offset)?;
    let blank = |c: char| match c {
        '\n' | '\r' => String::from(c),
        c => " ".repeat(c.len_utf8()),
    };
    let blanks: String = text.get(entry.clone())?.chars().map(blank).collect();
    let left = [&text[..entry.start], &blanks, &text[entry.end..]].concat();
    DeTable::parse(&left).is_ok().then_some(left)
}

/// Where a key and its value stand, in the table itself or in one that has a header of its own.
fn entry(text: &str, table: &DeTable<'_>, offset: usize) -> Option<Range<usize>> {
    table.iter().find_map(|(key, value)| {
        let (key, span) = (key.span(), value.span());
        let below = match value.get_ref().as_table() {
            Some(table) if !text[span.start..].starts_with('{') => entry(text, table, offset),
            _ => None,
        };
        let whole = key.start..span.end.max(key.end);
        // A table with a header of its own is more than its key.
        let is_line = key.end <= span.start;
        below.or_else(|| (is_line && whole.contains(&offset)).then_some(whole))
    })
}

/// The byte at a place of the text, as [`Place::at`](crate::Place::at) counts.
pub(crate) fn offset(text: &str, place: crate::Place) -> Option<usize> {
    let mut lines = text.split_inclusive('\n');
    let before: usize = lines.by_ref().take(place.line - 1).map(str::len).sum();
    let line = lines.next()?;
    let (column, _) = line.char_indices().nth(place.column - 1)?;
    Some(before + column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_goes_and_everything_else_stays_in_its_place() {
        let text = "a = 1\nb = [\n  \"é\",\n]\n[c]\nd = { e = 1 }\nf = 2\n";
        for (at, left) in [
            (
                "a =",
                "     \nb = [\n  \"é\",\n]\n[c]\nd = { e = 1 }\nf = 2\n",
            ),
            ("é", "a = 1\n     \n       \n \n[c]\nd = { e = 1 }\nf = 2\n"),
            (
                "e =",
                "a = 1\nb = [\n  \"é\",\n]\n[c]\n             \nf = 2\n",
            ),
            (
                "2",
                "a = 1\nb = [\n  \"é\",\n]\n[c]\nd = { e = 1 }\n     \n",
            ),
        ] {
            let found = without_entry(text, text.find(at).unwrap());
            assert_eq!(found.as_deref(), Some(left), "{at}");
        }
        assert_eq!(without_entry(text, text.find("[c]").unwrap()), None);
    }
}
