//! What a sandbox did: tests prove by it that nothing was done.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How often a sandbox did what it does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Components compiled.
    pub compiled: u64,
    /// Components loaded from the cache on disk.
    pub loaded: u64,
    /// Stores made, each for one opening.
    pub opened: u64,
}

#[derive(Debug, Default)]
pub(super) struct Counting {
    compiled: AtomicU64,
    loaded: AtomicU64,
    opened: AtomicU64,
}

impl Counting {
    pub(super) fn compiled(&self) {
        self.compiled.fetch_add(1, Relaxed);
    }

    pub(super) fn loaded(&self) {
        self.loaded.fetch_add(1, Relaxed);
    }

    pub(super) fn opened(&self) {
        self.opened.fetch_add(1, Relaxed);
    }

    pub(super) fn read(&self) -> Counters {
        let [compiled, loaded, opened] =
            [&self.compiled, &self.loaded, &self.opened].map(|count| count.load(Relaxed));
        Counters {
            compiled,
            loaded,
            opened,
        }
    }
}
