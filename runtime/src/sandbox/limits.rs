//! What one opening may use.

use std::time::Duration;

use loop_spec::policy;

/// Limits of one opening. Each has an observation of its own when it is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Fuel, about one an instruction.
    pub fuel: u64,
    /// Bytes of linear memory, summed over all memories.
    pub memory: usize,
    /// Elements of one table.
    pub table_elements: usize,
    /// By the host's clock, from the compiled door to its answer.
    pub time: Duration,
    /// Bytes of what it returns, and of what it prints, before they are clipped.
    pub output: usize,
}

impl Limits {
    /// The limits that a policy sets.
    #[must_use]
    pub fn of(policy: &policy::Limits) -> Self {
        Self {
            fuel: policy.fuel,
            memory: usize::try_from(policy.memory).unwrap_or(usize::MAX),
            table_elements: TABLE_ELEMENTS,
            time: policy.time,
            output: usize::try_from(policy.output).unwrap_or(usize::MAX),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::of(&policy::Limits::default())
    }
}

/// Python, Go and StarlingMonkey need 6,000 to 8,000.
pub(super) const TABLE_ELEMENTS: usize = 20_000;
