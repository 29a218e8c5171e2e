//! What every door is linked against: WASI 0.2, with the clocks, random numbers and requests of an
//! opening.

use wasmtime::component::Linker;
use wasmtime::{Engine, Result, StoreContextMut};
use wasmtime_wasi::filesystem::WasiFilesystem;
use wasmtime_wasi::p2::bindings::filesystem::preopens;
use wasmtime_wasi::p2::bindings::sockets::{ip_name_lookup, tcp_create_socket, udp_create_socket};
use wasmtime_wasi::p2::bindings::{clocks, random};
use wasmtime_wasi::sockets::WasiSockets;

use super::clocks::HasClocks;
use super::config::add_config;
use super::files::only_plain_files;
use super::history::add_history;
use super::kv::add_kv;
use super::log::add_log;
use super::network::{add_http, only_granted_hosts};
use super::random::HasRandom;
use super::state::State;
use super::turn::add_turn;

/// One linker serves every door: what differs between two openings is in their [`State`]s.
pub(super) fn linker(engine: &Engine) -> Result<Linker<State>> {
    let mut linker = Linker::new(engine);
    wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
    wasmtime_wasi_http::p2::add_only_http_to_linker_async(&mut linker)?;
    add_config(&mut linker)?;
    add_http(&mut linker)?;
    add_history(&mut linker)?;
    add_kv(&mut linker)?;
    add_log(&mut linker)?;
    add_turn(&mut linker)?;
    linker.allow_shadowing(true);
    let l = &mut linker;
    clocks::wall_clock::add_to_linker::<_, HasClocks>(l, State::clocks)?;
    clocks::monotonic_clock::add_to_linker::<_, HasClocks>(l, State::clocks)?;
    random::random::add_to_linker::<_, HasRandom>(l, State::random)?;
    random::insecure::add_to_linker::<_, HasRandom>(l, State::random)?;
    random::insecure_seed::add_to_linker::<_, HasRandom>(l, State::random)?;
    preopens::add_to_linker::<_, WasiFilesystem>(l, State::folders)?;
    tcp_create_socket::add_to_linker::<_, WasiSockets>(l, State::refused_sockets)?;
    udp_create_socket::add_to_linker::<_, WasiSockets>(l, State::refused_sockets)?;
    ip_name_lookup::add_to_linker::<_, WasiSockets>(l, State::refused_sockets)?;
    only_granted_hosts(l)?;
    only_plain_files(l)?;
    l.instance(ENVIRONMENT)?.func_wrap(
        "get-environment",
        |mut store: StoreContextMut<'_, State>, ()| Ok((store.data_mut().environment(),)),
    )?;
    linker.allow_shadowing(false);
    Ok(linker)
}

/// The interface by the name that the linker has it under.
const ENVIRONMENT: &str = "wasi:cli/environment@0.2.12";
