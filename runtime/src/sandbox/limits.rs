//! How much one opening may use.

use std::time::Duration;

/// The bounds of one opening. Each that is reached is a [`Fault`](super::Fault) of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// Bytes that one call may carry out of the door: its result, or the arguments of one call
    /// of the host. Nested values count what they take in the host's memory (32 bytes each at
    /// least), so that a short list of long aliases counts in full.
    pub transfer: usize,
    /// Bytes kept of standard output, and as many of standard error. What is beyond is dropped
    /// and counted, and the door goes on.
    pub printed: usize,
    /// Random bytes that are drawn.
    pub random: u64,
    /// Resources (streams, files, pollables) held at the same time.
    pub handles: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            fuel: 500_000_000,
            memory: 64 << 20,
            table_elements: 20_000,
            time: Duration::from_secs(10),
            transfer: 4 << 20,
            printed: 64 << 10,
            random: 16 << 20,
            handles: 10_000,
        }
    }
}
