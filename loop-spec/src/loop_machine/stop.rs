//! Stop: a close is judged, and every other stop is found here.

use serde::{Deserialize, Serialize};

use super::phase::{Phase, Stage};
use super::{CloseJudged, CloseRefusal, EndJudged, Event, LoopMachine, Step, Stopped, node};
use crate::numbers::numbers;
use crate::{Arrow, CallId, Misapplied, Node};

/// Why a run stands still (acceptance A15).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Stop {
    /// The close stands. The only stop that cannot be resumed.
    Done {
        /// The close.
        close: String,
    },
    /// The model was put back as often as it may be.
    PutBacks {
        /// The cap.
        cap: u32,
    },
    /// The same door failed too often with the same arguments.
    SameFailure {
        /// The door.
        door: String,
        /// The canonical arguments.
        arguments: String,
        /// How often.
        times: u32,
    },
    /// A person must be asked first.
    WaitingForNod {
        /// The call that waits.
        call: CallId,
    },
    /// The run's fuel is used up.
    Fuel {
        /// Fuel used.
        used: u64,
        /// The budget.
        budget: u64,
    },
    /// The model's answers were cut short by their length, one after another.
    Length {
        /// How many.
        times: u32,
    },
    /// Every door of an answer asked for the end of the run, and may.
    Ended {
        /// The first of them.
        door: String,
    },
    /// Somebody cancelled it.
    Cancelled,
    /// The model gave no answer.
    ModelError {
        /// Why.
        why: String,
    },
    /// `loop.txt`, or a door that it lists, cannot be read.
    BadLoop {
        /// Why.
        why: String,
    },
}

impl Stop {
    /// The stop's name, as it stands in the diagram behind `stop:`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Done { .. } => "done",
            Self::PutBacks { .. } => "put-backs",
            Self::SameFailure { .. } => "same-failure",
            Self::WaitingForNod { .. } => "waiting-for-nod",
            Self::Fuel { .. } => "fuel",
            Self::Length { .. } => "length",
            Self::Ended { .. } => "ended",
            Self::Cancelled => "cancelled",
            Self::ModelError { .. } => "model-error",
            Self::BadLoop { .. } => "bad-loop",
        }
    }

    /// Its node.
    #[must_use]
    pub fn node(&self) -> Node {
        match self {
            Self::Done { .. } => node::DONE,
            Self::PutBacks { .. } => node::PUT_BACKS,
            Self::SameFailure { .. } => node::SAME_FAILURE,
            Self::WaitingForNod { .. } => node::WAITING_FOR_NOD,
            Self::Fuel { .. } => node::FUEL,
            Self::Length { .. } => node::LENGTH,
            Self::Ended { .. } => node::ENDED,
            Self::Cancelled => node::CANCELLED,
            Self::ModelError { .. } => node::MODEL_ERROR,
            Self::BadLoop { .. } => node::BAD_LOOP,
        }
    }
}

impl LoopMachine {
    /// The stop that failures or fuel have made due.
    pub(super) fn due(&self) -> Option<Stop> {
        let text = self.reading.as_ref()?.text();
        if let Some((door, arguments, times)) = &self.failures.worst
            && *times >= text.same_failure().get()
        {
            let (door, arguments) = (door.clone(), arguments.clone());
            return Some(Stop::SameFailure {
                door,
                arguments,
                times: *times,
            });
        }
        let times = self.cut_short;
        if times >= LENGTH_STOPS {
            return Some(Stop::Length { times });
        }
        let (used, budget) = (self.fuel, text.fuel().get());
        (used >= budget).then_some(Stop::Fuel { used, budget })
    }

    pub(super) fn close_step(&self, put_back: u32, close: &str) -> Step {
        let judged = |refused| {
            Step::Record(Event::CloseJudged(CloseJudged {
                put_back,
                refused,
                fuel: 0,
            }))
        };
        if let Some(refused) = self.needs_missing().or_else(|| self.number_missing(close)) {
            return judged(Some(refused));
        }
        let asks_a_door = self
            .reading
            .as_ref()
            .is_some_and(|r| r.text().close().is_some());
        match self.due() {
            _ if !asks_a_door => judged(None),
            Some(stop @ Stop::Fuel { .. }) => record(stop),
            _ => Step::Judge {
                put_back,
                close: close.to_owned(),
            },
        }
    }

    fn needs_missing(&self) -> Option<CloseRefusal> {
        let text = self.reading.as_ref()?.text();
        let door = text
            .needs()
            .iter()
            .find(|door| !self.history.opened_well(door))?;
        Some(CloseRefusal::Needs { door: door.clone() })
    }

    /// The first number of the close that stands neither in the goal, nor in the user's line, nor
    /// in anything a door returned. What Doorlist itself writes on the page does not count: it
    /// numbers its lines.
    fn number_missing(&self, close: &str) -> Option<CloseRefusal> {
        let (run, text) = (self.run.as_ref()?, self.reading.as_ref()?.text());
        if !text.numbers_from_page() {
            return None;
        }
        let stands = |number: &str| {
            self.history.has_number(number)
                || numbers(text.prose())
                    .chain(numbers(&run.line))
                    .any(|(_, n)| n == number)
        };
        let (written, _) = numbers(close).find(|(_, number)| !stands(number))?;
        Some(CloseRefusal::Number {
            number: written.to_owned(),
        })
    }

    pub(super) fn close_judged(
        &mut self,
        event: &Event,
        judged: &CloseJudged,
    ) -> Result<Vec<Arrow>, Misapplied> {
        let Phase::Close { put_back, text } = self.phase.clone() else {
            return Err(self.misapplied(event, "no close is to be judged"));
        };
        if put_back != judged.put_back {
            return Err(self.misapplied(event, format!("the close of {put_back} is judged")));
        }
        let refused = judged.refused.as_ref();
        let ahead = refused.map(|_| node::PASTE);
        let arrows = self.path(event, ahead.as_slice())?;
        self.fuel = self.fuel.saturating_add(judged.fuel);
        self.history.close(&text, self.language());
        self.phase = match refused {
            None => Phase::Done {
                close: text,
                judged: false,
            },
            Some(refusal) => {
                let reason = self.refusal(refusal);
                self.history.close_refused(&reason, self.language());
                Phase::Assemble
            }
        };
        self.arrive(&arrows);
        Ok(arrows)
    }

    /// Whether the hook before the end is asked: as often as it may say no.
    pub(super) fn end_is_judged(&self) -> bool {
        let hooked = self.reading.as_ref().is_some_and(|it| it.hooks().end);
        hooked && self.end_refused < END_REFUSALS
    }

    pub(super) fn end_judged(
        &mut self,
        event: &Event,
        judged: &EndJudged,
    ) -> Result<Vec<Arrow>, Misapplied> {
        let Phase::Done {
            close,
            judged: false,
        } = self.phase.clone()
        else {
            return Err(self.misapplied(event, "no end is to be judged"));
        };
        if !self.end_is_judged() {
            return Err(self.misapplied(event, "no hook is asked about the end"));
        }
        let refused = judged.refused.as_ref();
        let mut nodes = vec![node::END];
        nodes.extend(refused.map(|_| node::PASTE));
        let arrows = self.path(event, &nodes)?;
        self.fuel = self.fuel.saturating_add(judged.fuel);
        self.phase = match refused {
            None => Phase::Done {
                close,
                judged: true,
            },
            Some(reason) => {
                self.end_refused += 1;
                let reason = crate::frame::one_line(reason);
                self.history.close_refused(&reason, self.language());
                Phase::Assemble
            }
        };
        self.arrive(&arrows);
        Ok(arrows)
    }

    fn refusal(&self, refusal: &CloseRefusal) -> String {
        let words = self.language().words();
        match refusal {
            CloseRefusal::Needs { door } => words.not_needed_yet(door),
            CloseRefusal::Number { number } => words.number_not_on_page(number),
            CloseRefusal::Check { reason } => crate::frame::one_line(reason),
            CloseRefusal::CheckFailed { outcome } => {
                crate::frame::one_line(self.language().outcome(outcome).trim_end())
            }
        }
    }

    pub(super) fn stopped(
        &mut self,
        event: &Event,
        stopped: &Stopped,
    ) -> Result<Vec<Arrow>, Misapplied> {
        if self.phase == Phase::New || self.phase.openings().next().is_some() {
            return Err(self.misapplied(event, "the run has not started, or a door is open"));
        }
        let stop = &stopped.stop;
        if matches!(stop, Stop::Done { .. }) {
            match &self.phase {
                Phase::Done { judged, .. } if *judged || !self.end_is_judged() => {}
                Phase::Done { .. } => {
                    return Err(self.misapplied(event, "a hook is to be asked about the end"));
                }
                _ => return Err(self.misapplied(event, "no close stands")),
            }
        }
        if let Stop::Ended { door } = stop
            && self.ended.as_ref() != Some(door)
        {
            return Err(self.misapplied(event, "no door asked for the end, or none that may"));
        }
        let mut nodes = vec![stop.node()];
        // These two come where the run stands; every other stop is found on the way to the next node.
        if !matches!(stop, Stop::Cancelled | Stop::ModelError { .. }) {
            let before = self.phase.node();
            if before != self.at {
                nodes.insert(0, before);
            }
        }
        let arrows = self.path(event, &nodes)?;
        self.stop = Some(stop.clone());
        self.arrive(&arrows);
        Ok(arrows)
    }

    pub(super) fn resumed(&mut self, event: &Event) -> Result<Vec<Arrow>, Misapplied> {
        if self.phase == Phase::New || matches!(self.stop, Some(Stop::Done { .. })) {
            return Err(self.misapplied(event, "the run is done, or has not started"));
        }
        let phase = match self.phase.clone() {
            Phase::ModelFailed { .. } => Phase::Assemble,
            Phase::Act(mut act) => {
                for stage in &mut act.stages {
                    if let Stage::Opening { uncertain, .. } = stage {
                        *uncertain = true;
                    }
                }
                Phase::Act(act)
            }
            phase => phase,
        };
        let arrows = self.path(event, &[node::RESUME, phase.node()])?;
        self.phase = phase;
        self.ended = None;
        self.stop = None;
        self.arrive(&arrows);
        Ok(arrows)
    }
}

/// The step that records a stop.
pub(super) fn record(stop: Stop) -> Step {
    Step::Record(event(stop))
}

/// The event of a stop.
pub(super) fn event(stop: Stop) -> Event {
    Event::Stopped(Stopped { stop })
}

/// How often a hook may say that the run may not end yet (acceptance C10).
const END_REFUSALS: u32 = 5;
/// Answers in a row that may be cut short by their length (acceptance C9).
const LENGTH_STOPS: u32 = 3;
