//! A session: a client that calls doors itself, where a loop's model is asked for them.
//!
//! It has no page and no put-backs: a client, such as that of the Model Context Protocol, says which
//! door it wants next, and several at once. What holds in a loop holds here: the list, the order of
//! the gate, fuel for the whole, and that the same failure is not opened again for ever.
//!
//! A client cannot wait for a person as a run does. A call that must be asked first leaves a question
//! behind, and the same call made again takes up that question: the first one after a nod uses it.

mod event;
mod name;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::convert::Infallible;

use crate::kv::Kept;
use crate::loop_machine::{Asked, Nod, Opened, Opening, Outcome, Returned};
use crate::{Arrow, CallId, Machine, Misapplied, Node, Recorded as _};

pub use event::{AnswerTold, CallRefused, Event, Started};
pub use name::{NotAQuestion, QuestionName};

/// What has happened in a session.
#[derive(Clone, Debug, Default)]
pub struct SessionMachine {
    started: Option<Started>,
    /// Calls that were numbered.
    calls: u32,
    questions: BTreeMap<CallId, Question>,
    open: BTreeMap<CallId, Opening>,
    fuel: u64,
    kept: Kept,
    returned: Returned,
    /// How often a door failed with the same arguments.
    failures: BTreeMap<(String, String), u32>,
    /// The first door whose output the client has and must not trust.
    tainted_by: Option<String>,
}

/// A question to a person that nobody has taken up yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What is asked.
    pub asked: Asked,
    /// What was answered.
    pub nod: Option<Nod>,
}

impl SessionMachine {
    /// A session that has not begun.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// How it began.
    #[must_use]
    pub fn started(&self) -> Option<&Started> {
        self.started.as_ref()
    }

    /// The number of the next call.
    #[must_use]
    pub fn next_call(&self) -> CallId {
        call(self.calls + 1)
    }

    /// How many calls there were.
    #[must_use]
    pub fn calls(&self) -> u32 {
        self.calls
    }

    /// The questions that were not taken up, with what was answered.
    pub fn questions(&self) -> impl Iterator<Item = &Question> {
        self.questions.values()
    }

    /// The questions that nobody has answered, expired or not.
    pub fn pending(&self) -> impl Iterator<Item = &Asked> {
        let pending = self.questions().filter(|question| question.nod.is_none());
        pending.map(|question| &question.asked)
    }

    /// The question about this call.
    #[must_use]
    pub fn question(&self, call: CallId) -> Option<&Question> {
        self.questions.get(&call)
    }

    /// The question that is about the same opening as `asked`.
    #[must_use]
    pub fn same_question(&self, asked: &Asked) -> Option<&Question> {
        self.questions().find(|question| {
            let Asked {
                door,
                component,
                interface,
                arguments,
                ..
            } = &question.asked;
            *door == asked.door
                && *component == asked.component
                && *interface == asked.interface
                && *arguments == asked.arguments
        })
    }

    /// The first door whose output the client has and must not trust: from there on, doors whose effect
    /// is outside are asked first.
    #[must_use]
    pub fn tainted_by(&self) -> Option<&str> {
        self.tainted_by.as_deref()
    }

    /// The openings of which the outcome is not known.
    pub fn open(&self) -> impl Iterator<Item = &Opening> {
        self.open.values()
    }

    /// Fuel used by all openings.
    #[must_use]
    pub fn fuel(&self) -> u64 {
        self.fuel
    }

    /// What the doors of its components keep.
    #[must_use]
    pub fn kept(&self) -> &Kept {
        &self.kept
    }

    /// What its doors returned, whole.
    #[must_use]
    pub fn returned(&self) -> &Returned {
        &self.returned
    }

    /// How often this door failed with these canonical arguments.
    #[must_use]
    pub fn failures(&self, door: &str, arguments: &str) -> u32 {
        let key = (door.to_owned(), arguments.to_owned());
        self.failures.get(&key).copied().unwrap_or_default()
    }

    fn number(&mut self, call: CallId) -> Result<(), String> {
        if call != self.next_call() {
            return Err(format!("the next call is {}, not {call}", self.next_call()));
        }
        self.calls += 1;
        Ok(())
    }

    fn refused(&mut self, refused: &CallRefused) -> Result<(), String> {
        self.number(refused.call)?;
        self.use_fuel(Some(refused.fuel));
        if let Some(arguments) = refused.refusal.arguments() {
            self.failed(&refused.door, arguments);
        }
        Ok(())
    }

    fn asked(&mut self, asked: &Asked) -> Result<(), String> {
        if self.same_question(asked).is_some() {
            return Err("a person is asked about the same opening already".to_owned());
        }
        self.number(asked.call)?;
        self.use_fuel(asked.hooked);
        let asked = asked.clone();
        self.questions
            .insert(asked.call, Question { asked, nod: None });
        Ok(())
    }

    fn answered(&mut self, call: CallId, nod: Nod) -> Result<(), String> {
        let question = self.questions.get_mut(&call);
        let question = question.ok_or("no person is asked about this call")?;
        match question.nod {
            // A nod that is not used in time is one no more.
            None | Some(Nod::Given) if question.nod.is_none() || nod == Nod::Expired => {
                question.nod = Some(nod);
                Ok(())
            }
            _ => Err("it was answered already".to_owned()),
        }
    }

    fn told(&mut self, call: CallId) -> Result<(), String> {
        let question = self.questions.get(&call);
        match question.ok_or("no person is asked about this call")?.nod {
            None => Err("a person has not answered yet".to_owned()),
            Some(Nod::Given) => Err("a nod is used by an opening".to_owned()),
            Some(_) => {
                self.questions.remove(&call);
                Ok(())
            }
        }
    }

    fn opening(&mut self, opening: &Opening) -> Result<(), String> {
        if let Some(Question { asked, nod }) = self.questions.get(&opening.call) {
            match nod {
                None => return Err("a person has not answered yet".to_owned()),
                Some(Nod::Given) if !asked.is_for(opening) => {
                    return Err("the nod is for another opening".to_owned());
                }
                Some(Nod::Given) => {
                    self.questions.remove(&opening.call);
                }
                Some(nod) => return Err(format!("a person was asked: {}", nod.word())),
            }
        } else {
            self.number(opening.call)?;
        }
        self.use_fuel(opening.hooked);
        self.open.insert(opening.call, opening.clone());
        Ok(())
    }

    fn opened(&mut self, opened: &Opened) -> Result<(), String> {
        let opening = self.open.get(&opened.call).cloned();
        let opening = opening.ok_or("the door is not open")?;
        opened.keep(&opening.door, &mut self.kept)?;
        self.use_fuel(Some(opened.all_fuel()));
        let told = opened.told();
        self.returned.keep(opened.call, &told);
        self.open.remove(&opened.call);
        if opening.taints && opened.outcome.has_returned() {
            self.tainted_by.get_or_insert(opening.door.clone());
        }
        let key = (opening.door, opening.arguments);
        match &told {
            outcome if outcome.is_failure() => self.failed(&key.0, &key.1),
            Outcome::Said { .. } => {
                self.failures.remove(&key);
            }
            _ => {}
        }
        Ok(())
    }

    fn use_fuel(&mut self, fuel: Option<u64>) {
        self.fuel = self.fuel.saturating_add(fuel.unwrap_or(0));
    }

    fn failed(&mut self, door: &str, arguments: &str) {
        let key = (door.to_owned(), arguments.to_owned());
        *self.failures.entry(key).or_default() += 1;
    }
}

impl Machine for SessionMachine {
    type Event = Event;
    /// It wants nothing: the client does.
    type Step = Infallible;

    fn step(&self) -> Option<Infallible> {
        None
    }

    fn cancelled(&self) -> Vec<Event> {
        Vec::new()
    }

    fn apply(&mut self, event: &Event) -> Result<Vec<Arrow>, Misapplied> {
        let applied = match event {
            Event::Started(started) if self.started.is_none() => {
                self.started = Some(started.clone());
                Ok(())
            }
            Event::Started(_) => Err("the session has begun already".to_owned()),
            _ if self.started.is_none() => Err("the session has not begun".to_owned()),
            Event::Refused(refused) => self.refused(refused),
            Event::Asked(asked) => self.asked(asked),
            Event::NodAnswered(answered) => self.answered(answered.call, answered.nod),
            Event::Told(told) => self.told(told.call),
            Event::Opening(opening) => self.opening(opening),
            Event::Opened(opened) => self.opened(opened),
        };
        applied.map(|()| Vec::new()).map_err(|why| Misapplied {
            event: event.to_entry().kind,
            at: NODE,
            why,
        })
    }
}

/// The call of a number: a session's calls are one after another, so each has the first place.
fn call(number: u32) -> CallId {
    CallId {
        put_back: number,
        place: 1,
    }
}

/// A session stands where it stands: what it is at is what is open and asked.
const NODE: Node = Node::fixed("session");
