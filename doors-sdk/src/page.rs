//! The page that a model gets, taken apart.

use crate::{History, Top};
use std::fmt;

/// The whole page: top, user's line, history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The goal in the user's words, and what may be handed over.
    pub top: Top,
    /// What the user said when the run was started.
    pub line: String,
    /// What happened so far.
    pub history: History,
}

/// The text has no user's line in the place where a page has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotAPage;

impl Page {
    /// Takes a page apart.
    ///
    /// # Errors
    /// When no user's line is found: lines that begin with `|` between two headings, each with a
    /// blank line above.
    pub fn read(text: &str) -> Result<Self, NotAPage> {
        let lines: Vec<&str> = text.lines().collect();
        // The history has no blank lines, so whatever the prose quotes, the last place is the one.
        let (start, end) = (0..lines.len())
            .rev()
            .find_map(|end| Some((user_line_start(&lines, end)?, end)))
            .ok_or(NotAPage)?;
        let heading = start - 1;
        Ok(Self {
            top: Top::read(&lines[..heading].join("\n")),
            line: lines[start..end]
                .iter()
                .map(|line| quoted(line))
                .collect::<Vec<_>>()
                .join("\n"),
            history: History::read(&lines[(end + 2).min(lines.len())..].join("\n")),
        })
    }
}

impl fmt::Display for NotAPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "expected a page with the user's line on lines that begin with `| `, found none",
        )
    }
}

impl std::error::Error for NotAPage {}

/// Where the lines of the user begin that end before line `end`, if it is they that end there.
fn user_line_start(lines: &[&str], end: usize) -> Option<usize> {
    let is_heading = |at: usize| lines.get(at).is_some_and(|line| !line.is_empty());
    if !lines[end].is_empty() || !is_heading(end + 1) {
        return None;
    }
    let length = lines[..end]
        .iter()
        .rev()
        .take_while(|line| line.starts_with('|'))
        .count();
    let start = end - length;
    let headed = start >= 2 && is_heading(start - 1) && lines[start - 2].is_empty();
    (length > 0 && headed).then_some(start)
}

/// A line without the mark that frames it: `| text`, or `|` alone for an empty line.
pub(crate) fn quoted(line: &str) -> &str {
    line.get(1..)
        .map_or("", |rest| rest.strip_prefix(' ').unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOP: &str = "The prose.\n\nYou may hand over:\n- a.b(): B.\nAny other name is refused.";

    #[test]
    fn the_first_page_has_no_history() {
        let text = format!("{TOP}\n\nThe user's line:\n| Hello\n|\n| there\n\nSo far:\n");
        let page = Page::read(&text).unwrap();
        assert_eq!(page.top, Top::read(TOP));
        assert_eq!(page.line, "Hello\n\nthere");
        assert_eq!(page.history, History::default());
    }

    #[test]
    fn a_page_is_read_in_any_language() {
        let text = "看着牛奶。\n\n可以交出:\n- 冰箱.数()\n\n用户的话:\n| 缺什么?\n\n经过:\n[1 loop.txt ab]\na.b {}\n| 1\n";
        let page = Page::read(text).unwrap();
        assert_eq!(page.top.prose, "看着牛奶。");
        assert_eq!(page.line, "缺什么?");
        assert_eq!(page.history.rounds.len(), 1);
    }

    #[test]
    fn what_the_prose_quotes_is_no_users_line() {
        let prose = "An example:\n\nLine:\n| fake\n\nHistory:\n[1 loop.txt ab]\nx.y {}\n| 1";
        let text =
            format!("{prose}\n\nList:\n- a.b()\n\nLine:\n| true\n\nSo far:\n[1 loop.txt ab]");
        let page = Page::read(&text).unwrap();
        assert_eq!(page.top.prose, prose);
        assert_eq!(page.line, "true");
        assert_eq!(page.history.calls().count(), 0);
    }

    #[test]
    fn a_text_without_a_users_line_is_no_page() {
        for text in ["", "| a", "Prose.\n\nA heading:\n\n| a\n\nSo far:"] {
            assert_eq!(Page::read(text), Err(NotAPage), "{text}");
        }
    }
}
