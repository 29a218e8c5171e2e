//! What people say to a run while it goes on.

use loop_spec::loop_machine::{LoopMachine, Said};

use crate::driver::HostError;

/// Where what people say to a run comes from.
pub trait Inbox: Send {
    /// The next thing that was said and that `machine` has not [heard](LoopMachine::heard); `ends` when
    /// the run ends unless there is one. What the machine has heard is in the journal, and need not be
    /// kept here.
    ///
    /// # Errors
    /// A fault of the host: nothing is lost, and the run can be resumed.
    fn next(&mut self, machine: &LoopMachine, ends: bool) -> Result<Option<Said>, HostError>;
}

/// Nobody says anything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silence;

impl Inbox for Silence {
    fn next(&mut self, _: &LoopMachine, _: bool) -> Result<Option<Said>, HostError> {
        Ok(None)
    }
}

/// Several inboxes as one: each is heard until it has nothing, in their order.
impl Inbox for Vec<Box<dyn Inbox + '_>> {
    fn next(&mut self, machine: &LoopMachine, ends: bool) -> Result<Option<Said>, HostError> {
        for inbox in self {
            if let Some(said) = inbox.next(machine, ends)? {
                return Ok(Some(said));
            }
        }
        Ok(None)
    }
}
