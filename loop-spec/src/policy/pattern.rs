//! A door's name in a policy, or a pattern for several.

use std::fmt;

use wildmatch::WildMatch;

use crate::place::{NEAR, distance};

/// A door's name in which `*` stands for any letters, dots too, and `?` for one.
///
/// Other signs of globs (`[a-z]`, `{a,b}`, `!`) are refused: taken as letters they would quietly
/// match nothing, and what was to be asked first would not be.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern(WildMatch);

/// A text that is no name and no pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a door's name (`*` for any letters, `?` for one), found `{found}`")]
pub struct BadPattern {
    found: String,
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// It is empty, or has signs that names and patterns do not have.
    pub fn new(text: &str) -> Result<Self, BadPattern> {
        let strange =
            |c: char| c.is_whitespace() || c.is_control() || "[]{}()!\\/,^$|+".contains(c);
        if text.is_empty() || text.contains(strange) {
            let found = text.escape_debug().to_string();
            return Err(BadPattern { found });
        }
        Ok(Self(WildMatch::new(text)))
    }

    /// Whether `door` is meant.
    #[must_use]
    pub fn fits(&self, door: &str) -> bool {
        self.0.matches(door)
    }

    /// The pattern of exactly this name. Names have no `*` or `?`.
    pub(super) fn literal(name: &str) -> Self {
        Self(WildMatch::new(name))
    }

    /// The one of `names` that is within two letters of this pattern. Part by part between the dots;
    /// a part with `*` or `?` is like any other part.
    pub(super) fn near<'n>(&self, names: &[&'n str]) -> Option<&'n str> {
        let text = self.to_string();
        names
            .iter()
            .filter_map(|name| Some((letters_between(&text, name)?, *name)))
            .filter(|(letters, _)| *letters <= NEAR)
            .min_by_key(|(letters, _)| *letters)
            .map(|(_, name)| name)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How many letters lie between a pattern and a name; `None` where nothing can be compared.
fn letters_between(pattern: &str, name: &str) -> Option<usize> {
    if !pattern.contains(['*', '?']) {
        return Some(distance(pattern, name));
    }
    let (parts, names) = (pattern.split('.'), name.split('.'));
    if parts.clone().count() != names.clone().count() {
        return None;
    }
    let compared: Vec<_> = parts
        .zip(names)
        .filter(|(part, _)| !part.contains(['*', '?']))
        .collect();
    (!compared.is_empty()).then(|| {
        compared
            .iter()
            .map(|(part, name)| distance(part, name))
            .sum()
    })
}
