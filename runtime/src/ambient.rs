//! Time and chance: the two things that a machine never looks up itself.

use std::time::{SystemTime, UNIX_EPOCH};

/// Where a host takes time and chance from.
pub trait Ambient: Send + Sync {
    /// Microseconds since the Unix epoch.
    fn now(&self) -> u64;

    /// A number that nobody can foresee.
    fn seed(&self) -> u64;
}

/// The operating system's clock and random numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct System;

impl Ambient for System {
    fn now(&self) -> u64 {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        // Overflows in the year 586,524.
        since.as_micros() as u64
    }

    fn seed(&self) -> u64 {
        getrandom::u64().expect("the operating system has random numbers")
    }
}
