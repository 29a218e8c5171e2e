//! `doorlist:host/history`: what the doors of this run returned.

use wasmtime::component::Linker;
use wasmtime::{Result, StoreContextMut};

use super::state::State;

/// Links it.
pub(super) fn add_history(linker: &mut Linker<State>) -> Result<()> {
    linker.instance(HISTORY)?.func_wrap(
        "returned",
        |mut store: StoreContextMut<'_, State>, (call,): (String,)| {
            let returned = store.data_mut().returned();
            let text = call.parse().ok().and_then(|call| returned.of(call));
            Ok((text.map(str::to_owned),))
        },
    )
}

/// The interface.
const HISTORY: &str = "doorlist:host/history@0.1.0";
