//! What a model hands over.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::canonical;

/// One answer of a model: a close, or names; text beside names is kept as a remark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The model says that the goal is reached, in these words.
    Close(String),
    /// The model names doors. Without any it is an empty answer, and the model is told so.
    Names {
        /// The doors in the order they were named.
        calls: Vec<Call>,
        /// What the model said beside the names.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        remark: Option<String>,
    },
}

/// One name with its arguments, as the model wrote them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The name, which may be on no list.
    pub name: String,
    /// The arguments as text: meant to be a JSON object, which only the door's interface decides.
    /// Text, so that no number is rounded on the way.
    pub arguments: String,
    /// What the model's provider calls this call, where it has ids: two calls of a run that share one
    /// are both refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// How an answer ended, as its provider labels it. A label: what is done with an answer follows from
/// the names in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// The model had said what it wanted to say.
    #[default]
    Turn,
    /// The model waits for what comes of its names.
    Doors,
    /// The answer was cut short: it may lack its end.
    Length,
}

impl Ended {
    pub(crate) fn is_turn(&self) -> bool {
        *self == Self::Turn
    }
}

/// Tokens, as the model's provider counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of what the model was given.
    pub input: u64,
    /// Tokens of what it answered, its thoughts included.
    pub output: u64,
}

impl Usage {
    pub(crate) fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
    }
}

impl Call {
    /// A call without an id of its own.
    #[must_use]
    pub fn new(name: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            arguments: arguments.into(),
            id: None,
        }
    }

    /// The arguments in canonical JSON, or as they are where they are no JSON: equal arguments are
    /// equal here, as far as that can be known without the door's interface.
    #[must_use]
    pub fn canonical_arguments(&self) -> String {
        match serde_json::from_str(&self.arguments) {
            Ok(value) => canonical(&value),
            Err(_) => self.arguments.trim().to_owned(),
        }
    }
}

/// Which call of a run: the put-back and the place in its answer, both from 1. Written `3.1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId {
    /// The put-back whose answer named it.
    pub put_back: u32,
    /// Its place in that answer.
    pub place: u32,
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.put_back, self.place)
    }
}

impl std::str::FromStr for CallId {
    type Err = NotACallId;

    fn from_str(text: &str) -> Result<Self, NotACallId> {
        let parsed = text.split_once('.').and_then(|(put_back, place)| {
            Some(Self {
                put_back: put_back.parse().ok()?,
                place: place.parse().ok()?,
            })
        });
        parsed.ok_or_else(|| NotACallId {
            found: text.to_owned(),
        })
    }
}

impl Serialize for CallId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for CallId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// Text that names no call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a call such as `3.1` (put-back, place in its answer), found `{found}`")]
pub struct NotACallId {
    /// The text.
    pub found: String,
}
