//! What a sandbox is built with.

use std::num::NonZeroU32;
use std::path::PathBuf;

/// The size of a sandbox: how many openings live at once, how much is reserved for each, where
/// compiled components are kept.
///
/// A sandbox reads neither the environment nor a home directory: what it should know stands here.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where compiled components are kept between processes. `None`: they are compiled by every
    /// process again. The directory is made when it is missing; see [`Sandbox::cache_fault`] for
    /// when it cannot be used.
    ///
    /// [`Sandbox::cache_fault`]: super::Sandbox::cache_fault
    pub cache: Option<PathBuf>,
    /// Openings that live at the same time; one more waits for its turn.
    ///
    /// Each takes up to four mappings of the process, of which Linux grants 65,530 by default
    /// (`vm.max_map_count`), and reserves address space: 3 x 4 GiB for memories.
    pub live: NonZeroU32,
    /// Bytes that one linear memory can ever reach, whatever an opening's own limit says.
    pub memory: usize,
    /// Components that Cranelift compiles at the same time; one more waits for its turn.
    pub compiles: NonZeroU32,
    /// Bytes of the largest component that is compiled.
    pub component: usize,
    /// Compiled components that stay in memory; past it, one that was not used for longest goes.
    pub kept: usize,
}

impl Settings {
    /// For one person's loop: a few openings at once, ready in a millisecond.
    #[must_use]
    pub fn single() -> Self {
        Self {
            cache: None,
            live: NonZeroU32::new(64).expect("64 is not zero"),
            memory: MEMORY,
            compiles: NonZeroU32::new(2).expect("2 is not zero"),
            component: COMPONENT,
            kept: 64,
        }
    }

    /// For many users at once, measured on 24 GiB.
    #[must_use]
    pub fn host() -> Self {
        Self {
            live: NonZeroU32::new(1000).expect("1000 is not zero"),
            kept: 1000,
            ..Self::single()
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self::single()
    }
}

/// All that a 32-bit memory can address. A lower bound would save no address space, since the
/// guard region that spares bounds checks takes as much; openings are bounded by their limits.
const MEMORY: usize = 4 << 30;

/// The largest interpreter seen packed as a door (CPython with its library) takes 43 MiB.
const COMPONENT: usize = 128 << 20;
