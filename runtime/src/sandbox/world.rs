//! What is around one instance: WASI as far as it is granted, and the limits.

use loop_spec::policy::Source;
use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use wasmtime::component::{Linker, ResourceTable};
use wasmtime::{Engine, Result};
use wasmtime_wasi::clocks::WasiClocksView as _;
use wasmtime_wasi::p2::bindings::clocks::monotonic_clock;
use wasmtime_wasi::{FsPerms, WasiCtx, WasiCtxView, WasiView};

use super::Opening;
use super::inert_clock::{HasMonotonic, InertClock, Monotonic, RealClock};
use super::limiter::Limiter;
use super::printed::{Printed, Printer};
use crate::grants::Grants;

/// The state of one store.
pub(super) struct World {
    pub(super) limiter: Limiter,
    clock: InertClock,
    printer: Printer,
    real_clock: bool,
    seed: u64,
    table: ResourceTable,
    /// Made when the guest first asks for it: many doors never do.
    wasi: Option<WasiCtx>,
}

/// A grant that could not be given.
#[derive(Debug, thiserror::Error)]
#[error("the grant of {} cannot be given: {source}", dir.display())]
pub(super) struct Ungranted {
    dir: std::path::PathBuf,
    source: Box<dyn std::error::Error + Send + Sync>,
}

impl World {
    pub(super) fn new(opening: &Opening) -> Result<Self, Ungranted> {
        let mut world = Self {
            limiter: Limiter::new(&opening.limits),
            clock: InertClock::at(opening.time),
            printer: Printer::new(opening.limits.output),
            real_clock: opening.grants.clock == Source::Real,
            seed: opening.seed,
            table: ResourceTable::new(),
            wasi: None,
        };
        if !opening.grants.is_none() {
            world.wasi = Some(granted(world.inert(), &opening.grants)?);
        }
        Ok(world)
    }

    /// What the door printed.
    pub(super) fn printed(&self) -> Printed {
        self.printer.take()
    }

    fn inert(&self) -> wasmtime_wasi::WasiCtxBuilder {
        let mut seeds = ChaCha12Rng::seed_from_u64(self.seed);
        let mut next = || ChaCha12Rng::seed_from_u64(seeds.next_u64());
        let mut wasi = WasiCtx::builder();
        wasi.stdout(self.printer.clone())
            .stderr(self.printer.clone())
            .wall_clock(self.clock.clone())
            .monotonic_clock(self.clock.clone())
            .secure_random(next())
            .insecure_random(next())
            .insecure_random_seed(u128::from(next().next_u64()))
            .allow_tcp(false)
            .allow_udp(false);
        wasi
    }

    fn monotonic(&mut self) -> Monotonic<'_> {
        if self.real_clock {
            return Monotonic::Real(self.clocks());
        }
        Monotonic::Inert {
            clock: self.clock.clone(),
            table: &mut self.table,
        }
    }
}

impl WasiView for World {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        if self.wasi.is_none() {
            self.wasi = Some(self.inert().build());
        }
        let ctx = self.wasi.as_mut().expect("made above");
        WasiCtxView {
            ctx,
            table: &mut self.table,
        }
    }
}

/// The inert world with what is granted put in its place.
fn granted(mut wasi: wasmtime_wasi::WasiCtxBuilder, grants: &Grants) -> Result<WasiCtx, Ungranted> {
    for dir in &grants.dirs {
        let ungranted = |source: Box<dyn std::error::Error + Send + Sync>| Ungranted {
            dir: dir.host.clone(),
            source,
        };
        dir.check().map_err(|error| ungranted(error.into()))?;
        let perms = if dir.write {
            FsPerms::ReadWrite
        } else {
            FsPerms::ReadOnly
        };
        wasi.preopened_dir(&dir.host, &dir.guest, perms)
            .map_err(|error| ungranted(format!("{error:#}").into()))?;
    }
    for (name, value) in &grants.env {
        wasi.env(name, value);
    }
    if grants.clock == Source::Real {
        wasi.wall_clock(RealClock::new())
            .monotonic_clock(RealClock::new());
    }
    if grants.random == Source::Real {
        let fresh = || {
            let mut seed = [0; 32];
            getrandom::fill(&mut seed).expect("the operating system has random numbers");
            ChaCha12Rng::from_seed(seed)
        };
        wasi.secure_random(fresh())
            .insecure_random(fresh())
            .insecure_random_seed(u128::from(fresh().next_u64()));
    }
    Ok(wasi.build())
}

/// Everything that a component may import, for every opening; what is granted lies in its world.
pub(super) fn linker(engine: &Engine) -> Result<Linker<World>> {
    let mut linker = Linker::new(engine);
    wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
    linker.allow_shadowing(true);
    monotonic_clock::add_to_linker::<World, HasMonotonic>(&mut linker, World::monotonic)?;
    linker.allow_shadowing(false);
    Ok(linker)
}
