//! The page in messages: for models that take a conversation instead of a text.

use serde::{Deserialize, Serialize};

use crate::CallId;

/// One message of a page. In this order, behind the top and the user's line, they say what the pasted
/// text says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum Message {
    /// The user said more.
    User {
        /// In these words.
        text: String,
    },
    /// The model answered.
    Model {
        /// A close, or what it said beside its names.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        text: String,
        /// The names that it handed over.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        calls: Vec<Named>,
    },
    /// What came of a name. Every name has one, in the order of the names.
    Result {
        /// The call.
        call: CallId,
        /// The name.
        name: String,
        /// As it is pasted: what the door returned with a mark before every line, or one line of
        /// Doorlist's own.
        text: String,
        /// Whether nothing came of it that the door returned well.
        failed: bool,
    },
    /// Doorlist says something that belongs to no name.
    Doorlist {
        /// In these words. What comes from outside has a mark before every line.
        text: String,
    },
}

/// A name that a model handed over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named {
    /// Which call.
    pub call: CallId,
    /// The name.
    pub name: String,
    /// A JSON object: the arguments, or what was written in their place under `not an object`, or the
    /// first of it under `clipped`.
    pub arguments: String,
}
