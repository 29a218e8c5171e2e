//! The host-wide policy: what no folder's policy goes beyond.

use std::time::Duration;

use super::raw::{Defaults, HostsOwn};
use super::{
    Approver, Ask, CompileLimits, DoorPolicy, Limits, Marks, Pattern, Policy, PolicyError,
    RemotePolicy,
};
use super::{keys, raw};
use crate::Place;

/// The policy of a machine or a host. It has the keys of a folder's `policy.toml`; what it leaves out
/// bounds nothing. With a folder's policy it merges key by key, and the folder's can only tighten it:
///
/// | key | of both |
/// |---|---|
/// | `[ask] first` | every door that either names |
/// | `[ask] expires` | the shorter |
/// | `[ask] by` | who is in both; nobody, if there is none |
/// | `[lock] keys` | the keys that are in both, if both have some; the folder is refused if there are none |
/// | `[limits]` | each the smaller |
/// | `[door."…"] dirs` | the folder's, each of which must lie in one of the host's, and be written to only if that one is |
/// | `[door."…"] hosts` | the folder's, each of which must be one of the host's, or fit one with `*.` |
/// | `[door."…"] env`, `config` | the folder's, each of which must stand in the host's with the same value |
/// | `[door."…"] secrets` | the folder's, each of which must stand in the host's as well |
/// | `[door."…"] clock`, `random` | `real` only if both say so |
/// | `[door."…"] kv`, `history` | the folder's, if the host's says so as well |
/// | `[door."…"] concurrent`, `may-end` | only if both say so |
/// | `[door."…"] source`, `effect` | `untrusted` and `outside` if either says so |
///
/// `[compile]` is the host's alone: `apart = true` has components compiled in a process of its own,
/// within its `memory` and `time`. So is `[model.PROVIDER]`: the `endpoint` where a provider's models are
/// asked, and where the `key` is that goes there (`env:NAME` or `file:PATH`).
///
/// Here a door's name can be a pattern. A door that several fit is offered what any of them offers; a
/// door that none fits is bounded by none. A folder that asks for more than is offered is refused, so
/// that nobody wonders why a door misses what its policy says.
#[derive(Clone, Debug, PartialEq)]
pub struct Ceiling {
    policy: Policy,
    doors: Vec<Offer>,
    own: HostsOwn,
}

/// What the host-wide policy offers to the doors of a pattern.
pub(super) type Offer = (Pattern, DoorPolicy);

/// Those of `offers` that are to `door`.
pub(super) fn fitting<'p>(offers: &'p [Offer], door: &str) -> impl Iterator<Item = &'p DoorPolicy> {
    let fitting = offers.iter().filter(move |(name, _)| name.fits(door));
    fitting.map(|(_, offer)| offer)
}

/// What the host-wide policy offers to a door that a folder's policy names.
#[derive(Clone, Debug, PartialEq)]
pub struct Offered<'p> {
    /// Where the folder's policy names the door.
    pub place: Place,
    /// What it may be given: all that any of these has.
    pub offers: Vec<&'p DoorPolicy>,
}

/// A folder and the host each demand signatures, and no key satisfies both.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "policy.toml, {place}: `keys`: expected one of the host-wide policy's keys, found none of them"
)]
pub struct NoCommonKey {
    /// The folder's first key.
    pub place: Place,
}

impl Ceiling {
    /// Reads a host-wide `policy.toml`.
    ///
    /// # Errors
    /// As [`Policy::parse`]; and a door's name is no name and no pattern.
    pub fn parse(text: &str) -> Result<Self, PolicyError> {
        keys::check(text, keys::HOST)?;
        let (mut policy, own) = raw::parse(text, UNBOUNDED)?;
        let mut doors = Vec::new();
        for (name, door) in std::mem::take(&mut policy.doors) {
            let pattern = Pattern::new(&name).map_err(|_| PolicyError::Value {
                place: policy.places[&name],
                key: "door",
                expected: raw::PATTERN,
                found: name.clone(),
            })?;
            doors.push((pattern, door));
        }
        Ok(Self { policy, doors, own })
    }

    /// What compiling a component may take, in a process of its own; `None` if it needs none.
    #[must_use]
    pub fn compile(&self) -> Option<&CompileLimits> {
        self.own.compile.as_ref()
    }

    /// What it says of a provider of models, by the word in front of a model's name.
    #[must_use]
    pub fn model(&self, provider: &str) -> Option<&RemotePolicy> {
        self.own.models.get(provider)
    }

    /// The host's own keys, see [`Policy::keys`].
    #[must_use]
    pub fn keys(&self) -> &[(String, Place)] {
        self.policy.keys()
    }

    /// A folder's policy under this one.
    ///
    /// # Errors
    /// Both demand signatures, by keys of which none is in both.
    pub fn over(&self, folder: Policy) -> Result<Policy, NoCommonKey> {
        let keys = self.keys_of_both(&folder)?;
        let host = &self.policy;
        let first = host.ask.first.iter().map(|(pattern, _)| pattern.clone());
        Ok(Policy {
            asked_host_wide: first.collect(),
            offered: self.doors.clone(),
            keys,
            limits: smaller(&host.limits, &folder.limits),
            ask: Ask {
                first: folder.ask.first,
                expires: host.ask.expires.min(folder.ask.expires),
                by: (folder.ask.by.into_iter())
                    .filter(|by| host.ask.by.contains(by))
                    .collect(),
            },
            doors: (folder.doors.into_iter())
                .map(|(name, door)| {
                    let marks = self.marks(&name, door.marks);
                    (name, DoorPolicy { marks, ..door })
                })
                .collect(),
            ..folder
        })
    }

    fn keys_of_both(&self, folder: &Policy) -> Result<Vec<(String, Place)>, NoCommonKey> {
        let Some((_, place)) = folder.keys.first() else {
            return Ok(self.policy.keys.clone());
        };
        let hosts = |key: &String| self.policy.keys.iter().any(|(known, _)| known == key);
        let mut keys = folder.keys.clone();
        keys.retain(|(key, _)| self.policy.keys.is_empty() || hosts(key));
        match keys.is_empty() {
            true => Err(NoCommonKey { place: *place }),
            false => Ok(keys),
        }
    }

    /// Whatever makes a door more careful holds if either says so.
    fn marks(&self, door: &str, folder: Marks) -> Marks {
        let offers: Vec<&Marks> = fitting(&self.doors, door)
            .map(|offer| &offer.marks)
            .collect();
        let any = |mark: fn(&Marks) -> bool| offers.iter().any(|marks| mark(marks));
        Marks {
            concurrent: folder.concurrent && (offers.is_empty() || any(|marks| marks.concurrent)),
            untrusted: folder.untrusted || any(|marks| marks.untrusted),
            outside: folder.outside || any(|marks| marks.outside),
            may_end: folder.may_end && (offers.is_empty() || any(|marks| marks.may_end)),
        }
    }
}

fn smaller(one: &Limits, other: &Limits) -> Limits {
    Limits {
        fuel: one.fuel.min(other.fuel),
        memory: one.memory.min(other.memory),
        time: one.time.min(other.time),
        output: one.output.min(other.output),
        host_calls: one.host_calls.min(other.host_calls),
        resources: one.resources.min(other.resources),
        table_elements: one.table_elements.min(other.table_elements),
        network: one.network.min(other.network),
    }
}

const UNBOUNDED: Defaults = Defaults {
    expires: Duration::MAX,
    by: &[Approver::Terminal, Approver::Page, Approver::Client],
    limits: Limits {
        fuel: u64::MAX,
        memory: u64::MAX,
        time: Duration::MAX,
        output: u64::MAX,
        host_calls: u64::MAX,
        resources: u64::MAX,
        table_elements: u64::MAX,
        network: u64::MAX,
    },
};
