//! `doors.lock`: which bytes the components of a loop are, and how they came in.
//!
//! ```toml
//! version = 1
//!
//! [file."doors/fridge.wasm"]
//! component = "sha256:32196059f4a1877ec4d299011a0171931af4f32c005c6e0bb86c2e17a53738ae"
//! interface = "sha256:1e1b2ae1d7c3d9f3a5b3c3c3a1a47f1ad3f2b8a1f5dbb1b1ddb2c6bd1e7f6f0a"
//! came = "accepted"
//! at = "2026-12-01T17:00:00Z"
//! from = "/home/ada/Downloads/fridge.wasm"
//! imports = ["wasi:cli"]
//! functions = [{ signature = "fridge.count(items: list<string>) -> u32", about = "Counts." }]
//! ```
//!
//! Imports and functions stand there so that a change can be shown as old and new.

mod error;
mod raw;
mod unaccepted;

use std::collections::BTreeMap;
use std::fmt;

use crate::Digest;

pub use error::LockError;
pub use unaccepted::Unaccepted;

/// A `doors.lock`: the components by their path in the loop's folder, written with `/`.
///
/// ```
/// use loop_spec::Digest;
/// use loop_spec::lock::{Came, Entry, Lock, Unaccepted};
///
/// let mut lock = Lock::default();
/// let entry = Entry::new(Digest::of("bytes"), Digest::of("interface"), Came::Built);
/// assert_eq!(lock.refusal("doors/a.wasm", &entry.digests()), Some(Unaccepted::NoEntry));
/// lock.insert("doors/a.wasm", entry.clone());
/// assert_eq!(lock.refusal("doors/a.wasm", &entry.digests()), None);
/// assert_eq!(lock.to_string().parse(), Ok(lock));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    files: BTreeMap<String, Entry>,
}

/// What is known of one component.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// Digest of the component's bytes, in the binary form.
    pub component: Digest,
    /// Digest of its interface.
    pub interface: Digest,
    /// Digest of the file beside it that describes its arguments, where there is one.
    pub sidecar: Option<Digest>,
    /// How it came in.
    pub came: Came,
    /// The packages that it imports, e.g. `wasi:cli`.
    pub imports: Vec<String>,
    /// What it exports.
    pub functions: Vec<LockedFunction>,
}

/// How a component came into the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Came {
    /// `doorlist build` made it of its source here.
    Built,
    /// A person was shown it, and accepted it.
    Accepted {
        /// When, in microseconds since the Unix epoch; written in seconds.
        at: u64,
        /// The file or address that it was taken from, where it was.
        from: Option<String>,
    },
}

/// One exported function, as it was when it was locked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockedFunction {
    /// The door's name with what it takes and returns.
    pub signature: String,
    /// What its writer says of it.
    pub about: Option<String>,
}

/// The digests that must be as they were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digests {
    /// Of the component's bytes.
    pub component: Digest,
    /// Of its interface.
    pub interface: Digest,
    /// Of the file beside it, where there is one.
    pub sidecar: Option<Digest>,
}

impl Lock {
    /// Why the component of `file` is not the one that was built or accepted; `None` if it is.
    #[must_use]
    pub fn refusal(&self, file: &str, found: &Digests) -> Option<Unaccepted> {
        match self.files.get(file) {
            None => Some(Unaccepted::NoEntry),
            Some(entry) if entry.digests() == *found => None,
            Some(_) => Some(Unaccepted::Changed),
        }
    }

    /// What is known of the component of `file`.
    #[must_use]
    pub fn entry(&self, file: &str) -> Option<&Entry> {
        self.files.get(file)
    }

    /// Keeps an entry in the place of the one that was there.
    pub fn insert(&mut self, file: &str, entry: Entry) {
        self.files.insert(file.to_owned(), entry);
    }

    /// Leaves out the files that `keep` says no to; says which those were.
    pub fn retain(&mut self, keep: impl Fn(&str) -> bool) -> Vec<String> {
        let gone: Vec<String> = self
            .files
            .keys()
            .filter(|file| !keep(file))
            .cloned()
            .collect();
        self.files.retain(|file, _| keep(file));
        gone
    }

    /// All entries, in the order of their files.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.files
            .iter()
            .map(|(file, entry)| (file.as_str(), entry))
    }
}

impl Entry {
    /// An entry for a component without imports and functions.
    #[must_use]
    pub fn new(component: Digest, interface: Digest, came: Came) -> Self {
        Self {
            component,
            interface,
            sidecar: None,
            came,
            imports: Vec::new(),
            functions: Vec::new(),
        }
    }

    /// What must be as it was.
    #[must_use]
    pub fn digests(&self) -> Digests {
        Digests {
            component: self.component,
            interface: self.interface,
            sidecar: self.sidecar,
        }
    }
}

impl std::str::FromStr for Lock {
    type Err = LockError;

    fn from_str(text: &str) -> Result<Self, LockError> {
        raw::parse(text)
    }
}

/// The file's text.
impl fmt::Display for Lock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&raw::write(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(bytes: &str, came: Came) -> Entry {
        Entry::new(Digest::of(bytes), Digest::of("interface"), came)
    }

    fn accepted() -> Entry {
        Entry {
            sidecar: Some(Digest::of("schema")),
            imports: vec!["wasi:cli".to_owned(), "wasi:io".to_owned()],
            functions: vec![
                LockedFunction {
                    signature: "a.b(c: string)".to_owned(),
                    about: Some("One.\n\"Two\" \u{202e}'''".to_owned()),
                },
                LockedFunction {
                    signature: "a.d()".to_owned(),
                    about: None,
                },
            ],
            ..entry(
                "accepted",
                Came::Accepted {
                    at: 1_796_144_400_000_000,
                    from: Some("https://example.com/a.wasm".to_owned()),
                },
            )
        }
    }

    #[test]
    fn a_lock_comes_back_as_it_was_written() {
        let mut lock = Lock::default();
        assert_eq!(lock.to_string().parse(), Ok(lock.clone()));
        lock.insert("doors/b.wasm", entry("built", Came::Built));
        lock.insert("doors/odd \"name\".wasm", accepted());
        let text = lock.to_string();
        assert_eq!(text.parse(), Ok(lock), "{text}");
        assert!(text.contains("at = \"2026-12-01T17:00:00Z\""), "{text}");
        let again: Lock = text.parse().unwrap();
        assert_eq!(again.to_string(), text);
    }

    #[test]
    fn every_digest_must_be_as_it_was() {
        let mut lock = Lock::default();
        lock.insert("doors/a.wasm", accepted());
        let right = accepted().digests();
        assert_eq!(lock.refusal("doors/a.wasm", &right), None);
        assert_eq!(
            lock.refusal("doors/A.wasm", &right),
            Some(Unaccepted::NoEntry)
        );
        let other = Digest::of("other");
        for wrong in [
            Digests {
                component: other,
                ..right
            },
            Digests {
                interface: other,
                ..right
            },
            Digests {
                sidecar: Some(other),
                ..right
            },
            Digests {
                sidecar: None,
                ..right
            },
        ] {
            let refusal = lock.refusal("doors/a.wasm", &wrong);
            assert_eq!(refusal, Some(Unaccepted::Changed), "{wrong:?}");
        }
    }

    #[test]
    fn each_fault_of_a_lock_is_named_with_its_place() {
        let digest = Digest::of("x").to_string();
        let file = |lines: &str| format!("version = 1\n[file.\"doors/a.wasm\"]\n{lines}");
        let both = format!("component = \"{digest}\"\ninterface = \"{digest}\"\n");
        let rows = [
            (String::new(), "missing field `version`"),
            (
                "version = 2\n".to_owned(),
                "expected version 1, found version 2",
            ),
            ("version = 1\nversion = 1\n".to_owned(), "line 2, column 1"),
            (file("component = \"sha256:12\"\n"), "line 3, column 13"),
            (
                file(&format!("{both}came = \"bought\"\n")),
                "line 5, column 8",
            ),
            (file(&format!("{both}came = \"accepted\"\n")), "`at`"),
            (
                file(&format!("{both}came = \"accepted\"\nat = \"noon\"\n")),
                "`at`",
            ),
            (
                file(&format!("{both}came = \"built\"\nsigner = 1\n")),
                "unknown field `signer`",
            ),
        ];
        for (text, expected) in rows {
            let error = text.parse::<Lock>().unwrap_err().to_string();
            assert!(error.starts_with("doors.lock"), "{error}");
            assert!(error.contains(expected), "{text}\n{error}");
        }
    }
}
