//! What lies in a loop's folder against what was built or accepted there: shown to a person before
//! they accept it.

use std::path::PathBuf;

use loop_spec::lock::{Came, Entry};

use super::{FolderError, LoopFolder};
use crate::doors::{Catalogue, CatalogueError, DoorFile};
use crate::grants::{Request, Requests};
use crate::lock::{Revocation, Signer, entry};
use crate::models::ModelSource;

/// The components of a loop that are other than its `doors.lock` says.
#[derive(Clone, Debug, Default)]
pub struct Review {
    /// Those that are new or changed, in the order of their files.
    pub changes: Vec<Change>,
    /// Files that are locked and gone.
    pub gone: Vec<String>,
    /// Files that are no components, each with what is wrong.
    pub broken: Vec<String>,
}

/// A component that is new or changed.
#[derive(Clone, Debug)]
pub struct Change {
    /// Its path in the folder.
    pub file: String,
    /// Bytes of the component.
    pub size: usize,
    /// What was locked, if it was.
    pub was: Option<Entry>,
    /// What it is, as it would be locked.
    pub is: Entry,
    /// Who has signed it, in the file beside it.
    pub signer: Signer,
    /// Whether a person has revoked it on this machine: then it is refused, accepted or not.
    pub revoked: Option<Revocation>,
    /// What the policy asks for on behalf of its doors, beyond the loop's own data.
    pub asks_for: Vec<Request>,
}

impl Change {
    /// Whether it is what was built or accepted already.
    #[must_use]
    pub fn is_known(&self) -> bool {
        let was = self.was.as_ref();
        was.is_some_and(|was| was.digests() == self.is.digests())
    }
}

impl LoopFolder {
    /// Reads every component and holds it against the lock. `came` is how those that are other would
    /// have come in.
    ///
    /// # Errors
    /// When the folder, its policy or its lock cannot be read.
    pub fn review(&self, came: &Came) -> Result<Review, FolderError> {
        let lock = self.lock_file().read()?;
        let (files, broken) = self.components()?;
        let mut review = Review {
            broken,
            ..Review::default()
        };
        let policy = self.policy()?;
        let (requests, locks) = (self.requests(&policy)?, self.locks(&policy)?);
        let mut names = Vec::new();
        for file in files {
            let path = file.path.clone().unwrap_or_default();
            let name = self.lock_file().name_of(&path)?;
            let is = entry(&file, came.clone());
            if lock.refusal(&name, &is.digests()).is_some() {
                review.changes.push(Change {
                    was: lock.entry(&name).cloned(),
                    file: name.clone(),
                    size: file.artifact.len(),
                    is,
                    signer: locks.signer(&file),
                    revoked: locks.revocation(&file).cloned(),
                    asks_for: asks_for(&requests, &file),
                });
            }
            names.push(name);
        }
        let entries = lock.entries().map(|(name, _)| name.to_owned());
        review.gone = entries.filter(|name| !names.contains(name)).collect();
        Ok(review)
    }

    /// What it would be to put a component, whose stem is the one it gets and whose path the one it
    /// comes from, in the place of the file `name` of the folder.
    ///
    /// # Errors
    /// When the folder's policy or its lock cannot be read.
    pub fn review_of(
        &self,
        name: &str,
        component: &DoorFile,
        came: Came,
    ) -> Result<Review, FolderError> {
        let policy = self.policy()?;
        let (requests, locks) = (self.requests(&policy)?, self.locks(&policy)?);
        let change = Change {
            file: name.to_owned(),
            size: component.artifact.len(),
            was: self.lock_file().read()?.entry(name).cloned(),
            is: entry(component, came),
            signer: locks.signer(component),
            revoked: locks.revocation(component).cloned(),
            asks_for: asks_for(&requests, component),
        };
        Ok(Review {
            changes: vec![change],
            ..Review::default()
        })
    }

    /// Locks exactly what a review has shown. What has changed since is other than the lock then.
    ///
    /// # Errors
    /// When the lock cannot be read or written.
    pub fn accept(&self, review: &Review) -> Result<(), FolderError> {
        let file = self.lock_file();
        let mut lock = file.read()?;
        lock.retain(|name| !review.gone.iter().any(|gone| gone == name));
        for change in &review.changes {
            lock.insert(&change.file, change.is.clone());
        }
        Ok(file.write(&lock)?)
    }

    /// The components of `doors/`, and those that `loop.txt` names elsewhere in the folder.
    fn components(&self) -> Result<(Vec<DoorFile>, Vec<String>), FolderError> {
        let (_, text) = self.loop_text()?;
        let model = match text.model().map(str::parse) {
            Some(Ok(ModelSource::Component(file))) => Some(file),
            _ => None,
        };
        let named = [text.close(), text.hooks()].into_iter().flatten();
        let named = named.map(str::to_owned).chain(model);
        let elsewhere = named
            .map(|file| self.dir.join(file))
            .filter(|file| file.starts_with(&self.dir) && !file.starts_with(self.doors()))
            .map(|file: PathBuf| DoorFile::read(&file));
        let read = match Catalogue::read_each(&self.doors()) {
            Err(CatalogueError::Folder { source, .. })
                if source.kind() == std::io::ErrorKind::NotFound =>
            {
                Vec::new()
            }
            read => read?,
        };
        let (mut files, mut broken) = (Vec::new(), Vec::new());
        for file in read.into_iter().chain(elsewhere) {
            match file {
                Ok(file) => files.push(file),
                Err(error) => broken.push(error.to_string()),
            }
        }
        Ok((files, broken))
    }
}

/// What the policy asks for on behalf of the doors of a component.
fn asks_for(requests: &Requests, file: &DoorFile) -> Vec<Request> {
    let names: Vec<String> = file.functions().map(|(name, _)| name).collect();
    let asked = requests.beyond_data().iter();
    let of_file = asked.filter(|request| names.iter().any(|name| name == request.door()));
    of_file.cloned().collect()
}

impl Review {
    /// Whether everything is as it was built or accepted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.gone.is_empty()
    }

    /// Only what these files, by their paths in the folder, came to.
    #[must_use]
    pub fn of(mut self, files: &[String]) -> Self {
        self.changes.retain(|change| files.contains(&change.file));
        self.gone.clear();
        self
    }
}
