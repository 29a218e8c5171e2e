//! `wasi:random` from an opening's recorded seed, or from the operating system where granted.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use wasmtime::Result;
use wasmtime::component::HasData;
use wasmtime_wasi::p2::bindings::random::{insecure, insecure_seed, random};

use super::limiter::LimitHit;

/// The random numbers of one opening.
///
/// All of `wasi:random` draws from one stream, in the order of the calls: the `insecure` interfaces
/// promise less, and nothing needs them to differ.
pub(super) struct Random {
    source: Source,
    /// Set up at the first draw: most doors draw nothing.
    stream: Option<ChaCha20Rng>,
    limit: u64,
    left: u64,
}

impl Random {
    /// At most `limit` bytes of what follows from `seed`.
    pub(super) fn recorded(seed: u64, limit: u64) -> Self {
        Self::new(Source::Recorded(seed), limit)
    }

    /// At most `limit` bytes from the operating system.
    pub(super) fn real(limit: u64) -> Self {
        Self::new(Source::Real, limit)
    }

    fn new(source: Source, limit: u64) -> Self {
        Self {
            source,
            stream: None,
            limit,
            left: limit,
        }
    }

    fn draw(&mut self, len: u64) -> Result<Vec<u8>> {
        self.spend(len)?;
        let mut bytes = vec![0; usize::try_from(len)?];
        self.stream()?.fill_bytes(&mut bytes);
        Ok(bytes)
    }

    fn draw_u64(&mut self) -> Result<u64> {
        self.spend(8)?;
        Ok(self.stream()?.next_u64())
    }

    fn spend(&mut self, len: u64) -> Result<()> {
        let left = self.left.checked_sub(len);
        self.left = left.ok_or(LimitHit::Random { limit: self.limit })?;
        Ok(())
    }

    fn stream(&mut self) -> Result<&mut ChaCha20Rng> {
        if self.stream.is_none() {
            self.stream = Some(self.source.stream()?);
        }
        Ok(self.stream.as_mut().expect("it was set in the line above"))
    }
}

enum Source {
    Recorded(u64),
    Real,
}

impl Source {
    fn stream(&self) -> Result<ChaCha20Rng> {
        match self {
            Self::Recorded(seed) => Ok(ChaCha20Rng::seed_from_u64(*seed)),
            Self::Real => {
                let mut seed = [0; 32];
                getrandom::fill(&mut seed).map_err(wasmtime::Error::new)?;
                Ok(ChaCha20Rng::from_seed(seed))
            }
        }
    }
}

impl random::Host for Random {
    fn get_random_bytes(&mut self, len: u64) -> Result<Vec<u8>> {
        self.draw(len)
    }

    fn get_random_u64(&mut self) -> Result<u64> {
        self.draw_u64()
    }
}

impl insecure::Host for Random {
    fn get_insecure_random_bytes(&mut self, len: u64) -> Result<Vec<u8>> {
        self.draw(len)
    }

    fn get_insecure_random_u64(&mut self) -> Result<u64> {
        self.draw_u64()
    }
}

impl insecure_seed::Host for Random {
    fn insecure_seed(&mut self) -> Result<(u64, u64)> {
        Ok((self.draw_u64()?, self.draw_u64()?))
    }
}

/// Tells wasmtime that the interfaces above borrow a [`Random`].
pub(super) struct HasRandom;

impl HasData for HasRandom {
    type Data<'a> = &'a mut Random;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_seed_gives_one_stream() {
        let draw = |seed| Random::recorded(seed, 100).draw(40).unwrap();
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }

    #[test]
    fn what_is_drawn_is_bounded_before_it_is_allocated() {
        let mut random = Random::recorded(0, 16);
        assert!(random.draw_u64().is_ok());
        let error = random.draw(u64::MAX).unwrap_err();
        assert_eq!(error.downcast_ref(), Some(&LimitHit::Random { limit: 16 }));
        assert!(random.draw(8).is_ok(), "a refused draw costs nothing");
        assert!(random.draw(1).is_err());
    }
}
