//! Long text, cut to a budget of bytes.

/// `text` in at most about `budget` bytes: its head, a mark that says how much is missing, its tail,
/// cut between characters. The mark comes on top of the budget.
///
/// ```
/// assert_eq!(loop_spec::clip("short", 10), "short");
/// assert_eq!(loop_spec::clip("aaaaaaaaaabbbbb", 6), "aaaa[… 9 bytes cut …]bb");
/// ```
#[must_use]
pub fn clip(text: &str, budget: usize) -> String {
    if text.len() <= budget {
        return text.to_owned();
    }
    let head = text.floor_char_boundary(budget - budget / TAIL_PART);
    let tail = text.ceil_char_boundary(text.len() - budget / TAIL_PART);
    format!(
        "{}[… {} bytes cut …]{}",
        &text[..head],
        tail - head,
        &text[tail..]
    )
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
