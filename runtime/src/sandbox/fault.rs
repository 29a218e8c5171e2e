//! Why an opening ended without an answer.

use std::time::Duration;

use wasmtime::{Error, Trap};

use super::Limits;
use super::limiter::Grown;

/// Why an opening ended without an answer. Each is a different observation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The guest trapped.
    #[error("{what}")]
    Trap {
        /// The trap.
        what: String,
    },
    /// The fuel was used up.
    #[error("fuel of {limit} used up")]
    Fuel {
        /// The limit.
        limit: u64,
    },
    /// It wanted more memory.
    #[error("more than {limit} bytes of memory")]
    Memory {
        /// The limit in bytes.
        limit: usize,
    },
    /// It wanted a larger table.
    #[error("more than {limit} table elements")]
    Table {
        /// The limit in elements.
        limit: usize,
    },
    /// It took too long.
    #[error("longer than {limit:?}")]
    Time {
        /// The limit.
        limit: Duration,
    },
    /// What it returned is too large.
    #[error("more than {limit} bytes returned")]
    Output {
        /// The limit in bytes.
        limit: usize,
    },
    /// It ended its own process.
    #[error("exit with code {code}")]
    Exit {
        /// The exit code.
        code: i32,
    },
    /// Doorlist could not open it.
    #[error("{what}")]
    Host {
        /// What failed.
        what: String,
    },
}

impl Fault {
    /// What ended an opening with `limits`.
    pub(super) fn of(error: &Error, limits: &Limits) -> Self {
        if let Some(exit) = error.downcast_ref::<wasmtime_wasi::I32Exit>() {
            return Self::Exit { code: exit.0 };
        }
        if let Some(grown) = error.downcast_ref::<Grown>() {
            return match *grown {
                Grown::Memory { limit } => Self::Memory { limit },
                Grown::Table { limit } => Self::Table { limit },
            };
        }
        match error.downcast_ref::<Trap>() {
            Some(Trap::OutOfFuel) => Self::Fuel { limit: limits.fuel },
            Some(trap) => Self::Trap {
                what: trap.to_string(),
            },
            None if error.is::<wasmtime::PoolConcurrencyLimitError>() => Self::Host {
                what: "as many doors are open as this host allows".to_owned(),
            },
            None => Self::of_text(&format!("{error:#}"), limits),
        }
    }

    /// Errors of the engine that have no type of their own.
    fn of_text(text: &str, limits: &Limits) -> Self {
        if text.contains(HOSTCALL_FUEL) {
            return Self::Output {
                limit: limits.output,
            };
        }
        Self::Trap {
            what: text.to_owned(),
        }
    }
}

/// How wasmtime begins what it says of values that are too large to be lifted.
const HOSTCALL_FUEL: &str = "hostcall fuel";
