//! How large a sandbox is.

use std::path::PathBuf;

/// Settings of a sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// Where compiled components are kept between processes; nowhere if `None`.
    pub cache: Option<PathBuf>,
    /// Openings that can be live at once. What the pool reserves follows from it.
    pub openings: u32,
    /// Components that are compiled at once.
    pub compilers: usize,
}

impl Settings {
    /// Settings for one loop at a terminal.
    #[must_use]
    pub fn for_one_loop(cache: Option<PathBuf>) -> Self {
        Self {
            cache,
            openings: 16,
            ..Self::default()
        }
    }
}

impl Default for Settings {
    /// For a host of many: a pool that fits 24 GiB, measured (PERFORMANCE: 1,000 openings). No
    /// cache.
    fn default() -> Self {
        let compilers = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            cache: None,
            openings: 1_000,
            compilers,
        }
    }
}
