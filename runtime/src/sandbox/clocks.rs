//! `wasi:clocks` of one opening: the recorded time, or the host's where that is granted.

use wasmtime::Result;
use wasmtime::component::{HasData, Resource, ResourceTable};
use wasmtime_wasi::clocks::{WasiClocksCtx, WasiClocksCtxView};
use wasmtime_wasi::p2::bindings::clocks::{monotonic_clock, wall_clock};
use wasmtime_wasi::p2::{DynPollable, subscribe};

use super::recorded_clock::{RecordedClock, Timer};

/// The clocks of one opening.
pub(super) enum Clocks {
    /// Stands at the opening's time; sleeping moves it and returns at once.
    Recorded(RecordedClock),
    /// The host's.
    Real(WasiClocksCtx),
}

/// The clocks, and the table that pollables go to.
pub(super) struct ClocksView<'a> {
    pub(super) clocks: &'a mut Clocks,
    pub(super) table: &'a mut ResourceTable,
}

impl wall_clock::Host for ClocksView<'_> {
    fn now(&mut self) -> Result<wall_clock::Datetime> {
        match self.clocks {
            Clocks::Recorded(clock) => Ok(datetime(clock.now())),
            Clocks::Real(ctx) => wall_clock::Host::now(&mut real(ctx, self.table)),
        }
    }

    fn resolution(&mut self) -> Result<wall_clock::Datetime> {
        match self.clocks {
            Clocks::Recorded(_) => Ok(datetime(RecordedClock::RESOLUTION)),
            Clocks::Real(ctx) => wall_clock::Host::resolution(&mut real(ctx, self.table)),
        }
    }
}

impl monotonic_clock::Host for ClocksView<'_> {
    fn now(&mut self) -> Result<monotonic_clock::Instant> {
        match self.clocks {
            Clocks::Recorded(clock) => Ok(clock.now()),
            Clocks::Real(ctx) => monotonic_clock::Host::now(&mut real(ctx, self.table)),
        }
    }

    fn resolution(&mut self) -> Result<monotonic_clock::Duration> {
        match self.clocks {
            Clocks::Recorded(_) => Ok(RecordedClock::RESOLUTION),
            Clocks::Real(ctx) => monotonic_clock::Host::resolution(&mut real(ctx, self.table)),
        }
    }

    fn subscribe_instant(
        &mut self,
        when: monotonic_clock::Instant,
    ) -> Result<Resource<DynPollable>> {
        match self.clocks {
            Clocks::Recorded(clock) => timer(self.table, clock.timer(when)),
            Clocks::Real(ctx) => real(ctx, self.table).subscribe_instant(when),
        }
    }

    fn subscribe_duration(
        &mut self,
        duration: monotonic_clock::Duration,
    ) -> Result<Resource<DynPollable>> {
        match self.clocks {
            Clocks::Recorded(clock) => timer(
                self.table,
                clock.timer(clock.now().saturating_add(duration)),
            ),
            Clocks::Real(ctx) => real(ctx, self.table).subscribe_duration(duration),
        }
    }
}

fn real<'a>(ctx: &'a mut WasiClocksCtx, table: &'a mut ResourceTable) -> WasiClocksCtxView<'a> {
    WasiClocksCtxView { ctx, table }
}

fn timer(table: &mut ResourceTable, timer: Timer) -> Result<Resource<DynPollable>> {
    let timer = table.push(timer)?;
    subscribe(table, timer)
}

fn datetime(nanoseconds: u64) -> wall_clock::Datetime {
    wall_clock::Datetime {
        seconds: nanoseconds / NANOSECONDS,
        nanoseconds: (nanoseconds % NANOSECONDS) as u32,
    }
}

/// Tells wasmtime that the interfaces above borrow a [`ClocksView`].
pub(super) struct HasClocks;

impl HasData for HasClocks {
    type Data<'a> = ClocksView<'a>;
}

/// In a second.
const NANOSECONDS: u64 = 1_000_000_000;
