//! A clock that stands still until the door sleeps.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use wasmtime_wasi::p2::Pollable;

/// The time of one opening, in nanoseconds since the Unix epoch.
///
/// Wall clock and monotonic clock are one: they start at the recorded time and stand still. When
/// the door waits and nothing but timers can wake it, the clock jumps to the earliest of them, so
/// that timers fire in the order in which they would have, and no time passes on the host.
#[derive(Clone)]
pub(super) struct RecordedClock {
    face: Arc<Mutex<Face>>,
}

/// Ready when the clock has reached its time.
pub(super) struct Timer {
    clock: RecordedClock,
    when: u64,
}

struct Face {
    now: u64,
    /// The times that the door is waiting for right now.
    awaited: Vec<u64>,
}

impl RecordedClock {
    /// What both clocks say their resolution is, in nanoseconds: that of the recorded time.
    pub(super) const RESOLUTION: u64 = 1_000;

    /// A clock that stands at `time`, in microseconds since the Unix epoch, and never at zero: Go
    /// takes that for a broken clock.
    pub(super) fn at(time: u64) -> Self {
        let now = time.saturating_mul(1_000).max(Self::RESOLUTION);
        Self {
            face: Arc::new(Mutex::new(Face {
                now,
                awaited: Vec::new(),
            })),
        }
    }

    pub(super) fn now(&self) -> u64 {
        self.face().now
    }

    pub(super) fn timer(&self, when: u64) -> Timer {
        Timer {
            clock: self.clone(),
            when,
        }
    }

    fn jump_to_earliest(&self) {
        let mut face = self.face();
        if let Some(earliest) = face.awaited.iter().min() {
            face.now = face.now.max(*earliest);
        }
    }

    fn face(&self) -> MutexGuard<'_, Face> {
        // No code between two writes of the face can panic: there is nothing to mistrust.
        self.face.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Pollable for Timer {
    /// All pollables of one wait are asked once before any is asked twice. So the first time tells
    /// the clock what is awaited, and the second time nothing else was ready: the clock jumps.
    async fn ready(&mut self) {
        let _awaiting = Awaiting::new(&self.clock, self.when);
        while self.clock.now() < self.when {
            tokio::task::yield_now().await;
            self.clock.jump_to_earliest();
        }
    }
}

/// Keeps a time among the awaited ones for as long as the wait lasts, however it ends.
struct Awaiting<'a> {
    clock: &'a RecordedClock,
    when: u64,
}

impl<'a> Awaiting<'a> {
    fn new(clock: &'a RecordedClock, when: u64) -> Self {
        clock.face().awaited.push(when);
        Self { clock, when }
    }
}

impl Drop for Awaiting<'_> {
    fn drop(&mut self) {
        let mut face = self.clock.face();
        if let Some(place) = face.awaited.iter().position(|when| *when == self.when) {
            face.awaited.swap_remove(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_sleep_moves_the_clock_by_its_length() {
        let clock = RecordedClock::at(5);
        clock.timer(7_000).ready().await;
        assert_eq!(clock.now(), 7_000);
        clock.timer(6_000).ready().await;
        assert_eq!(clock.now(), 7_000, "a time that has passed moves nothing");
    }

    #[tokio::test]
    async fn the_earliest_of_two_timers_fires_alone() {
        let clock = RecordedClock::at(0);
        let (mut late, mut early) = (clock.timer(5_000), clock.timer(1_000));
        tokio::select! {
            biased;
            () = late.ready() => panic!("the late timer fired first"),
            () = early.ready() => {}
        }
        assert_eq!(clock.now(), 1_000);
        assert!(clock.face().awaited.is_empty());
    }
}
