//! `runs/` of a loop folder: finding and making the files in it.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsMaybeDirExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, FileType, OpenOptions};
use loop_spec::Stamped;

use super::run_file::{self, RunFile, WriteLocked};
use crate::journal::{AppendError, ReadError, RunId};

/// A loop folder, in which `runs/` may not be there yet.
#[derive(Debug)]
pub(super) struct RunsDir {
    loop_dir: Dir,
    /// What the folder is called: `runs`, or `sessions`.
    name: &'static str,
    /// `runs/` as it is shown to people.
    path: PathBuf,
}

impl RunsDir {
    pub(super) fn open(loop_dir: &Path, name: &'static str) -> Result<Self, ReadError> {
        let path = loop_dir.join(name);
        let loop_dir = Dir::open_ambient_dir(loop_dir, ambient_authority()).map_err(|source| {
            let place = loop_dir.display().to_string();
            ReadError::Io { place, source }
        })?;
        Ok(Self {
            loop_dir,
            name,
            path,
        })
    }

    pub(super) fn place(&self) -> String {
        self.path.display().to_string()
    }

    /// The file of `run`, if it has one.
    pub(super) fn open_run(&self, run: &RunId, write: bool) -> Result<Option<RunFile>, ReadError> {
        let Some(runs) = self.runs()? else {
            return Ok(None);
        };
        let name = file_name(run);
        let place = self.path.join(&name).display().to_string();
        // Looked at before it is opened: to open a pipe would wait for its other end.
        match runs.symlink_metadata(&name).map(|found| found.file_type()) {
            Err(source) if source.kind() == ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(ReadError::Io { place, source }),
            Ok(found) if !found.is_file() => return Err(misplaced(place, "a file", found)),
            Ok(_) => {}
        }
        self.open_file(&runs, run, options().write(write)).map(Some)
    }

    /// The file of `run`, made now, and `runs/` with it if need be.
    pub(super) fn make_run(&self, run: &RunId) -> Result<RunFile, ReadError> {
        let made = |source| ReadError::Io {
            place: self.place(),
            source,
        };
        let runs = match self.runs()? {
            Some(runs) => runs,
            None => {
                match self.loop_dir.create_dir(self.name) {
                    // Another process made it just now.
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                    result => result.map_err(made)?,
                }
                sync_dir(&self.loop_dir).map_err(made)?;
                self.loop_dir.open_dir_nofollow(self.name).map_err(made)?
            }
        };
        self.open_file(&runs, run, options().write(true).create(true))
    }

    /// The ids of all files in `runs/` that can be a run's.
    pub(super) fn run_ids(&self) -> Result<Vec<RunId>, ReadError> {
        let unread = |source| ReadError::Io {
            place: self.place(),
            source,
        };
        let Some(runs) = self.runs()? else {
            return Ok(Vec::new());
        };
        let mut ids = Vec::new();
        for entry in runs.entries().map_err(unread)? {
            let name = entry.map_err(unread)?.file_name();
            let id = name.to_str().and_then(|name| name.strip_suffix(SUFFIX));
            ids.extend(id.and_then(|id| id.parse::<RunId>().ok()));
        }
        Ok(ids)
    }

    /// Makes the names in `runs/` durable, as `file`'s content is already.
    pub(super) fn sync(&self, file: &WriteLocked, entries: &[Stamped]) -> Result<(), AppendError> {
        let Some(runs) = self.runs()? else {
            return Ok(());
        };
        sync_dir(&runs).map_err(|source| AppendError::Unknown {
            place: file.place().to_owned(),
            entries: run_file::described(entries),
            source,
        })
    }

    fn runs(&self) -> Result<Option<Dir>, ReadError> {
        let place = || self.place();
        match self
            .loop_dir
            .symlink_metadata(self.name)
            .map(|found| found.file_type())
        {
            Err(source) if source.kind() == ErrorKind::NotFound => return Ok(None),
            Ok(found) if !found.is_dir() => return Err(misplaced(place(), "a folder", found)),
            _ => {}
        }
        let opened = self.loop_dir.open_dir_nofollow(self.name);
        opened.map(Some).map_err(|source| ReadError::Io {
            place: place(),
            source,
        })
    }

    fn open_file(
        &self,
        runs: &Dir,
        run: &RunId,
        options: &OpenOptions,
    ) -> Result<RunFile, ReadError> {
        let name = file_name(run);
        let place = self.path.join(&name).display().to_string();
        match runs.open_with(&name, options) {
            Ok(file) => Ok(RunFile::new(run.clone(), file.into_std(), place)),
            Err(source) => Err(ReadError::Io { place, source }),
        }
    }
}

fn file_name(run: &RunId) -> String {
    format!("{run}{SUFFIX}")
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).follow(FollowSymlinks::No);
    options
}

fn misplaced(place: String, expected: &'static str, found: FileType) -> ReadError {
    let found = if found.is_dir() {
        "a folder"
    } else if found.is_symlink() {
        "a symbolic link"
    } else if found.is_file() {
        "a file"
    } else {
        "a pipe, socket or device"
    };
    ReadError::Misplaced {
        place,
        expected,
        found,
    }
}

/// Makes a new name in `dir` durable. Windows has no such call, and needs none on NTFS.
fn sync_dir(dir: &Dir) -> io::Result<()> {
    if cfg!(windows) {
        return Ok(());
    }
    // `dir` itself may be open for looking up names only, which cannot be synced.
    let mut options = options();
    dir.open_with(".", options.maybe_dir(true))?.sync_all()
}

const SUFFIX: &str = ".jsonl";
