//! A name in a policy that is no door's.

use std::fmt;

use super::Pattern;
use crate::Place;
use crate::frame::visible;

/// A name in a policy that fits no door of the folder: left over, or a slip of the hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stranger {
    /// The name or pattern.
    pub name: String,
    /// What it stands in.
    pub key: &'static str,
    /// Where it stands.
    pub place: Place,
    /// The listed door that was probably meant. It would run without the rule that was written for
    /// it, so the folder must be refused.
    pub meant: Option<String>,
}

impl Stranger {
    pub(super) fn new(key: &'static str, pattern: &Pattern, place: Place, listed: &[&str]) -> Self {
        let fitting = listed.iter().find(|door| pattern.fits(door)).copied();
        Self {
            name: pattern.to_string(),
            key,
            place,
            meant: pattern.near(listed).or(fitting).map(str::to_owned),
        }
    }

    /// Whether the folder must be refused; otherwise it is a warning.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.meant.is_some()
    }
}

impl fmt::Display for Stranger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            key,
            place,
            meant,
        } = self;
        write!(
            f,
            "policy.toml, {place}: {key}: no door is named `{}`",
            visible(name)
        )?;
        match meant {
            Some(meant) if name.contains(['*', '?']) && *key == "[door]" => {
                write!(
                    f,
                    "; a folder's policy names each door whole, such as `{meant}`"
                )
            }
            Some(meant) => write!(f, "; the listed door `{meant}` was probably meant"),
            None => Ok(()),
        }
    }
}
