//! One put-back as it is pasted.

use crate::page::quoted;

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
    /// Doorlist's own lines that belong to no name and no close: that an answer was empty, say.
    pub said: Vec<String>,
}

/// A name with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The name as it stands on the page, which need not be on the list. One that no door could
    /// have is a JSON string there.
    pub name: String,
    /// A JSON object as text, unless the model handed over something else.
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

impl Round {
    /// Reads the frame line and the lines up to the next frame.
    pub(crate) fn read(lines: &[&str]) -> Option<Self> {
        let (frame, mut rest) = lines.split_first()?;
        let mut round = Self {
            number: Self::number(frame)?,
            ..Self::default()
        };
        round.remark = block(&mut rest, '~');
        while let Some((line, after)) = rest.split_first() {
            rest = after;
            if let Some((name, arguments)) = name_and_arguments(line) {
                let (name, arguments) = (name.to_owned(), arguments.to_owned());
                round.calls.push(Call {
                    name,
                    arguments,
                    outcome: Outcome::read(&mut rest),
                });
            } else if let Some(text) = block(&mut rest, '~') {
                round.close = Some(Close {
                    text,
                    refused: next(&mut rest),
                });
            } else {
                round.said.push((*line).to_owned());
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

impl Outcome {
    /// The line after a name is what came of it, whatever it looks like.
    fn read(rest: &mut &[&str]) -> Self {
        match block(rest, '|') {
            Some(returned) => Self::Returned(returned),
            None => next(rest).map_or(Self::Waiting, Self::Failed),
        }
    }
}

/// A name is letters, digits, `.`, `-` and `_`, or a JSON string; behind it stand a space and its
/// arguments. No line of Doorlist's own is like that: those begin with a word and a colon, or have
/// no space.
fn name_and_arguments(line: &str) -> Option<(&str, &str)> {
    let name = match line.strip_prefix('"') {
        Some(string) => 2 + end_of_string(string)?,
        None => line.find(|c: char| !(c.is_ascii_alphanumeric() || ".-_".contains(c)))?,
    };
    let arguments = line[name..].strip_prefix(' ')?;
    (name > 0).then_some((&line[..name], arguments))
}

/// Where the quote is that ends a JSON string.
fn end_of_string(string: &str) -> Option<usize> {
    let mut escaped = false;
    string.find(|c| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    })
}

/// The lines that begin with a mark, without it; nothing when there is none.
fn block(rest: &mut &[&str], mark: char) -> Option<String> {
    let length = rest
        .iter()
        .take_while(|line| line.starts_with(mark))
        .count();
    let (block, after) = rest.split_at(length);
    *rest = after;
    (length > 0).then(|| {
        block
            .iter()
            .map(|line| quoted(line))
            .collect::<Vec<_>>()
            .join("\n")
    })
}

fn next(rest: &mut &[&str]) -> Option<String> {
    let (line, after) = rest.split_first()?;
    *rest = after;
    Some((*line).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Round {
        Round::read(&text.lines().collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn a_remark_stands_beside_the_names() {
        let round =
            read("[3 loop.txt ab]\n~ First\n~\n~ this.\na.b {}\n| 1\nc.d {\"e\":1}\nerror: no");
        assert_eq!(round.number, 3);
        assert_eq!(round.remark.as_deref(), Some("First\n\nthis."));
        assert_eq!(round.calls[0].outcome, Outcome::Returned("1".to_owned()));
        assert_eq!(round.calls[1].arguments, "{\"e\":1}");
        assert_eq!(
            round.calls[1].outcome,
            Outcome::Failed("error: no".to_owned())
        );
    }

    #[test]
    fn a_name_that_waits_has_no_outcome() {
        assert_eq!(
            read("[1 loop.txt ab]\na.b {}").calls[0].outcome,
            Outcome::Waiting
        );
    }

    #[test]
    fn what_came_of_a_name_may_look_like_a_name() {
        let round = read("[1 loop.txt ab]\na.b {}\nc.d {}\ne.f {}\n|");
        assert_eq!(round.calls[0].outcome, Outcome::Failed("c.d {}".to_owned()));
        assert_eq!(round.calls[1].name, "e.f");
    }

    #[test]
    fn a_name_that_no_door_has_is_a_string() {
        let round =
            read("[1 loop.txt ab]\n\"a \\\" {b\" {}\nnot on the list.\na.b [1]\narguments: no");
        assert_eq!(round.calls[0].name, "\"a \\\" {b\"");
        assert_eq!(
            round.calls[0].outcome,
            Outcome::Failed("not on the list.".to_owned())
        );
        assert_eq!(round.calls[1].arguments, "[1]");
    }

    #[test]
    fn a_close_is_kept_with_its_refusal_in_any_language() {
        let close = read("[1 loop.txt ab]\nclose\n~ Done.\nrefused: not yet")
            .close
            .unwrap();
        assert_eq!(
            (close.text.as_str(), close.refused.as_deref()),
            ("Done.", Some("refused: not yet"))
        );
        let close = read("[1 loop.txt ab]\n结语\n~ 好了。").close.unwrap();
        assert_eq!((close.text.as_str(), close.refused), ("好了。", None));
    }

    #[test]
    fn a_door_may_be_named_close() {
        let round = read("[1 loop.txt ab]\nclose {}\n| shut");
        assert_eq!(round.close, None);
        assert_eq!(round.calls[0].name, "close");
    }

    #[test]
    fn a_line_of_doorlists_own_is_no_name() {
        for line in [
            "error: the answer was empty; hand over a close.",
            "错误：答复是空的。",
        ] {
            let round = read(&format!("[1 loop.txt ab]\n{line}"));
            assert_eq!(
                round,
                Round {
                    number: 1,
                    said: vec![line.to_owned()],
                    ..Round::default()
                }
            );
        }
    }

    #[test]
    fn only_a_whole_frame_is_a_frame() {
        assert_eq!(Round::number("[12 loop.txt ab]"), Some(12));
        for line in [
            "[x loop.txt ab]",
            "[1]",
            "[1 loop.txt ab",
            " [1 loop.txt ab]",
            "| [1 f a]",
        ] {
            assert_eq!(Round::number(line), None, "{line}");
        }
    }
}
