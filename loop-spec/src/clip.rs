//! Long text, cut to a budget of bytes.

use std::ops::Range;

/// A text that is longer than its budget: what stays, and what is missing between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut<'t> {
    /// What stays of its beginning.
    pub head: &'t str,
    /// The bytes that are missing.
    pub missing: Range<usize>,
    /// What stays of its end.
    pub tail: &'t str,
}

impl Cut<'_> {
    /// Head and tail with `mark` between them.
    #[must_use]
    pub fn marked(&self, mark: &str) -> String {
        [self.head, mark, self.tail].concat()
    }
}

/// Where `text` is to be cut so that at most about `budget` bytes stay: between characters. `None`
/// when it is no longer than that.
#[must_use]
pub fn cut(text: &str, budget: usize) -> Option<Cut<'_>> {
    if text.len() <= budget {
        return None;
    }
    let head = text.floor_char_boundary(budget - budget / TAIL_PART);
    let tail = text.ceil_char_boundary(text.len() - budget / TAIL_PART);
    Some(Cut {
        head: &text[..head],
        missing: head..tail,
        tail: &text[tail..],
    })
}

/// `text` in at most about `budget` bytes: its head, a mark that says how much is missing, its tail,
/// cut between characters. The mark comes on top of the budget.
///
/// ```
/// assert_eq!(loop_spec::clip("short", 10), "short");
/// assert_eq!(loop_spec::clip("aaaaaaaaaabbbbb", 6), "aaaa[… 9 bytes cut …]bb");
/// ```
#[must_use]
pub fn clip(text: &str, budget: usize) -> String {
    match cut(text, budget) {
        None => text.to_owned(),
        Some(cut) => cut.marked(&format!("[… {} bytes cut …]", cut.missing.len())),
    }
}

/// A third of the budget is the tail: the end of a text often holds its result.
const TAIL_PART: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c17_a_cut_never_splits_a_character() {
        let text = "家".repeat(100);
        for budget in 0..text.len() {
            let clipped = clip(&text, budget);
            let kept: usize = clipped.matches('家').count() * 3;
            assert!(kept <= budget, "{budget}");
            assert!(
                clipped.contains(&format!("[… {} bytes cut …]", text.len() - kept)),
                "{budget}"
            );
        }
    }
}
