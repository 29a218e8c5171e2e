//! What no door may change, whatever a person allows.

use std::path::{Path, PathBuf};

use super::hard_links::linked;

/// The places that no grant for writing may hold or lie within.
pub(super) struct Kept {
    places: Vec<PathBuf>,
}

impl Kept {
    /// The files of the loop at `loop_dir`, which is resolved, and the folders `own` of Doorlist.
    pub(super) fn new(loop_dir: &Path, own: &[&Path]) -> Self {
        let mut kept = Self { places: Vec::new() };
        kept.add_loop(loop_dir);
        kept.places.extend(own.iter().map(|path| resolved(path)));
        kept
    }

    /// What a grant of `dir`, which is resolved, would let a door change.
    pub(super) fn covered_by(&self, dir: &Path) -> Option<PathBuf> {
        let mut places = self.around(dir).places.into_iter();
        places.find(|place| place.starts_with(dir) || dir.starts_with(place))
    }

    /// The name in `dir`, which is resolved, of a file that is kept elsewhere, and that file.
    pub(super) fn linked_into(&self, dir: &Path) -> Option<(PathBuf, PathBuf)> {
        linked(&self.around(dir).places, dir)
    }

    /// These and, as `dir` may be, or lie within, another loop, that one's: its files are as much to
    /// be kept.
    fn around(&self, dir: &Path) -> Self {
        let places = self.places.clone();
        let mut kept = Self { places };
        dir.ancestors()
            .filter(|ancestor| ancestor.join(LOOP_FILE).exists())
            .for_each(|other| kept.add_loop(other));
        kept
    }

    fn add_loop(&mut self, loop_dir: &Path) {
        for name in LOOP_FILES {
            let place = loop_dir.join(name);
            // Kept where it stands and, if it is a symbolic link, where it leads.
            self.places.push(resolved(&place));
            self.places.push(place);
        }
    }
}

/// `path` with all symbolic links followed as far as it exists.
pub(super) fn resolved(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    for existing in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (existing.canonicalize(), path.strip_prefix(existing)) {
            // An empty rest would add a separator at the end.
            return if rest.as_os_str().is_empty() {
                real
            } else {
                real.join(rest)
            };
        }
    }
    path
}

const LOOP_FILE: &str = "loop.txt";

/// The files of a loop, see the design: everything in its folder that Doorlist reads or writes.
const LOOP_FILES: [&str; 9] = [
    LOOP_FILE,
    "policy.toml",
    "doors",
    "doors.lock",
    "runs",
    "sessions",
    "history.txt",
    "diagram.txt",
    "run",
];
