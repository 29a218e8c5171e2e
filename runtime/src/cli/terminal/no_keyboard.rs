//! Where a terminal cannot be read beside a run, nothing that is typed is a word to it.

use async_trait::async_trait;
use doorlist::driver::HostError;
use doorlist::loop_folder::FolderInbox;
use doorlist::loop_run::Doorkeeper;
use loop_spec::loop_machine::{Asked, Nod};

/// There is none.
#[derive(Clone)]
pub(crate) enum Keyboard {}

impl Keyboard {
    pub(crate) fn of(_: FolderInbox) -> Option<Self> {
        None
    }
}

#[async_trait]
impl Doorkeeper for Keyboard {
    async fn nod(&mut self, _: &Asked) -> Result<Option<Nod>, HostError> {
        match *self {}
    }
}
