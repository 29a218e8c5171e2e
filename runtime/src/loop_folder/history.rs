//! `history.txt`: the pasted part of the newest run, byte for byte as it stands on the page.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use loop_spec::loop_machine::{Event, LoopMachine};
use tempfile::TempPath;

use crate::driver::{HostError, Seen, Witness};

/// Writes `history.txt` after each paste.
///
/// It takes the place of the old one only when the journal has kept an event of this run: a writer
/// that is refused there must not take the history away from the one that was not.
#[derive(Debug)]
pub struct HistoryFile {
    path: PathBuf,
    file: File,
    /// Where the file stands until its run has an event.
    beside: Option<TempPath>,
    written: usize,
}

/// Why a `history.txt` cannot be gone on with.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// Somebody edited it.
    #[error(
        "{}, line {line}: expected {}, found {}; it was edited since the run stopped. Put the line \
         back, or remove the file to have it written anew", path.display(), shown(.expected), shown(.found)
    )]
    Edited {
        /// The file.
        path: PathBuf,
        /// The first line that differs, from 1.
        line: usize,
        /// The line of the run, if it has one there.
        expected: Option<String>,
        /// The line of the file, if it has one there.
        found: Option<String>,
    },
    /// It cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl HistoryFile {
    /// The history of a run that starts: an empty file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn start(path: &Path) -> Result<Self, HistoryError> {
        Self::beside(path, "")
    }

    /// The history of a run that goes on, brought up to `pasted`: a crash can leave it behind its
    /// journal. See [`HistoryFile::check`], which comes first.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn go_on(path: &Path, pasted: &str) -> Result<Self, HistoryError> {
        Self::beside(path, pasted)
    }

    /// Whether the file is what was pasted, or its beginning. A missing one is.
    ///
    /// # Errors
    /// When the file holds what the run did not paste, naming the line.
    pub fn check(path: &Path, pasted: &str) -> Result<(), HistoryError> {
        match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(source) => Err(HistoryError::Io {
                path: path.to_owned(),
                source,
            }),
            Ok(found) if pasted.as_bytes().starts_with(&found) => Ok(()),
            Ok(found) => Err(edited(path, pasted, &String::from_utf8_lossy(&found))),
        }
    }

    /// Writes the whole text anew, beside the file whose place it takes later.
    fn beside(path: &Path, pasted: &str) -> Result<Self, HistoryError> {
        let written = || {
            if path.is_dir() {
                return Err(io::Error::other("expected a text file, found a folder"));
            }
            let dir = path.parent().unwrap_or(Path::new("."));
            let mut builder = tempfile::Builder::new();
            let mut file = builder.prefix(".history").append(true).tempfile_in(dir)?;
            file.write_all(pasted.as_bytes())?;
            readable(file.as_file())?;
            Ok(file.into_parts())
        };
        let (file, beside) = written().map_err(|source| HistoryError::Io {
            path: path.to_owned(),
            source,
        })?;
        Ok(Self {
            path: path.to_owned(),
            file,
            beside: Some(beside),
            written: pasted.len(),
        })
    }

    /// Puts a file that holds `pasted` in the place of the old one.
    fn anew(&mut self, pasted: &str) -> io::Result<()> {
        *self = Self::beside(&self.path, pasted).map_err(io::Error::other)?;
        self.bring_up(pasted)
    }

    /// Brings the file up to `pasted`, and into its place.
    fn bring_up(&mut self, pasted: &str) -> io::Result<()> {
        if let Some(beside) = self.beside.take() {
            beside.persist(&self.path).map_err(|error| error.error)?;
        }
        self.file.write_all(&pasted.as_bytes()[self.written..])?;
        self.written = pasted.len();
        Ok(())
    }
}

impl Witness<LoopMachine> for HistoryFile {
    fn saw(
        &mut self,
        machine: &LoopMachine,
        event: &Event,
        _seen: Seen<'_>,
    ) -> Result<(), HostError> {
        let written = match event {
            // The page begins in another way: a summary took the place of what came first.
            Event::Compacted(_) => self.anew(machine.pasted()),
            _ => self.bring_up(machine.pasted()),
        };
        written.map_err(|source| HostError {
            doing: format!("writing {}", self.path.display()),
            source: source.into(),
        })
    }
}

/// A temporary file is its owner's alone; a history is read like any file of the folder.
#[cfg(unix)]
fn readable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable(_file: &File) -> io::Result<()> {
    Ok(())
}

fn edited(path: &Path, pasted: &str, found: &str) -> HistoryError {
    let (mut expected, mut there) = (pasted.lines(), found.lines());
    let mut line = 1;
    loop {
        match (expected.next(), there.next()) {
            (Some(expected), Some(found)) if expected == found => line += 1,
            (expected, found) => {
                let (expected, found) = (expected.map(str::to_owned), found.map(str::to_owned));
                return HistoryError::Edited {
                    path: path.to_owned(),
                    line,
                    expected,
                    found,
                };
            }
        }
    }
}

fn shown(line: &Option<String>) -> String {
    match line {
        None => "the end".to_owned(),
        Some(line) => format!(
            "`{}`",
            loop_spec::frame::one_line(&loop_spec::clip(line, 120))
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edited_history_is_refused_by_its_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("history.txt");
        let refused = |text: &str| {
            fs::write(&path, text).unwrap();
            HistoryFile::check(&path, "one\ntwo\n")
                .unwrap_err()
                .to_string()
        };
        assert!(refused("one\n2\n").contains("history.txt, line 2: expected `two`, found `2`"));
        assert!(refused("one\ntwo\nthree").contains("line 3: expected the end, found `three`"));
        assert!(refused("One\n").contains("line 1: expected `one`, found `One`"));
    }

    #[test]
    fn a_history_that_is_behind_is_brought_up() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("history.txt");
        for behind in ["", "on", "one\n", "one\ntwo\n"] {
            fs::write(&path, behind).unwrap();
            let mut history = HistoryFile::go_on(&path, "one\ntwo\n").unwrap();
            history.bring_up("one\ntwo\nthree\n").unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\nthree\n");
        }
        fs::remove_file(&path).unwrap();
        let mut history = HistoryFile::go_on(&path, "one\n").unwrap();
        history.bring_up("one\n").unwrap();
        HistoryFile::start(&path).unwrap().bring_up("").unwrap();
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            "",
            "a04: empty when a run starts"
        );
    }

    #[test]
    fn c20_a_history_that_was_summed_up_is_written_anew() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("history.txt");
        let mut history = HistoryFile::start(&path).unwrap();
        history.bring_up("one\ntwo\n").unwrap();
        history.anew("summary\ntwo\n").unwrap();
        history.bring_up("summary\ntwo\nthree\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "summary\ntwo\nthree\n");
    }

    #[test]
    fn a_history_keeps_its_place_until_another_run_has_an_event() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("history.txt");
        let mut first = HistoryFile::start(&path).unwrap();
        first.bring_up("one\n").unwrap();
        let second = HistoryFile::start(&path).unwrap();
        first.bring_up("one\ntwo\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\n");
        drop(second);
        let left: Vec<_> = fs::read_dir(dir.path()).unwrap().collect();
        assert_eq!(left.len(), 1, "nothing is left beside it: {left:?}");
    }
}
