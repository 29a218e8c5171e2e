//! A question to a person: what it is about, and what the person sees.

use std::fmt::Write as _;

use super::{Asked, Opening};
use crate::frame;

impl Asked {
    /// Whether a nod to it is for this opening: this call, these bytes, this interface and these
    /// arguments, and nothing else.
    #[must_use]
    pub fn is_for(&self, opening: &Opening) -> bool {
        self.call == opening.call
            && self.door == opening.door
            && self.component == opening.component
            && self.interface == opening.interface
            && self.arguments == opening.arguments
    }

    /// What a nod would be for, for the person who is asked: the door, its arguments whole, and the
    /// bytes that would run. Every line fits a terminal, and what does not show is written out.
    #[must_use]
    pub fn shown(&self) -> String {
        let why = match &self.tainted_by {
            None => String::new(),
            Some(door) => format!(
                " What {door} returned is on the page and is not trusted, and this has an effect \
                 outside."
            ),
        };
        format!(
            "{} must be asked first.{why} It would be opened with\n{}  ({})\n",
            self.door,
            arguments(&self.arguments),
            self.component
        )
    }
}

fn arguments(given: &str) -> String {
    let mut shown = String::new();
    for line in spread(given).lines() {
        for (index, part) in folded(&frame::visible(line)).into_iter().enumerate() {
            let mark = if index == 0 { "  " } else { FOLD };
            // Writing to a string cannot fail.
            let _ = writeln!(shown, "{mark}{part}");
        }
    }
    shown
}

/// Canonical arguments; those that are longer than a line on a line for each value, so that none
/// hides at the end.
fn spread(arguments: &str) -> String {
    if arguments.len() <= WIDTH {
        return arguments.to_owned();
    }
    let json = serde_json::from_str::<serde_json::Value>(arguments);
    // Canonical arguments are JSON; whatever they are, they are shown.
    json.and_then(|json| serde_json::to_string_pretty(&json))
        .unwrap_or_else(|_| arguments.to_owned())
}

/// A line in parts that fit a terminal. Nothing is left out.
fn folded(line: &str) -> Vec<String> {
    let characters: Vec<char> = line.chars().collect();
    if characters.is_empty() {
        return vec![String::new()];
    }
    characters
        .chunks(WIDTH)
        .map(|part| part.iter().collect())
        .collect()
}

/// Characters of a line; a terminal of 80 columns holds it with its mark.
const WIDTH: usize = 76;
/// Before each part of a line but the first: the line goes on.
const FOLD: &str = "  \u{21b3} ";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a20_long_arguments_are_folded_and_never_cut() {
        let long = "ab".repeat(5_000);
        let shown = arguments(&format!("{{\"a\":1,\"text\":\"{long}\",\"z\":[true]}}"));
        assert!(
            shown.lines().all(|line| line.chars().count() <= 80),
            "{shown}"
        );
        let joined: String = shown.replace(&format!("\n{FOLD}"), "");
        assert!(joined.contains(&long) && joined.contains("true"), "{shown}");
    }
}
