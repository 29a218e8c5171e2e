//! Sessions: clients that call a loop's doors themselves, through the same gate as a model.
//!
//! A [`Session`] is one client. Its journal lies beside the runs of the loop, and what it may do is
//! what [`SessionMachine`] allows. Several calls can be under way at once; each takes its turn at the
//! journal, and none while its door is open.

mod log;

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};

use loop_spec::loop_machine::{Asked, Nod, NodAnswered, Opened, Opening, Outcome, Refusal};
use loop_spec::session::{AnswerTold, CallRefused, Event, QuestionName, SessionMachine, Started};
use loop_spec::{CallId, HISTORY_FETCH, Language};
use tokio_util::sync::CancellationToken;
use wasmtime::component::Val;

use crate::ambient::Ambient;
use crate::driver::DriveError;
use crate::gate::{Admission, Before, Conditions, Gate, GuardedDoor, Hooks};
use crate::journal::{Journal, RunKey};
use crate::loop_run::{Snapshot, asked, is_late};
use log::Log;

pub use log::answer;

/// One client of a loop's doors.
pub struct Session {
    gate: Gate,
    ambient: &'static dyn Ambient,
    log: tokio::sync::Mutex<Log>,
    /// By the file of a component: held while a door of it is open that keeps something.
    keeping: std::sync::Mutex<BTreeMap<String, Arc<tokio::sync::Mutex<()>>>>,
    number: u64,
    /// What is typed behind a question's name, so that it is found.
    place: String,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("number", &self.number)
            .finish_non_exhaustive()
    }
}

/// What a call came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// What the client is told.
    pub observation: String,
    /// What became of it.
    pub end: End,
}

/// How a call ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum End {
    /// Nothing was opened.
    Refused,
    /// A person must be asked first, and has not answered.
    Waiting(Asked),
    /// The door was opened, and this came of it.
    Opened {
        /// The door.
        door: Box<GuardedDoor>,
        /// What came of it.
        outcome: Outcome,
    },
}

/// What is to be done with a call, once it had its turn.
enum Turn {
    Told(Answer),
    Open(Opening, Vec<Val>),
}

impl Session {
    /// A new session, kept in `journal` under the next number there. `place` is typed behind the name
    /// of a question, such as `-C my-loop`.
    ///
    /// # Errors
    /// When it cannot be kept.
    pub async fn start(
        journal: Arc<dyn Journal>,
        ambient: &'static dyn Ambient,
        gate: Gate,
        client: &str,
        place: &str,
    ) -> Result<Arc<Self>, DriveError> {
        let started = Started {
            client: loop_spec::clip(client, LONGEST_NAME),
            doorlist: env!("CARGO_PKG_VERSION").to_owned(),
            engine: crate::sandbox::ENGINE.to_owned(),
        };
        let log = Log::start(journal, started, ambient.now()).await?;
        Ok(Arc::new(Self {
            gate,
            ambient,
            number: log.number(),
            log: tokio::sync::Mutex::new(log),
            keeping: std::sync::Mutex::default(),
            place: place.to_owned(),
        }))
    }

    /// What a person types behind `doorlist nod` for what a call asked.
    #[must_use]
    pub fn name_of(&self, call: CallId) -> QuestionName {
        QuestionName::new(self.number, call)
    }

    /// Takes a call through the gate of the loop as it is now, and opens its door where it may be.
    /// Cancelled, the door is closed and its worker free; dropped, it goes on to its end, which is
    /// recorded.
    ///
    /// # Errors
    /// When the journal fails.
    pub async fn call(
        self: &Arc<Self>,
        snapshot: &Snapshot,
        name: &str,
        arguments: &str,
        cancel: &CancellationToken,
    ) -> Result<Answer, DriveError> {
        let language = snapshot.text.language();
        let Some(door) = snapshot.doors.get(name) else {
            let door = loop_spec::clip(name, LONGEST_NAME);
            return self.refuse(snapshot, door, Refusal::OffList).await;
        };
        let admission = self.gate.admit(door, arguments, false);
        let (opening, values) = match self.turn(snapshot, door, admission, arguments).await? {
            Turn::Told(answer) => return Ok(answer),
            Turn::Open(opening, values) => (opening, values),
        };
        let (session, door, cancel) = (Arc::clone(self), door.clone(), cancel.clone());
        let (hooks, most) = (snapshot.hooks.clone(), snapshot.text.result());
        let kept = snapshot.text.lists(HISTORY_FETCH);
        let opened = tokio::spawn(async move {
            let mut outcome = session
                .open(&door, &hooks, &opening, values, language, &cancel)
                .await?;
            language.cut_result(&mut outcome, opening.call, most, kept);
            Ok(Answer {
                observation: language.observation(&outcome),
                end: End::Opened {
                    door: Box::new(door),
                    outcome,
                },
            })
        });
        match opened.await {
            Ok(answer) => answer,
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        }
    }

    /// Answers a question for the person who was asked by the client.
    ///
    /// # Errors
    /// When there is no such question any more, or it cannot be kept.
    pub async fn answer(&self, call: CallId, nod: Nod) -> Result<(), DriveError> {
        let event = Event::NodAnswered(NodAnswered { call, nod });
        let mut log = self.log.lock().await;
        log.record(event, self.ambient.now()).await
    }

    async fn turn(
        &self,
        snapshot: &Snapshot,
        door: &GuardedDoor,
        admission: Admission,
        given: &str,
    ) -> Result<Turn, DriveError> {
        let language = snapshot.text.language();
        let (arguments, values) = match admission {
            Admission::Misfit { what } => {
                let arguments = loop_spec::clip(given, LONGEST_MISFIT);
                let refusal = Refusal::Misfit { what, arguments };
                let name = door.door.name.clone();
                return Ok(Turn::Told(self.refuse(snapshot, name, refusal).await?));
            }
            Admission::Locked { why, arguments } => {
                let refusal = Refusal::Locked { why, arguments };
                let name = door.door.name.clone();
                return Ok(Turn::Told(self.refuse(snapshot, name, refusal).await?));
            }
            Admission::Ask { arguments } => (arguments, None),
            Admission::Open { arguments, values } => (arguments, Some(values)),
        };
        let name = &door.door.name;
        let fuel = snapshot.text.fuel().get();
        let left = fuel.saturating_sub(self.log.lock().await.machine().fuel());
        let hooked = snapshot
            .hooks
            .before(&self.gate, name, &arguments, left, language)
            .await;
        if let Some(Before {
            refused: Some(reason),
            fuel,
        }) = hooked
        {
            let refusal = Refusal::Hook { reason, arguments };
            let told = self.refused(snapshot, name.clone(), refusal, fuel).await?;
            return Ok(Turn::Told(told));
        }
        let hooked = hooked.map(|before| before.fuel);
        let mut log = self.log.lock().await;
        let machine = log.machine();
        let failures = machine.failures(&door.door.name, &arguments);
        if failures >= snapshot.text.same_failure().get() {
            return Ok(Turn::refused(language.failed_before(failures)));
        }
        let left = snapshot.text.fuel().get().saturating_sub(machine.fuel());
        if left == 0 {
            let fuel = snapshot.text.fuel().get();
            return Ok(Turn::refused(language.no_fuel(fuel)));
        }
        let tainted_by = machine.tainted_by().filter(|_| door.marks.outside);
        let tainted_by = tainted_by.map(str::to_owned);
        let (call, values) = match values.filter(|_| tainted_by.is_none()) {
            Some(values) => (machine.next_call(), values),
            None => {
                let call = machine.next_call();
                let asked = Asked {
                    tainted_by,
                    hooked,
                    ..asked(snapshot, door, call, arguments.clone(), self.ambient)
                };
                match self.nodded(snapshot, &mut log, asked).await? {
                    Ok(call) => match self.gate.admit(door, &arguments, true) {
                        Admission::Open { values, .. } => (call, values),
                        other => unreachable!("the same call was admitted before: {other:?}"),
                    },
                    Err(told) => return Ok(Turn::Told(told)),
                }
            }
        };
        let opening = Opening {
            call,
            door: door.door.name.clone(),
            component: door.door.component_digest(),
            interface: door.door.interface_digest(),
            arguments,
            time: self.ambient.now(),
            seed: self.ambient.seed(),
            fuel: left.min(door.limits.fuel),
            pure: door.is_pure(),
            taints: door.marks.untrusted,
            hooked,
        };
        let event = Event::Opening(opening.clone());
        log.record(event, self.ambient.now()).await?;
        Ok(Turn::Open(opening, values))
    }

    /// The call whose nod can be used now, or what is to be told instead.
    async fn nodded(
        &self,
        snapshot: &Snapshot,
        log: &mut Log,
        asked: Asked,
    ) -> Result<Result<CallId, Answer>, DriveError> {
        // A person may have answered from elsewhere.
        log.catch_up().await?;
        let now = self.ambient.now();
        let language = snapshot.text.language();
        let Some(question) = log.machine().same_question(&asked).cloned() else {
            log.record(Event::Asked(asked.clone()), now).await?;
            return Ok(Err(self.waiting(snapshot, asked)));
        };
        let call = question.asked.call;
        let nod = match question.nod {
            None | Some(Nod::Given) if is_late(&question.asked, self.ambient) => {
                let nod = Nod::Expired;
                log.record(Event::NodAnswered(NodAnswered { call, nod }), now)
                    .await?;
                nod
            }
            None => return Ok(Err(self.waiting(snapshot, question.asked))),
            Some(nod) => nod,
        };
        match language.no_nod(nod) {
            None => Ok(Ok(call)),
            Some(told) => {
                log.record(Event::Told(AnswerTold { call }), now).await?;
                Ok(Err(Answer {
                    observation: told.to_owned(),
                    end: End::Refused,
                }))
            }
        }
    }

    fn waiting(&self, snapshot: &Snapshot, asked: Asked) -> Answer {
        let ask = format!("{} {}", self.name_of(asked.call), self.place);
        let ask = ask.trim_end();
        Answer {
            observation: snapshot.text.language().waiting(ask),
            end: End::Waiting(asked),
        }
    }

    async fn open(
        &self,
        door: &GuardedDoor,
        hooks: &Hooks,
        opening: &Opening,
        values: Vec<Val>,
        language: Language,
        cancel: &CancellationToken,
    ) -> Result<Outcome, DriveError> {
        // How much it had used is not known.
        let aborted = || Opened::new(opening.call, Outcome::Aborted, 0);
        let turn = self.turn_to_keep(door);
        let turn = match &turn {
            None => None,
            Some(turn) => tokio::select! {
                biased;
                () = cancel.cancelled() => None,
                turn = turn.lock() => Some(turn),
            },
        };
        let opened = tokio::select! {
            biased;
            () = cancel.cancelled() => aborted(),
            opened = self.came(door, hooks, opening, values, language) => opened,
        };
        let outcome = opened.told();
        let mut log = self.log.lock().await;
        log.record(Event::Opened(opened), self.ambient.now())
            .await?;
        drop(turn);
        Ok(outcome)
    }

    async fn came(
        &self,
        door: &GuardedDoor,
        hooks: &Hooks,
        opening: &Opening,
        values: Vec<Val>,
        language: Language,
    ) -> Opened {
        let (keys, returned) = {
            let log = self.log.lock().await;
            let machine = log.machine();
            let returned = match door.grants.history {
                true => Arc::new(machine.returned().clone()),
                false => Arc::default(),
            };
            (machine.kept().of(&opening.door).clone(), returned)
        };
        let conditions = Conditions {
            returned,
            time: opening.time,
            seed: opening.seed,
            fuel: opening.fuel,
            keys,
        };
        let came = self.gate.open(door, values, conditions).await;
        let (name, arguments) = (&opening.door, &opening.arguments);
        let hooked = hooks
            .after(
                &self.gate,
                name,
                arguments,
                &came.outcome,
                opening.fuel,
                language,
            )
            .await;
        Opened {
            hooked,
            printed: came.printed,
            kept: came.kept,
            ..Opened::new(opening.call, came.outcome, came.fuel)
        }
    }

    /// The turn of a door that keeps something: those of its component are open one after another,
    /// so that each finds what the one before it kept.
    fn turn_to_keep(&self, door: &GuardedDoor) -> Option<Arc<tokio::sync::Mutex<()>>> {
        if !door.grants.kv {
            return None;
        }
        let mut keeping = self.keeping.lock().unwrap_or_else(PoisonError::into_inner);
        let turn = keeping.entry(door.door.file.stem.clone()).or_default();
        Some(Arc::clone(turn))
    }

    async fn refuse(
        &self,
        snapshot: &Snapshot,
        door: String,
        refusal: Refusal,
    ) -> Result<Answer, DriveError> {
        self.refused(snapshot, door, refusal, 0).await
    }

    async fn refused(
        &self,
        snapshot: &Snapshot,
        door: String,
        refusal: Refusal,
        fuel: u64,
    ) -> Result<Answer, DriveError> {
        let observation = snapshot.text.language().refusal(&refusal);
        let mut log = self.log.lock().await;
        let refused = CallRefused {
            call: log.machine().next_call(),
            door,
            refusal,
            fuel,
        };
        log.record(Event::Refused(refused), self.ambient.now())
            .await?;
        Ok(Answer {
            observation,
            end: End::Refused,
        })
    }
}

impl Turn {
    fn refused(observation: String) -> Self {
        Self::Told(Answer {
            observation,
            end: End::Refused,
        })
    }
}

/// The session that a journal tells of.
///
/// # Errors
/// When there is none, or its records do not follow from one another.
pub async fn read(journal: &dyn Journal, run: &RunKey) -> Result<SessionMachine, DriveError> {
    let records = journal.read(run, 0).await?.records;
    if records.is_empty() {
        return Err(DriveError::NoRun { run: run.clone() });
    }
    crate::driver::fold(run, SessionMachine::new(), &records)
}

/// Bytes of a client's or a door's name that are kept.
const LONGEST_NAME: usize = 256;
/// Bytes that are kept of arguments which fit no door.
const LONGEST_MISFIT: usize = 4_096;
