//! Counts what the guest's memories and tables take, and refuses what is too much.

use wasmtime::{ResourceLimiter, Result};

use super::limits::Limits;

/// The memories and tables of one opening against its limits.
///
/// A growth past a limit ends the opening rather than answering -1 to the guest: a language's
/// runtime turns -1 into some trap of its own, and the person would not learn which limit it was.
pub(super) struct Limiter {
    memory: Account,
    table: Account,
    host_calls: HostCalls,
}

/// Calls of the host that are left.
struct HostCalls {
    limit: u64,
    left: u64,
}

/// A limit was passed. It travels through wasmtime as the error of the guest's call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum LimitHit {
    #[error("more than {limit} bytes of memory")]
    Memory { limit: usize },
    #[error("more than {limit} table elements")]
    Table { limit: usize },
    #[error("more than {limit} calls of the host")]
    HostCalls { limit: u64 },
    #[error("more than {limit} random bytes")]
    Random { limit: u64 },
    #[error("more than {limit} bytes sent and received")]
    Network { limit: u64 },
}

impl Limiter {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            memory: Account::new(limits.memory),
            table: Account::new(limits.table_elements),
            host_calls: HostCalls {
                limit: limits.host_calls,
                left: limits.host_calls,
            },
        }
    }

    /// Counts one call of the host, before it is made.
    pub(super) fn call_host(&mut self) -> Result<()> {
        let HostCalls { limit, left } = &mut self.host_calls;
        let limit = *limit;
        *left = left.checked_sub(1).ok_or(LimitHit::HostCalls { limit })?;
        Ok(())
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> Result<bool> {
        let limit = self.memory.limit;
        self.memory
            .grow(current, desired, maximum)
            .ok_or_else(|| LimitHit::Memory { limit }.into())
    }

    fn memory_grow_failed(&mut self, _: wasmtime::Error) -> Result<()> {
        self.memory.undo();
        Ok(())
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> Result<bool> {
        let limit = self.table.limit;
        self.table
            .grow(current, desired, maximum)
            .ok_or_else(|| LimitHit::Table { limit }.into())
    }

    fn table_grow_failed(&mut self, _: wasmtime::Error) -> Result<()> {
        self.table.undo();
        Ok(())
    }
}

/// A sum that must not pass its limit, and its last growth in case the host could not do it.
struct Account {
    limit: usize,
    used: usize,
    last: usize,
}

impl Account {
    fn new(limit: usize) -> Self {
        Self {
            limit,
            used: 0,
            last: 0,
        }
    }

    /// Whether the growth may be tried: `Some(false)` where the guest's own maximum forbids it
    /// and it is told so, `None` where the limit does. `maximum` is the smaller of the guest's and
    /// the pool's: only one below the limit is certainly the guest's.
    fn grow(&mut self, current: usize, desired: usize, maximum: Option<usize>) -> Option<bool> {
        self.last = 0;
        if maximum.is_some_and(|maximum| desired > maximum && maximum < self.limit) {
            return Some(false);
        }
        let more = desired.saturating_sub(current);
        let used = self
            .used
            .checked_add(more)
            .filter(|used| *used <= self.limit)?;
        self.used = used;
        self.last = more;
        Some(true)
    }

    fn undo(&mut self) {
        self.used -= std::mem::take(&mut self.last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memories_of_an_opening_share_one_limit() {
        let mut account = Account::new(100);
        assert_eq!(account.grow(0, 60, None), Some(true));
        assert_eq!(account.grow(0, 41, None), None);
        assert_eq!(account.grow(0, 40, None), Some(true));
        assert_eq!(account.grow(60, 61, None), None);
    }

    #[test]
    fn a_growth_past_the_guests_own_maximum_costs_nothing() {
        let mut account = Account::new(100);
        assert_eq!(account.grow(0, 60, Some(50)), Some(false));
        account.undo();
        assert_eq!(account.grow(0, 100, None), Some(true));
    }

    #[test]
    fn a_growth_the_host_could_not_do_is_given_back_once() {
        let mut account = Account::new(100);
        assert_eq!(account.grow(0, 60, None), Some(true));
        account.undo();
        account.undo();
        assert_eq!(account.used, 0);
    }
}
