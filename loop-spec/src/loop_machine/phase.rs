//! Where a loop stands, with what it needs to go on from there.

use super::{Asked, Event, Opened, Opening, Outcome, Refusal, Refused, node};
use crate::{Call, CallId, Node};

/// The phases of a loop; each has a module of its name, but the first and the last two.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Phase {
    /// Nothing has happened.
    New,
    /// A page is to be put together.
    Assemble,
    /// The model has the page.
    Decide {
        /// Which put-back.
        put_back: u32,
    },
    /// The names of an answer are taken one after the other.
    Act(Act),
    /// A close is to be judged.
    Close {
        /// Which put-back.
        put_back: u32,
        /// The close.
        text: String,
    },
    /// The model gave no answer.
    ModelFailed {
        /// Why.
        why: String,
    },
    /// The close stands.
    Done {
        /// The close.
        close: String,
    },
}

/// The names of one answer, and how far they are.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Act {
    pub(super) put_back: u32,
    pub(super) calls: Vec<Call>,
    /// What is known against each call before anything of it is looked at.
    pub(super) refused: Vec<Option<Refusal>>,
    /// Index of the call that is next or under way.
    pub(super) next: usize,
    pub(super) stage: Stage,
}

/// How far one call is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stage {
    /// Not looked at yet.
    Waiting,
    /// A person is asked.
    Asked(Asked),
    /// The person gave their nod; it is used by the next opening.
    Nodded(Asked),
    /// The intent stands in the journal, the outcome does not.
    Opening {
        opening: Opening,
        /// The run ended in between, so that it may have run.
        uncertain: bool,
    },
}

impl Phase {
    /// The node from which a resumed run goes on.
    pub(super) fn node(&self) -> Node {
        match self {
            Self::New => node::LINE,
            Self::Assemble | Self::ModelFailed { .. } => node::ASSEMBLE,
            Self::Decide { .. } => node::DECIDE,
            Self::Close { .. } | Self::Done { .. } => node::CLOSE,
            Self::Act(act) => match &act.stage {
                Stage::Waiting => node::LIST,
                Stage::Asked(_) | Stage::Nodded(_) => node::ASK,
                Stage::Opening { opening, .. } => node::open(&opening.door),
            },
        }
    }

    pub(super) fn opening(&self) -> Option<&Opening> {
        match self {
            Self::Act(Act {
                stage: Stage::Opening { opening, .. },
                ..
            }) => Some(opening),
            _ => None,
        }
    }

    pub(super) fn nodded(&self) -> Option<&Asked> {
        match self {
            Self::Act(Act {
                stage: Stage::Nodded(asked),
                ..
            }) => Some(asked),
            _ => None,
        }
    }

    pub(super) fn asked(&self) -> Option<&Asked> {
        match self {
            Self::Act(Act {
                stage: Stage::Asked(asked),
                ..
            }) => Some(asked),
            _ => None,
        }
    }
}

impl Act {
    /// The call that is next or under way. There is one: `next` is in bounds as long as the phase
    /// is [`Phase::Act`].
    pub(super) fn call(&self) -> (CallId, &Call) {
        // An answer has far fewer than 2^32 names: it was parsed from memory.
        let place = self.next as u32 + 1;
        (
            CallId {
                put_back: self.put_back,
                place,
            },
            &self.calls[self.next],
        )
    }

    /// What comes of the calls when the run is cancelled. A question to a person stays as it is, and
    /// with it the calls behind it.
    pub(super) fn aborted(&self) -> Vec<Event> {
        let mut events = Vec::new();
        match &self.stage {
            Stage::Asked(_) | Stage::Nodded(_) => return events,
            Stage::Waiting => {}
            // What it used is lost with its instance: count all that it was given.
            Stage::Opening { opening, .. } => events.push(Event::Opened(Opened {
                call: opening.call,
                outcome: Outcome::Aborted,
                fuel: opening.fuel,
                printed: String::new(),
            })),
        }
        let put_back = self.put_back;
        for index in self.next + events.len()..self.calls.len() {
            let call = CallId {
                put_back,
                place: index as u32 + 1,
            };
            let refusal = match &self.refused[index] {
                Some(known) => known.clone(),
                None => Refusal::Aborted,
            };
            events.push(Event::Refused(Refused { call, refusal }));
        }
        events
    }

    /// What is known against the call that is next, before anything of it is looked at.
    pub(super) fn refusal(&self) -> Option<&Refusal> {
        self.refused.get(self.next)?.as_ref()
    }
}
