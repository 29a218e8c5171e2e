//! One step of a trace.

use serde::Serialize;

use crate::Node;

/// One step of a run: a node that it came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Which step of the run, from 1.
    pub step: u64,
    /// The node: a cell of the diagram.
    pub node: Node,
    /// Microseconds from its intent to its outcome, by the times of the journal's records. `None`
    /// where the two are one record, or the outcome never came.
    pub duration: Option<u64>,
    /// What came of it: a word, and often a few more. `under way` where nothing has yet.
    pub outcome: String,
    /// Fuel used, counted as the run's budget counts it.
    pub fuel: u64,
    /// When the step began. Until it has an outcome, it is open.
    #[serde(skip)]
    begun: Option<u64>,
}

impl Row {
    pub(super) fn begun(index: usize, node: Node, begun: u64) -> Self {
        Self {
            // A journal in memory has far fewer than 2^64 rows.
            step: index as u64 + 1,
            node,
            duration: None,
            outcome: UNDER_WAY.to_owned(),
            fuel: 0,
            begun: Some(begun),
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.begun.is_some()
    }

    /// Its outcome came, at this time if that is known.
    pub(super) fn settle(&mut self, outcome: String, at: Option<u64>, fuel: u64) {
        let begun = self.begun.take();
        // A clock that was set back makes no negative duration.
        let duration = |at: u64| begun.map(|begun| at.saturating_sub(begun));
        self.duration = at.and_then(duration);
        self.outcome = outcome;
        self.fuel = fuel;
    }
}

const UNDER_WAY: &str = "under way";
