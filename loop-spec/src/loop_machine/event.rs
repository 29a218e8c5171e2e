//! What can happen to a loop.

use serde::{Deserialize, Serialize};

use super::{Outcome, Refusal, Stop};
use crate::kv::{Changes, Kept};
use crate::policy::Marks;
use crate::{Answer, CallId, Digest, Ended, Entry, NotAnEvent, Payload, Recorded, Usage};

/// One event of a loop's run, as it stands in the journal.
///
/// An intent (`put_back`, `opening`) stands before its effect, an outcome (`answered`, `opened`)
/// after it. No event depends on a path or on the time at which it is read.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// The run exists.
    RunStarted(RunStarted),
    /// `loop.txt`, or the doors that it lists, are other than before.
    LoopRead(LoopRead),
    /// A page was put together; the model is about to get it. Intent.
    PutBack(PutBack),
    /// The model answered.
    Answered(Answered),
    /// The model could not be asked, or what it handed over is no answer.
    ModelFailed(ModelFailed),
    /// A name was answered without opening anything.
    Refused(Refused),
    /// A person must be asked before this door is opened.
    Asked(Asked),
    /// What the person said.
    NodAnswered(NodAnswered),
    /// A door is about to be opened. Intent.
    Opening(Opening),
    /// What came of an opening.
    Opened(Opened),
    /// Somebody said more to the run: between two turns, or behind a close that stands.
    Said(Said),
    /// What came first on the page was summed up by the model.
    Compacted(Compacted),
    /// It was to be summed up, and was not. The run goes on without.
    NotCompacted(NotCompacted),
    /// What came of a close.
    CloseJudged(CloseJudged),
    /// What the hook before the end of the run said.
    EndJudged(EndJudged),
    /// The run stands still.
    Stopped(Stopped),
    /// The run goes on after a stop or a crash.
    Resumed(Resumed),
}

/// See [`Event::RunStarted`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunStarted {
    /// The user's line.
    pub line: String,
    /// The version of Doorlist.
    pub doorlist: String,
    /// What counts the fuel, e.g. `wasmtime 48.0.8`: fuel of two engines does not compare.
    pub engine: String,
    /// The model, as it was named, e.g. `doors/mind.wasm`.
    pub model: String,
}

/// See [`Event::LoopRead`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopRead {
    /// Digest of `loop.txt`.
    pub digest: Digest,
    /// The file's text, the first time this digest occurs in the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The listed doors, in the order of the list.
    pub cards: Vec<Card>,
    /// The listed doors that a person must be asked about first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked_first: Vec<String>,
    /// Where hooks are asked.
    #[serde(default, skip_serializing_if = "Hooks::are_none")]
    pub hooks: Hooks,
}

/// Where the component that `hooks` names is asked: what it exports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Hooks {
    /// Before a door is opened, or a person is asked about it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub before: bool,
    /// After a door has returned.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub after: bool,
    /// Before the run ends.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub end: bool,
}

impl Hooks {
    /// Whether there is none.
    #[must_use]
    pub fn are_none(&self) -> bool {
        *self == Self::default()
    }
}

/// What a page says of a door, and which bytes it spoke of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// The door's name.
    pub name: String,
    /// Its signature, e.g. `fridge.count(items: list<string>) -> list<tuple<string, u32>>`.
    pub signature: String,
    /// What its writer says of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// JSON Schema of its arguments, for models that are told of doors apart from the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<serde_json::Value>,
    /// Digest of the component's bytes.
    pub component: Digest,
    /// Digest of the interface.
    pub interface: Digest,
    /// Whether it is granted nothing, so that it can be run again at will.
    pub pure: bool,
    /// What it is like; a pure door may be open beside others whatever its policy says.
    #[serde(default, skip_serializing_if = "Marks::are_none")]
    pub marks: Marks,
    /// Fuel that one opening may use.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub fuel: u64,
}

/// See [`Event::PutBack`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PutBack {
    /// Which put-back of the run, from 1.
    pub put_back: u32,
    /// The `loop.txt` that this page was made from.
    pub loop_text: Digest,
    /// Digest of the page's bytes.
    pub page: Digest,
    /// The page's length in bytes.
    pub bytes: u64,
}

/// See [`Event::Answered`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    /// The put-back that is answered.
    pub put_back: u32,
    /// What the model handed over.
    pub answer: Answer,
    /// How it ended.
    #[serde(default, skip_serializing_if = "Ended::is_turn")]
    pub ended: Ended,
    /// Fuel used, where the model is a component.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub fuel: u64,
    /// Tokens used, where the model's provider counts them.
    #[serde(default, skip_serializing_if = "Usage::is_nothing")]
    pub usage: Usage,
}

/// See [`Event::ModelFailed`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFailed {
    /// The put-back that got no answer.
    pub put_back: u32,
    /// Why, for people; the model does not see it.
    pub why: String,
    /// What there is of an answer that broke off. Nothing that it names is opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
    /// Fuel used, where the model is a component.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub fuel: u64,
    /// Tokens used, where the model's provider counts them.
    #[serde(default, skip_serializing_if = "Usage::is_nothing")]
    pub usage: Usage,
}

/// See [`Event::Refused`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// The call.
    pub call: CallId,
    /// Why nothing was opened.
    pub refusal: Refusal,
    /// Fuel that a hook used over it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub fuel: u64,
}

impl Refused {
    /// A refusal that cost nothing.
    #[must_use]
    pub fn new(call: CallId, refusal: Refusal) -> Self {
        Self {
            call,
            refusal,
            fuel: 0,
        }
    }
}

/// See [`Event::Asked`]. A nod is bound to all of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The call.
    pub call: CallId,
    /// The door.
    pub door: String,
    /// Digest of the component's bytes.
    pub component: Digest,
    /// Digest of its interface.
    pub interface: Digest,
    /// The canonical arguments.
    pub arguments: String,
    /// The door whose untrusted output on the page is the reason why it is asked, where its policy
    /// alone does not ask first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tainted_by: Option<String>,
    /// Fuel that the hook before it used, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hooked: Option<u64>,
    /// Until when it can be answered and the answer used, in microseconds since the Unix epoch.
    pub expires: u64,
}

/// See [`Event::NodAnswered`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodAnswered {
    /// The call that was asked about.
    pub call: CallId,
    /// The answer.
    pub nod: Nod,
}

/// What becomes of a question whether a door may open. While there is none, the question is pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Nod {
    /// It may open, this once.
    Given,
    /// It may not.
    Denied,
    /// Nobody said anything in time, or the nod was not used in time.
    Expired,
    /// The question was taken back before anybody answered it.
    Withdrawn,
    /// Nobody was there, and nobody was to be waited for. What a client does by itself is this, and
    /// never [`Nod::Denied`].
    Unanswered,
}

impl Nod {
    /// The answer in one word, for traces.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Given => "given",
            Self::Denied => "denied",
            Self::Expired => "expired",
            Self::Withdrawn => "withdrawn",
            Self::Unanswered => "unanswered",
        }
    }
}

/// See [`Event::Opening`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// The call.
    pub call: CallId,
    /// The door.
    pub door: String,
    /// Digest of the component's bytes.
    pub component: Digest,
    /// Digest of its interface.
    pub interface: Digest,
    /// The canonical arguments: equal text means equal arguments.
    pub arguments: String,
    /// The inert world's clock, in microseconds since the Unix epoch.
    pub time: u64,
    /// The inert world's seed.
    pub seed: u64,
    /// The fuel that it may use.
    pub fuel: u64,
    /// Whether it is granted nothing, so that running it again after a crash changes nothing.
    pub pure: bool,
    /// Whether what it returns is not to be trusted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub taints: bool,
    /// Fuel that the hook before it used, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hooked: Option<u64>,
}

/// See [`Event::Opened`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opened {
    /// The call.
    pub call: CallId,
    /// What came of it.
    pub outcome: Outcome,
    /// Fuel used.
    pub fuel: u64,
    /// What the door printed, for the trace; the model does not see it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub printed: String,
    /// What it changed of its component's keys; nothing where it did not return.
    #[serde(default, skip_serializing_if = "Changes::is_empty")]
    pub kept: Changes,
    /// Whether it asked for the end of the run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ends: bool,
    /// What the hook after it said, where there is one and the door returned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hooked: Option<HookedResult>,
}

/// What a hook made of what a door returned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookedResult {
    /// What.
    pub said: HookSaid,
    /// Fuel used.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub fuel: u64,
}

/// What a hook says of a result. None of it makes a success of a failure.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HookSaid {
    /// It stays as it is.
    Same,
    /// This stands in its place.
    Instead(String),
    /// It is withheld, for this reason.
    Withheld(String),
}

impl HookSaid {
    /// What is told of an outcome.
    #[must_use]
    pub fn told(&self, outcome: &Outcome) -> Outcome {
        match (outcome, self) {
            (Outcome::Said { .. }, Self::Instead(text)) => Outcome::Said { text: text.clone() },
            (Outcome::OwnError { .. }, Self::Instead(text)) => {
                Outcome::OwnError { text: text.clone() }
            }
            (_, Self::Withheld(why)) => Outcome::Withheld { why: why.clone() },
            (outcome, Self::Same | Self::Instead(_)) => outcome.clone(),
        }
    }
}

impl Opened {
    /// An opening that came to this, and did nothing else.
    #[must_use]
    pub fn new(call: CallId, outcome: Outcome, fuel: u64) -> Self {
        Self {
            call,
            outcome,
            fuel,
            printed: String::new(),
            kept: Changes::default(),
            ends: false,
            hooked: None,
        }
    }

    /// What is told of it, once the hook has spoken.
    #[must_use]
    pub fn told(&self) -> Outcome {
        match &self.hooked {
            None => self.outcome.clone(),
            Some(hooked) => hooked.said.told(&self.outcome),
        }
    }

    /// Fuel used, that of the hook included.
    #[must_use]
    pub fn all_fuel(&self) -> u64 {
        let hook = self.hooked.as_ref().map_or(0, |hooked| hooked.fuel);
        self.fuel.saturating_add(hook)
    }

    /// Keeps what `door` changed.
    ///
    /// # Errors
    /// It did not return, or there is no room, in words.
    pub(crate) fn keep(&self, door: &str, kept: &mut Kept) -> Result<(), String> {
        if !self.kept.is_empty() && !matches!(self.outcome, Outcome::Said { .. }) {
            return Err("a door that did not return keeps nothing".to_owned());
        }
        kept.keep(door, &self.kept).map_err(|full| full.to_string())
    }
}

/// See [`Event::Said`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// What tells it from every other that is said to this run.
    pub id: String,
    /// What was said.
    pub text: String,
}

/// See [`Event::Compacted`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compacted {
    /// How many turns of the page the summary stands for, from the first; a summary that stood there
    /// before them is part of it.
    pub turns: u32,
    /// The summary, in the model's words.
    pub summary: String,
    /// Fuel used, where the model is a component.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub fuel: u64,
    /// Tokens used, where the model's provider counts them.
    #[serde(default, skip_serializing_if = "Usage::is_nothing")]
    pub usage: Usage,
}

/// See [`Event::NotCompacted`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotCompacted {
    /// Why, for people; the model does not see it.
    pub why: String,
    /// Fuel used, where the model is a component.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub fuel: u64,
    /// Tokens used, where the model's provider counts them.
    #[serde(default, skip_serializing_if = "Usage::is_nothing")]
    pub usage: Usage,
}

/// See [`Event::CloseJudged`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CloseJudged {
    /// The put-back whose answer was the close.
    pub put_back: u32,
    /// `None` when the close stands, else the reason why it does not.
    pub refused: Option<CloseRefusal>,
    /// Fuel used by the check door.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub fuel: u64,
}

/// See [`Event::EndJudged`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndJudged {
    /// `None` when the run may end, else the reason why not.
    pub refused: Option<String>,
    /// Fuel used.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub fuel: u64,
}

/// Why a close does not stand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CloseRefusal {
    /// `needs` names a door that was not opened well in this run.
    Needs {
        /// The door.
        door: String,
    },
    /// `numbers`: one of the close stands nowhere on the page.
    Number {
        /// The number as the close writes it.
        number: String,
    },
    /// The check door says no.
    Check {
        /// Its reason.
        reason: String,
    },
    /// The check door itself failed, so that nothing is known of the close.
    CheckFailed {
        /// What came of opening it.
        outcome: Outcome,
    },
}

/// See [`Event::Stopped`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stopped {
    /// Which stop.
    pub stop: Stop,
}

/// See [`Event::Resumed`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resumed {}

impl Recorded for Event {
    fn to_entry(&self) -> Entry {
        let payload = self
            .payload()
            .expect("an event has only fields that JSON can hold");
        Entry {
            kind: self.kind().to_owned(),
            payload,
        }
    }

    fn of_entry(entry: &Entry) -> Result<Self, NotAnEvent> {
        let Entry { kind, payload } = entry;
        let read = Self::read(kind, payload);
        read.unwrap_or_else(|| Err(serde::de::Error::custom("there is no such event")))
            .map_err(|error: serde_json::Error| NotAnEvent {
                kind: kind.clone(),
                why: error.to_string(),
            })
    }
}

/// Which event has which kind in the journal.
macro_rules! kinds {
    ($($event:ident = $kind:literal,)+) => {
        impl Event {
            /// The event's kind in the journal.
            #[must_use]
            pub fn kind(&self) -> &'static str {
                match self {
                    $(Self::$event(_) => $kind,)+
                }
            }

            fn payload(&self) -> serde_json::Result<Payload> {
                match self {
                    $(Self::$event(content) => Payload::of(content),)+
                }
            }

            /// `None` where no event is of this kind.
            fn read(kind: &str, payload: &Payload) -> Option<serde_json::Result<Self>> {
                match kind {
                    $($kind => Some(payload.read().map(Self::$event)),)+
                    _ => None,
                }
            }
        }
    };
}

kinds! {
    RunStarted = "run_started",
    LoopRead = "loop_read",
    PutBack = "put_back",
    Answered = "answered",
    ModelFailed = "model_failed",
    Refused = "refused",
    Asked = "asked",
    NodAnswered = "nod_answered",
    Opening = "opening",
    Opened = "opened",
    Said = "said",
    Compacted = "compacted",
    NotCompacted = "not_compacted",
    CloseJudged = "close_judged",
    EndJudged = "end_judged",
    Stopped = "stopped",
    Resumed = "resumed",
}

fn is_zero(fuel: &u64) -> bool {
    *fuel == 0
}
