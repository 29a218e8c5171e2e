//! Who is asked about a door that must be asked first.

use clap::Args;
use doorlist::loop_run::{LoopHands, Unattended};
use loop_spec::policy::{Approver, Ask};

use super::at_terminal::at_terminal;
use super::terminal::Keyboard;

/// Who is asked while a run goes on.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Asking {
    /// Ask nobody and wait for nobody: the model is told that a door which must be asked first was
    /// not answered for, and the run goes on.
    #[arg(long)]
    unattended: bool,
}

impl Asking {
    /// Lets the person at the terminal answer, where there is one and the policy lets them; without
    /// one the run stops and waits. `keyboard` is theirs, where the run hears it.
    pub(crate) fn of<'a>(
        self,
        hands: LoopHands<'a>,
        ask: &Ask,
        keyboard: Option<&Keyboard>,
    ) -> LoopHands<'a> {
        if self.unattended {
            return hands.asking(Box::new(Unattended));
        }
        if !ask.by.contains(&Approver::Terminal) {
            return hands;
        }
        match (keyboard, at_terminal()) {
            (Some(keyboard), _) => hands.asking(Box::new(keyboard.clone())),
            (None, Some(terminal)) => hands.asking(Box::new(terminal)),
            (None, None) => hands,
        }
    }
}
