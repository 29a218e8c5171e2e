//! `wasi:config`: values that a policy gives to a door.

use wasmtime::component::{ComponentType, Linker, Lower};
use wasmtime::{Result, StoreContextMut};

use super::state::State;

/// Why a value cannot be read, as `wasi:config` has it. It never happens here.
#[derive(ComponentType, Lower)]
#[component(variant)]
#[expect(dead_code, reason = "the interface has them")]
enum ConfigError {
    #[component(name = "upstream")]
    Upstream(String),
    #[component(name = "io")]
    Io(String),
}

type Found<T> = (std::result::Result<T, ConfigError>,);

/// Links the values, in the order of their names.
pub(super) fn add_config(linker: &mut Linker<State>) -> Result<()> {
    let mut store = linker.instance(STORE)?;
    store.func_wrap(
        "get",
        |mut store: StoreContextMut<'_, State>,
         (key,): (String,)|
         -> Result<Found<Option<String>>> {
            Ok((Ok(store.data_mut().config().get(&key).cloned()),))
        },
    )?;
    store.func_wrap(
        "get-all",
        |mut store: StoreContextMut<'_, State>, ()| -> Result<Found<Vec<(String, String)>>> {
            let all = store.data_mut().config().clone().into_iter().collect();
            Ok((Ok(all),))
        },
    )
}

/// The interface of the one version that is in use.
const STORE: &str = "wasi:config/store@0.2.0-rc.1";
