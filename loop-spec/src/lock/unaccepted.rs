//! Why a door's bytes are not opened.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a component is refused, whatever it exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Unaccepted {
    /// It was neither built nor accepted here.
    NoEntry,
    /// Its bytes, its interface or the file beside it are other than what was built or accepted.
    Changed,
    /// A signature is demanded, and it has none by a key that is named.
    Unsigned,
    /// A person has revoked its digest on this machine.
    Revoked,
}

/// For a person.
impl fmt::Display for Unaccepted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoEntry => "neither built nor accepted here",
            Self::Changed => "other than what was built or accepted here",
            Self::Unsigned => "not signed by a key that the policy names",
            Self::Revoked => "revoked on this machine",
        })
    }
}
