//! What cannot be kept in a journal.

use serde_json::Value;

use crate::Stamped;

/// An entry that could not be read back: its payload is nested too deep.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "an entry of the kind `{kind}` cannot be written to the journal: its payload is nested deeper \
     than {MAX_DEPTH} levels"
)]
pub struct Unwritable {
    /// The entry's kind.
    pub kind: String,
}

impl Unwritable {
    /// Looks for an entry that could not be read back.
    ///
    /// # Errors
    /// The first such entry.
    pub fn check(entries: &[Stamped]) -> Result<(), Self> {
        match entries
            .iter()
            .find(|stamped| !fits(&stamped.entry.payload, MAX_DEPTH))
        {
            None => Ok(()),
            Some(stamped) => Err(Self {
                kind: stamped.entry.kind.clone(),
            }),
        }
    }
}

/// Whether `value` has at most `levels` levels. Looks no deeper, so that no value fills the stack.
fn fits(value: &Value, levels: usize) -> bool {
    match value {
        Value::Array(items) => levels > 0 && items.iter().all(|item| fits(item, levels - 1)),
        Value::Object(map) => levels > 0 && map.values().all(|item| fits(item, levels - 1)),
        _ => true,
    }
}

/// `serde_json` reads 127 levels, and the record around the payload is one of them.
const MAX_DEPTH: usize = 126;
