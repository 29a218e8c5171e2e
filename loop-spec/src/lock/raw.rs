//! From the text of a `doors.lock` to a [`Lock`], and back.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::{Came, Entry, Lock, LockError, LockedFunction};
use crate::{Digest, Place};

pub(super) fn parse(text: &str) -> Result<Lock, LockError> {
    let raw: Raw = toml::from_str(text).map_err(|error| LockError::Toml {
        place: Place::at(text, error.span().map_or(0, |span| span.start)),
        message: error.message().to_owned(),
    })?;
    if raw.version != VERSION {
        return Err(LockError::Version { found: raw.version });
    }
    let files = raw.file.into_iter();
    let files = files.map(|(file, raw)| Ok((file.clone(), entry(file, raw)?)));
    Ok(Lock {
        files: files.collect::<Result<_, _>>()?,
    })
}

pub(super) fn write(lock: &Lock) -> String {
    let raw = Raw {
        version: VERSION,
        file: lock
            .files
            .iter()
            .map(|(file, entry)| (file.clone(), raw(entry)))
            .collect(),
    };
    let text = toml::to_string_pretty(&raw).expect("tables, lists and texts are all TOML has");
    format!("{HEAD}{text}")
}

fn entry(file: String, raw: RawEntry) -> Result<Entry, LockError> {
    let came = match raw.came {
        RawCame::Built => Came::Built,
        RawCame::Accepted => match raw.at.as_deref().and_then(microseconds) {
            Some(at) => Came::Accepted { at, from: raw.from },
            None => {
                return Err(LockError::Time {
                    file,
                    found: raw.at,
                });
            }
        },
    };
    let functions = raw.functions.into_iter();
    Ok(Entry {
        component: raw.component,
        interface: raw.interface,
        sidecar: raw.sidecar,
        came,
        imports: raw.imports,
        functions: functions
            .map(|RawFunction { signature, about }| LockedFunction { signature, about })
            .collect(),
    })
}

fn raw(entry: &Entry) -> RawEntry {
    let (came, at, from) = match &entry.came {
        Came::Built => (RawCame::Built, None, None),
        Came::Accepted { at, from } => (RawCame::Accepted, Some(written(*at)), from.clone()),
    };
    let functions = entry.functions.iter().cloned();
    RawEntry {
        component: entry.component,
        interface: entry.interface,
        sidecar: entry.sidecar,
        came,
        at,
        from,
        imports: entry.imports.clone(),
        functions: functions
            .map(|LockedFunction { signature, about }| RawFunction { signature, about })
            .collect(),
    }
}

fn microseconds(text: &str) -> Option<u64> {
    let time = humantime::parse_rfc3339(text).ok()?;
    let since = time.duration_since(UNIX_EPOCH).ok()?;
    u64::try_from(since.as_micros()).ok()
}

fn written(at: u64) -> String {
    let time: SystemTime = UNIX_EPOCH + Duration::from_micros(at.min(LATEST));
    humantime::format_rfc3339_seconds(time).to_string()
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    version: u32,
    #[serde(default)]
    file: BTreeMap<String, RawEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEntry {
    component: Digest,
    interface: Digest,
    #[serde(skip_serializing_if = "Option::is_none")]
    sidecar: Option<Digest>,
    came: RawCame,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    imports: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    functions: Vec<RawFunction>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RawCame {
    Built,
    Accepted,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFunction {
    signature: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<String>,
}

const VERSION: u32 = 1;
/// The last second of the year 9999: beyond it RFC 3339 has no date.
const LATEST: u64 = 253_402_300_799_000_000;
const HEAD: &str = "\
# The bytes of this loop's doors, and how they came in: `built` from source here, or `accepted` by a
# person. Written by `doorlist build`, `doorlist add` and `doorlist lock`; any other bytes are refused.
";
