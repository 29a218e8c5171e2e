//! The driver's hands for a loop: each step of the machine becomes an effect, and the event of it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use loop_spec::lock::Unaccepted;
use loop_spec::loop_machine::{
    Answered, Asked, Compacted, Event, LoopMachine, ModelFailed, Nod, NotCompacted, Opened,
    Opening, Outcome, Refusal, Refused, RunStarted, Step, Stop, Stopped, ToSumUp,
};
use loop_spec::{Answer, Call, CallId, Ended, clip};
use tokio::task::JoinSet;
use wasmtime::component::Val;

use super::check::judge;
use super::question::{answered, is_late, question, shows};
use super::{Doorkeeper, Inbox, LoopSource, Nobody, Silence, Snapshot};
use crate::ambient::Ambient;
use crate::driver::{Hands, HostError};
use crate::gate::{Admission, Before, Came, Conditions, Gate, GuardedDoor};
use crate::grants::Grants;
use crate::models::{Deaf, Decision, Listener, Model};

/// Does the steps of one run.
pub struct LoopHands<'a> {
    gate: &'a Gate,
    source: Box<dyn LoopSource + 'a>,
    model: Box<dyn Model + 'a>,
    listener: Box<dyn Listener + 'a>,
    doorkeeper: Box<dyn Doorkeeper + 'a>,
    inbox: Box<dyn Inbox + 'a>,
    line: String,
    snapshot: Option<Arc<Snapshot>>,
    /// The arguments of the calls that were admitted and are not open yet, as their components take
    /// them.
    admitted: BTreeMap<CallId, Vec<Val>>,
    /// Doors that are open beside each other.
    open: JoinSet<Opened>,
    beside: BTreeSet<CallId>,
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
            inbox: Box::new(Silence),
            line,
            snapshot: None,
            admitted: BTreeMap::new(),
            open: JoinSet::new(),
            beside: BTreeSet::new(),
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

    /// Lets people say something to the run while it goes on.
    #[must_use]
    pub fn hearing(mut self, inbox: Box<dyn Inbox + 'a>) -> Self {
        self.inbox = inbox;
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

    /// In the order of acceptance C19: what people said, the summary, then the stops.
    async fn assemble(&mut self, machine: &LoopMachine) -> Result<Event, HostError> {
        if machine.listens()
            && let Some(said) = self.inbox.next(machine, false)?
        {
            return Ok(Event::Said(said));
        }
        let news = match self.reread(machine) {
            Ok(news) => news,
            Err(why) => {
                let stop = Stop::BadLoop { why };
                return Ok(Event::Stopped(Stopped { stop }));
            }
        };
        if news.is_none()
            && self.model.sums_up()
            && let Some(to_sum_up) = machine.to_sum_up()
        {
            return self.sum_up(machine, &to_sum_up).await;
        }
        Ok(news.unwrap_or_else(|| machine.assembled()))
    }

    /// Lets the model sum up what came first. What it says then is no answer: it names nothing, and
    /// counts as no put-back.
    async fn sum_up(
        &mut self,
        machine: &LoopMachine,
        to_sum_up: &ToSumUp,
    ) -> Result<Event, HostError> {
        let page = machine
            .page_to_sum_up(to_sum_up)
            .ok_or_else(|| missing("a page before loop.txt was read"))?;
        let put_back = machine.put_backs();
        let decided = self.model.decide(put_back, &page, &mut Deaf).await;
        let (why, fuel, usage) = match decided {
            Ok(Decision {
                answer: Answer::Close(summary),
                ended,
                fuel,
                usage,
            }) if ended != Ended::Length && !summary.trim().is_empty() => {
                return Ok(Event::Compacted(Compacted {
                    turns: to_sum_up.turns,
                    summary: clip(&summary, LONGEST_SUMMARY),
                    fuel,
                    usage,
                }));
            }
            Ok(decision) => {
                let why = "expected a summary, found names, nothing, or one that was cut short";
                (why.to_owned(), decision.fuel, decision.usage)
            }
            Err(error) => (error.why, error.fuel, error.usage),
        };
        Ok(Event::NotCompacted(NotCompacted { why, fuel, usage }))
    }

    async fn end(
        &mut self,
        machine: &LoopMachine,
        close: String,
        judge: bool,
    ) -> Result<Event, HostError> {
        if let Some(said) = self.inbox.next(machine, true)? {
            return Ok(Event::Said(said));
        }
        if judge {
            let snapshot = self.snapshot()?;
            let fuel = machine.fuel_left();
            let judged = snapshot.hooks.end(self.gate, &close, fuel).await;
            let judged = judged.ok_or_else(|| missing("no hook before the end was read"))?;
            return Ok(Event::EndJudged(judged));
        }
        Ok(Event::Stopped(Stopped {
            stop: Stop::Done { close },
        }))
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

    async fn admit(
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
        let (arguments, values) = match admission {
            Admission::Misfit { what } => {
                return Ok(misfit(id, what, call.canonical_arguments()));
            }
            Admission::Locked { why, arguments } => return Ok(locked(id, why, arguments)),
            Admission::Ask { arguments } => (arguments, None),
            Admission::Open { arguments, values } => (arguments, Some(values)),
        };
        let nodded = machine.nodded();
        if nodded.is_some_and(|nodded| is_late(nodded, ambient)) {
            return Ok(answered(id, Nod::Expired));
        }
        let hooked = match nodded.and_then(|nodded| nodded.hooked) {
            // It was asked before the person was.
            Some(_) => None,
            None => {
                let (fuel, language) = (machine.fuel_left(), snapshot.text.language());
                let hooks = &snapshot.hooks;
                hooks
                    .before(self.gate, &call.name, &arguments, fuel, language)
                    .await
            }
        };
        if let Some(Before {
            refused: Some(reason),
            fuel,
        }) = hooked
        {
            let (call, refusal) = (id, Refusal::Hook { reason, arguments });
            return Ok(Event::Refused(Refused {
                call,
                refusal,
                fuel,
            }));
        }
        let hooked = hooked.map(|before| before.fuel);
        let stands = |nodded: &Asked| shows(nodded, door, &arguments);
        let values = values.filter(|_| match nodded {
            Some(nodded) => stands(nodded),
            None => !machine.must_be_asked(&call.name),
        });
        Ok(match values {
            None => {
                let hooked = hooked.or(nodded.and_then(|nodded| nodded.hooked));
                question(machine, &snapshot, door, id, arguments, hooked, ambient)
            }
            Some(values) => {
                self.admitted.insert(id, values);
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
                    taints: door.marks.untrusted,
                    hooked,
                })
            }
        })
    }

    /// Asks a person, about what would be opened now: a door that is other than it was when it was
    /// asked about is asked about again.
    async fn ask(
        &mut self,
        machine: &LoopMachine,
        asked: &Asked,
        ambient: &dyn Ambient,
    ) -> Result<Event, HostError> {
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
                    let hooked = asked.hooked;
                    question(machine, &snapshot, door, call, arguments, hooked, ambient)
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

    /// Opens what is not open yet, and waits for the first that ends.
    async fn open(
        &mut self,
        machine: &LoopMachine,
        openings: &[Opening],
    ) -> Result<Event, HostError> {
        if let [opening] = openings
            && self.open.is_empty()
        {
            let opened = self.opened(machine, opening)?.await;
            return Ok(Event::Opened(opened));
        }
        for opening in openings {
            if !self.beside.insert(opening.call) {
                continue;
            }
            let opened = self.opened(machine, opening)?;
            self.open.spawn(opened);
        }
        match self.open.join_next().await {
            Some(Ok(opened)) => {
                self.beside.remove(&opened.call);
                Ok(Event::Opened(opened))
            }
            Some(Err(error)) => Err(HostError {
                doing: "opening a door beside others".to_owned(),
                source: error.into(),
            }),
            None => Err(missing("doors that are open")),
        }
    }

    /// One opening, which holds all that it needs.
    fn opened(
        &mut self,
        machine: &LoopMachine,
        opening: &Opening,
    ) -> Result<impl Future<Output = Opened> + Send + 'static, HostError> {
        let (snapshot, gate) = (self.snapshot()?, self.gate.clone());
        let opening = opening.clone();
        let grants = door(&snapshot, &opening.door)?.grants.clone();
        let values = self.admitted.remove(&opening.call);
        let conditions = conditions(machine, &opening, &grants);
        Ok(async move {
            let (door, arguments) = (&snapshot.doors[&opening.door], &opening.arguments);
            let mut came = match values {
                Some(values) => gate.open(door, values, conditions.clone()).await,
                None => {
                    gate.open_recorded(door, arguments, conditions.clone())
                        .await
                }
            };
            for pause in PAUSES {
                if !(came.fuel == 0 && matches!(came.outcome, Outcome::HostFault { .. })) {
                    break;
                }
                // Nothing of the door ran, and what is wrong with the host may pass (acceptance C16).
                tokio::time::sleep(pause).await;
                came = gate
                    .open_recorded(door, arguments, conditions.clone())
                    .await;
            }
            told(&gate, &snapshot, &opening, came).await
        })
    }

    /// A pure door is opened again with the bytes, the time and the seed that stand in the journal;
    /// of any other it is not known whether it ran.
    async fn settle(
        &mut self,
        machine: &LoopMachine,
        opening: &Opening,
    ) -> Result<Event, HostError> {
        let snapshot = self.snapshot()?;
        let same = snapshot.doors.get(&opening.door).filter(|door| {
            opening.pure && door.is_pure() && door.door.component_digest() == opening.component
        });
        let Some(door) = same else {
            let unknown = Opened::new(opening.call, Outcome::Unknown, 0);
            return Ok(Event::Opened(unknown));
        };
        let conditions = conditions(machine, opening, &door.grants);
        let came = self
            .gate
            .open_recorded(door, &opening.arguments, conditions)
            .await;
        let opened = told(self.gate, &snapshot, opening, came).await;
        Ok(Event::Opened(opened))
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
            Step::Assemble => self.assemble(machine).await,
            Step::Decide { put_back } => self.decide(machine, put_back).await,
            Step::Admit { id, call, nodded } => {
                self.admit(machine, id, &call, nodded, ambient).await
            }
            Step::Ask(asked) => self.ask(machine, &asked, ambient).await,
            Step::Open(openings) => self.open(machine, &openings).await,
            Step::Settle(opening) => self.settle(machine, &opening).await,
            Step::Judge { put_back, close } => {
                let snapshot = self.snapshot()?;
                judge(self.gate, &snapshot, machine, put_back, &close).await
            }
            Step::End { close, judge } => self.end(machine, close, judge).await,
            Step::Record(event) => Ok(event),
        }
    }

    async fn abandon(&mut self) {
        self.admitted.clear();
        self.beside.clear();
        self.open.shutdown().await;
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
    Event::Refused(Refused::new(call, refusal))
}

fn locked(call: CallId, why: Unaccepted, arguments: String) -> Event {
    let refusal = Refusal::Locked { why, arguments };
    Event::Refused(Refused::new(call, refusal))
}

fn conditions(machine: &LoopMachine, opening: &Opening, grants: &Grants) -> Conditions {
    Conditions {
        returned: match grants.history {
            true => Arc::new(machine.returned().clone()),
            false => Arc::default(),
        },
        time: opening.time,
        seed: opening.seed,
        fuel: opening.fuel,
        keys: machine.kept().of(&opening.door).clone(),
    }
}

/// What came of an opening, with what the hook after it says.
async fn told(gate: &Gate, snapshot: &Snapshot, opening: &Opening, came: Came) -> Opened {
    let marks = snapshot.doors.get(&opening.door).map(|door| door.marks);
    let may_end = marks.is_some_and(|marks| marks.may_end);
    let hooked = snapshot
        .hooks
        .after(
            gate,
            &opening.door,
            &opening.arguments,
            &came.outcome,
            opening.fuel,
            snapshot.text.language(),
        )
        .await;
    Opened {
        call: opening.call,
        ends: may_end && came.reached.end && came.outcome.has_returned(),
        outcome: came.outcome,
        fuel: came.fuel,
        printed: came.printed,
        kept: came.kept,
        hooked,
    }
}

pub(super) fn missing(what: &str) -> HostError {
    HostError {
        doing: "driving a loop".to_owned(),
        source: what.into(),
    }
}

/// Before a door is opened again that the host could not open.
const PAUSES: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(400)];
/// Bytes: about a fifth of what a summary may stand for, with the default window.
const LONGEST_SUMMARY: usize = 80_000;
