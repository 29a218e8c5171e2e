//! Writes the fridge loop into a folder, from this library alone.
//!
//! The doors are embedded as components: `doors/` of the repository, built by [`crate::build`].
//!
//! ```
//! use doorlist::init;
//! use loop_spec::Language;
//!
//! let folder = tempfile::tempdir()?;
//! init::write(folder.path(), Language::En)?;
//! assert!(folder.path().join("loop.txt").is_file());
//! // A second time nothing is touched.
//! assert!(init::write(folder.path(), Language::En).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod example;

pub use error::InitError;
pub use example::{ExampleFile, files};

use loop_spec::Language;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::doors::DoorFile;
use crate::lock::{LockFile, LockFileError};

/// Writes the example into a folder, which is made when it is not there, and gives the files it
/// wrote. Other files may be in the folder already.
///
/// # Errors
/// When a file of the example is there already: then nothing is written. When a file can not be
/// written: then those that were are removed again.
pub fn write(folder: &Path, language: Language) -> Result<Vec<PathBuf>, InitError> {
    let files = files(language);
    let in_the_way = in_the_way(folder, &files);
    if !in_the_way.is_empty() {
        return Err(InitError::InTheWay {
            folder: folder.to_owned(),
            files: in_the_way,
        });
    }
    let mut written = Vec::new();
    for file in &files {
        let path = folder.join(file.path);
        if let Err(source) = create(&path, file) {
            written.iter().for_each(remove);
            return Err(InitError::Write { file: path, source });
        }
        written.push(path);
    }
    if let Err(source) = lock(folder) {
        written.iter().for_each(remove);
        let file = LockFile::in_loop(folder).path();
        return Err(InitError::Lock { file, source });
    }
    written.push(LockFile::in_loop(folder).path());
    Ok(written)
}

/// The example's components are Doorlist's own.
fn lock(folder: &Path) -> Result<(), LockFileError> {
    let components = files(Language::En).into_iter();
    let components = components.filter_map(|file| DoorFile::read(&folder.join(file.path)).ok());
    LockFile::in_loop(folder).built(&components.collect::<Vec<_>>())
}

/// What the example would overwrite, or a file where it needs a folder.
fn in_the_way(folder: &Path, files: &[ExampleFile]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for file in files {
        // All but the last of the ancestors, which is the folder itself.
        let above = Path::new(file.path)
            .ancestors()
            .skip(1)
            .map(|above| folder.join(above));
        let blocked = above.filter(|above| above.exists() && !above.is_dir());
        let there = Some(folder.join(file.path)).filter(|path| path.symlink_metadata().is_ok());
        found.extend(there.into_iter().chain(blocked));
    }
    found.sort();
    found.dedup();
    found
}

fn create(path: &Path, file: &ExampleFile) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    // Never follows a link, never overwrites what came since the check.
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // Less what the umask takes away.
        options.mode(if file.executable { 0o777 } else { 0o666 });
    }
    options.open(path)?.write_all(file.bytes)
}

/// Best effort: the reason that is told is why the writing failed.
fn remove(path: &PathBuf) {
    let _ = fs::remove_file(path);
}

#[cfg(test)]
mod tests;
