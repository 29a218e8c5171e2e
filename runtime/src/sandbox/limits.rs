//! What one opening may use.

use std::time::Duration;

use loop_spec::policy;

/// The bounds of one opening. Each that is reached is a [`Fault`](super::Fault) of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Units of fuel: about one an instruction, one a byte of a bulk memory operation, and
    /// [`MEMORY_PAGE_FUEL`](super::MEMORY_PAGE_FUEL) a page that a memory grows by.
    pub fuel: u64,
    /// Bytes of all linear memories together.
    pub memory: usize,
    /// Elements of all tables together, 8 bytes of the host each.
    pub table_elements: usize,
    /// Wall clock from the moment that compiled code is in hand, waits in host calls included.
    pub time: Duration,
    /// Bytes kept of what it prints: the rest is dropped and counted, and the door goes on. Also
    /// what its answer is clipped to, which is not the sandbox's to do; it only refuses what is
    /// out of proportion, see [`Limits::transfer`].
    pub output: usize,
    /// Random bytes that are drawn.
    pub random: u64,
    /// Resources (streams, files, pollables) held at the same time.
    pub handles: usize,
    /// Calls of the host: functions that it imports, not the instructions between them.
    pub host_calls: u64,
    /// Bytes that the bodies of its requests and their answers take, all together.
    pub network: u64,
}

impl Limits {
    /// The limits that a policy sets.
    #[must_use]
    pub fn of(policy: &policy::Limits) -> Self {
        Self {
            fuel: policy.fuel,
            memory: size(policy.memory),
            table_elements: size(policy.table_elements).min(TABLE_ELEMENTS),
            time: policy.time,
            output: size(policy.output),
            random: RANDOM,
            handles: size(policy.resources),
            host_calls: policy.host_calls,
            network: policy.network,
        }
    }

    /// Bytes that one call may carry out of the door: its result, or the arguments of one call of
    /// the host. Nested values count what they take in the host's memory (32 bytes each at
    /// least), so that a list of aliases of one long string counts in full.
    #[must_use]
    pub fn transfer(&self) -> usize {
        TRANSFER.max(self.output.saturating_mul(2))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::of(&policy::Limits::default())
    }
}

/// What does not fit is more than any door has.
fn size(policy: u64) -> usize {
    usize::try_from(policy).unwrap_or(usize::MAX)
}

/// Elements of a table in the engine's pool, which no policy can raise.
pub(super) const TABLE_ELEMENTS: usize = 20_000;

/// Bytes of random numbers: a tenth of a second of the host.
const RANDOM: u64 = 64 << 20;

/// Bytes that a door may carry out at once even when its answer is clipped to fewer.
const TRANSFER: usize = 4 << 20;
