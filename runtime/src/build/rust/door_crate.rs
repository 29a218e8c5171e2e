//! A crate that is a door.

use super::super::BuildError;
use super::{Programs, Target};
use cargo_metadata::{CrateType, Metadata, Package};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A crate that is a door, as its Cargo.toml describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DoorCrate {
    /// The name of the package.
    pub name: String,
    /// The folder of its Cargo.toml.
    pub folder: PathBuf,
    /// What it is compiled for.
    pub target: Target,
    /// Where its WIT is, if it is in a file.
    pub wit: Option<PathBuf>,
}

impl DoorCrate {
    /// The crate of a folder, if it is a door.
    pub(crate) fn of(folder: &Path, programs: &Programs) -> Result<Option<Self>, BuildError> {
        let manifest = folder.join("Cargo.toml");
        if !manifest.is_file() {
            return Ok(None);
        }
        let metadata = programs.metadata(&manifest, |command| {
            command.no_deps();
        })?;
        let manifest = std::path::absolute(&manifest).map_err(|source| BuildError::Read {
            file: manifest,
            source,
        })?;
        package(&metadata, &manifest)
            .map(|package| Self::read(package, &manifest))
            .transpose()
    }

    fn read(package: &Package, manifest: &Path) -> Result<Self, BuildError> {
        let folder = manifest.parent().unwrap_or(manifest).to_owned();
        let keys = Keys::of(package, manifest)?;
        let wit = match keys.text("wit")? {
            Some(wit) => Some(folder.join(wit)),
            None => Some(folder.join("wit")).filter(|wit| wit.is_dir()),
        };
        let target = keys.target()?;
        Ok(Self {
            name: package.name.to_string(),
            folder,
            target,
            wit,
        })
    }
}

/// The table `[package.metadata.door]`.
struct Keys<'a> {
    manifest: &'a Path,
    table: Option<&'a serde_json::Map<String, Value>>,
}

impl<'a> Keys<'a> {
    fn of(package: &'a Package, manifest: &'a Path) -> Result<Self, BuildError> {
        let table = package.metadata.get("door").and_then(Value::as_object);
        let keys = Self { manifest, table };
        match table
            .into_iter()
            .flat_map(|table| table.keys())
            .find(|key| !KEYS.contains(&&***key))
        {
            None => Ok(keys),
            Some(key) => {
                Err(keys.error(key, format!("one of {}", KEYS.join(", ")), "it".to_owned()))
            }
        }
    }

    fn text(&self, key: &str) -> Result<Option<&'a str>, BuildError> {
        let value = self.table.and_then(|table| table.get(key));
        let text = |value: &'a Value| {
            let wrong = || self.error(key, "a text".to_owned(), value.to_string());
            value.as_str().ok_or_else(wrong)
        };
        value.map(text).transpose()
    }

    fn target(&self) -> Result<Target, BuildError> {
        let Some(found) = self.text("target")? else {
            return Ok(Target::ALL[0]);
        };
        Target::ALL
            .into_iter()
            .find(|target| target.triple() == found)
            .ok_or_else(|| {
                let known = Target::ALL.map(Target::triple).join(" or ");
                self.error("target", known, found.to_owned())
            })
    }

    fn error(&self, key: &str, expected: String, found: String) -> BuildError {
        let manifest = self.manifest.to_owned();
        BuildError::Key {
            manifest,
            key: key.to_owned(),
            expected,
            found,
        }
    }
}

/// The door that a manifest describes, which is one of the packages of its workspace.
fn package<'a>(metadata: &'a Metadata, manifest: &Path) -> Option<&'a Package> {
    let is_door = |package: &&Package| {
        let mut kinds = package
            .targets
            .iter()
            .flat_map(|target| &target.crate_types);
        kinds.any(|kind| *kind == CrateType::CDyLib)
    };
    let manifest = manifest.canonicalize();
    let here = |package: &&Package| {
        let there = package.manifest_path.canonicalize();
        matches!((&there, &manifest), (Ok(there), Ok(manifest)) if there == manifest)
    };
    metadata.packages.iter().filter(is_door).find(here)
}

/// The keys that `[package.metadata.door]` may have.
const KEYS: [&str; 2] = ["target", "wit"];
