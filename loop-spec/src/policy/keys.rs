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
        message: in_words_of_toml(&error.message().trim().replace('\n', ", ")),
    }
}

/// The reader of values speaks of its own types; a person wrote TOML.
fn in_words_of_toml(message: &str) -> String {
    if let Some((found, expected)) = message
        .strip_prefix("invalid type: ")
        .and_then(|rest| rest.split_once(", expected "))
    {
        let named = |word: &str| TYPES.iter().find(|(type_, _)| *type_ == word);
        let expected = named(expected).map_or(expected, |(_, words)| words);
        let (kind, value) = found.split_once(' ').unwrap_or((found, ""));
        let kind = named(kind).map_or(kind, |(_, words)| words);
        return format!("expected {expected}, found {kind} {value}")
            .trim()
            .to_owned();
    }
    if let Some((found, expected)) = message
        .strip_prefix("unknown variant ")
        .and_then(|rest| rest.split_once(", expected "))
    {
        return format!("expected {expected}, found {found}");
    }
    match message.strip_prefix("missing field ") {
        Some(key) => format!("expected the key {key}, found none"),
        None => message.to_owned(),
    }
}

/// What values and types are called in TOML.
const TYPES: &[(&str, &str)] = &[
    (
        "struct RawDir",
        "a table such as { host = \"data\", guest = \"/data\" }",
    ),
    (
        "struct RawSecret",
        "a table with `host`, `header` or `query`, and `from`",
    ),
    ("struct RawDoor", "a table of what the door is granted"),
    ("struct RawAsk", "a table"),
    ("struct RawLock", "a table"),
    ("struct RawLimits", "a table"),
    ("struct RawCompile", "a table"),
    ("i64", "a whole number"),
    ("a sequence", "a list"),
    ("a map", "a table"),
    ("a boolean", "true or false"),
    ("a string", "a text"),
    ("string", "the text"),
    ("map", "a table"),
    ("sequence", "a list"),
    ("integer", "the number"),
    ("floating", "the number"),
    ("boolean", "the truth value"),
];

struct Unknown {
    offset: usize,
    key: String,
    section: String,
    known: &'static [&'static str],
    /// The name that was probably meant, where a door's stands without quotes.
    unquoted: Option<String>,
}

impl Unknown {
    fn error(self, text: &str) -> PolicyError {
        if let Some(name) = self.unquoted {
            let place = Place::at(text, self.offset);
            return PolicyError::Unquoted { place, name };
        }
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
    let before = unknown.len();
    let entries = keyed(table, &section, DOOR, unknown);
    for stray in &mut unknown[before..] {
        let value = table.get(stray.key.as_str());
        let is_table = value.is_some_and(|value| value.get_ref().is_table());
        stray.unquoted = is_table.then(|| format!("{name}.{}", stray.key));
    }
    for (key, value) in entries {
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
                unquoted: None,
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
    "history",
    "concurrent",
    "source",
    "effect",
    "may-end",
];
const DIR: &[&str] = &["host", "guest", "write"];
const SECRET: &[&str] = &["host", "header", "prefix", "query", "from"];
