//! In which ways the doors of a loop can open.

use super::super::{Card, Hooks};
use crate::policy::Marks;

/// How the doors of a loop open, beyond what `loop.txt` says of them. Doors that are not listed change
/// nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ways {
    /// Doors that a person must be asked about first.
    pub(super) asked_first: Vec<String>,
    /// Doors that may be open beside others.
    pub(super) together: Vec<String>,
    /// Doors that a person must be asked about once untrusted output is on the page.
    pub(super) outside: Vec<String>,
    /// Doors whose output is not trusted.
    pub(super) untrusted: Vec<String>,
    /// Doors that are heard when they ask for the end of the run.
    pub(super) may_end: Vec<String>,
    /// Where hooks are asked.
    pub(super) hooks: Hooks,
}

impl Ways {
    /// The ways of doors with these names and marks.
    #[must_use]
    pub fn new<'n>(
        asked_first: Vec<String>,
        doors: impl Iterator<Item = (&'n String, Marks)>,
    ) -> Self {
        let mut ways = Self {
            asked_first,
            ..Self::default()
        };
        for (name, marks) in doors {
            let lists = [
                (marks.concurrent, &mut ways.together),
                (marks.outside, &mut ways.outside),
                (marks.untrusted, &mut ways.untrusted),
                (marks.may_end, &mut ways.may_end),
            ];
            for (is, list) in lists {
                list.extend(is.then(|| name.clone()));
            }
        }
        ways
    }

    /// The same ways, with hooks on them.
    #[must_use]
    pub fn hooked(mut self, hooks: Hooks) -> Self {
        self.hooks = hooks;
        self
    }

    /// The ways of these doors.
    #[must_use]
    pub fn of(cards: &[Card], asked_first: &[String]) -> Self {
        let marked = cards.iter().map(|card| (&card.name, card.marks));
        Self::new(asked_first.to_vec(), marked)
    }
}
