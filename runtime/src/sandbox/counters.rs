//! How often the costly things were done.

use std::sync::atomic::{AtomicU64, Ordering};

/// How often a sandbox did the costly things, since it was made. What is not on a list moves none
/// of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Components that Cranelift compiled.
    pub compiled: u64,
    /// Compiled components that were read from the cache on disk.
    pub loaded: u64,
    /// Instances that were made.
    pub instantiated: u64,
}

/// The same, counting.
#[derive(Default)]
pub(super) struct Counting {
    compiled: AtomicU64,
    loaded: AtomicU64,
    instantiated: AtomicU64,
}

impl Counting {
    pub(super) fn count_compiled(&self) {
        self.compiled.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn count_loaded(&self) {
        self.loaded.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn count_instantiated(&self) {
        self.instantiated.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn read(&self) -> Counters {
        Counters {
            compiled: self.compiled.load(Ordering::Relaxed),
            loaded: self.loaded.load(Ordering::Relaxed),
            instantiated: self.instantiated.load(Ordering::Relaxed),
        }
    }
}
