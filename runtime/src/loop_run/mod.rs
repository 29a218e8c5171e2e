//! A loop's run: the driver's hands for [`LoopMachine`], and how a run begins and goes on.

mod check;
mod doorkeeper;
mod hands;
mod inbox;
mod question;
mod snapshot;

use loop_spec::Machine as _;
use loop_spec::loop_machine::{Event, LoopMachine, Resumed, Stop};
use tokio_util::sync::CancellationToken;

use crate::ambient::Ambient;
use crate::driver::{DriveError, Driver, Witness};
use crate::journal::{Journal, RunKey};

pub use check::CLOSE_INTERFACE;
pub use doorkeeper::{Doorkeeper, Nobody, Unattended};
pub use hands::LoopHands;
pub use inbox::{Inbox, Silence};
pub(crate) use question::{asked, is_late};
pub use snapshot::{FixedLoop, FixedLoopError, LoopSource, Snapshot};

/// A run of a loop that is being driven.
pub struct LoopRun<'a> {
    driver: Driver<'a, LoopMachine>,
    hands: LoopHands<'a>,
}

/// Why a run does not go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The run is done.
    #[error("run {run}: expected a run that can go on, found one that is done: {close}")]
    Done {
        /// The run.
        run: RunKey,
        /// Its close.
        close: String,
    },
    /// `loop.txt` or a door cannot be read.
    #[error("{why}")]
    BadLoop {
        /// What is wrong.
        why: String,
    },
    /// The journal or the host failed.
    #[error(transparent)]
    Drive(#[from] DriveError),
}

impl<'a> LoopRun<'a> {
    /// A new run; its first event is written when it is driven.
    #[must_use]
    pub fn new(
        journal: &'a dyn Journal,
        ambient: &'a dyn Ambient,
        run: RunKey,
        hands: LoopHands<'a>,
    ) -> Self {
        Self {
            driver: Driver::new(journal, ambient, run, LoopMachine::new()),
            hands,
        }
    }

    /// A run as its journal tells it. Nothing is written; see [`LoopRun::go_on`].
    ///
    /// # Errors
    /// When there is no such run, or its journal does not follow.
    pub async fn from_journal(
        journal: &'a dyn Journal,
        ambient: &'a dyn Ambient,
        run: RunKey,
        hands: LoopHands<'a>,
    ) -> Result<Self, ResumeError> {
        let driver = Driver::resume(journal, ambient, run, LoopMachine::new()).await?;
        if let Some(Stop::Done { close }) = driver.machine().stop() {
            let (run, close) = (driver.run().clone(), close.clone());
            return Err(ResumeError::Done { run, close });
        }
        Ok(Self { driver, hands })
    }

    /// The machine.
    #[must_use]
    pub fn machine(&self) -> &LoopMachine {
        self.driver.machine()
    }

    /// Drives a new run until it stands still.
    ///
    /// # Errors
    /// When the journal or the host fails; the run can be resumed.
    pub async fn drive(
        &mut self,
        witness: &mut dyn Witness<LoopMachine>,
        cancel: &CancellationToken,
    ) -> Result<Stop, DriveError> {
        self.driver.drive(&mut self.hands, witness, cancel).await?;
        let stop = self.driver.machine().stop();
        Ok(stop
            .cloned()
            .expect("a driver ends without an error only where the machine stands still"))
    }

    /// Goes on with a run from its journal: what was under way is settled, `loop.txt` is read again.
    ///
    /// # Errors
    /// When `loop.txt` or a door cannot be read, before anything is written; else as
    /// [`LoopRun::drive`].
    pub async fn go_on(
        &mut self,
        witness: &mut dyn Witness<LoopMachine>,
        cancel: &CancellationToken,
    ) -> Result<Stop, ResumeError> {
        let read = self.hands.reread(self.driver.machine());
        let read = read.map_err(|why| ResumeError::BadLoop { why })?;
        if self.driver.machine().step().is_some() || self.driver.machine().stop().is_some() {
            self.driver
                .record(Event::Resumed(Resumed {}), witness)
                .await?;
        }
        if let Some(event) = read {
            self.driver.record(event, witness).await?;
        }
        Ok(self.drive(witness, cancel).await?)
    }

    /// Whether the model has anything left over that should have been used.
    ///
    /// # Errors
    /// What is left over.
    pub fn finish(&self) -> Result<(), crate::models::ModelError> {
        self.hands.model().finish(self.machine().put_backs())
    }
}
