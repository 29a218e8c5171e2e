//! Where a loop stands, with what it needs to go on from there.

use super::{Asked, Event, Nod, Opened, Opening, Outcome, Refusal, Refused, node};
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
        /// Whether the hook before the end has said that it may come.
        judged: bool,
    },
}

/// The names of one answer, and how far they are.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Act {
    pub(super) put_back: u32,
    pub(super) calls: Vec<Call>,
    /// What is known against each call before anything of it is looked at.
    pub(super) refused: Vec<Option<Refusal>>,
    /// How far each call is.
    pub(super) stages: Vec<Stage>,
    /// How many calls are pasted: those before this index.
    pub(super) pasted: usize,
    /// Whether the doors may be open beside each other: all are taken through the gate before the
    /// first is opened.
    pub(super) together: bool,
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
    /// It has a result, which is pasted when those before it are.
    Answered(Came),
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Came {
    Refused(Refusal),
    /// A person gave no nod.
    NoNod(Nod),
    Opened {
        /// What is told of it.
        told: Outcome,
        /// Whether it asked for the end of the run.
        ends: bool,
    },
}

impl Phase {
    /// The node from which a resumed run goes on.
    pub(super) fn node(&self) -> Node {
        match self {
            Self::New => node::LINE,
            Self::Assemble | Self::ModelFailed { .. } => node::ASSEMBLE,
            Self::Decide { .. } => node::DECIDE,
            Self::Done { judged: true, .. } => node::END,
            Self::Close { .. } | Self::Done { .. } => node::CLOSE,
            Self::Act(act) => match act.stages.get(act.next()) {
                Some(Stage::Asked(_) | Stage::Nodded(_)) => node::ASK,
                Some(Stage::Opening { opening, .. }) => node::open(&opening.door),
                Some(Stage::Waiting | Stage::Answered(_)) | None => node::LIST,
            },
        }
    }

    /// The openings that are under way, in the order of the calls.
    pub(super) fn openings(&self) -> impl Iterator<Item = &Opening> {
        let stages = match self {
            Self::Act(act) => act.stages.as_slice(),
            _ => &[],
        };
        stages.iter().filter_map(|stage| match stage {
            Stage::Opening { opening, .. } => Some(opening),
            _ => None,
        })
    }

    pub(super) fn nodded(&self) -> Option<&Asked> {
        match self.next_stage()? {
            Stage::Nodded(asked) => Some(asked),
            _ => None,
        }
    }

    pub(super) fn asked(&self) -> Option<&Asked> {
        match self.next_stage()? {
            Stage::Asked(asked) => Some(asked),
            _ => None,
        }
    }

    fn next_stage(&self) -> Option<&Stage> {
        match self {
            Self::Act(act) => act.stages.get(act.next()),
            _ => None,
        }
    }
}

impl Act {
    /// The names of an answer, before anything of them is looked at.
    pub(super) fn new(
        put_back: u32,
        calls: Vec<Call>,
        refused: Vec<Option<Refusal>>,
        together: bool,
    ) -> Self {
        let stages = vec![Stage::Waiting; calls.len()];
        Self {
            put_back,
            calls,
            refused,
            stages,
            pasted: 0,
            together,
        }
    }

    /// Index of the call that is to be looked at next, or is under way. Where doors are open beside
    /// each other, those that are open come when nothing is left to be looked at. There is one as
    /// long as the phase is [`Phase::Act`].
    pub(super) fn next(&self) -> usize {
        let is = |wanted: fn(&Stage) -> bool| self.stages.iter().position(wanted);
        let looked_at =
            |stage: &Stage| matches!(stage, Stage::Waiting | Stage::Asked(_) | Stage::Nodded(_));
        let first = is(|stage| !matches!(stage, Stage::Answered(_)));
        let next = match self.together {
            true => is(looked_at).or(first),
            false => first,
        };
        next.unwrap_or(self.stages.len())
    }

    /// Whether every call was opened and asked for the end of the run.
    pub(super) fn ends(&self) -> bool {
        let ends =
            |stage: &Stage| matches!(stage, Stage::Answered(Came::Opened { ends: true, .. }));
        self.stages.iter().all(ends)
    }

    /// An opening of which it is not known whether it ran.
    pub(super) fn uncertain(&self) -> Option<&Opening> {
        self.stages.iter().find_map(|stage| match stage {
            Stage::Opening {
                opening,
                uncertain: true,
            } => Some(opening),
            _ => None,
        })
    }

    /// The id of a call, by its index.
    pub(super) fn id(&self, index: usize) -> CallId {
        // An answer has far fewer than 2^32 names: it was parsed from memory.
        let (put_back, place) = (self.put_back, index as u32 + 1);
        CallId { put_back, place }
    }

    /// The index of a call of this answer.
    pub(super) fn index(&self, id: CallId) -> Option<usize> {
        let index = (id.place as usize).checked_sub(1)?;
        (id.put_back == self.put_back && index < self.calls.len()).then_some(index)
    }

    /// What comes of the calls when the run is cancelled. A question to a person stays as it is, and
    /// with it the calls behind it.
    pub(super) fn aborted(&self) -> Vec<Event> {
        let mut events: Vec<Event> = Vec::new();
        for stage in &self.stages {
            // What it used is lost with its instance: count all that it was given.
            if let Stage::Opening { opening, .. } = stage {
                let opened = Opened::new(opening.call, Outcome::Aborted, opening.fuel);
                events.push(Event::Opened(opened));
            }
        }
        let asks = |stage: &Stage| matches!(stage, Stage::Asked(_) | Stage::Nodded(_));
        if self.stages.iter().any(asks) {
            return events;
        }
        for (index, stage) in self.stages.iter().enumerate() {
            if *stage == Stage::Waiting {
                let refusal = self.refused[index].clone().unwrap_or(Refusal::Aborted);
                let call = self.id(index);
                events.push(Event::Refused(Refused::new(call, refusal)));
            }
        }
        events
    }
}
