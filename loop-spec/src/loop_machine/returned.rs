//! What doors returned, whole.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Outcome;
use crate::CallId;

/// What the doors of a run or a session returned, whole and by call: a page shows it cut where it is
/// long.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Returned(BTreeMap<CallId, Arc<str>>);

impl Returned {
    /// What a call returned; `None` where there is no such call, or no door of it has returned.
    #[must_use]
    pub fn of(&self, call: CallId) -> Option<&str> {
        self.0.get(&call).map(|text| &**text)
    }

    pub(crate) fn keep(&mut self, call: CallId, outcome: &Outcome) {
        if let Outcome::Said { text } | Outcome::OwnError { text } = outcome {
            self.0.insert(call, text.as_str().into());
        }
    }
}
