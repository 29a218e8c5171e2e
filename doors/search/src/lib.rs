//! The door `search`: text in the files of a granted folder.

/// The door of a search in text files. Needs a folder at `/data`, to read.
#[doors_sdk::doors]
pub mod door {
    use std::fs;
    use std::io;
    use std::path::{Path, PathBuf};

    /// A line that has the text.
    pub struct Hit {
        /// The file, from the folder that is searched.
        pub file: String,
        /// From 1.
        pub line: u32,
        /// The line itself, at most 400 characters of it.
        pub text: String,
    }

    /// Lines of the files that have this text, in the order of the files' names. At most 100 lines, or
    /// as many as are asked for. Files that are no text, or larger than 4 MB, are left out.
    pub fn find(
        text: String,
        ignore_case: Option<bool>,
        most: Option<u32>,
    ) -> Result<Vec<Hit>, String> {
        let most = most.map_or(MOST, |most| most as usize);
        find_in(Path::new(FOLDER), &text, ignore_case == Some(true), most)
    }

    pub(super) fn find_in(
        folder: &Path,
        text: &str,
        ignore_case: bool,
        most: usize,
    ) -> Result<Vec<Hit>, String> {
        if text.is_empty() {
            return Err("expected a text to look for, found none".to_owned());
        }
        let wanted = fold(text, ignore_case);
        let mut files = Vec::new();
        list(folder, &mut files)
            .map_err(|error| format!("{} could not be read: {error}", folder.display()))?;
        files.sort();
        let mut hits = Vec::new();
        for path in files {
            let Ok(content) = fs::read_to_string(&path) else {
                continue;
            };
            let file = path.strip_prefix(folder).unwrap_or(&path);
            for (number, line) in (1..).zip(content.lines()) {
                if hits.len() == most {
                    return Ok(hits);
                }
                if fold(line, ignore_case).contains(&wanted) {
                    hits.push(Hit {
                        file: file.display().to_string(),
                        line: number,
                        text: line.chars().take(LONGEST).collect(),
                    });
                }
            }
        }
        Ok(hits)
    }

    fn fold(text: &str, ignore_case: bool) -> String {
        match ignore_case {
            true => text.to_lowercase(),
            false => text.to_owned(),
        }
    }

    fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            // A link is not followed: it may lead round in a circle.
            let kind = entry.file_type()?;
            if kind.is_dir() {
                list(&entry.path(), files)?;
            } else if kind.is_file() && entry.metadata()?.len() <= LARGEST {
                files.push(entry.path());
            }
        }
        Ok(())
    }

    /// Where the grant puts the folder.
    const FOLDER: &str = "/data";
    /// Lines, where it is not said how many.
    const MOST: usize = 100;
    /// Characters of a line.
    const LONGEST: usize = 400;
    /// Bytes of a file.
    const LARGEST: u64 = 4 << 20;
}

#[cfg(test)]
mod tests {
    use super::door::{Hit, find_in};
    use std::fs;

    #[test]
    fn lines_are_found_in_order_and_no_more_than_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("b")).unwrap();
        fs::write(folder.path().join("b/c.txt"), "Milk\nmilk and eggs\n").unwrap();
        fs::write(folder.path().join("a.txt"), "no\nmilk\n").unwrap();
        fs::write(folder.path().join("d.bin"), b"milk\xff").unwrap();
        let found = |ignore_case, most| {
            let hits = find_in(folder.path(), "milk", ignore_case, most).unwrap();
            let place = |hit: Hit| format!("{}:{}", hit.file, hit.line);
            hits.into_iter().map(place).collect::<Vec<_>>()
        };
        assert_eq!(found(false, 9), ["a.txt:2", "b/c.txt:2"]);
        assert_eq!(found(true, 2), ["a.txt:2", "b/c.txt:1"]);
    }
}
