//! The names of tenants and runs.

use std::fmt;
use std::str::FromStr;

/// Which run, of which tenant: the key of everything that a journal keeps.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RunKey {
    /// Whose run it is.
    pub tenant: Tenant,
    /// The run, within the tenant.
    pub run: RunId,
}

/// Whose runs they are: an id like [`RunId`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tenant(String);

/// A run's id, made by the caller: 1 to 64 lower-case letters, digits and `-`, the first no `-`. It
/// can be a file's name on every system, so the names that Windows keeps for devices are refused.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RunId(String);

/// A text that is no id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an id of 1 to {MAX} lower-case letters, digits and `-`{rule}, found `{found}`")]
pub struct BadId {
    found: String,
    rule: &'static str,
}

impl RunKey {
    /// The key of a run of the one tenant of a folder.
    ///
    /// # Errors
    /// `run` is no id.
    pub fn local(run: &str) -> Result<Self, BadId> {
        Ok(Self {
            tenant: Tenant::local(),
            run: run.parse()?,
        })
    }
}

impl Tenant {
    /// The one tenant of a loop folder.
    #[must_use]
    pub fn local() -> Self {
        Self("local".to_owned())
    }

    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl RunId {
    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Tenant {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        checked(text).map(Self)
    }
}

impl FromStr for RunId {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        checked(text).map(Self)
    }
}

impl fmt::Display for Tenant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A run of a folder by its number alone, as it is typed.
impl fmt::Display for RunKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.tenant == Tenant::local() {
            return self.run.fmt(f);
        }
        write!(f, "{}/{}", self.tenant, self.run)
    }
}

fn checked(text: &str) -> Result<String, BadId> {
    let letters = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    let rule = if text.is_empty() || text.len() > MAX || !text.bytes().all(letters) {
        ""
    } else if text.starts_with('-') {
        ", the first no `-`"
    } else if is_device(text) {
        ", and no name that Windows keeps for a device"
    } else {
        return Ok(text.to_owned());
    };
    let found = text
        .chars()
        .take(MAX + 1)
        .flat_map(char::escape_debug)
        .collect();
    Err(BadId { found, rule })
}

/// `con.jsonl` is the console on Windows, in every folder; so are `com0` to `lpt9` ports.
fn is_device(text: &str) -> bool {
    let port = text
        .strip_prefix("com")
        .or_else(|| text.strip_prefix("lpt"));
    let is_digit = |rest: &str| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit();
    matches!(text, "con" | "prn" | "aux" | "nul") || port.is_some_and(is_digit)
}

/// Longest id in bytes. With `.jsonl` it stays far below every file system's limit of 255.
const MAX: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_file_names_everywhere() {
        let longest = "a".repeat(64);
        for good in ["a", "0", "fridge-1", "comb", "console", "com12", &longest] {
            assert_eq!(good.parse::<RunId>().unwrap().as_str(), good);
        }
        let too_long = "a".repeat(65);
        let bad = [
            "", "A", "a b", "a.b", "../a", "a/b", "é", "-a", "con", "nul", "com0", "lpt9",
        ];
        for bad in bad.into_iter().chain([too_long.as_str()]) {
            bad.parse::<RunId>().expect_err(bad);
            bad.parse::<Tenant>().expect_err(bad);
        }
    }

    #[test]
    fn what_was_found_is_shown_escaped() {
        let error = RunKey::local("a\u{1b}[2J").unwrap_err().to_string();
        assert!(error.ends_with(r"found `a\u{1b}[2J`"), "{error}");
    }
}
