//! Why one attempt brought no answer, and whether another may.

use std::time::{Duration, SystemTime};

use super::RemoteLimits;
use crate::grants::Masks;

/// What came in an answer's place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// Asking again would bring the same.
    Final(String),
    /// There was no connection, or the server says "later", perhaps when.
    Later {
        why: String,
        after: Option<Duration>,
    },
    /// The answer broke off.
    Broken(String),
}

impl Trouble {
    /// The same with the key hidden: what a server says may have been written so that it is found only
    /// once it is read.
    pub(super) fn hidden(self, masks: &Masks) -> Self {
        match self {
            Self::Final(why) => Self::Final(masks.text(why)),
            Self::Broken(why) => Self::Broken(masks.text(why)),
            Self::Later { why, after } => Self::Later {
                why: masks.text(why),
                after,
            },
        }
    }

    pub(super) fn why(&self) -> &str {
        match self {
            Self::Final(why) | Self::Later { why, .. } | Self::Broken(why) => why,
        }
    }
}

/// Attempts so far.
#[derive(Debug)]
pub(super) struct Tries<'l> {
    limits: &'l RemoteLimits,
    again: u32,
    broken: u32,
    waited: Duration,
}

impl<'l> Tries<'l> {
    pub(super) fn new(limits: &'l RemoteLimits) -> Self {
        Self {
            limits,
            again: 0,
            broken: 0,
            waited: Duration::ZERO,
        }
    }

    /// How often it was asked again.
    pub(super) fn again(&self) -> u32 {
        self.again + self.broken
    }

    /// How long to wait before it is asked again; `chance` is from 0 to 1. `None` when that would
    /// bring nothing, or has been done often enough.
    pub(super) fn wait(&mut self, trouble: &Trouble, chance: f64) -> Option<Duration> {
        let (count, most, after) = match trouble {
            Trouble::Final(_) => return None,
            Trouble::Later { after, .. } => (&mut self.again, self.limits.again, *after),
            Trouble::Broken(_) => (&mut self.broken, self.limits.after_broken, None),
        };
        let doubled = self.limits.wait.saturating_mul(1 << (*count).min(20));
        let own = doubled
            .min(self.limits.longest_wait)
            .mul_f64(1.0 - chance / 2.0);
        let wait = after.unwrap_or(own);
        let waited = self.waited.saturating_add(wait);
        if *count >= most || wait > self.limits.longest_wait || waited > self.limits.all_waits {
            return None;
        }
        *count += 1;
        self.waited = waited;
        Some(wait)
    }
}

/// What a `Retry-After` asks for: seconds, or a date against `now`.
pub(super) fn retry_after(text: &str, now: SystemTime) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

/// Statuses after which the same request may be answered: too many requests, and faults of the server
/// or of what stands before it. 529 is Anthropic's "overloaded".
pub(super) fn is_later(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504 | 529)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn later(after: Option<u64>) -> Trouble {
        let after = after.map(Duration::from_secs);
        Trouble::Later {
            why: String::new(),
            after,
        }
    }

    #[test]
    fn waits_double_up_to_their_bounds() {
        let limits = RemoteLimits::default();
        let mut tries = Tries::new(&limits);
        let waits: Vec<_> = (0..6).map(|_| tries.wait(&later(None), 0.0)).collect();
        let seconds = |s: f64| Some(Duration::from_secs_f64(s));
        assert_eq!(
            waits,
            [
                seconds(0.5),
                seconds(1.0),
                seconds(2.0),
                seconds(4.0),
                seconds(8.0),
                None
            ]
        );
        let mut tries = Tries::new(&limits);
        assert_eq!(tries.wait(&later(None), 1.0), seconds(0.25));
        assert_eq!(tries.wait(&Trouble::Final(String::new()), 0.0), None);
        let broken = Trouble::Broken(String::new());
        let waits: Vec<_> = (0..3).map(|_| tries.wait(&broken, 0.0)).collect();
        assert_eq!(waits, [seconds(0.5), seconds(1.0), None]);
        assert_eq!(tries.again(), 3);
    }

    #[test]
    fn what_the_server_asks_for_is_kept_and_capped() {
        let limits = RemoteLimits::default();
        let mut tries = Tries::new(&limits);
        assert_eq!(tries.wait(&later(Some(61)), 0.0), None);
        for _ in 0..3 {
            assert_eq!(
                tries.wait(&later(Some(60)), 0.0),
                Some(Duration::from_secs(60))
            );
        }
        assert_eq!(tries.wait(&later(Some(1)), 0.0), None, "180 s are waited");
        assert_eq!(tries.wait(&later(Some(0)), 0.0), Some(Duration::ZERO));
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        let read = |text| retry_after(text, now);
        assert_eq!(read("7"), Some(Duration::from_secs(7)));
        assert_eq!(read("0.5"), Some(Duration::from_millis(500)));
        let date = "Sun, 06 Nov 1994 08:49:57 GMT";
        assert_eq!(read(date), Some(Duration::from_secs(20)));
        let past = "Sun, 06 Nov 1994 08:49:07 GMT";
        assert_eq!(read(past), Some(Duration::ZERO));
        for nothing in ["", "soon", "-1", "NaN", "1e400"] {
            assert_eq!(read(nothing), None, "{nothing}");
        }
    }
}
