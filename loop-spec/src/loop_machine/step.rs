//! What a loop can want next.

use super::{Asked, Event, Opening};
use crate::{Call, CallId};

/// The next step of a loop. A driver does it and comes back with the event that is named.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Start: comes back with [`Event::RunStarted`].
    Start,
    /// Put the next page together. Comes back with [`Event::Said`] when the run
    /// [listens](super::LoopMachine::listens) and somebody has said something; else `loop.txt` is read
    /// again: it comes back with [`Event::LoopRead`] when it or a listed door is other
    /// than before, with [`Stop::BadLoop`](super::Stop::BadLoop) when it cannot be read, else with
    /// [`LoopMachine::assembled`](super::LoopMachine::assembled).
    Assemble,
    /// Give the page to the model: [`Event::Answered`] or [`Event::ModelFailed`].
    Decide {
        /// Which put-back.
        put_back: u32,
    },
    /// Take a listed name through the gate, up to its opening: [`Event::Refused`],
    /// [`Event::Asked`] or [`Event::Opening`].
    Admit {
        /// Which call.
        id: CallId,
        /// The name and its arguments.
        call: Call,
        /// Whether a person has given their nod.
        nodded: bool,
    },
    /// Ask a person about a call: [`Event::NodAnswered`], or
    /// [`Stop::WaitingForNod`](super::Stop::WaitingForNod) when nobody can be asked now. When the
    /// door is other than it was when this was asked: [`Event::Asked`] again.
    Ask(Asked),
    /// Open the doors whose intents stand in the journal, beside each other: [`Event::Opened`] of the
    /// first that ends. The step comes again with those that are still open.
    Open(Vec<Opening>),
    /// An opening was under way when the run ended without a word: run it again if it is pure, else
    /// it is unknown. Comes back with [`Event::Opened`].
    Settle(Opening),
    /// Ask the check door whether the close stands: [`Event::CloseJudged`].
    Judge {
        /// Which put-back.
        put_back: u32,
        /// The close.
        close: String,
    },
    /// The close stands: [`Event::Said`] when somebody has said more, else [`Event::EndJudged`] where a
    /// hook is to be asked, else [`Stop::Done`](super::Stop::Done).
    End {
        /// The close.
        close: String,
        /// Whether the hook before the end is to be asked.
        judge: bool,
    },
    /// Nothing is to be done; this event is to be recorded.
    Record(Event),
}
