//! What one store holds: an opening's world.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use loop_spec::kv::Keys;
use loop_spec::loop_machine::Returned;
use loop_spec::policy::Source;
use wasmtime::component::ResourceTable;
use wasmtime_wasi::clocks::WasiClocksCtx;
use wasmtime_wasi::filesystem::{WasiFilesystemCtxView, WasiFilesystemView as _};
use wasmtime_wasi::p2::pipe::MemoryInputPipe;
use wasmtime_wasi::sockets::{WasiSocketsCtxView, WasiSocketsView as _};
use wasmtime_wasi::{FsPerms, WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};
use wasmtime_wasi_http::{WasiHttpCtxView, WasiHttpView};

use super::clocks::{Clocks, ClocksView};
use super::fault::Fault;
use super::limiter::{LimitHit, Limiter};
use super::network::{Network, Resolver};
use super::opening::Opening;
use super::printed::Printer;
use super::random::Random;
use super::reached::Reached;
use super::recorded_clock::RecordedClock;
use crate::grants::{GrantedDir, Grants};

/// The world of one opening, and its account of what it used.
pub(super) struct State {
    pub(super) limiter: Limiter,
    clocks: Clocks,
    random: Random,
    pub(super) printer: Printer,
    /// What a command writes to standard output.
    pub(super) answer: Printer,
    input: Option<Bytes>,
    pub(super) reached: Reached,
    keys: Keys,
    returned: Arc<Returned>,
    table: ResourceTable,
    grants: Grants,
    /// Built when it is first asked for: many doors never ask, and it costs as much as a call.
    wasi: Option<WasiCtx>,
    /// The same.
    network: Option<Network>,
    network_limit: u64,
    resolver: Arc<dyn Resolver>,
}

impl State {
    /// The world of `opening`. Fails when a granted directory cannot be opened, or a secret is missing.
    pub(super) fn new(opening: Opening, resolver: Arc<dyn Resolver>) -> Result<Self, Fault> {
        let Opening {
            time,
            seed,
            limits,
            grants,
            keys,
            returned,
            input,
        } = opening;
        if let Some(lacking) = grants.secrets.lacking() {
            let what = lacking.to_owned();
            return Err(Fault::Host { what });
        }
        let mut table = ResourceTable::new();
        table.set_max_capacity(limits.handles);
        let mut state = Self {
            limiter: Limiter::new(&limits),
            clocks: match grants.clock {
                Source::Recorded => Clocks::Recorded(RecordedClock::at(time)),
                Source::Real => Clocks::Real(WasiClocksCtx::default()),
            },
            random: match grants.random {
                Source::Recorded => Random::recorded(seed, limits.random),
                Source::Real => Random::real(limits.random),
            },
            printer: Printer::new(limits.output.min(PRINTED)),
            answer: Printer::new(limits.output),
            input,
            reached: Reached::default(),
            keys,
            returned,
            table,
            grants,
            wasi: None,
            network: None,
            network_limit: limits.network,
            resolver,
        };
        if !state.grants.dirs.is_empty() {
            state.wasi = Some(with_dirs(state.wasi_builder(), &state.grants.dirs)?);
        }
        Ok(state)
    }

    pub(super) fn clocks(&mut self) -> ClocksView<'_> {
        self.reached.clock = true;
        ClocksView {
            clocks: &mut self.clocks,
            table: &mut self.table,
        }
    }

    pub(super) fn random(&mut self) -> &mut Random {
        self.reached.random = true;
        &mut self.random
    }

    /// The variables that are granted.
    pub(super) fn environment(&mut self) -> Vec<(String, String)> {
        self.reached.environment = true;
        self.grants.env.clone().into_iter().collect()
    }

    /// The values that are granted.
    pub(super) fn config(&mut self) -> &BTreeMap<String, String> {
        self.reached.config = true;
        &self.grants.config
    }

    /// What its component keeps.
    pub(super) fn keys(&mut self) -> &mut Keys {
        self.reached.kv = true;
        &mut self.keys
    }

    /// What the doors of its run returned.
    pub(super) fn returned(&mut self) -> &Returned {
        self.reached.history = true;
        &self.returned
    }

    /// The keys that its component keeps, when it is over.
    pub(super) fn take_keys(&mut self) -> Keys {
        std::mem::take(&mut self.keys)
    }

    /// Counts one call of the host, before it is made, and looks whether the door may go on.
    pub(super) fn call_host(&mut self) -> wasmtime::Result<()> {
        self.limiter.call_host()?;
        self.check_network()
    }

    /// Looks whether its requests sent and received more than they may.
    pub(super) fn check_network(&self) -> wasmtime::Result<()> {
        let over = self.network.as_ref().is_some_and(Network::is_over);
        let limit = self.network_limit;
        if over {
            Err(LimitHit::Network { limit }.into())
        } else {
            Ok(())
        }
    }

    /// What it reached for, when it is over.
    pub(super) fn take_reached(&mut self) -> Reached {
        let mut reached = std::mem::take(&mut self.reached);
        if let Some(network) = &self.network {
            reached.hosts.clone_from(network.asked());
        }
        reached
    }

    /// Its requests, and what they are kept in.
    pub(super) fn network(&mut self) -> (&mut Network, &mut ResourceTable) {
        let network = self.network.get_or_insert_with(|| {
            let (resolver, printer) = (Arc::clone(&self.resolver), self.printer.clone());
            Network::new(&self.grants, self.network_limit, resolver, printer)
        });
        (network, &mut self.table)
    }

    pub(super) fn folders(&mut self) -> WasiFilesystemCtxView<'_> {
        self.reached.folders = true;
        self.filesystem()
    }

    /// Sockets and names, of which there are none: kept is that they were reached for.
    pub(super) fn refused_sockets(&mut self) -> WasiSocketsCtxView<'_> {
        self.reached.sockets = true;
        self.sockets()
    }

    /// The rest of WASI: no arguments, no directories, no network, and on standard input
    /// what a command is given. Its
    /// own clocks and random numbers are out of a door's reach.
    fn wasi_builder(&self) -> WasiCtxBuilder {
        let mut builder = WasiCtx::builder();
        let stdout = match &self.input {
            Some(_) => &self.answer,
            None => &self.printer,
        };
        if let Some(input) = &self.input {
            builder.stdin(MemoryInputPipe::new(input.clone()));
        }
        builder
            .stdout(stdout.clone())
            .stderr(self.printer.clone())
            .allow_tcp(false)
            .allow_udp(false)
            .allow_ip_name_lookup(false);
        for (name, value) in &self.grants.env {
            builder.env(name, value);
        }
        builder
    }
}

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        if self.wasi.is_none() {
            self.wasi = Some(self.wasi_builder().build());
        }
        let ctx = self.wasi.as_mut().expect("it was built in the line above");
        WasiCtxView {
            ctx,
            table: &mut self.table,
        }
    }
}

impl WasiHttpView for State {
    fn http(&mut self) -> WasiHttpCtxView<'_> {
        let (network, table) = self.network();
        network.view(table)
    }
}

/// Bytes of what a door prints, at most: what is printed is for a trace.
const PRINTED: usize = 100_000;

fn with_dirs(mut builder: WasiCtxBuilder, dirs: &[GrantedDir]) -> Result<WasiCtx, Fault> {
    for dir in dirs {
        dir.check().map_err(|error| Fault::Host {
            what: error.to_string(),
        })?;
        let perms = if dir.write {
            FsPerms::ReadWrite
        } else {
            FsPerms::ReadOnly
        };
        builder
            .preopened_dir(&dir.host, &dir.guest, perms)
            .map_err(|error| Fault::Host {
                what: format!(
                    "the granted folder {} cannot be opened: {}",
                    dir.host.display(),
                    error.root_cause()
                ),
            })?;
    }
    Ok(builder.build())
}
