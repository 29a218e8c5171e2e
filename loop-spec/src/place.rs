//! Where in a file a person should look, and which word they probably meant.

use std::fmt;

/// A place in a text file, as editors count: from 1, columns in characters.
///
/// ```
/// use loop_spec::Place;
/// let text = "list = []\nnäme = 1\n";
/// let offset = text.find('=').unwrap();
/// assert_eq!(Place::at(text, offset).to_string(), "line 1, column 6");
/// assert_eq!(Place::at(text, text.rfind('=').unwrap()), Place { line: 2, column: 6 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl Place {
    /// The place of the character that holds byte `offset` of `text`; past the end, the end.
    #[must_use]
    pub fn at(text: &str, offset: usize) -> Self {
        let before = &text[..text.floor_char_boundary(offset)];
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            line: before.bytes().filter(|byte| *byte == b'\n').count() + 1,
            column: before[start..].chars().count() + 1,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// The one of `known` that `word` was probably meant to be.
///
/// It is at most two letters away (inserted, removed, changed or swapped with its neighbour), or at
/// most a third of the word's length; of several the nearest, and of those the first.
///
/// ```
/// use loop_spec::nearest;
/// assert_eq!(nearest("feul", &["list", "fuel"]), Some("fuel"));
/// assert_eq!(nearest("colour", &["list", "fuel"]), None);
/// ```
#[must_use]
pub fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let within = (word.chars().count() / 3).max(NEAR);
    known
        .iter()
        .map(|candidate| (distance(word, candidate), *candidate))
        .filter(|(distance, candidate)| {
            // A word that shares no letter with the candidate is no slip of the hand.
            *distance <= within && *distance < candidate.chars().count()
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters must be inserted, removed, changed or swapped to make `a` into `b`.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    strsim::damerau_levenshtein(a, b)
}

/// Two letters: one slip and one more, or two keys struck in the wrong order.
pub(crate) const NEAR: usize = 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_become_lines_and_columns_in_characters() {
        let text = "a\nbé\r\n名x";
        let at = |offset| {
            let place = Place::at(text, offset);
            (place.line, place.column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(1), (1, 2), "the newline belongs to its line");
        assert_eq!(at(2), (2, 1));
        assert_eq!(at(4), (2, 2), "inside a character is at that character");
        assert_eq!(at(7), (3, 1));
        assert_eq!(at(text.find('x').unwrap()), (3, 2));
        assert_eq!(at(1000), (3, 3), "past the end is the end");
        assert_eq!(Place::at("", 0), Place { line: 1, column: 1 });
    }

    #[test]
    fn the_nearest_word_is_within_two_letters_or_a_third() {
        let known = ["list", "put-backs", "same-failure", "fuel"];
        assert_eq!(nearest("lists", &known), Some("list"));
        assert_eq!(nearest("putbacks", &known), Some("put-backs"));
        assert_eq!(nearest("same_failures", &known), Some("same-failure"));
        assert_eq!(nearest("feul", &known), Some("fuel"));
        assert_eq!(nearest("model", &known), None);
        assert_eq!(nearest("x", &["ab"]), None, "nothing is shared");
        assert_eq!(nearest("", &known), None);
        assert_eq!(nearest("fuel", &["fuse", "full", "fuels"]), Some("full"));
    }
}
