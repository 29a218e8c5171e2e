//! What a sandbox is built with.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;

use super::apart::Compiling;
use super::network::{Resolver, SystemResolver};

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
    /// Openings that can be live at once; one more waits for its turn.
    ///
    /// Each takes up to four mappings of the process, of which Linux grants 65,530 by default
    /// (`vm.max_map_count`), and reserves address space: 3 x 4 GiB for memories.
    pub openings: NonZeroU32,
    /// Openings that wait for their turn; one more is refused as a fault of the host.
    pub waiting: NonZeroU32,
    /// Threads for openings that do not end at once: those of the host are not theirs.
    pub workers: NonZeroU32,
    /// Bytes that one linear memory can ever reach, whatever an opening's own limit says.
    pub memory: usize,
    /// Components that Cranelift compiles at the same time; one more waits for its turn.
    pub compilers: NonZeroU32,
    /// Where they are compiled.
    pub compiling: Compiling,
    /// Bytes of the largest component that is compiled.
    pub component: usize,
    /// Compiled components that stay in memory; past it, one that was not used for longest goes.
    pub kept: usize,
    /// Who looks up the hosts that doors are granted.
    pub resolver: Arc<dyn Resolver>,
}

impl Settings {
    /// For one loop at a terminal: few openings at once, so that the engine is there at once.
    #[must_use]
    pub fn for_one_loop(cache: Option<PathBuf>) -> Self {
        Self {
            cache,
            openings: ONE_LOOP,
            kept: 64,
            ..Self::default()
        }
    }
}

impl Default for Settings {
    /// For a host of many, measured on 24 GiB. No cache.
    fn default() -> Self {
        Self {
            cache: None,
            openings: MANY,
            waiting: WAITING,
            workers: processors(),
            memory: MEMORY,
            compilers: processors(),
            compiling: Compiling::Here,
            component: COMPONENT,
            kept: 1_000,
            resolver: Arc::new(SystemResolver),
        }
    }
}

fn processors() -> NonZeroU32 {
    let threads = std::thread::available_parallelism().ok();
    threads
        .and_then(|threads| NonZeroU32::try_from(threads).ok())
        .unwrap_or(NonZeroU32::MIN)
}

const ONE_LOOP: NonZeroU32 = NonZeroU32::new(16).expect("16 is not zero");

const MANY: NonZeroU32 = NonZeroU32::new(1_000).expect("1,000 is not zero");

/// Ten for each that is live: they take memory, and a caller has given up before the last has its turn.
const WAITING: NonZeroU32 = NonZeroU32::new(10_000).expect("10,000 is not zero");

/// All that a 32-bit memory can address. A lower bound would save no address space, since the
/// guard region that spares bounds checks takes as much; openings are bounded by their limits.
const MEMORY: usize = 4 << 30;

/// The largest interpreter seen packed as a door (CPython with its library) takes 43 MiB.
const COMPONENT: usize = 128 << 20;
