//! One put-back as it is pasted.

use crate::page::quoted;
use std::iter::Peekable;

/// What the model handed over in one put-back, and what came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Round {
    /// Which put-back it was, from 1.
    pub number: u32,
    /// The words of the model beside the names.
    pub remark: Option<String>,
    /// The names, in order.
    pub calls: Vec<Call>,
    /// A close that was handed over.
    pub close: Option<Close>,
}

/// A name with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The name, which need not be on the list.
    pub name: String,
    /// A JSON object as text; empty where none stands beside the name.
    pub arguments: String,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The door opened well, and this is what it returned.
    Returned(String),
    /// It was refused or failed, in Doorlist's own words.
    Failed(String),
    /// Nothing is pasted yet.
    Waiting,
}

/// A text that was handed over as the end of the run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Close {
    /// The words for the user.
    pub text: String,
    /// Why it was refused, in Doorlist's own words.
    pub refused: Option<String>,
}

type Lines<'a> = Peekable<std::iter::Copied<std::slice::Iter<'a, &'a str>>>;

impl Round {
    /// Reads the frame line and the lines up to the next frame.
    pub(crate) fn read(lines: &[&str]) -> Option<Self> {
        let (frame, rest) = lines.split_first()?;
        let mut round = Self { number: Self::number(frame)?, ..Self::default() };
        let mut rest = rest.iter().copied().peekable();
        while let Some(line) = rest.peek().copied() {
            match line {
                _ if line.starts_with('~') => round.remark = block(&mut rest, '~'),
                CLOSE => round.close = Some(Close::read(&mut rest)),
                _ => round.calls.push(Call::read(line, &mut rest)),
            }
        }
        Some(round)
    }

    /// The number in `[1 loop.txt 5f1c2a90d3b4]`, if the line is such a frame.
    pub(crate) fn number(line: &str) -> Option<u32> {
        let inside = line.strip_prefix('[')?.strip_suffix(']')?;
        inside.split_once(' ')?.0.parse().ok()
    }
}

impl Call {
    /// The line after a name is what came of it, whatever it looks like.
    fn read(line: &str, rest: &mut Lines<'_>) -> Self {
        rest.next();
        let (name, arguments) = match line.find(" {") {
            Some(at) => (&line[..at], &line[at + 1..]),
            None => (line, ""),
        };
        let outcome = match block(rest, '|') {
            Some(returned) => Outcome::Returned(returned),
            None => rest.next().map_or(Outcome::Waiting, |said| Outcome::Failed(said.to_owned())),
        };
        Self { name: name.to_owned(), arguments: arguments.to_owned(), outcome }
    }
}

impl Close {
    fn read(rest: &mut Lines<'_>) -> Self {
        rest.next();
        let text = block(rest, '~').unwrap_or_default();
        Self { text, refused: rest.next().map(str::to_owned) }
    }
}

/// The lines that begin with a mark, without it; nothing when there is none.
fn block(rest: &mut Lines<'_>, mark: char) -> Option<String> {
    let mut lines = Vec::new();
    while let Some(line) = rest.next_if(|line| line.starts_with(mark)) {
        lines.push(quoted(line));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The line above the text of a close. A name has arguments beside it, so none is read as this.
const CLOSE: &str = "close";

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Round {
        Round::read(&text.lines().collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn a_remark_stands_beside_the_names() {
        let round = read("[3 loop.txt ab]\n~ First\n~\n~ this.\na.b {}\n| 1\nc.d {\"e\":1}\nerror: no");
        assert_eq!(round.number, 3);
        assert_eq!(round.remark.as_deref(), Some("First\n\nthis."));
        assert_eq!(round.calls[0].outcome, Outcome::Returned("1".to_owned()));
        assert_eq!(round.calls[1].arguments, "{\"e\":1}");
        assert_eq!(round.calls[1].outcome, Outcome::Failed("error: no".to_owned()));
    }

    #[test]
    fn a_name_that_waits_has_no_outcome() {
        assert_eq!(read("[1 loop.txt ab]\na.b {}").calls[0].outcome, Outcome::Waiting);
    }

    #[test]
    fn a_close_is_kept_with_its_refusal() {
        let close = read("[1 loop.txt ab]\nclose\n~ Done.\nrefused: not yet").close.unwrap();
        assert_eq!(close.text, "Done.");
        assert_eq!(close.refused.as_deref(), Some("refused: not yet"));
    }

    #[test]
    fn a_door_may_be_named_close() {
        let round = read("[1 loop.txt ab]\nclose {}\n| shut");
        assert_eq!(round.close, None);
        assert_eq!(round.calls[0].name, "close");
    }

    #[test]
    fn only_a_whole_frame_is_a_frame() {
        assert_eq!(Round::number("[12 loop.txt ab]"), Some(12));
        for line in ["[x loop.txt ab]", "[1]", "[1 loop.txt ab", " [1 loop.txt ab]", "| [1 f a]"] {
            assert_eq!(Round::number(line), None, "{line}");
        }
    }
}
