//! The doors of a loop as tools of the Model Context Protocol.
//!
//! ```text
//! client --tools/call--> DoorServer -> Session -> gate -> sandbox
//! ```
//!
//! A client sees the listed doors and nothing else; no tool adds a door, a grant or a nod. Every call
//! goes through the whole gate ([`crate::session`]).

mod http;
mod lines;
mod server;
mod tools;

pub use http::{Admitted, HttpError, PATH, serve_http};
pub use lines::serve_lines;
pub use server::{DoorServer, Elicit, Stateless};
