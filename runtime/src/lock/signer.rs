//! Who has signed a component.

use std::fs;
use std::path::Path;

use super::Key;

/// Who has signed a component's bytes, as far as the keys that a policy names tell. A signature does
/// not say by whose key it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signer {
    /// No signature is there.
    Nobody,
    /// Signatures are there, by no key that the policy names.
    Unknown,
    /// A key that the policy names.
    Key(Key),
}

impl Signer {
    /// Who has signed `bytes` in what [`signatures`] found.
    #[must_use]
    pub fn of(bytes: &[u8], signatures: Option<&str>, keys: &[Key]) -> Self {
        let Some(signatures) = signatures else {
            return Self::Nobody;
        };
        let mut keys = keys.iter();
        match keys.find(|key| key.signed(bytes, signatures)) {
            Some(key) => Self::Key(key.clone()),
            None => Self::Unknown,
        }
    }
}

/// The signatures beside the component `file`: what stands in `NAME.sig`.
#[must_use]
pub fn signatures(file: &Path) -> Option<String> {
    let beside = file.with_extension("sig");
    let is_small = fs::metadata(&beside).is_ok_and(|about| about.is_file() && about.len() <= MOST);
    is_small.then(|| fs::read_to_string(&beside).ok())?
}

/// Bytes of a file of signatures: hundreds of them.
const MOST: u64 = 64 << 10;
