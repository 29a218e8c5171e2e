//! `policy.toml`: what the model never sees. Asked-first doors, limits, and grants asked for.

mod ask;
mod ceiling;
mod door;
mod error;
mod host;
mod keys;
mod limits;
mod pattern;
mod raw;
mod remote;
mod stranger;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub use ask::{Approver, Ask, DEFAULT_EXPIRES};
pub use ceiling::{Ceiling, NoCommonKey, Offered};
pub use door::{DirRequest, DoorPolicy, Marks, SecretPlace, SecretRequest, Source};
pub use error::PolicyError;
pub use host::{BadHost, Host, HostGrant, Origin};
pub use limits::{
    CompileLimits, DEFAULT_COMPILE_MEMORY, DEFAULT_COMPILE_TIME, DEFAULT_FUEL, DEFAULT_MEMORY,
    DEFAULT_NETWORK, DEFAULT_OUTPUT, DEFAULT_TIME, Limits,
};
pub use pattern::{BadPattern, Pattern};
pub use remote::{KeyFrom, NotAPlace, RemotePolicy};
pub use stranger::Stranger;

use crate::Place;
use crate::mended::{offset, without_entry};

/// A folder's policy. Without a file it is the default: nothing is asked first, nothing is granted,
/// and the default limits hold.
///
/// ```
/// use loop_spec::policy::Policy;
/// let policy = Policy::parse(r#"
///     [ask]
///     first = ["shopping.check*"]
///     [door."fridge.count"]
///     dirs = [{ host = "data", guest = "/data" }]
/// "#).unwrap();
/// assert!(policy.asks("shopping.checkout"));
/// assert!(!policy.grants("fridge.count").dirs[0].write);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Policy {
    ask: Ask,
    /// Beside those of `ask`: the host-wide policy's.
    asked_host_wide: Vec<Pattern>,
    /// By the host-wide policy.
    offered: Vec<ceiling::Offer>,
    limits: Limits,
    keys: Vec<(String, Place)>,
    doors: BTreeMap<String, DoorPolicy>,
    places: BTreeMap<String, Place>,
}

impl Policy {
    /// Reads a `policy.toml`.
    ///
    /// # Errors
    /// The first thing in it that is not understood, with its place. Nothing is passed over: a key
    /// that nobody reads would be a rule that nobody keeps.
    pub fn parse(text: &str) -> Result<Self, PolicyError> {
        keys::check(text, keys::FOLDER)?;
        Ok(raw::parse(text, raw::Defaults::of_a_folder())?.0)
    }

    /// All that is wrong with a `policy.toml`: after each fault, what else is wrong with the rest of it,
    /// as far as that can be read.
    #[must_use]
    pub fn faults(text: &str) -> Vec<PolicyError> {
        let (mut text, mut faults) = (text.to_owned(), Vec::new());
        while let Err(fault) = Self::parse(&text) {
            let rest = offset(&text, fault.place()).and_then(|at| without_entry(&text, at));
            faults.push(fault);
            let Some(rest) = rest else { break };
            text = rest;
        }
        faults
    }

    /// Whether `door` waits for a person before it is opened.
    #[must_use]
    pub fn asks(&self, door: &str) -> bool {
        let folders = self.ask.first.iter().map(|(pattern, _)| pattern);
        let mut all = folders.chain(&self.asked_host_wide);
        all.any(|pattern| pattern.fits(door))
    }

    /// Who may answer an ask, and for how long.
    #[must_use]
    pub fn ask(&self) -> &Ask {
        &self.ask
    }

    /// The keys of which one must have signed every component, as they are written, each with its
    /// place. Without any, no signature is demanded.
    #[must_use]
    pub fn keys(&self) -> &[(String, Place)] {
        &self.keys
    }

    /// What one opening may use.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// What is asked for on behalf of `door`: nothing if the policy does not name it.
    #[must_use]
    pub fn grants(&self, door: &str) -> &DoorPolicy {
        self.doors.get(door).unwrap_or(&door::NOTHING)
    }

    /// What bounds what may be asked for on behalf of `door`: nothing, if it is not named here, or
    /// if no pattern of the host-wide policy fits it.
    #[must_use]
    pub fn offered(&self, door: &str) -> Option<Offered<'_>> {
        let place = *self.places.get(door)?;
        let offers: Vec<_> = ceiling::fitting(&self.offered, door).collect();
        (!offers.is_empty()).then_some(Offered { place, offers })
    }

    /// The doors that the policy names, by name.
    pub fn doors(&self) -> impl Iterator<Item = (&str, &DoorPolicy)> {
        self.doors.iter().map(|(name, door)| (name.as_str(), door))
    }

    /// The names in the policy that fit none of the folder's `doors` and no `listed` name.
    #[must_use]
    pub fn strangers(&self, doors: &[&str], listed: &[&str]) -> Vec<Stranger> {
        let known = || doors.iter().chain(listed);
        let asked = self
            .ask
            .first
            .iter()
            .filter(|(pattern, _)| !known().any(|door| pattern.fits(door)))
            .map(|(pattern, place)| ("first in [ask]", pattern.clone(), *place));
        // A folder names each door whole: `*` fits none.
        let named = (self.places.iter())
            .filter(|(name, _)| !known().any(|door| door == name))
            .map(|(name, place)| ("[door]", Pattern::literal(name), *place));
        asked
            .chain(named)
            .map(|(key, pattern, place)| Stranger::new(key, &pattern, place, listed))
            .collect()
    }
}
