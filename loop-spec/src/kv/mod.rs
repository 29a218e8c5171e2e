//! What doors keep for as long as a run or a session lasts: `doorlist:host/kv`.
//!
//! A component has keys of its own, which all its doors share and no other component sees. What an
//! opening changed is part of its outcome, so that folding a journal gives the keys back.
//!
//! ```
//! use loop_spec::kv::{Keys, Kept};
//!
//! let mut kept = Kept::default();
//! let before = kept.of("fridge.count").clone();
//! let mut after = before.clone();
//! after.set("milk".to_owned(), b"1".to_vec()).unwrap();
//! kept.keep("fridge.count", &after.since(&before)).unwrap();
//! assert_eq!(kept.of("fridge.open").get("milk"), Some(&b"1"[..]));
//! assert_eq!(kept.of("shopping.add"), &Keys::default());
//! ```

mod changes;

use std::collections::BTreeMap;

pub use changes::Changes;

/// The keys of one component, each with its value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keys(BTreeMap<String, Vec<u8>>);

/// The keys of every component of a run or a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept(BTreeMap<String, Keys>);

/// There is no room. What was there is still there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected at most {MOST_KEYS} keys of {MOST_BYTES} bytes, values included, of all doors of the \
     component together; nothing was changed"
)]
pub struct Full;

impl Keys {
    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&[u8]> {
        self.0.get(key).map(Vec::as_slice)
    }

    /// Gives a key this value.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn set(&mut self, key: String, value: Vec<u8>) -> Result<(), Full> {
        let (mut keys, mut bytes) = (self.0.len(), self.bytes());
        match self.0.get(&key) {
            Some(old) => bytes -= key.len() + old.len(),
            None => keys += 1,
        }
        if keys > MOST_KEYS || bytes + key.len() + value.len() > MOST_BYTES {
            return Err(Full);
        }
        self.0.insert(key, value);
        Ok(())
    }

    /// Takes a key away. Whether it was there.
    pub fn delete(&mut self, key: &str) -> bool {
        self.0.remove(key).is_some()
    }

    /// The keys, in the order of their bytes.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// What is other than it was `before`.
    #[must_use]
    pub fn since(&self, before: &Self) -> Changes {
        let set = self.0.iter();
        let set = set.filter(|(key, value)| before.0.get(*key) != Some(value));
        let set = set.map(|(key, value)| (key.clone(), Some(value.clone())));
        let gone = before.0.keys().filter(|key| !self.0.contains_key(*key));
        set.chain(gone.map(|key| (key.clone(), None))).collect()
    }

    fn change(&mut self, changes: &Changes) -> Result<(), Full> {
        let mut changed = self.clone();
        // What goes makes room for what comes.
        for (key, _) in changes.iter().filter(|(_, value)| value.is_none()) {
            changed.delete(key);
        }
        for (key, value) in changes.iter() {
            if let Some(value) = value {
                changed.0.insert(key.to_owned(), value.to_owned());
            }
        }
        if changed.0.len() > MOST_KEYS || changed.bytes() > MOST_BYTES {
            return Err(Full);
        }
        *self = changed;
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.0
            .iter()
            .map(|(key, value)| key.len() + value.len())
            .sum()
    }
}

impl Kept {
    /// What the component of this door has kept.
    #[must_use]
    pub fn of(&self, door: &str) -> &Keys {
        self.0.get(component(door)).unwrap_or(&NONE)
    }

    /// Keeps what an opening of this door changed.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn keep(&mut self, door: &str, changes: &Changes) -> Result<(), Full> {
        if changes.is_empty() {
            return Ok(());
        }
        let keys = self.0.entry(component(door).to_owned()).or_default();
        keys.change(changes)
    }
}

/// The stem of the file that a door is in: no stem has a dot.
fn component(door: &str) -> &str {
    door.split_once('.').map_or(door, |(stem, _)| stem)
}

static NONE: Keys = Keys(BTreeMap::new());

/// Keys of one component.
pub const MOST_KEYS: usize = 64;

/// Bytes of one component's keys and values: all of it goes into a journal, again at each change.
pub const MOST_BYTES: usize = 64 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(pairs: &[(&str, &[u8])]) -> Keys {
        let mut keys = Keys::default();
        for (key, value) in pairs {
            keys.set((*key).to_owned(), value.to_vec()).unwrap();
        }
        keys
    }

    #[test]
    fn what_was_changed_gives_the_same_keys_again() {
        let before = keys(&[("a", b"1"), ("b", b"2"), ("c", b"")]);
        let after = keys(&[("a", b"1"), ("b", b"\xff"), ("d", b"4")]);
        let changes = after.since(&before);
        let json = serde_json::to_string(&changes).unwrap();
        assert_eq!(json, r#"{"b":{"hex":"ff"},"c":null,"d":"4"}"#);
        let read: Changes = serde_json::from_str(&json).unwrap();
        let mut kept = Kept(BTreeMap::from([("x".to_owned(), before)]));
        kept.keep("x.f", &read).unwrap();
        assert_eq!(kept.of("x.i.g"), &after);
        assert_eq!(kept.of("xx.f"), &Keys::default());
        assert!(after.since(&after).is_empty());
    }

    #[test]
    fn there_is_room_for_so_much_and_no_more() {
        let mut full = Keys::default();
        for number in 0..MOST_KEYS {
            full.set(format!("{number}"), vec![7]).unwrap();
        }
        let before = full.clone();
        assert_eq!(full.set("more".to_owned(), Vec::new()), Err(Full));
        assert_eq!(full, before);
        full.set("0".to_owned(), vec![8; 2]).unwrap();
        assert!(full.delete("1") && !full.delete("1"));
        full.set("more".to_owned(), Vec::new()).unwrap();

        let mut large = Keys::default();
        large.set("k".to_owned(), vec![0; MOST_BYTES - 1]).unwrap();
        large.set("k".to_owned(), vec![1; MOST_BYTES - 1]).unwrap();
        assert_eq!(large.set("k".to_owned(), vec![1; MOST_BYTES]), Err(Full));
        assert_eq!(large.set("l".to_owned(), Vec::new()), Err(Full));
        assert_eq!(large.get("k").unwrap().len(), MOST_BYTES - 1);
    }

    #[test]
    fn a_record_that_keeps_too_much_is_refused_whole() {
        let mut kept = Kept::default();
        let large = keys(&[("k", &[0; MOST_BYTES - 1])]);
        let changes = large.since(&Keys::default());
        kept.keep("x.f", &changes).unwrap();
        let more = keys(&[("l", b"")]).since(&Keys::default());
        assert_eq!(kept.keep("x.f", &more), Err(Full));
        assert_eq!(kept.of("x.f"), &large);
        // One goes, another comes.
        let other = keys(&[("l", &[0; MOST_BYTES - 1])]);
        kept.keep("x.f", &other.since(&large)).unwrap();
        assert_eq!(kept.of("x.f"), &other);
    }
}
