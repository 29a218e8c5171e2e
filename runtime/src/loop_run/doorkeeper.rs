//! Who gives a nod while a run waits for it.

use async_trait::async_trait;
use loop_spec::loop_machine::{Asked, Nod};

use crate::driver::HostError;

/// Asks a person, while the run waits, about a door that must be asked first.
#[async_trait]
pub trait Doorkeeper: Send {
    /// What the person says of exactly this call. `None` when nobody is there, or the answer is
    /// left for later: the run then stops, and can be resumed once there is one. The future may be
    /// dropped when the run is cancelled.
    ///
    /// # Errors
    /// A fault of the host: the person could not be asked.
    async fn nod(&mut self, asked: &Asked) -> Result<Option<Nod>, HostError>;
}

/// Nobody is there: the run stops in front of a door that must be asked first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

/// Nobody is there, and nobody is waited for: the model is told so, and the run goes on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unattended;

#[async_trait]
impl Doorkeeper for Unattended {
    async fn nod(&mut self, _: &Asked) -> Result<Option<Nod>, HostError> {
        Ok(Some(Nod::Unanswered))
    }
}

#[async_trait]
impl Doorkeeper for Nobody {
    async fn nod(&mut self, _: &Asked) -> Result<Option<Nod>, HostError> {
        Ok(None)
    }
}
