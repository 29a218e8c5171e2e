//! What Doorlist offers a door beside WASI, as functions: `wit/host` and `wit/door`.
//!
//! A component imports what its doors call, and nothing else. All of it is there in a component alone: a
//! native test that comes to a call of it panics.

pub use bindings::doorlist::host::{history, http, kv, log};
pub use of_the_turn::doorlist::door::turn;

#[allow(
    missing_docs,
    unsafe_code,
    clippy::all,
    clippy::pedantic,
    reason = "it is generated"
)]
mod bindings {
    wit_bindgen::generate!({ world: "host", path: "wit/host" });
}

#[allow(
    missing_docs,
    unsafe_code,
    clippy::all,
    clippy::pedantic,
    reason = "it is generated"
)]
mod of_the_turn {
    wit_bindgen::generate!({ world: "door", path: "wit/door" });
}
