//! The pure half of Doorlist: file formats, machines, events, pages and diagrams.
//!
//! Nothing here does anything: no async, no WebAssembly, no file system, no clock, no randomness, no
//! terminal. Times, ids and random numbers come in as arguments.

pub mod diagram;
pub mod frame;
pub mod journal;
pub mod kv;
pub mod lock;
pub mod loop_machine;
pub mod notation;
pub mod numbers;
pub mod policy;
pub mod session;
pub mod trace;

mod answer;
mod canonical;
mod clip;
mod digest;
mod loop_text;
mod machine;
mod mended;
mod message;
mod page;
mod payload;
mod place;
mod record;
mod words;

pub use answer::{Answer, Call, CallId, Ended, NotACallId, Usage};
pub use canonical::{LARGEST_EXACT, canonical};
pub use clip::{Cut, clip, cut};
pub use digest::{Digest, NotADigest};
pub use loop_text::{KEYS as LOOP_KEYS, LoopText, LoopTextError, Window};
pub use machine::{Arrow, Machine, Misapplied, Node, NotAnEvent, Recorded, Unfoldable};
pub use message::{Message, Named};
pub use page::Page;
pub use payload::Payload;
pub use place::{Place, nearest};
pub use record::{Entry, RECORD_VERSION, Record, Stamped};
pub use words::{HISTORY_FETCH, Language};
