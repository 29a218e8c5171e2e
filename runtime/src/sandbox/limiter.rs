//! Memory and tables of one opening, counted.

use wasmtime::{Error, ResourceLimiter, Result};

use super::Limits;

/// Refuses what is beyond the limits with an error that says which, so that the opening ends there
/// and not in whatever a guest does without memory.
#[derive(Debug)]
pub(super) struct Limiter {
    memory: usize,
    memory_used: usize,
    table_elements: usize,
}

/// A limit that a guest ran into when it grew.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub(super) enum Grown {
    #[error("more than {limit} bytes of memory")]
    Memory { limit: usize },
    #[error("more than {limit} table elements")]
    Table { limit: usize },
}

impl Limiter {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            memory: limits.memory,
            memory_used: 0,
            table_elements: limits.table_elements,
        }
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> Result<bool> {
        let used = self
            .memory_used
            .saturating_add(desired.saturating_sub(current));
        if used > self.memory {
            return Err(Error::new(Grown::Memory { limit: self.memory }));
        }
        self.memory_used = used;
        Ok(true)
    }

    fn table_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> Result<bool> {
        if desired > self.table_elements {
            return Err(Error::new(Grown::Table {
                limit: self.table_elements,
            }));
        }
        Ok(true)
    }
}
