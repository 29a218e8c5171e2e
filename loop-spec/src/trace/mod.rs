//! The trace: what a run did, step by step, made from its journal.

mod against;
mod columns;
mod row;
mod summary;
mod tell;
#[cfg(test)]
mod tests;

use std::fmt;

use serde::Serialize;

use crate::loop_machine::{Event, LoopMachine, node};
use crate::{Answer, Arrow, Machine, Node, Record, Recorded, Unfoldable};

pub use against::{Against, Stray};
pub use row::Row;
pub use summary::{DoorUse, Summary};

use tell::{Told, works};

/// The steps of a run. Each step but the first is one arrow of the chart: from the node of the row
/// above to the node of its own.
///
/// ```
/// use loop_spec::trace::Trace;
/// let trace = Trace::of(&[])?;
/// assert!(trace.rows().is_empty(), "nothing has happened yet");
/// assert_eq!(trace.to_string(), "step  node  duration  fuel  outcome\n");
/// # Ok::<(), loop_spec::trace::BadRecord>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Trace {
    rows: Vec<Row>,
}

/// A record that is none of a loop's run, or that cannot stand where it does.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("record {seq} of the journal: {why}")]
pub struct BadRecord {
    /// Its place in the journal, from 0.
    pub seq: u64,
    /// What does not fit.
    #[source]
    pub why: Unfoldable,
}

impl Trace {
    /// The trace of a run, from the first record of its journal on.
    ///
    /// # Errors
    /// The first record that a loop cannot have there.
    pub fn of(records: &[Record]) -> Result<Self, BadRecord> {
        let mut tracer = Tracer::default();
        for record in records {
            let applied = tracer.record(record);
            applied.map_err(|why| BadRecord {
                seq: record.seq,
                why,
            })?;
        }
        Ok(Self { rows: tracer.rows })
    }

    /// Its rows, in the order in which they were walked.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The arrows that were walked, each with the step that walked it.
    pub(crate) fn walked(&self) -> impl Iterator<Item = (u64, Arrow)> {
        self.rows.windows(2).map(|pair| {
            let [from, to] = [0, 1].map(|index| pair[index].node.clone());
            (pair[1].step, Arrow { from, to })
        })
    }
}

/// Columns for people; [`Row`] says what they hold.
impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        columns::write(f, &self.rows)
    }
}

/// A trace that is being made.
#[derive(Default)]
struct Tracer {
    machine: LoopMachine,
    rows: Vec<Row>,
    /// Index of the first row of which nothing has come yet.
    open: usize,
    /// When the record before this one was written.
    before: u64,
    /// The names of the last answer.
    names: Vec<String>,
    /// Bytes that were pasted when the last row about pasting was written.
    pasted: usize,
}

impl Tracer {
    fn record(&mut self, record: &Record) -> Result<(), Unfoldable> {
        let event = Event::of_entry(&record.entry)?;
        let fuel = self.machine.fuel_used();
        let arrows = self.machine.apply(&event)?;
        let fuel = self.machine.fuel_used() - fuel;
        let known = self.rows.len();
        if let Event::RunStarted(_) = event {
            self.enter(node::LINE, record.time);
        }
        self.note_names(&event);
        for arrow in arrows {
            let begun = if works(&event, &arrow.to) {
                self.before
            } else {
                record.time
            };
            self.enter(arrow.to, begun);
        }
        self.settle(&event, known, record.time, fuel);
        self.before = record.time;
        Ok(())
    }

    fn note_names(&mut self, event: &Event) {
        if let Event::Answered(answered) = event {
            self.names = match &answered.answer {
                Answer::Close(_) => Vec::new(),
                Answer::Names { calls, .. } => calls.iter().map(|call| call.name.clone()).collect(),
            };
        }
    }

    /// The name that an event is about.
    fn name(&self, event: &Event) -> &str {
        let call = match event {
            Event::Refused(refused) => refused.call,
            Event::Asked(asked) => asked.call,
            Event::Opening(opening) => opening.call,
            _ => return "",
        };
        let place = (call.place as usize).checked_sub(1);
        place
            .and_then(|place| self.names.get(place))
            .map_or("", String::as_str)
    }

    fn enter(&mut self, node: Node, begun: u64) {
        self.rows.push(Row::begun(self.rows.len(), node, begun));
    }

    /// Gives each open row what the event says of it. Rows from `known` on are new with it.
    fn settle(&mut self, event: &Event, known: usize, time: u64, mut fuel: u64) {
        let pasted = self.machine.pasted().len();
        let name = self.name(event).to_owned();
        for (index, row) in self.rows.iter_mut().enumerate().skip(self.open) {
            let is_new = index >= known;
            let Some(told) = tell::tell(event, &row.node, is_new, &name) else {
                continue;
            };
            let outcome = match told {
                Told::Outcome(outcome) => outcome,
                Told::Pasted => {
                    let bytes = pasted - std::mem::replace(&mut self.pasted, pasted);
                    format!("pasted {bytes} bytes")
                }
                Told::CutOff => {
                    row.settle(CUT_OFF.to_owned(), None, 0);
                    continue;
                }
            };
            let timed = !is_new || works(event, &row.node);
            row.settle(outcome, timed.then_some(time), std::mem::take(&mut fuel));
        }
        let settled = self.rows[self.open..]
            .iter()
            .take_while(|row| !row.is_open());
        self.open += settled.count();
    }
}

/// The outcome of a step that had none when its run ended without a word.
const CUT_OFF: &str = "cut off";
