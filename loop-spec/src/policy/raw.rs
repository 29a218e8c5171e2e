//! From the text of a `policy.toml` to a valid [`Policy`].

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;
use std::time::Duration;

use bytesize::ByteSize;
use serde::Deserialize;
use toml::Spanned;

use super::ask::DEFAULT_BY;
use super::keys::toml_error;
use super::remote::RemotePolicy;
use super::{Approver, Ask, BadHost, DEFAULT_EXPIRES, DirRequest, DoorPolicy, HostGrant, Limits};
use super::{CompileLimits, DEFAULT_COMPILE_MEMORY, DEFAULT_COMPILE_TIME};
use super::{Marks, Origin, Pattern, Policy, PolicyError, SecretPlace, SecretRequest, Source};
use crate::Place;

/// What a policy says that leaves everything out.
pub(super) struct Defaults {
    pub(super) expires: Duration,
    pub(super) by: &'static [Approver],
    pub(super) limits: Limits,
}

impl Defaults {
    pub(super) fn of_a_folder() -> Self {
        Self {
            expires: DEFAULT_EXPIRES,
            by: &DEFAULT_BY,
            limits: Limits::default(),
        }
    }
}

/// What a policy says beside what a folder's can say.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HostsOwn {
    pub(super) compile: Option<CompileLimits>,
    pub(super) models: BTreeMap<String, RemotePolicy>,
}

pub(super) fn parse(text: &str, defaults: Defaults) -> Result<(Policy, HostsOwn), PolicyError> {
    let raw: Raw = toml::from_str(text).map_err(|error| toml_error(text, &error))?;
    let reader = Reader { text, defaults };
    let own = HostsOwn {
        compile: reader.compile(raw.compile)?,
        models: reader.models(raw.model)?,
    };
    let mut policy = Policy {
        ask: reader.ask(raw.ask)?,
        limits: reader.limits(raw.limits)?,
        keys: reader.keys(raw.lock),
        ..Policy::default()
    };
    for (name, door) in raw.door {
        policy
            .places
            .insert(name.get_ref().clone(), reader.place(&name));
        let name = name.into_inner();
        policy.doors.insert(name, reader.door(door)?);
    }
    Ok((policy, own))
}

struct Reader<'t> {
    text: &'t str,
    defaults: Defaults,
}

impl Reader<'_> {
    fn ask(&self, raw: RawAsk) -> Result<Ask, PolicyError> {
        let pattern = |text: Spanned<String>| {
            let pattern = Pattern::new(text.get_ref());
            let pattern = pattern.map_err(|_| self.value("first", PATTERN, &text))?;
            Ok((pattern, self.place(&text)))
        };
        Ok(Ask {
            first: raw
                .first
                .into_iter()
                .map(pattern)
                .collect::<Result<_, _>>()?,
            expires: self.duration("expires", raw.expires, self.defaults.expires)?,
            by: raw.by.unwrap_or_else(|| self.defaults.by.to_owned()),
        })
    }

    fn keys(&self, raw: RawLock) -> Vec<(String, Place)> {
        let keys = raw.keys.into_iter();
        keys.map(|key| (key.get_ref().clone(), self.place(&key)))
            .collect()
    }

    fn limits(&self, raw: RawLimits) -> Result<Limits, PolicyError> {
        let default = &self.defaults.limits;
        Ok(Limits {
            fuel: self.count("fuel", raw.fuel, default.fuel)?,
            memory: self.size("memory", raw.memory, default.memory)?,
            time: self.duration("time", raw.time, default.time)?,
            output: self.size("output", raw.output, default.output)?,
            host_calls: self.count("host-calls", raw.host_calls, default.host_calls)?,
            resources: self.count("resources", raw.resources, default.resources)?,
            table_elements: self.count(
                "table-elements",
                raw.table_elements,
                default.table_elements,
            )?,
            network: self.size("network", raw.network, default.network)?,
        })
    }

    fn compile(&self, raw: RawCompile) -> Result<Option<CompileLimits>, PolicyError> {
        let limits = CompileLimits {
            memory: self.size("memory", raw.memory, DEFAULT_COMPILE_MEMORY)?,
            time: self.duration("time", raw.time, DEFAULT_COMPILE_TIME)?,
        };
        Ok(raw.apart.then_some(limits))
    }

    fn models(
        &self,
        raw: BTreeMap<String, RawModel>,
    ) -> Result<BTreeMap<String, RemotePolicy>, PolicyError> {
        let model = |(provider, raw): (String, RawModel)| {
            let key = raw.key.map(|text| {
                // What stands there may be the key itself, and is not told.
                text.get_ref().parse().map_err(|_| PolicyError::Value {
                    place: self.place(&text),
                    key: "key",
                    expected: "where the key is, `env:NAME` or `file:PATH`",
                    found: "something else".to_owned(),
                })
            });
            let policy = RemotePolicy {
                endpoint: raw.endpoint,
                key: key.transpose()?,
            };
            Ok((provider, policy))
        };
        raw.into_iter().map(model).collect()
    }

    fn door(&self, raw: RawDoor) -> Result<DoorPolicy, PolicyError> {
        let marks = self.marks(&raw)?;
        let mut guests = BTreeSet::new();
        let mut dirs = Vec::new();
        for dir in raw.dirs {
            let dir = self.dir(dir)?;
            if !guests.insert(dir.guest.clone()) {
                let (key, expected) = ("guest", "a path that no other of this door's dirs has");
                let (place, found) = (dir.place, dir.guest);
                return Err(PolicyError::Value {
                    place,
                    key,
                    expected,
                    found,
                });
            }
            dirs.push(dir);
        }
        let mut env = BTreeMap::new();
        for (name, value) in raw.env {
            if !is_variable(name.get_ref()) {
                return Err(self.value("env", VARIABLE, &name));
            }
            if value.get_ref().contains('\0') {
                return Err(self.value("env", "a text without NUL", &value));
            }
            env.insert(name.into_inner(), value.into_inner());
        }
        let hosts = raw.hosts.iter().map(|text| self.host("hosts", text));
        let hosts = hosts.collect::<Result<Vec<HostGrant>, _>>()?;
        let secrets = raw.secrets.into_iter();
        let secrets = secrets.map(|secret| self.secret(secret, &hosts));
        Ok(DoorPolicy {
            dirs,
            secrets: secrets.collect::<Result<_, _>>()?,
            hosts,
            env,
            config: raw.config,
            clock: raw.clock,
            random: raw.random,
            kv: raw.kv,
            history: raw.history,
            marks,
        })
    }

    fn dir(&self, raw: Spanned<RawDir>) -> Result<DirRequest, PolicyError> {
        let place = self.place(&raw);
        let RawDir { host, guest, write } = raw.into_inner();
        if host.get_ref().is_empty() || host.get_ref().contains('\0') {
            return Err(self.value("host", "the path of a folder", &host));
        }
        if !is_guest_path(guest.get_ref()) {
            return Err(self.value("guest", GUEST, &guest));
        }
        let (host, guest) = (host.into_inner(), guest.into_inner());
        Ok(DirRequest {
            host,
            guest,
            write,
            place,
        })
    }

    fn host<T: FromStr<Err = BadHost>>(
        &self,
        key: &'static str,
        text: &Spanned<String>,
    ) -> Result<T, PolicyError> {
        let read = text.get_ref().parse();
        read.map_err(|BadHost { why }| self.value(key, why, text))
    }

    fn secret(
        &self,
        raw: Spanned<RawSecret>,
        hosts: &[HostGrant],
    ) -> Result<SecretRequest, PolicyError> {
        let place = self.place(&raw);
        let raw = raw.into_inner();
        let origin: Origin = self.host("host", &raw.host)?;
        if !hosts.iter().any(|host| host.fits(&origin)) {
            return Err(self.value("host", "one of this door's `hosts`", &raw.host));
        }
        if !origin.tls() && !origin.is_this_machine() {
            let expected = "https, since anybody on the way could read the secret";
            return Err(self.value("host", expected, &raw.host));
        }
        let put = match (raw.header, raw.query) {
            (Some(header), None) => self.header(&header, raw.prefix)?,
            (None, Some(query)) if !query.get_ref().is_empty() && raw.prefix.is_none() => {
                SecretPlace::Query {
                    name: query.into_inner(),
                }
            }
            _ => {
                return Err(PolicyError::Value {
                    place,
                    key: "secrets",
                    expected: "`header` (with a `prefix` if there is one) or `query`",
                    found: "neither, or both".to_owned(),
                });
            }
        };
        let variable = raw.from.get_ref().strip_prefix("env:");
        let variable = variable.filter(|name| is_variable(name));
        let Some(variable) = variable.map(str::to_owned) else {
            return Err(self.value("from", "a variable such as \"env:TOKEN\"", &raw.from));
        };
        Ok(SecretRequest {
            origin,
            put,
            variable,
            place,
        })
    }

    fn header(
        &self,
        name: &Spanned<String>,
        prefix: Option<Spanned<String>>,
    ) -> Result<SecretPlace, PolicyError> {
        let small = name.get_ref().to_ascii_lowercase();
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_".contains(&b);
        if small.is_empty() || !small.bytes().all(plain) || HOSTS_OWN.contains(&&*small) {
            return Err(self.value("header", "a header such as \"authorization\"", name));
        }
        let shows =
            |prefix: &Spanned<String>| prefix.get_ref().bytes().all(|b| matches!(b, b' '..=b'~'));
        match prefix {
            Some(prefix) if !shows(&prefix) => {
                Err(self.value("prefix", "ASCII letters such as \"Bearer \"", &prefix))
            }
            prefix => Ok(SecretPlace::Header {
                name: small,
                prefix: prefix.map(Spanned::into_inner).unwrap_or_default(),
            }),
        }
    }

    fn marks(&self, raw: &RawDoor) -> Result<Marks, PolicyError> {
        let says = |key, word, quoted, text: &Option<Spanned<String>>| match text {
            None => Ok(false),
            Some(text) if text.get_ref() == word => Ok(true),
            Some(text) => Err(self.value(key, quoted, text)),
        };
        Ok(Marks {
            concurrent: raw.concurrent,
            untrusted: says("source", "untrusted", "\"untrusted\"", &raw.source)?,
            outside: says("effect", "outside", "\"outside\"", &raw.effect)?,
            may_end: raw.may_end,
        })
    }

    fn duration(
        &self,
        key: &'static str,
        text: Option<Spanned<String>>,
        default: Duration,
    ) -> Result<Duration, PolicyError> {
        let Some(text) = text else {
            return Ok(default);
        };
        let duration = humantime::parse_duration(text.get_ref()).ok();
        duration
            .filter(|duration| !duration.is_zero())
            .ok_or_else(|| self.value(key, "a time such as \"10 s\" or \"24h\"", &text))
    }

    fn count(
        &self,
        key: &'static str,
        count: Option<Spanned<i64>>,
        default: u64,
    ) -> Result<u64, PolicyError> {
        let Some(count) = count else {
            return Ok(default);
        };
        let above_zero = u64::try_from(*count.get_ref()).ok().filter(|n| *n > 0);
        above_zero.ok_or_else(|| self.value(key, "a whole number above 0", &count))
    }

    fn size(
        &self,
        key: &'static str,
        text: Option<Spanned<String>>,
        default: u64,
    ) -> Result<u64, PolicyError> {
        let Some(text) = text else {
            return Ok(default);
        };
        let size = text.get_ref().parse::<ByteSize>().ok();
        size.map(|size| size.as_u64())
            .filter(|size| *size > 0)
            .ok_or_else(|| self.value(key, "a size such as \"64 MiB\" or \"100 kB\"", &text))
    }

    fn value<T: ToString>(
        &self,
        key: &'static str,
        expected: &'static str,
        found: &Spanned<T>,
    ) -> PolicyError {
        PolicyError::Value {
            place: self.place(found),
            key,
            expected,
            found: found.get_ref().to_string().escape_debug().to_string(),
        }
    }

    fn place<T>(&self, spanned: &Spanned<T>) -> Place {
        Place::at(self.text, spanned.span().start)
    }
}

/// An absolute path as WASI has them, each part a plain name.
fn is_guest_path(path: &str) -> bool {
    let plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', '\0']);
    path == "/"
        || path
            .strip_prefix('/')
            .is_some_and(|rest| rest.split('/').all(plain))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    #[serde(default)]
    ask: RawAsk,
    #[serde(default)]
    lock: RawLock,
    #[serde(default)]
    limits: RawLimits,
    #[serde(default)]
    compile: RawCompile,
    #[serde(default)]
    model: BTreeMap<String, RawModel>,
    #[serde(default)]
    door: BTreeMap<Spanned<String>, RawDoor>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawModel {
    endpoint: Option<String>,
    key: Option<Spanned<String>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAsk {
    #[serde(default)]
    first: Vec<Spanned<String>>,
    expires: Option<Spanned<String>>,
    by: Option<Vec<Approver>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLock {
    #[serde(default)]
    keys: Vec<Spanned<String>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawLimits {
    fuel: Option<Spanned<i64>>,
    memory: Option<Spanned<String>>,
    time: Option<Spanned<String>>,
    output: Option<Spanned<String>>,
    host_calls: Option<Spanned<i64>>,
    resources: Option<Spanned<i64>>,
    table_elements: Option<Spanned<i64>>,
    network: Option<Spanned<String>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCompile {
    #[serde(default)]
    apart: bool,
    memory: Option<Spanned<String>>,
    time: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawDoor {
    #[serde(default)]
    dirs: Vec<Spanned<RawDir>>,
    #[serde(default)]
    env: BTreeMap<Spanned<String>, Spanned<String>>,
    #[serde(default)]
    clock: Source,
    #[serde(default)]
    random: Source,
    #[serde(default)]
    kv: bool,
    #[serde(default)]
    history: bool,
    #[serde(default)]
    may_end: bool,
    #[serde(default)]
    concurrent: bool,
    #[serde(default)]
    hosts: Vec<Spanned<String>>,
    #[serde(default)]
    config: BTreeMap<String, String>,
    #[serde(default)]
    secrets: Vec<Spanned<RawSecret>>,
    source: Option<Spanned<String>>,
    effect: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDir {
    host: Spanned<String>,
    guest: Spanned<String>,
    #[serde(default)]
    write: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSecret {
    host: Spanned<String>,
    header: Option<Spanned<String>>,
    prefix: Option<Spanned<String>>,
    query: Option<Spanned<String>>,
    from: Spanned<String>,
}

pub(super) fn is_variable(name: &str) -> bool {
    !name.is_empty() && !name.contains(['=', '\0'])
}

/// Headers that say where a request goes and where it ends.
const HOSTS_OWN: [&str; 10] = [
    "host",
    "content-length",
    "connection",
    "keep-alive",
    "transfer-encoding",
    "te",
    "trailer",
    "upgrade",
    "expect",
    "proxy-connection",
];

const VARIABLE: &str = "a variable's name without `=`";
pub(super) const PATTERN: &str = "a door's name (`*` for any letters, `?` for one)";
const GUEST: &str = "an absolute path with `/` such as \"/data\", without `.` and `..`";
