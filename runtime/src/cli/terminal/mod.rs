//! The face of a run at a terminal: what happens now at the bottom, above it all that has happened, and
//! lines that the person types while it goes on.

pub(crate) mod bottom;
#[cfg(unix)]
mod keyboard;
#[cfg(not(unix))]
mod no_keyboard;
mod status;

use std::time::Duration;

use doorlist::loop_folder::FolderInbox;
use doorlist::models::{Listener, Model};
use loop_spec::loop_machine::LoopMachine;

use super::Output;
use super::print::note;
use bottom::Bottom;
#[cfg(unix)]
pub(crate) use keyboard::Keyboard;
#[cfg(not(unix))]
pub(crate) use no_keyboard::Keyboard;
use status::Status;

/// What a run shows and hears while it goes on, where there is a terminal.
pub(crate) struct Face {
    _bottom: Option<Bottom>,
    keyboard: Option<Keyboard>,
}

impl Face {
    /// A person who decides is asked at the terminal: nothing is drawn between their answers, and what
    /// they type is no word to the run. A program that reads JSON is shown nothing.
    pub(crate) fn of(output: Output, model: &dyn Model, inbox: FolderInbox) -> Self {
        if output.json || model.name() == "person" {
            return Self {
                _bottom: None,
                keyboard: None,
            };
        }
        Self {
            _bottom: Bottom::begin(Status::new(model.name())),
            keyboard: Keyboard::of(inbox),
        }
    }

    /// Where the person types, if the run hears them.
    pub(crate) fn keyboard(&self) -> Option<&Keyboard> {
        self.keyboard.as_ref()
    }
}

/// Shows at the bottom where `machine` stands.
pub(crate) fn stands(machine: &LoopMachine) {
    bottom::update(|status| status.stands(machine));
}

/// Shows the words of a model as they come, and tells when it is asked again.
pub(crate) struct Streams;

impl Listener for Streams {
    fn hear(&mut self, words: &str) {
        bottom::update(|status| status.hear(words));
    }

    fn again(&mut self, why: &str, wait: Duration) {
        bottom::update(Status::unhear);
        note!("{why}; asked again in {:.1} s", wait.as_secs_f64());
    }
}
