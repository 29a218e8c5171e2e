//! A run in one line.

use std::fmt;

use serde::Serialize;

use super::BadRecord;
use crate::frame::one_line;
use crate::loop_machine::{Event, LoopMachine, Outcome, Stop};
use crate::numbers::{counted, duration, grouped};
use crate::{Machine, Record, Recorded, Unfoldable};

/// What a list of runs says of each.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// The user's line.
    pub line: String,
    /// Where it stands still, if it does.
    pub stop: Option<Stop>,
    /// Put-backs.
    pub put_backs: u32,
    /// Openings that returned.
    pub opened: u32,
    /// Openings of which anything else came.
    pub failed: u32,
    /// Fuel used.
    pub fuel: u64,
    /// Time of its first record, in microseconds since the Unix epoch.
    pub started: u64,
    /// Microseconds from its first record to its last.
    pub duration: u64,
}

impl Summary {
    /// The summary of a run, from the first record of its journal on.
    ///
    /// ```
    /// use loop_spec::trace::Summary;
    /// assert_eq!(Summary::of(&[])?.to_string(), "under way, 0 put-backs, 0 doors opened: ");
    /// # Ok::<(), loop_spec::trace::BadRecord>(())
    /// ```
    ///
    /// # Errors
    /// The first record that a loop cannot have there.
    pub fn of(records: &[Record]) -> Result<Self, BadRecord> {
        let mut machine = LoopMachine::new();
        let mut summary = Self::default();
        for record in records {
            let applied = summary.count(&mut machine, record);
            applied.map_err(|why| BadRecord {
                seq: record.seq,
                why,
            })?;
        }
        let (first, last) = (records.first(), records.last());
        let started = first.map_or(0, |record| record.time);
        Ok(Self {
            line: machine
                .run()
                .map(|run| run.line.clone())
                .unwrap_or_default(),
            stop: machine.stop().cloned(),
            put_backs: machine.put_backs(),
            fuel: machine.fuel_used(),
            started,
            duration: last.map_or(0, |record| record.time.saturating_sub(started)),
            ..summary
        })
    }

    fn count(&mut self, machine: &mut LoopMachine, record: &Record) -> Result<(), Unfoldable> {
        let event = Event::of_entry(&record.entry)?;
        machine.apply(&event)?;
        if let Event::Opened(opened) = event {
            match opened.outcome {
                Outcome::Said { .. } => self.opened += 1,
                _ => self.failed += 1,
            }
        }
        Ok(())
    }
}

/// One line: the stop, the counts that are not zero, and the user's line.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stop = self.stop.as_ref().map_or("under way", Stop::name);
        write!(f, "{stop}, {}", counted(self.put_backs, "put-back"))?;
        write!(f, ", {} opened", counted(self.opened, "door"))?;
        if self.failed > 0 {
            write!(f, ", {} failed", self.failed)?;
        }
        if self.fuel > 0 {
            write!(f, ", fuel {}", grouped(self.fuel))?;
        }
        if self.duration > 0 {
            write!(f, ", {}", duration(self.duration))?;
        }
        write!(f, ": {}", one_line(&self.line))
    }
}
