//! The doors of a loop as the tools of a client: the official SDK's own client over pipes, and raw
//! messages over HTTP.

mod calls;
pub(crate) mod client;
mod http;
mod nods;
mod stdio;
mod tools;
