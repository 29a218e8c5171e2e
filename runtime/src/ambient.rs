//! Time and chance: the two things that a machine never looks up itself.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Where a host takes time and chance from.
pub trait Ambient: Send + Sync {
    /// Microseconds since the Unix epoch.
    fn now(&self) -> u64;

    /// A number that nobody can foresee.
    fn seed(&self) -> u64;
}

/// Another's time and chance, but time never goes back: neither behind what was read before, nor
/// behind `since`. A clock that is set back makes no question younger.
pub struct Onward<'a> {
    ambient: &'a dyn Ambient,
    latest: AtomicU64,
}

impl<'a> Onward<'a> {
    /// Goes on from `since`, in microseconds since the Unix epoch.
    #[must_use]
    pub fn from(ambient: &'a dyn Ambient, since: u64) -> Self {
        let latest = AtomicU64::new(since);
        Self { ambient, latest }
    }
}

impl Ambient for Onward<'_> {
    fn now(&self) -> u64 {
        let now = self.ambient.now();
        // One number, with nothing else to be seen in an order with it.
        now.max(self.latest.fetch_max(now, Ordering::Relaxed))
    }

    fn seed(&self) -> u64 {
        self.ambient.seed()
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    struct Clock(AtomicU64);

    impl Ambient for Clock {
        fn now(&self) -> u64 {
            self.0.load(Ordering::Relaxed)
        }

        fn seed(&self) -> u64 {
            0
        }
    }

    #[test]
    fn time_never_goes_back() {
        let clock = Clock(AtomicU64::new(5));
        let onward = Onward::from(&clock, 7);
        let read = |set| {
            clock.0.store(set, Ordering::Relaxed);
            onward.now()
        };
        assert_eq!([read(5), read(9), read(3), read(10)], [7, 9, 9, 10]);
    }
}
