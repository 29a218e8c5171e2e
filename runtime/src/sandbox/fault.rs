//! Why an opening ended without a result.

use std::time::Duration;

use wasmtime::component::ResourceTableError;
use wasmtime::{PoolConcurrencyLimitError, Trap};
use wasmtime_wasi::I32Exit;

use super::limiter::LimitHit;
use super::limits::Limits;

/// Why an opening ended without a result. Each limit is a variant of its own.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The door trapped: a panic, a division by zero, an access out of bounds.
    #[error("the door trapped: {what}")]
    Trap {
        /// The kind of trap.
        what: String,
    },
    /// The door ended the program instead of returning (`wasi:cli/exit`).
    #[error("the door exited with code {code} instead of returning")]
    Exit {
        /// 0 for success.
        code: i32,
    },
    /// The fuel is used up.
    #[error("the door used up its fuel of {limit}")]
    Fuel {
        /// Units, see [`Limits::fuel`].
        limit: u64,
    },
    /// The memories grew past their limit, or started past it.
    #[error("the door asked for more than {limit} bytes of memory")]
    Memory {
        /// Bytes, see [`Limits::memory`].
        limit: usize,
    },
    /// The tables grew past their limit, or started past it.
    #[error("the door asked for more than {limit} table elements")]
    Table {
        /// Elements, see [`Limits::table_elements`].
        limit: usize,
    },
    /// Calls are nested too deeply.
    #[error("the door's calls are nested too deeply: its stack of {limit} bytes is used up")]
    Stack {
        /// Bytes, [`STACK`](super::STACK).
        limit: usize,
    },
    /// The wall clock ran out.
    #[error("the door took longer than {limit:?}")]
    Time {
        /// See [`Limits::time`].
        limit: Duration,
    },
    /// What it returned, or handed to the host in one call, is out of proportion.
    #[error("the door handed over more than {limit} bytes at once")]
    Output {
        /// Bytes, see [`Limits::transfer`].
        limit: usize,
    },
    /// The host was called too often.
    #[error("the door called the host more than {limit} times")]
    HostCalls {
        /// Calls, see [`Limits::host_calls`].
        limit: u64,
    },
    /// Too many random bytes were drawn.
    #[error("the door drew more than {limit} random bytes")]
    Random {
        /// Bytes, see [`Limits::random`].
        limit: u64,
    },
    /// Its requests sent and received too much.
    #[error("the door sent and received more than {limit} bytes")]
    Network {
        /// Bytes, see [`Limits::network`].
        limit: u64,
    },
    /// Too many resources were held at once.
    #[error("the door held more than {limit} resources at once")]
    Handles {
        /// Resources, see [`Limits::handles`].
        limit: usize,
    },
    /// The host could not do its part; the door is not to blame.
    #[error("the door could not be opened: {what}")]
    Host {
        /// What went wrong, for a person.
        what: String,
    },
}

impl Fault {
    /// The fault that ended a call with `error` under `limits`.
    pub(super) fn of(error: &wasmtime::Error, limits: &Limits) -> Self {
        if let Some(hit) = error.downcast_ref::<LimitHit>() {
            return (*hit).into();
        }
        if let Some(exit) = error.downcast_ref::<I32Exit>() {
            return Self::Exit { code: exit.0 };
        }
        if let Some(ResourceTableError::Full) = error.downcast_ref() {
            return Self::Handles {
                limit: limits.handles,
            };
        }
        match error.downcast_ref::<Trap>() {
            Some(Trap::OutOfFuel) => Self::Fuel { limit: limits.fuel },
            Some(Trap::StackOverflow) => Self::Stack {
                limit: super::STACK,
            },
            Some(trap) => Self::Trap { what: kind(*trap) },
            None => Self::untyped(error, limits),
        }
    }

    /// Errors without a type of their own come from what the guest did (a string that is not UTF-8,
    /// a handle that does not exist), unless the host ran short of something.
    fn untyped(error: &wasmtime::Error, limits: &Limits) -> Self {
        let what = error.root_cause().to_string();
        if error.is::<PoolConcurrencyLimitError>() || error.is::<std::io::Error>() {
            Self::Host { what }
        } else if what.contains(TRANSFER) {
            Self::Output {
                limit: limits.transfer(),
            }
        } else if what.contains(HANDLES) {
            Self::Handles {
                limit: limits.handles,
            }
        } else {
            Self::Trap { what }
        }
    }
}

impl From<LimitHit> for Fault {
    fn from(hit: LimitHit) -> Self {
        match hit {
            LimitHit::Memory { limit } => Self::Memory { limit },
            LimitHit::Table { limit } => Self::Table { limit },
            LimitHit::HostCalls { limit } => Self::HostCalls { limit },
            LimitHit::Random { limit } => Self::Random { limit },
            LimitHit::Network { limit } => Self::Network { limit },
        }
    }
}

fn kind(trap: Trap) -> String {
    let text = trap.to_string();
    text.strip_prefix("wasm trap: ").unwrap_or(&text).to_owned()
}

/// What wasmtime says where it keeps the error's type to itself. The tests of both limits pin it.
const TRANSFER: &str = "fuel allocated for hostcalls has been exhausted";
const HANDLES: &str = "store handle limit exceeded";
