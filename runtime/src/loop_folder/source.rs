//! A folder as the source of a loop: read again at every assembly, cheap where nothing has changed.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::{FolderError, LoopFolder};
use crate::loop_run::{LoopSource, Snapshot};

/// Reads a loop from its folder. `loop.txt` is read every time; the rest only when a file of it looks
/// other than before.
#[derive(Debug)]
pub struct FolderSource {
    folder: LoopFolder,
    last: Option<(Vec<Stamp>, Arc<Snapshot>)>,
}

/// What a file looks like from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stamp {
    file: PathBuf,
    seen: Option<(u64, SystemTime)>,
}

impl FolderSource {
    /// The loop of `folder`, and how it stands now.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn open(folder: LoopFolder) -> Result<(Self, Arc<Snapshot>), FolderError> {
        let mut source = Self { folder, last: None };
        let snapshot = source.fresh()?;
        Ok((source, snapshot))
    }

    fn fresh(&mut self) -> Result<Arc<Snapshot>, FolderError> {
        let snapshot = Arc::new(self.folder.snapshot()?);
        self.last = Some((self.stamps(&snapshot), snapshot.clone()));
        Ok(snapshot)
    }

    fn unchanged(&self) -> Option<Arc<Snapshot>> {
        let (stamps, snapshot) = self.last.as_ref()?;
        let (raw, _) = self.folder.loop_text().ok()?;
        let same =
            raw == snapshot.raw && stamps.iter().all(|stamp| *stamp == Stamp::of(&stamp.file));
        same.then(|| snapshot.clone())
    }

    /// The files that a snapshot was made from, beside `loop.txt`.
    fn stamps(&self, snapshot: &Snapshot) -> Vec<Stamp> {
        let doors = snapshot.doors.values().chain(&snapshot.close);
        let doors = doors.chain(snapshot.hooks.doors());
        let mut files: Vec<PathBuf> = doors
            .filter_map(|door| door.door.file.path.clone())
            .collect();
        files.push(self.folder.policy_file());
        files.push(self.folder.lock_file().path());
        files.push(self.folder.revoked().file());
        files.sort();
        files.dedup();
        files.iter().map(|file| Stamp::of(file)).collect()
    }
}

impl LoopSource for FolderSource {
    fn read(&mut self) -> Result<Arc<Snapshot>, String> {
        if let Some(snapshot) = self.unchanged() {
            return Ok(snapshot);
        }
        self.fresh().map_err(|error| error.to_string())
    }
}

impl Stamp {
    fn of(file: &Path) -> Self {
        let seen = fs::metadata(file)
            .and_then(|seen| Ok((seen.len(), seen.modified()?)))
            .ok();
        Self {
            file: file.to_owned(),
            seen,
        }
    }
}
