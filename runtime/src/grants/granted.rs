//! What a door is granted.

use std::collections::BTreeMap;
use std::path::PathBuf;

use loop_spec::policy::{HostGrant, Source};

use super::{GrantError, Secrets};

/// What one door is granted, ready for the sandbox. The default is nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grants {
    /// Folders of the host.
    pub dirs: Vec<GrantedDir>,
    /// Where it may send requests.
    pub hosts: Vec<HostGrant>,
    /// Environment variables.
    pub env: BTreeMap<String, String>,
    /// Values in `wasi:config`.
    pub config: BTreeMap<String, String>,
    /// What is added to its requests.
    pub secrets: Secrets,
    /// Which time the door is told.
    pub clock: Source,
    /// Which random numbers the door gets.
    pub random: Source,
    /// Whether its component keeps keys for as long as a run lasts.
    pub kv: bool,
    /// Whether it reads what the doors of its run returned.
    pub history: bool,
}

/// A folder of the host that a door may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantedDir {
    /// The folder, resolved: no symbolic link leads to it.
    pub host: PathBuf,
    /// Where the door finds it, an absolute path with `/`.
    pub guest: String,
    /// Whether the door may change it.
    pub write: bool,
}

/// What the doors of one folder are granted, after everything was allowed that needs it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FolderGrants {
    pub(super) doors: BTreeMap<String, Grants>,
}

impl Grants {
    /// Whether nothing is granted: then the door is *pure*. What the doors of its run returned stays as
    /// it is, so that reading it is nothing in this sense.
    #[must_use]
    pub fn is_none(&self) -> bool {
        let read = Self {
            history: self.history,
            ..Self::default()
        };
        *self == read
    }
}

impl GrantedDir {
    /// Whether `host` still leads where it did. To be asked right before each time it is opened: a
    /// door that may write above it could have put a symbolic link in its place.
    ///
    /// # Errors
    /// It leads elsewhere, or nowhere.
    pub fn check(&self) -> Result<(), GrantError> {
        match self.host.canonicalize() {
            Ok(real) if real == self.host => Ok(()),
            _ => Err(GrantError::Moved {
                path: self.host.clone(),
            }),
        }
    }
}

impl FolderGrants {
    /// What `door` is granted.
    #[must_use]
    pub fn of(&self, door: &str) -> Grants {
        self.doors.get(door).cloned().unwrap_or_default()
    }
}
