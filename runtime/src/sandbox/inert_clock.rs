//! The clock of the inert world: it stands still, and only sleeping moves it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use wasmtime::Result;
use wasmtime::component::{HasData, Resource, ResourceTable};
use wasmtime_wasi::p2::bindings::clocks::monotonic_clock;
use wasmtime_wasi::p2::{DynPollable, Pollable, subscribe};
use wasmtime_wasi::{HostMonotonicClock, HostWallClock};

/// A clock that is moved by nothing but [`InertClock::sleep_until`].
#[derive(Clone, Debug)]
pub(super) struct InertClock {
    /// What it showed at first, since the Unix epoch.
    start: Duration,
    /// Nanoseconds that the door has slept.
    slept: Arc<AtomicU64>,
}

impl InertClock {
    /// A clock that shows `time`, in microseconds since the Unix epoch.
    pub(super) fn at(time: u64) -> Self {
        Self {
            start: Duration::from_micros(time),
            slept: Arc::default(),
        }
    }

    fn slept(&self) -> u64 {
        self.slept.load(Relaxed)
    }

    fn sleep_until(&self, nanoseconds: u64) {
        self.slept.fetch_max(nanoseconds, Relaxed);
    }
}

impl HostWallClock for InertClock {
    fn resolution(&self) -> Duration {
        Duration::from_nanos(1)
    }

    fn now(&self) -> Duration {
        self.start + Duration::from_nanos(self.slept())
    }
}

/// The monotonic clock begins at 0 with every opening.
impl HostMonotonicClock for InertClock {
    fn resolution(&self) -> u64 {
        1
    }

    fn now(&self) -> u64 {
        self.slept()
    }
}

/// `wasi:clocks/monotonic-clock` of one opening: inert, or the host's own.
pub(super) enum Monotonic<'a> {
    Inert {
        clock: InertClock,
        table: &'a mut ResourceTable,
    },
    Real(wasmtime_wasi::clocks::WasiClocksCtxView<'a>),
}

/// [`Monotonic`] for the linker.
pub(super) struct HasMonotonic;

impl HasData for HasMonotonic {
    type Data<'a> = Monotonic<'a>;
}

impl monotonic_clock::Host for Monotonic<'_> {
    fn now(&mut self) -> Result<u64> {
        match self {
            Self::Inert { clock, .. } => Ok(clock.slept()),
            Self::Real(real) => monotonic_clock::Host::now(real),
        }
    }

    fn resolution(&mut self) -> Result<u64> {
        match self {
            Self::Inert { .. } => Ok(1),
            Self::Real(real) => monotonic_clock::Host::resolution(real),
        }
    }

    fn subscribe_instant(&mut self, when: u64) -> Result<Resource<DynPollable>> {
        match self {
            Self::Inert { clock, table } => {
                let alarm = table.push(Alarm {
                    clock: clock.clone(),
                    when,
                })?;
                subscribe(table, alarm)
            }
            Self::Real(real) => real.subscribe_instant(when),
        }
    }

    fn subscribe_duration(&mut self, duration: u64) -> Result<Resource<DynPollable>> {
        match self {
            Self::Inert { clock, .. } => {
                let when = clock.slept().saturating_add(duration);
                self.subscribe_instant(when)
            }
            Self::Real(real) => real.subscribe_duration(duration),
        }
    }
}

/// Rings as soon as somebody waits for it, and then it is that late.
struct Alarm {
    clock: InertClock,
    when: u64,
}

#[async_trait::async_trait]
impl Pollable for Alarm {
    async fn ready(&mut self) {
        self.clock.sleep_until(self.when);
    }
}

/// The host's own clock, where it is granted.
pub(super) struct RealClock {
    start: std::time::Instant,
}

impl RealClock {
    pub(super) fn new() -> Self {
        Self {
            start: std::time::Instant::now(),
        }
    }
}

impl HostWallClock for RealClock {
    fn resolution(&self) -> Duration {
        Duration::from_nanos(1)
    }

    fn now(&self) -> Duration {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.unwrap_or_default()
    }
}

/// Since the opening: a door learns nothing of how long the host has been up.
impl HostMonotonicClock for RealClock {
    fn resolution(&self) -> u64 {
        1
    }

    fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
}
