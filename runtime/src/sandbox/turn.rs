//! `doorlist:door/turn`: what a door asks of the turn that it is part of.

use wasmtime::component::Linker;
use wasmtime::{Result, StoreContextMut};

use super::state::State;

/// Links it. Asking is allowed to every door; whether it is heard is up to whoever opened it.
pub(super) fn add_turn(linker: &mut Linker<State>) -> Result<()> {
    linker
        .instance(TURN)?
        .func_wrap("end", |mut store: StoreContextMut<'_, State>, ()| {
            store.data_mut().reached.end = true;
            Ok(())
        })
}

/// The interface.
const TURN: &str = "doorlist:door/turn@0.1.0";
