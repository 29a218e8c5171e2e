//! What can happen in a session.

use serde::{Deserialize, Serialize};

use crate::loop_machine::{Asked, NodAnswered, Opened, Opening, Refusal};
use crate::{CallId, Entry, NotAnEvent, Payload, Recorded};

/// One event of a session, as it stands in its journal. Kinds are other than those of a run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// The session exists.
    Started(Started),
    /// A call was answered without opening anything.
    Refused(CallRefused),
    /// A person must be asked before this door is opened.
    Asked(Asked),
    /// What the person said.
    NodAnswered(NodAnswered),
    /// The client was told what the person said, where that was no nod.
    Told(AnswerTold),
    /// A door is about to be opened. Intent.
    Opening(Opening),
    /// What came of an opening.
    Opened(Opened),
}

/// See [`Event::Started`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Started {
    /// What the client calls itself.
    pub client: String,
    /// The version of Doorlist.
    pub doorlist: String,
    /// What counts the fuel.
    pub engine: String,
}

/// See [`Event::Refused`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallRefused {
    /// The call.
    pub call: CallId,
    /// The name that was called.
    pub door: String,
    /// Why nothing was opened.
    pub refusal: Refusal,
    /// Fuel that a hook used over it.
    #[serde(default)]
    pub fuel: u64,
}

/// See [`Event::Told`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerTold {
    /// The call that was asked about.
    pub call: CallId,
}

macro_rules! kinds {
    ($($event:ident = $kind:literal,)+) => {
        impl Recorded for Event {
            fn to_entry(&self) -> Entry {
                let (kind, payload) = match self {
                    $(Self::$event(content) => ($kind, Payload::of(content)),)+
                };
                Entry {
                    kind: kind.to_owned(),
                    payload: payload.expect("an event has only fields that JSON can hold"),
                }
            }

            fn of_entry(entry: &Entry) -> Result<Self, NotAnEvent> {
                let read = match &*entry.kind {
                    $($kind => entry.payload.read().map(Self::$event),)+
                    _ => Err(serde::de::Error::custom("there is no such event")),
                };
                read.map_err(|error: serde_json::Error| NotAnEvent {
                    kind: entry.kind.clone(),
                    why: error.to_string(),
                })
            }
        }
    };
}

kinds! {
    Started = "session_started",
    Refused = "session_refused",
    Asked = "session_asked",
    NodAnswered = "session_nod_answered",
    Told = "session_told",
    Opening = "session_opening",
    Opened = "session_opened",
}
