//! What a folder's policy asks for, resolved and checked.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use loop_spec::Digest;
use loop_spec::policy::{
    DirRequest, DoorPolicy, HostGrant, Offered, Origin, Policy, SecretPlace, SecretRequest, Source,
};
use serde::Serialize;

use super::kept::Kept;
use super::{
    Allowances, FolderGrants, GrantError, GrantedDir, GrantedSecret, Grants, NoSecret, Secret,
    Secrets,
};

/// What a folder's policy asks for: some of it can be granted at once, the rest only when a person
/// has allowed exactly this.
#[derive(Clone, Debug)]
pub struct Requests {
    loop_dir: PathBuf,
    doors: BTreeMap<String, Grants>,
    /// By door; what they hold is read when they are granted.
    secrets: BTreeMap<String, Vec<SecretRequest>>,
    beyond: Vec<Request>,
}

/// One thing that a folder asks for beyond its own `data/`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Request {
    /// A folder of the host.
    Dir {
        /// For which door.
        door: String,
        /// The folder, resolved.
        host: String,
        /// Where the door finds it.
        guest: String,
        /// Whether the door may change it.
        write: bool,
    },
    /// An environment variable.
    Env {
        /// For which door.
        door: String,
        /// Its name.
        name: String,
        /// Its value.
        value: String,
    },
    /// A host that it may send requests to.
    Host {
        /// For which door.
        door: String,
        /// The host.
        host: HostGrant,
    },
    /// A value in `wasi:config`.
    Config {
        /// For which door.
        door: String,
        /// Its name.
        name: String,
        /// The value.
        value: String,
    },
    /// A secret of the user's that is added to its requests.
    Secret {
        /// For which door.
        door: String,
        /// The environment variable that holds it.
        variable: String,
        /// What it is sent to.
        host: Origin,
        /// Where in the request.
        put: SecretPlace,
    },
    /// The host's clock.
    Clock {
        /// For which door.
        door: String,
    },
    /// The host's random numbers.
    Random {
        /// For which door.
        door: String,
    },
    /// What the doors of its run returned.
    History {
        /// For which door.
        door: String,
    },
    /// Keys for as long as a run lasts.
    Kv {
        /// For which door.
        door: String,
    },
}

impl Requests {
    /// What `policy` asks for in the loop at `loop_dir`. `own` are the folders where Doorlist keeps
    /// what it trusts: the compiled cache and the user's configuration. Changes nothing.
    ///
    /// # Errors
    /// A folder that is asked for is not there, or may never be granted for writing.
    pub fn of(loop_dir: &Path, policy: &Policy, own: &[&Path]) -> Result<Self, GrantError> {
        let loop_dir = loop_dir
            .canonicalize()
            .map_err(|source| GrantError::LoopDir {
                path: loop_dir.to_owned(),
                source,
            })?;
        let kept = Kept::new(&loop_dir, own);
        let mut requests = Self {
            loop_dir,
            doors: BTreeMap::new(),
            secrets: BTreeMap::new(),
            beyond: Vec::new(),
        };
        for (name, door) in policy.doors() {
            requests.add(name, door, &kept, policy.offered(name))?;
        }
        // The order in the file means nothing, so moving a line asks nobody again.
        requests.beyond.sort();
        Ok(requests)
    }

    /// The loop's folder, resolved.
    #[must_use]
    pub fn loop_dir(&self) -> &Path {
        &self.loop_dir
    }

    /// What needs a person's allowance; nothing where everything stays in `data/`.
    #[must_use]
    pub fn beyond_data(&self) -> &[Request] {
        &self.beyond
    }

    /// The name of exactly these requests, in these places.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let text = serde_json::to_vec(&self.beyond);
        Digest::of(text.expect("requests are texts and truth values, which JSON can hold"))
    }

    /// Whether nothing is asked for on behalf of `door`.
    #[must_use]
    pub fn is_pure(&self, door: &str) -> bool {
        self.doors.get(door).is_none_or(Grants::is_none)
    }

    /// Grants what is asked for, if a person has allowed what needs it. Makes `data/` where a door
    /// is to use it and it is missing. `variable` has the values of secrets, by their names.
    ///
    /// # Errors
    /// It is not allowed, or was edited since; or `data/` cannot be made. A secret that is not there
    /// keeps its own door closed, and no other.
    pub fn grant(
        &self,
        allowances: &Allowances,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<FolderGrants, GrantError> {
        if !allowances.allows(self)? {
            return Err(GrantError::NotAllowed {
                loop_dir: self.loop_dir.clone(),
                asked: self
                    .beyond
                    .iter()
                    .map(|request| format!("  {request}\n"))
                    .collect(),
            });
        }
        let data = self.data();
        let mut dirs = self.doors.values().flat_map(|grants| &grants.dirs);
        if dirs.any(|dir| dir.host == data) {
            fs::create_dir_all(&data)
                .map_err(|source| GrantError::LoopDir { path: data, source })?;
        }
        let mut doors = self.doors.clone();
        for (door, asked) in &self.secrets {
            let secret = |asked: &SecretRequest| {
                let value = variable(&asked.variable);
                secret(asked, value).map_err(|why| GrantError::NoSecret {
                    place: asked.place,
                    door: door.clone(),
                    variable: shown(&asked.variable),
                    why,
                })
            };
            // The other doors are well without it.
            let secrets = match asked.iter().map(secret).collect::<Result<_, _>>() {
                Ok(secrets) => Secrets::new(secrets),
                Err(lacking @ GrantError::NoSecret { .. }) => {
                    Secrets::missing(&lacking.to_string())
                }
                Err(error) => return Err(error),
            };
            doors.entry(door.clone()).or_default().secrets = secrets;
        }
        Ok(FolderGrants { doors })
    }

    fn add(
        &mut self,
        name: &str,
        asked: &DoorPolicy,
        kept: &Kept,
        offered: Option<Offered<'_>>,
    ) -> Result<(), GrantError> {
        let door = || name.to_owned();
        let mut requests = Vec::new();
        let mut grants = Grants {
            dirs: Vec::new(),
            hosts: asked.hosts.clone(),
            env: asked.env.clone(),
            config: asked.config.clone(),
            secrets: Secrets::default(),
            clock: asked.clock,
            random: asked.random,
            kv: asked.kv,
            history: asked.history,
        };
        for dir in &asked.dirs {
            let dir = self.resolve(name, dir, kept)?;
            requests.push(Request::Dir {
                door: door(),
                host: utf8(&dir.host)?,
                guest: dir.guest.clone(),
                write: dir.write,
            });
            grants.dirs.push(dir);
        }
        requests.extend(asked.env.iter().map(|(name, value)| Request::Env {
            door: door(),
            name: name.clone(),
            value: value.clone(),
        }));
        requests.extend(asked.hosts.iter().map(|host| Request::Host {
            door: door(),
            host: host.clone(),
        }));
        requests.extend(asked.config.iter().map(|(name, value)| Request::Config {
            door: door(),
            name: name.clone(),
            value: value.clone(),
        }));
        requests.extend(asked.secrets.iter().map(|secret| Request::Secret {
            door: door(),
            variable: secret.variable.clone(),
            host: secret.origin.clone(),
            put: secret.put.clone(),
        }));
        if !asked.secrets.is_empty() {
            self.secrets.insert(door(), asked.secrets.clone());
        }
        if asked.clock == Source::Real {
            requests.push(Request::Clock { door: door() });
        }
        if asked.random == Source::Real {
            requests.push(Request::Random { door: door() });
        }
        if asked.kv {
            requests.push(Request::Kv { door: door() });
        }
        if asked.history {
            requests.push(Request::History { door: door() });
        }
        if let Some(Offered { place, offers }) = offered {
            let refused = requests.iter().find(|it| !self.is_offered(it, &offers));
            if let Some(refused) = refused {
                let request = refused.to_string();
                return Err(GrantError::NotOffered { place, request });
            }
        }
        let data = self.data();
        let beyond = |request: &Request| match request {
            Request::Dir { host, .. } => !Path::new(host).starts_with(&data),
            // It leaves nothing outside of the run.
            Request::Kv { .. } => false,
            _ => true,
        };
        self.beyond.extend(requests.into_iter().filter(beyond));
        self.doors.insert(door(), grants);
        Ok(())
    }

    /// Whether the host-wide policy has this in one of its `offers`.
    fn is_offered(&self, request: &Request, offers: &[&DoorPolicy]) -> bool {
        offers.iter().any(|offer| match request {
            Request::Dir { host, write, .. } => offer.dirs.iter().any(|dir| {
                let folder = self.folder(&self.loop_dir.join(&dir.host));
                let lies_in = folder.is_ok_and(|folder| Path::new(host).starts_with(folder));
                lies_in && (dir.write || !write)
            }),
            Request::Env { name, value, .. } => offer.env.get(name) == Some(value),
            Request::Host { host, .. } => offer.hosts.iter().any(|other| host.lies_in(other)),
            Request::Config { name, value, .. } => offer.config.get(name) == Some(value),
            Request::Secret {
                variable,
                host,
                put,
                ..
            } => (offer.secrets.iter())
                .any(|other| (&other.variable, &other.origin, &other.put) == (variable, host, put)),
            Request::Clock { .. } => offer.clock == Source::Real,
            Request::Random { .. } => offer.random == Source::Real,
            Request::Kv { .. } => offer.kv,
            Request::History { .. } => offer.history,
        })
    }

    fn resolve(
        &self,
        door: &str,
        asked: &DirRequest,
        kept: &Kept,
    ) -> Result<GrantedDir, GrantError> {
        let path = self.loop_dir.join(&asked.host);
        let host = self.folder(&path).map_err(|source| GrantError::NoFolder {
            place: asked.place,
            door: door.to_owned(),
            path,
            source,
        })?;
        if asked.write {
            Self::writable(door, asked, &host, kept)?;
        }
        let (guest, write) = (asked.guest.clone(), asked.write);
        Ok(GrantedDir { host, guest, write })
    }

    /// Refuses a folder in which a door would change what no door may change.
    fn writable(
        door: &str,
        asked: &DirRequest,
        path: &Path,
        kept: &Kept,
    ) -> Result<(), GrantError> {
        let (place, door, path) = (asked.place, door.to_owned(), path.to_owned());
        if let Some(kept) = kept.covered_by(&path) {
            return Err(GrantError::Kept {
                place,
                door,
                path,
                kept,
            });
        }
        match kept.linked_into(&path) {
            Some((name, kept)) => Err(GrantError::Linked {
                place,
                door,
                name,
                kept,
            }),
            None => Ok(()),
        }
    }

    /// The folder to which `path` leads in the end.
    fn folder(&self, path: &Path) -> io::Result<PathBuf> {
        let data = self.data();
        // Components leave out `.` and a separator at the end: `./data/` is `data` as well.
        if path.components().eq(data.components()) && !exists(&data)? {
            return Ok(data);
        }
        let real = path.canonicalize()?;
        match fs::metadata(&real)?.is_dir() {
            true => Ok(real),
            false => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    fn data(&self) -> PathBuf {
        self.loop_dir.join(DATA)
    }
}

impl Request {
    /// The door on whose behalf it is made.
    #[must_use]
    pub fn door(&self) -> &str {
        match self {
            Self::Dir { door, .. }
            | Self::Env { door, .. }
            | Self::Host { door, .. }
            | Self::Config { door, .. }
            | Self::Secret { door, .. }
            | Self::Clock { door }
            | Self::Random { door }
            | Self::History { door }
            | Self::Kv { door } => door,
        }
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dir {
                door,
                host,
                guest,
                write,
            } => {
                let may = if *write { "read and change" } else { "read" };
                write!(f, "{door} may {may} {} (as {})", shown(host), shown(guest))
            }
            Self::Env { door, name, value } => {
                write!(
                    f,
                    "{door} sees the variable {} = {}",
                    shown(name),
                    shown(value)
                )
            }
            Self::Host { door, host } => write!(f, "{door} may send requests to {host}"),
            Self::Config { door, name, value } => {
                let (name, value) = (shown(name), shown(value));
                write!(f, "{door} is configured with {name} = {value}")
            }
            Self::Secret {
                door,
                variable,
                host,
                put,
            } => {
                let (variable, put) = (shown(variable), shown(&put.to_string()));
                write!(
                    f,
                    "requests of {door} to {host} carry your {variable} in {put}; {door} does not see it"
                )
            }
            Self::Clock { door } => write!(f, "{door} sees the real time"),
            Self::Random { door } => write!(f, "{door} gets real random numbers"),
            Self::History { door } => write!(f, "{door} reads what the doors of its run returned"),
            Self::Kv { door } => write!(f, "{door} keeps keys for as long as a run lasts"),
        }
    }
}

fn secret(asked: &SecretRequest, value: Option<String>) -> Result<GrantedSecret, NoSecret> {
    let value = value.ok_or(NoSecret::Unset)?;
    Ok(GrantedSecret {
        origin: asked.origin.clone(),
        put: asked.put.clone(),
        value: Secret::new(&value)?,
    })
}

/// Texts of a folder are shown so that none can move the cursor or look like another line.
fn shown(text: &str) -> String {
    text.escape_debug().to_string()
}

fn utf8(path: &Path) -> Result<String, GrantError> {
    path.to_str()
        .map(str::to_owned)
        .ok_or_else(|| GrantError::NotUtf8 {
            path: path.to_owned(),
        })
}

/// Whether something is there, even if it is a symbolic link that leads nowhere.
fn exists(path: &Path) -> io::Result<bool> {
    match path.symlink_metadata() {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// The loop's own files, the one place where a grant needs no allowance.
const DATA: &str = "data";
