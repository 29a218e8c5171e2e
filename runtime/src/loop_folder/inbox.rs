//! `runs/ID.said/`: what was said to a run and is not in its journal yet, a file each.
//!
//! A run has one writer, so what others say waits here until that writer takes it up. A file is
//! removed when its run has heard it; one that a crash leaves behind is known by its name.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use loop_spec::loop_machine::{LoopMachine, Said};
use serde::{Deserialize, Serialize};

use crate::ambient::Ambient;
use crate::driver::HostError;
use crate::journal::RunKey;
use crate::loop_run::Inbox;

/// What is said to one run of a folder.
#[derive(Clone, Debug)]
pub struct FolderInbox {
    dir: PathBuf,
}

/// One thing that was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    /// What.
    pub text: String,
    /// Whether it waits until the run would end; else it is heard at the next turn.
    #[serde(default)]
    pub at_the_end: bool,
}

impl FolderInbox {
    /// The inbox of `run`, whose journal is in `runs`.
    #[must_use]
    pub fn of(runs: &Path, run: &RunKey) -> Self {
        let dir = runs.join(format!("{}.said", run.run.as_str()));
        Self { dir }
    }

    /// Leaves a letter for the run. `ambient` orders the letters and keeps two of one moment apart.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn leave(&self, letter: &Letter, ambient: &dyn Ambient) -> io::Result<()> {
        fs::create_dir_all(&self.dir)?;
        let mut file = tempfile::Builder::new()
            .prefix(".")
            .tempfile_in(&self.dir)?;
        file.write_all(&serde_json::to_vec(letter)?)?;
        file.as_file().sync_all()?;
        let name = format!("{:020}-{:016x}.json", ambient.now(), ambient.seed());
        file.persist_noclobber(self.dir.join(name))
            .map_err(|error| error.error)?;
        Ok(())
    }

    /// The names of the letters, in the order in which they were left.
    fn names(&self) -> io::Result<Vec<String>> {
        let entries = match fs::read_dir(&self.dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut names = Vec::new();
        for entry in entries {
            let name = entry?.file_name().into_string();
            names.extend(name.ok().filter(|name| name.ends_with(".json")));
        }
        names.sort_unstable();
        Ok(names)
    }

    fn first(&self, machine: &LoopMachine, ends: bool) -> Result<Option<Said>, HostError> {
        let fault = |path: &Path, source: Box<dyn std::error::Error + Send + Sync>| HostError {
            doing: format!("reading what was said, in {}", path.display()),
            source,
        };
        for id in self
            .names()
            .map_err(|error| fault(&self.dir, error.into()))?
        {
            let path = self.dir.join(&id);
            if machine.heard(&id) {
                fs::remove_file(&path).map_err(|error| fault(&path, error.into()))?;
                continue;
            }
            let bytes = fs::read(&path).map_err(|error| fault(&path, error.into()))?;
            let letter: Letter =
                serde_json::from_slice(&bytes).map_err(|error| fault(&path, error.into()))?;
            if ends || !letter.at_the_end {
                let text = letter.text;
                return Ok(Some(Said { id, text }));
            }
        }
        Ok(None)
    }
}

impl Inbox for FolderInbox {
    fn next(&mut self, machine: &LoopMachine, ends: bool) -> Result<Option<Said>, HostError> {
        let first = self.first(machine, ends)?;
        if first.is_none() {
            // Only an empty one can be removed.
            let _ = fs::remove_dir(&self.dir);
        }
        Ok(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ambient::System;

    #[test]
    fn c21_letters_are_kept_in_order_until_the_end() {
        let dir = tempfile::tempdir().unwrap();
        let mut inbox = FolderInbox::of(dir.path(), &RunKey::local("1").unwrap());
        let machine = LoopMachine::new();
        assert_eq!(inbox.next(&machine, true).unwrap(), None);
        for (text, at_the_end) in [("later", true), ("now", false), ("and now", false)] {
            let text = text.to_owned();
            inbox.leave(&Letter { text, at_the_end }, &System).unwrap();
        }
        let heard = |inbox: &mut FolderInbox, ends| inbox.next(&machine, ends).unwrap().unwrap();
        assert_eq!(heard(&mut inbox, false).text, "now");
        assert_eq!(heard(&mut inbox, true).text, "later", "in their order");
    }
}
