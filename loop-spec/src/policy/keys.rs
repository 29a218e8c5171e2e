//! Which keys a `policy.toml` can have.
//!
//! They are checked before anything is read, since only here the place of a key is known.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::PolicyError;
use super::remote::PROVIDERS;
use crate::{Place, nearest};

/// Finds the first key that does not exist, by its place in the file.
pub(super) fn check(text: &str, top: &'static [&'static str]) -> Result<(), PolicyError> {
    let root = DeTable::parse(text).map_err(|error| toml_error(text, &error))?;
    let mut unknown = Vec::new();
    for (name, value) in keyed(root.get_ref(), "policy.toml", top, &mut unknown) {
        match (name, value.as_table()) {
            ("ask", Some(table)) => drop(keyed(table, "[ask]", ASK, &mut unknown)),
            ("lock", Some(table)) => drop(keyed(table, "[lock]", LOCK, &mut unknown)),
            ("compile", Some(table)) => drop(keyed(table, "[compile]", COMPILE, &mut unknown)),
            ("limits", Some(table)) => drop(keyed(table, "[limits]", LIMITS, &mut unknown)),
            ("model", Some(models)) => {
                for (name, value) in keyed(models, "[model]", PROVIDERS, &mut unknown) {
                    if let Some(table) = value.as_table() {
                        keyed(table, &format!("[model.{name}]"), MODEL, &mut unknown);
                    }
                }
            }
            ("door", Some(doors)) => doors.iter().for_each(|(door, value)| {
                check_door(door.get_ref(), value.get_ref(), &mut unknown);
            }),
            _ => {}
        }
    }
    match unknown.into_iter().min_by_key(|unknown| unknown.offset) {
        None => Ok(()),
        Some(unknown) => Err(unknown.error(text)),
    }
}

/// What the TOML reader says, with its place.
pub(super) fn toml_error(text: &str, error: &toml::de::Error) -> PolicyError {
    PolicyError::Toml {
        place: Place::at(text, error.span().map_or(0, |span| span.start)),
        message: error.message().trim().replace('\n', ", "),
    }
}

struct Unknown {
    offset: usize,
    key: String,
    section: String,
    known: &'static [&'static str],
}

impl Unknown {
    fn error(self, text: &str) -> PolicyError {
        PolicyError::UnknownKey {
            place: Place::at(text, self.offset),
            nearest: nearest(&self.key, self.known),
            key: self.key,
            section: self.section,
            known: self.known,
        }
    }
}

fn check_door(name: &str, value: &DeValue<'_>, unknown: &mut Vec<Unknown>) {
    let Some(table) = value.as_table() else {
        return;
    };
    let section = format!("[door.\"{name}\"]");
    for (key, value) in keyed(table, &section, DOOR, unknown) {
        let known = match key {
            "dirs" => DIR,
            "secrets" => SECRET,
            _ => continue,
        };
        for item in value.as_array().into_iter().flatten() {
            if let Some(table) = item.get_ref().as_table() {
                keyed(table, &format!("{key} of {section}"), known, unknown);
            }
        }
    }
}

/// The entries of `table` whose keys are `known`; the others are added to `unknown`.
fn keyed<'t>(
    table: &'t DeTable<'_>,
    section: &str,
    known: &'static [&'static str],
    unknown: &mut Vec<Unknown>,
) -> Vec<(&'static str, &'t DeValue<'t>)> {
    let mut entries = Vec::new();
    for (key, value) in table {
        match known.iter().find(|known| *known == key.get_ref()) {
            Some(known) => entries.push((*known, Spanned::get_ref(value))),
            None => unknown.push(Unknown {
                offset: key.span().start,
                key: key.get_ref().to_string(),
                section: section.to_owned(),
                known,
            }),
        }
    }
    entries
}

/// The keys of a folder's policy.
pub(super) const FOLDER: &[&str] = &["ask", "lock", "limits", "door"];
/// The keys of the host-wide policy.
pub(super) const HOST: &[&str] = &["ask", "lock", "limits", "compile", "model", "door"];
const MODEL: &[&str] = &["endpoint", "key"];
const COMPILE: &[&str] = &["apart", "memory", "time"];
const LOCK: &[&str] = &["keys"];
const ASK: &[&str] = &["first", "expires", "by"];
const LIMITS: &[&str] = &[
    "fuel",
    "memory",
    "time",
    "output",
    "host-calls",
    "resources",
    "table-elements",
    "network",
];
const DOOR: &[&str] = &[
    "dirs",
    "hosts",
    "env",
    "config",
    "secrets",
    "clock",
    "random",
    "kv",
    "concurrent",
    "source",
    "effect",
];
const DIR: &[&str] = &["host", "guest", "write"];
const SECRET: &[&str] = &["host", "header", "prefix", "query", "from"];
