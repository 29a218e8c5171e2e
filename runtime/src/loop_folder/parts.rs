//! The parts of a loop's folder, put together: what can be run, or the first thing that is wrong.

use std::collections::BTreeMap;
use std::path::Path;

use loop_spec::policy::{Marks, Policy};

use super::{FolderError, LoopFolder};
use crate::doors::{Catalogue, CatalogueError, Door, DoorFile};
use crate::gate::{GuardedDoor, Hooks};
use crate::grants::{Allowances, FolderGrants, Grants, Requests};
use crate::lock::{Key, Locks};
use crate::loop_run::{CLOSE_INTERFACE, Snapshot};
use crate::models::ComponentModel;
use crate::sandbox::Limits;

/// What a loop's folder holds beside its text.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The policy.
    pub policy: Policy,
    /// The doors of the listed files.
    pub catalogue: Catalogue,
    /// What is granted.
    pub grants: FolderGrants,
    /// What was built or accepted.
    pub locks: Locks,
}

/// A component that is named by its file rather than by a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component {
    key: &'static str,
    interface: &'static str,
    function: &'static str,
}

impl Component {
    /// What `close` names.
    pub const CLOSE: Self = Self {
        key: "close",
        interface: CLOSE_INTERFACE,
        function: "stands",
    };
    /// What `model` can name.
    pub const MODEL: Self = Self {
        key: "model",
        interface: ComponentModel::INTERFACE,
        function: ComponentModel::FUNCTION,
    };

    /// What `hooks` can name: at least one of these.
    const HOOKS: [Self; 3] = [
        Self::hook("doorlist:hooks/before", "may-open"),
        Self::hook("doorlist:hooks/after", "tell"),
        Self::hook("doorlist:hooks/end", "may-end"),
    ];

    const fn hook(interface: &'static str, function: &'static str) -> Self {
        Self {
            key: "hooks",
            interface,
            function,
        }
    }

    /// Reads the hooks from a component's file, as doors that are granted nothing.
    ///
    /// # Errors
    /// As [`Component::read`], where it exports none of the three.
    pub fn hooks(file: &Path, mut limits: Limits) -> Result<Hooks, FolderError> {
        // A result of a door comes back with its letters escaped.
        limits.output = limits.output.saturating_mul(2);
        let catalogue = catalogue(file)?;
        let [before, after, end] = Self::HOOKS.map(|hook| hook.of(&catalogue, limits.clone()));
        let hooks = Hooks {
            before: before?,
            after: after?,
            end: end?,
        };
        match hooks.there().are_none() {
            false => Ok(hooks),
            true => Err(FolderError::OtherInterface {
                file: file.to_owned(),
                key: "hooks",
                interface: "doorlist:hooks/before`, `doorlist:hooks/after` or `doorlist:hooks/end",
            }),
        }
    }

    /// Reads the function from a component's file, as a door that is granted nothing.
    ///
    /// # Errors
    /// When the file is no component, imports what is not there or not granted, or exports another
    /// interface.
    pub fn read(self, file: &Path, limits: Limits) -> Result<GuardedDoor, FolderError> {
        match self.of(&catalogue(file)?, limits)? {
            Some(door) => Ok(door),
            None => Err(FolderError::OtherInterface {
                file: file.to_owned(),
                key: self.key,
                interface: self.interface,
            }),
        }
    }

    /// The function among the doors of a component, if it is there.
    fn of(self, catalogue: &Catalogue, limits: Limits) -> Result<Option<GuardedDoor>, FolderError> {
        let is_it = |door: &&Door| {
            let interface = door.function.interface.as_deref().unwrap_or_default();
            let unversioned = interface.split('@').next();
            unversioned == Some(self.interface) && door.function.name == self.function
        };
        let Some(door) = catalogue.doors().find(is_it) else {
            return Ok(None);
        };
        let (door, grants) = (door.clone(), Grants::default());
        let door = GuardedDoor {
            door,
            grants,
            limits,
            locked: None,
            asked_first: false,
            marks: Marks::default(),
        };
        granted(door).map(Some)
    }
}

impl LoopFolder {
    /// Everything that a run needs, read once.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn snapshot(&self) -> Result<Snapshot, FolderError> {
        let (raw, text) = self.loop_text()?;
        let policy = self.policy()?;
        let catalogue = Catalogue::only(&self.doors(), text.stems())?;
        self.check_policy(&policy, &catalogue, text.list())?;
        let grants = self
            .requests(&policy)?
            .grant(&Allowances::in_dir(&self.own.config), self.own.variable)?;
        let limits = Limits::of(policy.limits());
        let locks = self.locks(&policy)?;
        let parts = Parts {
            policy,
            catalogue,
            grants,
            locks,
        };
        let doors = text
            .list()
            .iter()
            .map(|name| Ok((name.clone(), self.door(&parts, name)?)));
        let doors: Result<BTreeMap<_, _>, FolderError> = doors.collect();
        let doors = doors?;
        let close = text
            .close()
            .map(|file| self.component(Component::CLOSE, file, limits.clone(), &parts.locks));
        let hooks = text.hooks().map(|file| {
            let mut hooks = Component::hooks(&self.dir.join(file), limits)?;
            let all = [&mut hooks.before, &mut hooks.after, &mut hooks.end];
            for hook in all.into_iter().flatten() {
                hook.locked = parts.locks.refusal(&hook.door.file);
            }
            Ok::<_, FolderError>(hooks)
        });
        Ok(Snapshot {
            raw,
            doors,
            close: close.transpose()?,
            hooks: hooks.transpose()?.unwrap_or_default(),
            ask: parts.policy.ask().clone(),
            text,
        })
    }

    /// What the policy asks for.
    ///
    /// # Errors
    /// When something of it can never be granted.
    pub fn requests(&self, policy: &Policy) -> Result<Requests, FolderError> {
        Ok(Requests::of(
            &self.dir,
            policy,
            &[&self.own.cache, &self.own.config],
        )?)
    }

    /// What was built or accepted here, and what a person has revoked.
    ///
    /// # Errors
    /// When it cannot be read, or `policy` names what is no key.
    pub fn locks(&self, policy: &Policy) -> Result<Locks, FolderError> {
        let keys = policy.keys().iter().map(|(text, place)| {
            text.parse::<Key>().map_err(|wrong| FolderError::Unfit {
                dir: self.dir.clone(),
                what: format!("policy.toml, {place}: `keys`: {wrong}"),
            })
        });
        let keys = keys.collect::<Result<_, _>>()?;
        let revoked = self.revoked().all()?;
        Ok(Locks::read(self.lock_file(), keys, revoked)?)
    }

    /// A component that `loop.txt` names by `file`, its path in the folder.
    ///
    /// # Errors
    /// As [`Component::read`].
    pub fn component(
        &self,
        kind: Component,
        file: &str,
        limits: Limits,
        locks: &Locks,
    ) -> Result<GuardedDoor, FolderError> {
        let mut door = kind.read(&self.dir.join(file), limits)?;
        door.locked = locks.refusal(&door.door.file);
        Ok(door)
    }

    /// The door that a name of the list means.
    pub(super) fn listed<'c>(
        &self,
        catalogue: &'c Catalogue,
        name: &str,
    ) -> Result<&'c Door, FolderError> {
        catalogue.door(name).ok_or_else(|| {
            let stem = name.split('.').next().unwrap_or(name);
            let doors = catalogue.doors();
            let of_stem: Vec<_> = doors.filter(|door| door.file.stem == stem).collect();
            let file = of_stem.iter().find_map(|door| door.file.path.clone());
            FolderError::NoDoor {
                name: name.to_owned(),
                file: file.unwrap_or_else(|| self.doors().join(format!("{stem}.wasm"))),
                found: of_stem.iter().map(|door| door.name.clone()).collect(),
            }
        })
    }

    /// A listed door with what policy says of it.
    fn door(&self, parts: &Parts, name: &str) -> Result<GuardedDoor, FolderError> {
        let door = self.listed(&parts.catalogue, name)?;
        let mut grants = parts.grants.of(name);
        // Doorlist's own door: nobody else has written it, and it reads this run alone.
        let is_own = door.file.path.is_none();
        grants.history |= is_own;
        let locked = parts.locks.refusal(&door.file).filter(|_| !is_own);
        granted(GuardedDoor {
            door: door.clone(),
            grants,
            limits: Limits::of(parts.policy.limits()),
            locked,
            asked_first: parts.policy.asks(name),
            marks: parts.policy.grants(name).marks,
        })
    }

    /// What the policy names must be there; a slip of the hand near a listed name is an error.
    fn check_policy(
        &self,
        policy: &Policy,
        catalogue: &Catalogue,
        list: &[String],
    ) -> Result<(), FolderError> {
        let unfit = |what: String| FolderError::Unfit {
            dir: self.dir.clone(),
            what,
        };
        let doors: Vec<&str> = catalogue.doors().map(|door| door.name.as_str()).collect();
        let listed: Vec<&str> = list.iter().map(String::as_str).collect();
        match policy
            .strangers(&doors, &listed)
            .into_iter()
            .find(|stranger| stranger.is_error())
        {
            Some(stranger) => Err(unfit(stranger.to_string())),
            None => Ok(()),
        }
    }
}

fn catalogue(file: &Path) -> Result<Catalogue, FolderError> {
    let file = DoorFile::read(file).map_err(CatalogueError::from)?;
    Ok(Catalogue::of([file])?)
}

/// The door, if it is granted all that it cannot do without.
fn granted(door: GuardedDoor) -> Result<GuardedDoor, FolderError> {
    match door.lacks() {
        None => Ok(door),
        Some((key, import)) => Err(FolderError::Lacks {
            file: door.door.file.label(),
            name: door.door.name,
            key,
            import,
        }),
    }
}
