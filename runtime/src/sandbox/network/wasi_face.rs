//! `wasi:http`, whose types are the library's own.

use wasmtime::StoreContextMut;
use wasmtime::component::{Linker, Resource};
use wasmtime_wasi_http::p2::bindings::http::types::RequestOptions;
use wasmtime_wasi_http::p2::types::HostOutgoingRequest;

use crate::sandbox::state::State;

/// Shadows the function that sends requests: what is not granted is refused in the call itself, so
/// that a door that is granted nothing stays as repeatable as any.
pub(in crate::sandbox) fn only_granted_hosts(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    type Asked = (
        Resource<HostOutgoingRequest>,
        Option<Resource<RequestOptions>>,
    );
    let mut handler = linker.instance(OUTGOING_HANDLER)?;
    handler.func_wrap(
        "handle",
        |mut store: StoreContextMut<'_, State>, (request, options): Asked| {
            let (network, table) = store.data_mut().network();
            Ok((match network.begin(table, request, options) {
                Ok(answer) => Ok(answer),
                Err(error) => Err(error.downcast()?),
            },))
        },
    )
}

/// The interface by the name that the linker has it under.
const OUTGOING_HANDLER: &str = "wasi:http/outgoing-handler@0.2.12";
