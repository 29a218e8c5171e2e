//! What cannot be kept in a journal.

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
            .find(|stamped| stamped.entry.payload.is_deeper_than(MAX_DEPTH))
        {
            None => Ok(()),
            Some(stamped) => Err(Self {
                kind: stamped.entry.kind.clone(),
            }),
        }
    }
}

/// `serde_json` reads 127 levels, and the record around the payload is one of them.
const MAX_DEPTH: usize = 126;
