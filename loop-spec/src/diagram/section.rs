//! One block of a diagram, and its lines.

use std::fmt;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::{Arrow, Node};

/// One block: a cell, or what stands above or below all cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) heading: Heading,
    pub(super) lines: Vec<Line>,
}

/// What a block is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Heading {
    /// The lines above the first cell; nothing heads them.
    Top,
    /// `[node]`
    Cell(Node),
    /// `not this time:`
    NotThisTime,
}

/// One line of a cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Line {
    /// What happens there, in words: `The name is looked for on the list.`
    Says(String),
    /// What stands beside the cell without being one: `beside it: the model, …`
    Beside(String),
    /// A line of the goal: `| Look into the fridge.`
    Quote(String),
    /// What decides it, and what that says now: `by loop.txt, put-backs: 8`
    By(String),
    /// A way out of it: `-> paste`
    Arrow(Node),
}

impl Section {
    pub(super) fn node(&self) -> Option<&Node> {
        match &self.heading {
            Heading::Cell(node) => Some(node),
            Heading::Top | Heading::NotThisTime => None,
        }
    }

    pub(super) fn arrows(&self) -> impl Iterator<Item = Arrow> + '_ {
        let ways = self.lines.iter().filter_map(|line| match line {
            Line::Arrow(to) => Some((self.node()?.clone(), to.clone())),
            _ => None,
        });
        ways.map(|(from, to)| Arrow { from, to })
    }

    /// The places that decide it.
    pub(super) fn places(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().filter_map(|line| match line {
            Line::By(by) => Some(place(by)),
            _ => None,
        })
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.heading != Heading::Top {
            writeln!(f, "{}", self.heading)?;
        }
        for line in &self.lines {
            writeln!(f, "{}", self.heading.indented(line))?;
        }
        Ok(())
    }
}

impl Serialize for Section {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Cell", 2)?;
        out.serialize_field("node", &self.node())?;
        out.serialize_field("lines", &self.lines)?;
        out.end()
    }
}

impl Heading {
    /// The heading that `line` is.
    pub(super) fn of(line: &str) -> Option<Self> {
        if line.trim_end() == NOT_THIS_TIME {
            return Some(Self::NotThisTime);
        }
        let name = line.trim_end().strip_prefix('[')?.strip_suffix(']')?;
        Some(Self::Cell(Node::named(name.to_owned())))
    }

    /// `line` as it stands below this heading.
    pub(super) fn indented(&self, line: &Line) -> String {
        match self {
            Self::Top => line.to_string(),
            Self::Cell(_) | Self::NotThisTime => format!("  {line}"),
        }
    }
}

impl fmt::Display for Heading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Top => Ok(()),
            Self::Cell(node) => write!(f, "[{node}]"),
            Self::NotThisTime => f.write_str(NOT_THIS_TIME),
        }
    }
}

impl Line {
    /// Every text without a line feed is a line; spaces around it do not count.
    pub(super) fn of(text: &str) -> Self {
        let text = text.trim();
        let rest = |mark| {
            text.strip_prefix(mark)
                .map(|rest| rest.trim_start().to_owned())
        };
        if let Some(quote) = text.strip_prefix('|') {
            // Its own indentation is the writer's, and the prose may be a list or code.
            return Self::Quote(quote.strip_prefix(' ').unwrap_or(quote).to_owned());
        }
        if let Some(to) = rest("->") {
            return Self::Arrow(Node::named(to));
        }
        if let Some(by) = rest("by ") {
            return Self::By(by);
        }
        match rest(BESIDE) {
            Some(beside) => Self::Beside(beside),
            None => Self::Says(text.to_owned()),
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Says(says) => f.write_str(says),
            Self::Beside(beside) => write!(f, "{BESIDE} {beside}"),
            Self::Quote(quote) if quote.is_empty() => f.write_str("|"),
            Self::Quote(quote) => write!(f, "| {quote}"),
            Self::By(by) => write!(f, "by {by}"),
            Self::Arrow(to) => write!(f, "-> {to}"),
        }
    }
}

/// The place of a `by` line, without what stands there now.
pub(super) fn place(by: &str) -> &str {
    by.split_once(": ").map_or(by, |(place, _)| place)
}

/// Whether a line of a file is its reader's.
pub(super) fn is_readers(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

const NOT_THIS_TIME: &str = "not this time:";
const BESIDE: &str = "beside it:";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read_back_as_it_was_written() {
        for text in [
            "The close is handed out.",
            "beside it: the model, person (loop.txt, model)",
            "| Look:   twice.",
            "|",
            "|   indented",
            "by loop.txt, put-backs: 8",
            "-> stop:done",
        ] {
            assert_eq!(Line::of(text).to_string(), text);
            assert_eq!(Line::of(&format!("   {text} \r")), Line::of(text));
        }
        assert_eq!(Line::of("->done"), Line::of("-> done"));
    }

    #[test]
    fn a_heading_is_a_name_in_brackets_on_a_line_of_its_own() {
        let list = Heading::Cell(Node::fixed("list"));
        assert_eq!(Heading::of("[list]  "), Some(list));
        assert_eq!(Heading::of("not this time:"), Some(Heading::NotThisTime));
        assert_eq!(Heading::of("  [list]"), None);
        assert_eq!(Heading::of("[list] and more"), None);
    }
}
