//! The compiled components that stay in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use loop_spec::Digest;
use tokio::sync::OnceCell;

use super::compiled::Compiled;

/// A place for each component, by digest. What was not asked for longest makes room.
pub(super) struct Kept {
    places: Mutex<Places>,
    capacity: usize,
}

/// Filled once; whoever comes while it is being filled waits for it.
pub(super) type Place = Arc<OnceCell<Compiled>>;

#[derive(Default)]
struct Places {
    by_digest: HashMap<Digest, (Place, u64)>,
    /// Counts the questions, so that the oldest can be told.
    clock: u64,
}

impl Kept {
    pub(super) fn new(capacity: usize) -> Self {
        Self {
            places: Mutex::default(),
            capacity: capacity.max(1),
        }
    }

    /// The place of `digest`, empty when it is new.
    pub(super) fn place(&self, digest: &Digest) -> Place {
        // Nothing panics between the changes of a place and of its age.
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        places.clock += 1;
        let now = places.clock;
        if let Some((place, asked)) = places.by_digest.get_mut(digest) {
            *asked = now;
            return Arc::clone(place);
        }
        if places.by_digest.len() >= self.capacity {
            places.drop_oldest();
        }
        let place = Place::default();
        places.by_digest.insert(*digest, (Arc::clone(&place), now));
        place
    }
}

impl Places {
    fn drop_oldest(&mut self) {
        let oldest = self.by_digest.iter().min_by_key(|(_, (_, asked))| *asked);
        if let Some(digest) = oldest.map(|(digest, _)| *digest) {
            self.by_digest.remove(&digest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_asked_for_longest_makes_room() {
        let kept = Kept::new(2);
        let [milk, eggs, salt] = ["milk", "eggs", "salt"].map(Digest::of);
        let first = kept.place(&milk);
        kept.place(&eggs);
        kept.place(&milk);
        kept.place(&salt);
        assert!(Arc::ptr_eq(&first, &kept.place(&milk)));
        assert!(!kept.places.lock().unwrap().by_digest.contains_key(&eggs));
    }
}
