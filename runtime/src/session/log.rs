//! A session's journal, of which the session is not the only writer: a person's answer comes from
//! another process.

use std::sync::Arc;

use loop_spec::loop_machine::{Nod, NodAnswered};
use loop_spec::session::{Event, SessionMachine, Started};
use loop_spec::{CallId, Machine as _, Recorded as _, Stamped};

use crate::driver::{DriveError, fold};
use crate::journal::{AppendError, Journal, RunKey, next_run};

pub(super) struct Log {
    journal: Arc<dyn Journal>,
    run: RunKey,
    machine: SessionMachine,
    next: u64,
}

impl Log {
    /// A new session under the next number.
    pub(super) async fn start(
        journal: Arc<dyn Journal>,
        started: Started,
        now: u64,
    ) -> Result<Self, DriveError> {
        loop {
            let mut log = Self {
                run: next_run(&*journal).await?,
                journal: Arc::clone(&journal),
                machine: SessionMachine::new(),
                next: 0,
            };
            match log.write(&Event::Started(started.clone()), now).await {
                // Another client took this number at the same moment.
                Err(AppendError::Conflict { .. }) => {}
                other => {
                    other?;
                    log.apply(&Event::Started(started))?;
                    return Ok(log);
                }
            }
        }
    }

    /// The number that it goes by.
    pub(super) fn number(&self) -> u64 {
        self.run.run.as_str().parse().unwrap_or_default()
    }

    pub(super) fn machine(&self) -> &SessionMachine {
        &self.machine
    }

    /// Reads what others have written since.
    pub(super) async fn catch_up(&mut self) -> Result<(), DriveError> {
        let records = self.journal.read(&self.run, self.next).await?.records;
        let machine = std::mem::take(&mut self.machine);
        self.machine = fold(&self.run, machine, &records)?;
        self.next += records.len() as u64;
        Ok(())
    }

    /// Keeps an event that can happen, after whatever others wrote meanwhile.
    pub(super) async fn record(&mut self, event: Event, now: u64) -> Result<(), DriveError> {
        loop {
            // Whether it can happen is seen before it is written.
            self.apply(&event)?;
            match self.write(&event, now).await {
                Err(AppendError::Conflict { .. }) => self.reread().await?,
                other => return Ok(other?),
            }
        }
    }

    async fn write(&mut self, event: &Event, now: u64) -> Result<(), AppendError> {
        let stamped = Stamped {
            time: now,
            entry: event.to_entry(),
        };
        let batch = std::slice::from_ref(&stamped);
        self.next = self.journal.append(&self.run, self.next, batch).await?;
        Ok(())
    }

    fn apply(&mut self, event: &Event) -> Result<(), DriveError> {
        let applied = self.machine.apply(event);
        applied.map(|_| ()).map_err(|source| DriveError::Fold {
            run: self.run.clone(),
            seq: self.next,
            source: Box::new(source.into()),
        })
    }

    /// As the journal has it, without what was not kept.
    async fn reread(&mut self) -> Result<(), DriveError> {
        self.next = 0;
        self.machine = SessionMachine::new();
        self.catch_up().await
    }
}

/// Answers a session's question from outside of it.
///
/// # Errors
/// When there is no such session or question, it was answered already, or the answer cannot be kept.
pub async fn answer(
    journal: Arc<dyn Journal>,
    run: RunKey,
    call: CallId,
    nod: Nod,
    now: u64,
) -> Result<(), DriveError> {
    let mut log = Log {
        journal,
        run,
        machine: SessionMachine::new(),
        next: 0,
    };
    log.catch_up().await?;
    log.record(Event::NodAnswered(NodAnswered { call, nod }), now)
        .await
}
