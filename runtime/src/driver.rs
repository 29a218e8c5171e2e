//! One driver for all machines: take the step, do the effect, append the event, apply it.

use async_trait::async_trait;
use loop_spec::{Arrow, Entry, Machine, Record, Recorded as _, Stamped, Unfoldable};
use tokio_util::sync::CancellationToken;

use crate::ambient::{Ambient, Onward};
use crate::journal::{AppendError, Journal, ReadError, RunKey};

/// What does the steps of a machine.
#[async_trait]
pub trait Hands<M: Machine>: Send {
    /// Does `step` and says what came of it. The future may be dropped when the run is cancelled.
    /// `ambient` is the run's time and chance; its time never goes back behind the journal's.
    ///
    /// # Errors
    /// A fault of the host: nothing is recorded, and the run can be resumed.
    async fn perform(
        &mut self,
        machine: &M,
        step: M::Step,
        ambient: &dyn Ambient,
    ) -> Result<M::Event, HostError>;

    /// The run was cancelled: nothing that an earlier step began goes on.
    async fn abandon(&mut self) {}
}

/// What watches a run: it writes `history.txt`, or shows the run to a person.
pub trait Witness<M: Machine>: Send {
    /// `event` is in the journal, and `machine` has it.
    ///
    /// # Errors
    /// A fault of the host, which ends the driving; the run can be resumed.
    fn saw(&mut self, machine: &M, event: &M::Event, seen: Seen<'_>) -> Result<(), HostError>;
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl<M: Machine> Witness<M> for Unwatched {
    fn saw(&mut self, _: &M, _: &M::Event, _: Seen<'_>) -> Result<(), HostError> {
        Ok(())
    }
}

/// What a witness is told beside the event.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// When the event was appended, in microseconds since the Unix epoch.
    pub time: u64,
    /// The arrows that the machine walked.
    pub arrows: &'a [Arrow],
    /// The event as the journal keeps it.
    pub entry: &'a Entry,
}

/// A fault of the host: not the door's, not the model's, and nothing that routes.
#[derive(Debug, thiserror::Error)]
#[error("{doing}: {source}")]
pub struct HostError {
    /// What was to be done.
    pub doing: String,
    /// What went wrong.
    pub source: Box<dyn std::error::Error + Send + Sync>,
}

/// Why driving a run ended without a stop.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DriveError {
    /// An event could not be kept.
    #[error(transparent)]
    Append(#[from] AppendError),
    /// The journal could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The journal holds what the machine cannot have done.
    #[error("run {run}: record {seq} does not follow from those before it: {source}")]
    Fold {
        /// The run.
        run: RunKey,
        /// The record.
        seq: u64,
        /// What does not follow.
        source: Box<Unfoldable>,
    },
    /// There is no such run.
    #[error("run {run}: expected a run that was started, found none; see `doorlist runs`")]
    NoRun {
        /// The run.
        run: RunKey,
    },
    /// The host failed.
    #[error(transparent)]
    Host(#[from] HostError),
}

/// A machine with its journal: the one writer of a run.
pub struct Driver<'a, M> {
    journal: &'a dyn Journal,
    ambient: Onward<'a>,
    run: RunKey,
    machine: M,
    next: u64,
}

impl<'a, M: Machine + Send> Driver<'a, M> {
    /// A run that begins with its first event. Another run of this name is a conflict.
    pub fn new(
        journal: &'a dyn Journal,
        ambient: &'a dyn Ambient,
        run: RunKey,
        machine: M,
    ) -> Self {
        Self {
            journal,
            ambient: Onward::from(ambient, 0),
            run,
            machine,
            next: 0,
        }
    }

    /// A run that is in the journal already: `machine`, which is new, is folded to where it stands.
    ///
    /// # Errors
    /// When there is no such run, it cannot be read, or its records do not follow from one another.
    pub async fn resume(
        journal: &'a dyn Journal,
        ambient: &'a dyn Ambient,
        run: RunKey,
        machine: M,
    ) -> Result<Self, DriveError> {
        let records = journal.read(&run, 0).await?.records;
        if records.is_empty() {
            return Err(DriveError::NoRun { run });
        }
        let next = records.len() as u64;
        let latest = records.iter().map(|record| record.time).max();
        let machine = fold(&run, machine, &records)?;
        Ok(Self {
            journal,
            ambient: Onward::from(ambient, latest.unwrap_or(0)),
            run,
            machine,
            next,
        })
    }

    /// The machine.
    pub fn machine(&self) -> &M {
        &self.machine
    }

    /// The run's time and chance.
    pub fn ambient(&self) -> &dyn Ambient {
        &self.ambient
    }

    /// The run.
    pub fn run(&self) -> &RunKey {
        &self.run
    }

    /// Drives until the machine stands still. Cancelled, it records so, and stands still.
    ///
    /// # Errors
    /// When the host or the journal fails. The run can be resumed.
    pub async fn drive(
        &mut self,
        hands: &mut dyn Hands<M>,
        witness: &mut dyn Witness<M>,
        cancel: &CancellationToken,
    ) -> Result<(), DriveError>
    where
        M: Sync,
        M::Step: Send,
        M::Event: Send + Sync,
    {
        while let Some(step) = self.machine.step() {
            let events = tokio::select! {
                biased;
                events = cancelled(cancel, &self.machine) => Err(events),
                event = hands.perform(&self.machine, step, &self.ambient) => Ok(event?),
            };
            let events = match events {
                Ok(event) => vec![event],
                Err(events) => {
                    hands.abandon().await;
                    events
                }
            };
            for event in events {
                self.record(event, witness).await?;
            }
        }
        Ok(())
    }

    /// Applies one event and keeps it.
    ///
    /// It is applied first, so that an event which cannot happen is never written. When it cannot be
    /// kept the machine is ahead of its journal: this driver is then of no more use.
    ///
    /// # Errors
    /// When it cannot happen, or cannot be kept: then it has not happened.
    pub async fn record(
        &mut self,
        event: M::Event,
        witness: &mut dyn Witness<M>,
    ) -> Result<(), DriveError> {
        let arrows = self
            .machine
            .apply(&event)
            .map_err(|source| DriveError::Fold {
                run: self.run.clone(),
                seq: self.next,
                source: Box::new(source.into()),
            })?;
        let stamped = Stamped {
            time: self.ambient.now(),
            entry: event.to_entry(),
        };
        let batch = std::slice::from_ref(&stamped);
        self.next = self.journal.append(&self.run, self.next, batch).await?;
        let seen = Seen {
            time: stamped.time,
            arrows: &arrows,
            entry: &stamped.entry,
        };
        Ok(witness.saw(&self.machine, &event, seen)?)
    }
}

/// Comes only when the run is cancelled and something of it can be.
async fn cancelled<M: Machine>(cancel: &CancellationToken, machine: &M) -> Vec<M::Event> {
    let events = machine.cancelled();
    if events.is_empty() {
        std::future::pending::<()>().await;
    }
    cancel.cancelled().await;
    events
}

/// Folds `records` into `machine`, naming the record that does not follow.
///
/// # Errors
/// When a record is no event of the machine, or cannot happen where it stands.
pub fn fold<M: Machine>(run: &RunKey, mut machine: M, records: &[Record]) -> Result<M, DriveError> {
    for record in records {
        machine = machine
            .fold([&record.entry])
            .map_err(|source| DriveError::Fold {
                run: run.clone(),
                seq: record.seq,
                source: Box::new(source),
            })?;
    }
    Ok(machine)
}
