//! What one store holds: an opening's world.

use wasmtime::component::ResourceTable;
use wasmtime_wasi::clocks::WasiClocksCtx;
use wasmtime_wasi::{FsPerms, WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

use super::clocks::{Clocks, ClocksView};
use super::fault::Fault;
use super::grants::GrantedDir;
use super::limiter::Limiter;
use super::opening::Opening;
use super::printed::Sink;
use super::random::Random;
use super::recorded_clock::RecordedClock;

/// The world of one opening, and its account of what it used.
pub(super) struct State {
    pub(super) limiter: Limiter,
    pub(super) clocks: Clocks,
    pub(super) random: Random,
    pub(super) printed: Sink,
    table: ResourceTable,
    env: Vec<(String, String)>,
    /// Built when it is first asked for: many doors never ask, and it costs as much as a call.
    wasi: Option<WasiCtx>,
}

impl State {
    /// The world of `opening`. Fails when a granted directory cannot be opened.
    pub(super) fn new(opening: Opening) -> Result<Self, Fault> {
        let Opening { time, seed, limits, grants } = opening;
        let mut table = ResourceTable::new();
        table.set_max_capacity(limits.handles);
        let mut state = Self {
            limiter: Limiter::new(&limits),
            clocks: if grants.real_clock {
                Clocks::Real(WasiClocksCtx::default())
            } else {
                Clocks::Recorded(RecordedClock::at(time))
            },
            random: Random::seeded(if grants.real_random { fresh_seed() } else { seed }, limits.random),
            printed: Sink::new(limits.printed),
            table,
            env: grants.env,
            wasi: None,
        };
        if !grants.dirs.is_empty() {
            state.wasi = Some(with_dirs(state.wasi_builder(), &grants.dirs)?);
        }
        Ok(state)
    }

    pub(super) fn clocks(&mut self) -> ClocksView<'_> {
        ClocksView { clocks: &mut self.clocks, table: &mut self.table }
    }

    /// The rest of WASI: no arguments, no directories, no network, nothing on standard input. Its
    /// own clocks and random numbers are out of a door's reach.
    fn wasi_builder(&self) -> WasiCtxBuilder {
        let mut builder = WasiCtx::builder();
        builder
            .envs(&self.env)
            .stdout(self.printed.stdout())
            .stderr(self.printed.stderr())
            .allow_tcp(false)
            .allow_udp(false)
            .allow_ip_name_lookup(false);
        builder
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        if self.wasi.is_none() {
            self.wasi = Some(self.wasi_builder().build());
        }
        let ctx = self.wasi.as_mut().expect("it was built in the line above");
        WasiCtxView { ctx, table: &mut self.table }
    }
}

fn with_dirs(mut builder: WasiCtxBuilder, dirs: &[GrantedDir]) -> Result<WasiCtx, Fault> {
    for dir in dirs {
        let perms = if dir.write { FsPerms::ReadWrite } else { FsPerms::ReadOnly };
        builder.preopened_dir(&dir.host, &dir.guest, perms).map_err(|error| {
            Fault::Directory { host: dir.host.clone(), what: error.root_cause().to_string() }
        })?;
    }
    Ok(builder.build())
}

fn fresh_seed() -> [u8; 32] {
    let mut seed = [0; 32];
    wasmtime_wasi::random::thread_rng().fill_bytes(&mut seed);
    seed
}
