//! `[limits]`: what one opening may use.

use std::time::Duration;

/// What one opening may use. All are above zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Fuel, about one an instruction.
    pub fuel: u64,
    /// Linear memory in bytes, all memories of the door together.
    pub memory: u64,
    /// Wall-clock time from the compiled door to its answer, waits included.
    pub time: Duration,
    /// What the door returns and prints, in bytes each, before it is clipped.
    pub output: u64,
    /// Calls of the host.
    pub host_calls: u64,
    /// Resources that it holds at once: files, streams, timers, and its own.
    pub resources: u64,
    /// Elements of tables, all tables of the door together.
    pub table_elements: u64,
    /// What all requests of the door together send and receive, in bytes of their bodies.
    pub network: u64,
}

/// `[compile]` of the host-wide policy: that components are compiled in a process of their own, and
/// what it may take. All are above zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileLimits {
    /// Memory in bytes, address space included.
    pub memory: u64,
    /// Time, of the clock and of the processors alike.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            fuel: DEFAULT_FUEL,
            memory: DEFAULT_MEMORY,
            time: DEFAULT_TIME,
            output: DEFAULT_OUTPUT,
            host_calls: DEFAULT_HOST_CALLS,
            resources: DEFAULT_RESOURCES,
            table_elements: DEFAULT_TABLE_ELEMENTS,
            network: DEFAULT_NETWORK,
        }
    }
}

/// Room for the slowest language's start (StarlingMonkey needs 1.5 million, so 300 times that), and
/// under a second of a spinning door.
pub const DEFAULT_FUEL: u64 = 500_000_000;

/// Five times what the largest language's start takes: CPython needs 12.9 MB.
pub const DEFAULT_MEMORY: u64 = 64 << 20;

/// Long for a computation, short for a person who waits.
pub const DEFAULT_TIME: Duration = Duration::from_secs(10);

/// Ten times what is pasted of it: the rest is there for a door that reads what was returned.
pub const DEFAULT_OUTPUT: u64 = 1_000_000;

/// Far more than a program makes that reads a few files, and about a second of the host.
pub const DEFAULT_HOST_CALLS: u64 = 1_000_000;

/// Far more than a program opens, and some megabytes of the host's tables.
pub const DEFAULT_RESOURCES: u64 = 10_000;

/// The largest language's start needs 8,000: those of Python and Go.
pub const DEFAULT_TABLE_ELEMENTS: u64 = 20_000;

/// A hundred answers of an ordinary API, and less than a door's memory holds.
pub const DEFAULT_NETWORK: u64 = 16 << 20;

/// What compiling the largest component takes that was seen packed as a door, some times over.
pub const DEFAULT_COMPILE_MEMORY: u64 = 4 << 30;

/// Compiling CPython takes five seconds on a fast machine.
pub const DEFAULT_COMPILE_TIME: Duration = Duration::from_secs(120);
