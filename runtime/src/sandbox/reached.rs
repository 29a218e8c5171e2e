//! What an opening reached for.

use std::collections::{BTreeMap, BTreeSet};

use loop_spec::policy::Origin;

/// What an opening reached for beyond its own memory, whether it was granted or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// A clock, or a timer.
    pub clock: bool,
    /// Random numbers. Many languages draw some for their tables alone.
    pub random: bool,
    /// Its environment variables; which one, no component says.
    pub environment: bool,
    /// Its values in `wasi:config`.
    pub config: bool,
    /// The keys that its component keeps.
    pub kv: bool,
    /// What the doors of its run returned.
    pub history: bool,
    /// The end of the run.
    pub end: bool,
    /// What it sent requests to, or wanted to. The first [`MOST_PATHS`] are kept.
    pub hosts: BTreeSet<Origin>,
    /// A socket, or the address of a name: no grant gives either.
    pub sockets: bool,
    /// The folders it is granted.
    pub folders: bool,
    /// Paths as the door named them, below whatever folder it looked in, and whether it meant to
    /// change what is there. The first [`MOST_PATHS`] are kept.
    pub paths: BTreeMap<String, bool>,
}

/// Paths, and hosts, that are kept of one opening.
pub const MOST_PATHS: usize = 100;

impl Reached {
    pub(super) fn path(&mut self, path: &str, change: bool) {
        if let Some(before) = self.paths.get_mut(path) {
            *before |= change;
        } else if self.paths.len() < MOST_PATHS {
            self.paths.insert(path.to_owned(), change);
        }
    }
}
