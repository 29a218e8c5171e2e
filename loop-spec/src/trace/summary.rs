//! A run in one line.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::BadRecord;
use crate::frame::one_line;
use crate::loop_machine::{Event, LoopMachine, Outcome, Stop};
use crate::numbers::{counted, duration, grouped};
use crate::{CallId, Ended, Machine, Record, Recorded, Unfoldable, Usage};

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
    /// Tokens used by the model, where its provider counts them.
    pub tokens: Usage,
    /// Answers that were cut short by their length.
    pub cut_short: u32,
    /// How many times what came first on the page was summed up.
    pub compactions: u32,
    /// What each door was used for, by its name. A name that is not on the list is no door.
    pub doors: BTreeMap<String, DoorUse>,
    /// Time of its first record, in microseconds since the Unix epoch.
    pub started: u64,
    /// Microseconds from its first record to its last.
    pub duration: u64,
}

/// What one door was used for in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DoorUse {
    /// Openings that returned.
    pub opened: u32,
    /// Openings of which anything else came.
    pub failed: u32,
    /// Fuel used.
    pub fuel: u64,
    /// Microseconds from each intent to its outcome, added up.
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
        let mut open = BTreeMap::new();
        for record in records {
            let applied = summary.count(&mut open, &mut machine, record);
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
            tokens: machine.usage(),
            compactions: machine.compactions(),
            started,
            duration: last.map_or(0, |record| record.time.saturating_sub(started)),
            ..summary
        })
    }

    fn count(
        &mut self,
        open: &mut BTreeMap<CallId, (String, u64)>,
        machine: &mut LoopMachine,
        record: &Record,
    ) -> Result<(), Unfoldable> {
        let event = Event::of_entry(&record.entry)?;
        machine.apply(&event)?;
        match event {
            Event::Answered(answered) if answered.ended == Ended::Length => self.cut_short += 1,
            Event::Opening(opening) => {
                open.insert(opening.call, (opening.door, record.time));
            }
            Event::Opened(opened) => {
                let well = matches!(opened.told(), Outcome::Said { .. });
                *(if well {
                    &mut self.opened
                } else {
                    &mut self.failed
                }) += 1;
                if let Some((door, began)) = open.remove(&opened.call) {
                    let used = self.doors.entry(door).or_default();
                    used.opened += u32::from(well);
                    used.failed += u32::from(!well);
                    used.fuel = used.fuel.saturating_add(opened.all_fuel());
                    used.duration += record.time.saturating_sub(began);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// What each door was used for, a line each.
    pub fn doors(&self) -> impl Iterator<Item = String> {
        self.doors.iter().map(|(door, used)| {
            let mut line = format!("{door}: {} opened", used.opened);
            if used.failed > 0 {
                line += &format!(", {} failed", used.failed);
            }
            line + &format!(", fuel {}, {}", grouped(used.fuel), duration(used.duration))
        })
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
        if self.tokens != Usage::default() {
            let Usage { input, output } = self.tokens;
            write!(f, ", tokens {} in {} out", grouped(input), grouped(output))?;
        }
        if self.cut_short > 0 {
            write!(f, ", {} cut short", counted(self.cut_short, "answer"))?;
        }
        if self.compactions > 0 {
            write!(f, ", summed up {}", counted(self.compactions, "time"))?;
        }
        if self.duration > 0 {
            write!(f, ", {}", duration(self.duration))?;
        }
        write!(f, ": {}", one_line(&self.line))
    }
}
