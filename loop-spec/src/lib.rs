//! The pure half of Doorlist: file formats, machines, events, pages and diagrams.
//!
//! Nothing here does anything: no async, no WebAssembly, no file system, no clock, no randomness, no
//! terminal. Times, ids and random numbers come in as arguments.

mod digest;
pub mod journal;
mod place;
pub mod policy;
mod record;

pub use digest::{Digest, NotADigest};
pub use place::{Place, nearest};
pub use record::{Entry, RECORD_VERSION, Record, Stamped};
