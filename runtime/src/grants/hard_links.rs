//! Other names of a file: by a hard link it is in two folders at once.

use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::{
    collections::BTreeMap,
    fs::{self, Metadata},
    os::unix::fs::MetadataExt as _,
};

/// A name below `dir` of a file that lies at or below one of `places`, and that file's name there.
///
/// Both are walked side by side, since either can be large: it is over as soon as one of them is known
/// to have no file with another name.
#[cfg(unix)]
pub(super) fn linked(places: &[PathBuf], dir: &Path) -> Option<(PathBuf, PathBuf)> {
    let mut walks = [files(places.to_vec()), files(vec![dir.to_owned()])];
    let mut linked = [Linked::new(), Linked::new()];
    let mut ended = [false; 2];
    while ended.contains(&false) {
        for ((walk, linked), ended) in walks.iter_mut().zip(&mut linked).zip(&mut ended) {
            match walk.next() {
                Some((path, found)) if found.nlink() > 1 => {
                    linked.insert((found.dev(), found.ino()), path);
                }
                Some(_) => {}
                None if linked.is_empty() => return None,
                None => *ended = true,
            }
        }
    }
    let [kept, mut within] = linked;
    let mut both = kept.into_iter();
    both.find_map(|(file, kept)| Some((within.remove(&file)?, kept)))
}

/// The library tells no file's other names here.
#[cfg(not(unix))]
pub(super) fn linked(_: &[PathBuf], _: &Path) -> Option<(PathBuf, PathBuf)> {
    None
}

/// The files at or below `places`. No symbolic link is followed; what cannot be read cannot be opened
/// by a door either.
#[cfg(unix)]
fn files(mut places: Vec<PathBuf>) -> impl Iterator<Item = (PathBuf, Metadata)> {
    std::iter::from_fn(move || {
        loop {
            let path = places.pop()?;
            match fs::symlink_metadata(&path) {
                Ok(found) if found.is_file() => return Some((path, found)),
                Ok(found) if found.is_dir() => {
                    let entries = fs::read_dir(&path).into_iter().flatten().flatten();
                    places.extend(entries.map(|entry| entry.path()));
                }
                _ => {}
            }
        }
    })
}

/// Paths of files with several names, by file system and the file's number in it.
#[cfg(unix)]
type Linked = BTreeMap<(u64, u64), PathBuf>;
