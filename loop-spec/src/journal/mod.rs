//! A journal as text: one record a line, each line bound to all before it by a checksum.
//!
//! ```text
//! {"v":1,"seq":0,"time":1733000000000000,"kind":"started","payload":{…},"sum":"<32 hex digits>"}
//! ```
//!
//! The checksum of a line is SHA-256, cut to 16 bytes, over the checksum of the line before it and
//! this line's bytes up to `,"sum":"`. The first line follows a checksum made from the run's id, so
//! a file under another run's name is noticed. Checking works on the bytes as they stand, never on
//! JSON written again. It finds damage; it does not stop a forger, who can compute it as well.
//!
//! Records appended together carry `"more":N`, the number of lines still to come of their batch,
//! so that a crash in the middle of an append leaves either the whole batch or nothing of it.

mod chain;
mod damage;
mod format;
mod reading;
mod unwritable;

pub use chain::Chain;
pub use damage::Damage;
pub use reading::{Reading, TornTail};
pub use unwritable::Unwritable;
