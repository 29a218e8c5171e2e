//! The driver's hands for a loop: each step of the machine becomes an effect, and the event of it.

use std::sync::Arc;

use async_trait::async_trait;
use loop_spec::lock::Unaccepted;
use loop_spec::loop_machine::{
    Answered, Asked, Event, LoopMachine, ModelFailed, Nod, Opened, Opening, Outcome, Refusal,
    Refused, RunStarted, Step, Stop, Stopped,
};
use loop_spec::{Call, CallId};
use wasmtime::component::Val;

use super::check::judge;
use super::question::{answered, is_late, question, shows};
use super::{Doorkeeper, LoopSource, Nobody, Snapshot};
use crate::ambient::Ambient;
use crate::driver::{Hands, HostError};
use crate::gate::{Admission, Came, Conditions, Gate, GuardedDoor};
use crate::models::{Deaf, Listener, Model};
use crate::sandbox::Reached;

/// Does the steps of one run.
pub struct LoopHands<'a> {
    gate: &'a Gate,
    source: Box<dyn LoopSource + 'a>,
    model: Box<dyn Model + 'a>,
    listener: Box<dyn Listener + 'a>,
    doorkeeper: Box<dyn Doorkeeper + 'a>,
    line: String,
    snapshot: Option<Arc<Snapshot>>,
    /// The arguments of the call that was admitted last, as its component takes them.
    admitted: Option<(CallId, Vec<Val>)>,
}

impl<'a> LoopHands<'a> {
    /// Hands for a run with this user's line.
    #[must_use]
    pub fn new(
        gate: &'a Gate,
        source: Box<dyn LoopSource + 'a>,
        model: Box<dyn Model + 'a>,
        line: String,
    ) -> Self {
        let (listener, doorkeeper) = (Box::new(Deaf), Box::new(Nobody));
        Self {
            gate,
            source,
            model,
            listener,
            doorkeeper,
            line,
            snapshot: None,
            admitted: None,
        }
    }

    /// Lets `listener` hear the model while it speaks.
    #[must_use]
    pub fn heard_by(mut self, listener: Box<dyn Listener + 'a>) -> Self {
        self.listener = listener;
        self
    }

    /// Lets `doorkeeper` ask a person while the run waits.
    #[must_use]
    pub fn asking(mut self, doorkeeper: Box<dyn Doorkeeper + 'a>) -> Self {
        self.doorkeeper = doorkeeper;
        self
    }

    pub(super) fn model(&self) -> &dyn Model {
        &*self.model
    }

    /// Reads the loop again; an event when it is other than `machine` knows it.
    pub(super) fn reread(&mut self, machine: &LoopMachine) -> Result<Option<Event>, String> {
        let snapshot = self.source.read()?;
        let news = snapshot.news(machine);
        self.snapshot = Some(snapshot);
        Ok(news.map(Event::LoopRead))
    }

    fn start(&self) -> Event {
        Event::RunStarted(RunStarted {
            line: self.line.clone(),
            doorlist: env!("CARGO_PKG_VERSION").to_owned(),
            engine: crate::sandbox::ENGINE.to_owned(),
            model: self.model.name().to_owned(),
        })
    }

    fn assemble(&mut self, machine: &LoopMachine) -> Event {
        match self.reread(machine) {
            Ok(news) => news.unwrap_or_else(|| machine.assembled()),
            Err(why) => Event::Stopped(Stopped {
                stop: Stop::BadLoop { why },
            }),
        }
    }

    async fn decide(&mut self, machine: &LoopMachine, put_back: u32) -> Result<Event, HostError> {
        let page = machine
            .page()
            .ok_or_else(|| missing("a page before loop.txt was read"))?;
        Ok(
            match self
                .model
                .decide(put_back, &page, &mut *self.listener)
                .await
            {
                Ok(decision) => Event::Answered(Answered {
                    put_back,
                    answer: decision.answer,
                    ended: decision.ended,
                    fuel: decision.fuel,
                    usage: decision.usage,
                }),
                Err(error) => Event::ModelFailed(ModelFailed {
                    put_back,
                    why: error.why,
                    answer: error.answer,
                    fuel: error.fuel,
                    usage: error.usage,
                }),
            },
        )
    }

    fn admit(
        &mut self,
        machine: &LoopMachine,
        id: CallId,
        call: &Call,
        nodded: bool,
        ambient: &dyn Ambient,
    ) -> Result<Event, HostError> {
        let snapshot = self.snapshot()?;
        let door = door(&snapshot, &call.name)?;
        let admission = self.gate.admit(door, &call.arguments, nodded);
        Ok(match admission {
            Admission::Misfit { what } => misfit(id, what, call.canonical_arguments()),
            Admission::Locked { why, arguments } => locked(id, why, arguments),
            Admission::Ask { arguments } => question(&snapshot, door, id, arguments, ambient),
            Admission::Open { arguments, values } => {
                let nodded = machine.nodded();
                if nodded.is_some_and(|nodded| is_late(nodded, ambient)) {
                    return Ok(answered(id, Nod::Expired));
                }
                if nodded.is_some_and(|nodded| !shows(nodded, door, &arguments)) {
                    return Ok(question(&snapshot, door, id, arguments, ambient));
                }
                self.admitted = Some((id, values));
                Event::Opening(Opening {
                    call: id,
                    door: call.name.clone(),
                    component: door.door.component_digest(),
                    interface: door.door.interface_digest(),
                    arguments,
                    time: ambient.now(),
                    seed: ambient.seed(),
                    fuel: machine.fuel_left().min(door.limits.fuel),
                    pure: door.is_pure(),
                })
            }
        })
    }

    /// Asks a person, about what would be opened now: a door that is other than it was when it was
    /// asked about is asked about again.
    async fn ask(&mut self, asked: &Asked, ambient: &dyn Ambient) -> Result<Event, HostError> {
        let (call, arguments) = (asked.call, &asked.arguments);
        if is_late(asked, ambient) {
            return Ok(answered(call, Nod::Expired));
        }
        let snapshot = self.snapshot()?;
        let door = door(&snapshot, &asked.door)?;
        if door.locked.is_some() || !shows(asked, door, arguments) {
            return Ok(match self.gate.admit(door, arguments, false) {
                Admission::Misfit { what } => misfit(call, what, arguments.clone()),
                Admission::Locked { why, arguments } => locked(call, why, arguments),
                Admission::Ask { arguments } | Admission::Open { arguments, .. } => {
                    question(&snapshot, door, call, arguments, ambient)
                }
            });
        }
        Ok(match self.doorkeeper.nod(asked).await? {
            Some(_) if is_late(asked, ambient) => answered(call, Nod::Expired),
            Some(nod) => answered(call, nod),
            None => Event::Stopped(Stopped {
                stop: Stop::WaitingForNod { call },
            }),
        })
    }

    async fn open(&mut self, opening: &Opening) -> Result<Event, HostError> {
        let snapshot = self.snapshot()?;
        let door = door(&snapshot, &opening.door)?;
        let conditions = conditions(opening);
        let came = match self.admitted.take() {
            Some((id, values)) if id == opening.call => {
                self.gate.open(door, values, conditions).await
            }
            _ => {
                self.gate
                    .open_recorded(door, &opening.arguments, conditions)
                    .await
            }
        };
        Ok(opened(opening, came))
    }

    /// A pure door is opened again with the bytes, the time and the seed that stand in the journal;
    /// of any other it is not known whether it ran.
    async fn settle(&mut self, opening: &Opening) -> Result<Event, HostError> {
        let snapshot = self.snapshot()?;
        let same = snapshot.doors.get(&opening.door).filter(|door| {
            opening.pure && door.is_pure() && door.door.component_digest() == opening.component
        });
        let came = match same {
            Some(door) => {
                self.gate
                    .open_recorded(door, &opening.arguments, conditions(opening))
                    .await
            }
            None => Came {
                outcome: Outcome::Unknown,
                fuel: 0,
                printed: String::new(),
                reached: Reached::default(),
            },
        };
        Ok(opened(opening, came))
    }

    fn snapshot(&self) -> Result<Arc<Snapshot>, HostError> {
        self.snapshot
            .clone()
            .ok_or_else(|| missing("an opening before loop.txt was read"))
    }
}

#[async_trait]
impl Hands<LoopMachine> for LoopHands<'_> {
    async fn perform(
        &mut self,
        machine: &LoopMachine,
        step: Step,
        ambient: &dyn Ambient,
    ) -> Result<Event, HostError> {
        match step {
            Step::Start => Ok(self.start()),
            Step::Assemble => Ok(self.assemble(machine)),
            Step::Decide { put_back } => self.decide(machine, put_back).await,
            Step::Admit { id, call, nodded } => self.admit(machine, id, &call, nodded, ambient),
            Step::Ask(asked) => self.ask(&asked, ambient).await,
            Step::Open(opening) => self.open(&opening).await,
            Step::Settle(opening) => self.settle(&opening).await,
            Step::Judge { put_back, close } => {
                let snapshot = self.snapshot()?;
                judge(self.gate, &snapshot, machine, put_back, &close).await
            }
            Step::Record(event) => Ok(event),
        }
    }
}

fn door<'s>(snapshot: &'s Snapshot, name: &str) -> Result<&'s GuardedDoor, HostError> {
    snapshot
        .doors
        .get(name)
        .ok_or_else(|| missing(&format!("no door for the listed name `{name}`")))
}

fn misfit(call: CallId, what: String, arguments: String) -> Event {
    let refusal = Refusal::Misfit { what, arguments };
    Event::Refused(Refused { call, refusal })
}

fn locked(call: CallId, why: Unaccepted, arguments: String) -> Event {
    let refusal = Refusal::Locked { why, arguments };
    Event::Refused(Refused { call, refusal })
}

fn conditions(opening: &Opening) -> Conditions {
    Conditions {
        time: opening.time,
        seed: opening.seed,
        fuel: opening.fuel,
    }
}

fn opened(opening: &Opening, came: Came) -> Event {
    let Came {
        outcome,
        fuel,
        printed,
        ..
    } = came;
    Event::Opened(Opened {
        call: opening.call,
        outcome,
        fuel,
        printed,
    })
}

pub(super) fn missing(what: &str) -> HostError {
    HostError {
        doing: "driving a loop".to_owned(),
        source: what.into(),
    }
}
