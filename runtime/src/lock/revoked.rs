//! Components that a person has revoked on this machine.

use std::collections::BTreeMap;
use std::path::Path;

use loop_spec::Digest;
use loop_spec::frame::one_line;
use loop_spec::lock::Unaccepted;
use serde::{Deserialize, Serialize};

use crate::own_file::{OwnFile, OwnFileError};

/// The components that are never opened on this machine, whatever a loop says of them.
#[derive(Clone, Debug)]
pub struct Revoked {
    file: OwnFile<Revocations>,
}

/// When and why a component was revoked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revocation {
    /// When, in microseconds since the Unix epoch.
    pub at: u64,
    /// Why, in a person's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl Revocation {
    /// What a person is told who meets the refusal of `component`: why, and what takes it back.
    #[must_use]
    pub fn told(&self, component: &Digest) -> String {
        let why = self.why.as_deref().map(one_line);
        let why = why.map(|why| format!(": {why}")).unwrap_or_default();
        let revoked = Unaccepted::Revoked;
        format!("{revoked}{why}; `doorlist revoke {component} --undo` takes it back")
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Revocations {
    #[serde(default)]
    components: BTreeMap<Digest, Revocation>,
}

impl Revoked {
    /// What is kept in the folder `config_dir`.
    #[must_use]
    pub fn in_dir(config_dir: &Path) -> Self {
        Self {
            file: OwnFile::new(config_dir, "revoked"),
        }
    }

    /// The file that it is kept in.
    #[must_use]
    pub fn file(&self) -> std::path::PathBuf {
        self.file.path()
    }

    /// All of them.
    ///
    /// # Errors
    /// The file cannot be read or understood.
    pub fn all(&self) -> Result<BTreeMap<Digest, Revocation>, OwnFileError> {
        Ok(self.file.read()?.components)
    }

    /// The revocation of a component, where it is revoked.
    ///
    /// # Errors
    /// The file cannot be read or understood.
    pub fn of(&self, component: &Digest) -> Result<Option<Revocation>, OwnFileError> {
        Ok(self.all()?.remove(component))
    }

    /// Revokes a component; one that is revoked already keeps its time and reason, and says `false`.
    ///
    /// # Errors
    /// The file cannot be read, understood or replaced.
    pub fn revoke(&self, component: Digest, revocation: Revocation) -> Result<bool, OwnFileError> {
        self.file.change(|kept| {
            let is_new = !kept.components.contains_key(&component);
            kept.components.entry(component).or_insert(revocation);
            is_new
        })
    }

    /// Takes a revocation back; says whether there was one.
    ///
    /// # Errors
    /// The file cannot be read, understood or replaced.
    pub fn restore(&self, component: &Digest) -> Result<bool, OwnFileError> {
        self.file
            .change(|kept| kept.components.remove(component).is_some())
    }
}
