//! The sandbox: every opening of a door is a fresh instance in a store of its own.
//!
//! ```
//! use doorlist::Artifact;
//! use doorlist::sandbox::{Export, Fault, Opening, Sandbox, Settings};
//! use wasmtime::component::Val;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let sandbox = Sandbox::new(Settings::for_one_loop(None))?;
//!
//! // A door is a component; this one halves a number that is even.
//! let bytes = wat::parse_str(
//!     r#"(component
//!         (core module $m
//!             (func (export "halve") (param i32) (result i32)
//!                 (if (i32.and (local.get 0) (i32.const 1)) (then unreachable))
//!                 (i32.div_u (local.get 0) (i32.const 2))))
//!         (core instance $i (instantiate $m))
//!         (func (export "halve") (param "n" u32) (result u32)
//!             (canon lift (core func $i "halve"))))"#,
//! )?;
//! let door = sandbox.compile(&Artifact::new(bytes)).await?;
//!
//! // What an opening depends on is all in here: time, seed, limits, grants.
//! let opening = Opening { time: 1_750_000_000_000_000, seed: 7, ..Opening::default() };
//! let halve = Export { interface: None, function: "halve" };
//!
//! let even = door.open(&halve, vec![Val::U32(8)], opening.clone()).await;
//! assert_eq!(even.outcome, Ok(vec![Val::U32(4)]));
//! let odd = door.open(&halve, vec![Val::U32(7)], opening.clone()).await;
//! assert!(matches!(odd.outcome, Err(Fault::Trap { .. })));
//!
//! // The same opening again: the same result for the same fuel.
//! assert_eq!(door.open(&halve, vec![Val::U32(8)], opening).await.fuel, even.fuel);
//! # Ok(())
//! # }
//! ```
//!
//! Without [`Grants`](crate::grants::Grants) a door lives in an *inert world*. WASI is there, so that the runtimes of all
//! languages start, but it shows no files, no environment, no arguments and no network. Clocks
//! stand at [`Opening::time`]; sleeping moves them and returns at once. Random numbers come from
//! [`Opening::seed`], and what is kept by `doorlist:host/kv` is forgotten, unless who opened it keeps
//! [`Opened::keys`]. What is printed goes to [`Opened::printed`]. Each grant changes its own part
//! and no other.
//!
//! A sandbox reads no environment and no home directory, and writes only to
//! [`Settings::cache`] and to directories that an opening is granted.

mod apart;
mod cache;
mod clocks;
mod compiled;
mod config;
mod counters;
mod engine;
mod entry;
mod error;
mod export;
mod fault;
mod features;
mod files;
mod history;
mod host_key;
mod kept;
mod kv;
mod limiter;
mod limits;
mod linker;
mod log;
mod network;
mod opening;
mod plain;
mod printed;
mod random;
mod reached;
mod recorded_clock;
#[expect(
    clippy::module_inception,
    reason = "the file is named after its main type"
)]
mod sandbox;
mod settings;
mod state;
#[cfg(test)]
mod tests;
mod turn;
mod workers;

pub use apart::{Apart, Compiling, compile_apart};
pub use cache::CacheFault;
pub use compiled::Compiled;
pub use counters::Counters;
pub use engine::{MEMORY_PAGE_FUEL, STACK, YIELD_INTERVAL};
pub use error::{CompileError, SandboxError};
pub use export::Export;
pub use fault::Fault;
pub use limits::Limits;
pub use network::{Resolver, SystemResolver};
pub use opening::{Opened, Opening};
pub use printed::Printed;
pub use reached::{MOST_PATHS, Reached};
pub use sandbox::Sandbox;
pub use settings::Settings;

/// What counts the fuel, as the journal records it beside the fuel.
pub const ENGINE: &str = "wasmtime 48, cranelift";
