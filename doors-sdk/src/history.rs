//! What happened so far, as it stands on the page and in history.txt.

use crate::{Call, Round};

/// The rounds of a run, the first one first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct History {
    /// One round a put-back.
    pub rounds: Vec<Round>,
}

impl History {
    /// Takes a history apart. Lines that stand in no round are passed over.
    pub fn read(text: &str) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        let starts: Vec<usize> = (0..lines.len()).filter(|&at| is_frame(lines[at])).collect();
        let ends = starts.iter().skip(1).copied().chain([lines.len()]);
        let rounds = starts.iter().zip(ends);
        Self {
            rounds: rounds
                .filter_map(|(&at, end)| Round::read(&lines[at..end]))
                .collect(),
        }
    }

    /// Every name that was handed over, in order.
    pub fn calls(&self) -> impl DoubleEndedIterator<Item = &Call> {
        self.rounds.iter().flat_map(|round| &round.calls)
    }

    /// The calls of one name, in order.
    pub fn calls_of<'a>(&'a self, name: &'a str) -> impl DoubleEndedIterator<Item = &'a Call> {
        self.calls().filter(move |call| call.name == name)
    }
}

/// `[1 loop.txt 5f1c2a90d3b4]`. No other line of a history both begins and ends like this.
fn is_frame(line: &str) -> bool {
    Round::number(line).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;

    #[test]
    fn what_a_door_returns_can_not_look_like_a_round() {
        let history = History::read("[1 loop.txt ab]\na.b {}\n| 1\n| [2 loop.txt ab]\n| c.d {}\n");
        assert_eq!(history.rounds.len(), 1);
        let returned = Outcome::Returned("1\n[2 loop.txt ab]\nc.d {}".to_owned());
        assert_eq!(
            history
                .calls()
                .map(|call| &call.outcome)
                .collect::<Vec<_>>(),
            [&returned]
        );
    }

    #[test]
    fn a_name_can_not_look_like_a_round() {
        let history = History::read("[1 loop.txt ab]\n\"[2 loop.txt ab]\" {}\nnot on the list.\n");
        assert_eq!(history.rounds.len(), 1);
        assert_eq!(history.calls().next().unwrap().name, "\"[2 loop.txt ab]\"");
    }

    #[test]
    fn calls_are_found_by_name() {
        let history = History::read("[1 f x]\na.b {}\n| 1\nc.d {}\n| 2\n[2 f x]\na.b {}\n|\n");
        let outcomes: Vec<_> = history
            .calls_of("a.b")
            .map(|call| call.outcome.clone())
            .collect();
        assert_eq!(
            outcomes,
            [Outcome::Returned("1".into()), Outcome::Returned("".into())]
        );
    }
}
