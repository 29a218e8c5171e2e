//! `doorlist:host/kv`: what a component's doors keep.

use wasmtime::component::Linker;
use wasmtime::{Result, StoreContextMut};

use super::state::State;

type Asked<'a> = StoreContextMut<'a, State>;

/// Links it.
pub(super) fn add_kv(linker: &mut Linker<State>) -> Result<()> {
    let mut kv = linker.instance(KV)?;
    kv.func_wrap("get", |mut store: Asked<'_>, (key,): (String,)| {
        Ok((store.data_mut().keys().get(&key).map(<[u8]>::to_vec),))
    })?;
    kv.func_wrap(
        "set",
        |mut store: Asked<'_>, (key, value): (String, Vec<u8>)| {
            let set = store.data_mut().keys().set(key, value);
            Ok((set.map_err(|full| full.to_string()),))
        },
    )?;
    kv.func_wrap("delete", |mut store: Asked<'_>, (key,): (String,)| {
        Ok((store.data_mut().keys().delete(&key),))
    })?;
    kv.func_wrap("keys", |mut store: Asked<'_>, ()| {
        let keys = store.data_mut().keys();
        Ok((keys.names().map(str::to_owned).collect::<Vec<String>>(),))
    })
}

/// The interface.
const KV: &str = "doorlist:host/kv@0.1.0";
