//! `[door."NAME"]`: what is asked for on behalf of one door.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{HostGrant, Origin};
use crate::Place;

/// What is asked for on behalf of a door. Asked for is not granted: beyond the loop's own `data/` a
/// person must have allowed it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DoorPolicy {
    /// Folders of the host that the door may use.
    pub dirs: Vec<DirRequest>,
    /// Where it may send requests.
    pub hosts: Vec<HostGrant>,
    /// Environment variables that the door sees.
    pub env: BTreeMap<String, String>,
    /// Values that the door finds in `wasi:config`.
    pub config: BTreeMap<String, String>,
    /// What the host adds to its requests and the door never sees.
    pub secrets: Vec<SecretRequest>,
    /// Which time the door is told.
    pub clock: Source,
    /// Which random numbers the door gets.
    pub random: Source,
    /// Whether it keeps keys from one opening to the next, for as long as a run lasts.
    pub kv: bool,
    /// Whether it reads what the doors of its run returned.
    pub history: bool,
    /// What the door is like.
    pub marks: Marks,
}

/// What a policy says that a door is like, beside what it is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Marks {
    /// It may be open beside other doors.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub concurrent: bool,
    /// `source = "untrusted"`: what it returns may have been written by anybody. Once it is on the
    /// page, doors whose effect is outside are asked first.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub untrusted: bool,
    /// `effect = "outside"`: it can do something that cannot be taken back.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub outside: bool,
    /// `may-end = true`: when it asks for the end of the run, it is heard.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub may_end: bool,
}

impl Marks {
    /// Whether nothing is said.
    #[must_use]
    pub fn are_none(&self) -> bool {
        *self == Self::default()
    }
}

/// A folder of the host that a door may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirRequest {
    /// Where it is on the host; a relative path starts at the loop's folder.
    pub host: String,
    /// Where the door finds it: an absolute path with `/`, without `.` and `..`.
    pub guest: String,
    /// Whether the door may change it.
    pub write: bool,
    /// Where the file asks for it.
    pub place: Place,
}

/// A secret that the host adds to the requests of a door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecretRequest {
    /// The requests it is added to: those to exactly this.
    pub origin: Origin,
    /// Where in the request.
    pub put: SecretPlace,
    /// The host's environment variable that holds it.
    pub variable: String,
    /// Where the file asks for it.
    pub place: Place,
}

/// Where in a request a secret stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SecretPlace {
    /// In this header, in small letters.
    Header {
        /// The header's name.
        name: String,
        /// What stands before the secret, e.g. `Bearer `.
        prefix: String,
    },
    /// In the parameter of this name of the query.
    Query {
        /// The parameter's name.
        name: String,
    },
}

/// Where a door's time or its random numbers come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// From the opening's record, the same each time it is run again.
    #[default]
    Recorded,
    /// From the host.
    Real,
}

impl fmt::Display for SecretPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header { name, prefix } => write!(f, "the header {name}: {prefix}…"),
            Self::Query { name } => write!(f, "the query {name}=…"),
        }
    }
}

/// What is asked for on behalf of a door that a policy does not name.
pub(super) static NOTHING: DoorPolicy = DoorPolicy {
    dirs: Vec::new(),
    hosts: Vec::new(),
    env: BTreeMap::new(),
    config: BTreeMap::new(),
    secrets: Vec::new(),
    clock: Source::Recorded,
    random: Source::Recorded,
    kv: false,
    history: false,
    marks: Marks {
        concurrent: false,
        untrusted: false,
        outside: false,
        may_end: false,
    },
};
