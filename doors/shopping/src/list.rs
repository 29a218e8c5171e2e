//! The two files of the shopping list.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The list, and beside it what was bought.
pub(crate) struct List {
    wanted: PathBuf,
    bought: PathBuf,
}

impl List {
    /// The list in a folder. A missing file is an empty list.
    pub(crate) fn of(folder: &Path) -> Self {
        Self {
            wanted: folder.join("shopping-list.txt"),
            bought: folder.join("bought.txt"),
        }
    }

    /// Writes one item at the end, unless it is there in any case of letters.
    pub(crate) fn add(&self, item: &str) -> Result<String, String> {
        let item = item.trim();
        if item.is_empty() || item.contains(char::is_control) {
            return Err(format!(
                "expected the name of an item on one line, found {item:?}"
            ));
        }
        let text = self.text()?;
        if items(&text).any(|there| there.to_lowercase() == item.to_lowercase()) {
            return Ok(format!("{item} is on the list already"));
        }
        let end_of_line = if text.is_empty() || text.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        append(&self.wanted, &format!("{end_of_line}{item}\n"))?;
        Ok(format!("{item} is on the list"))
    }

    /// Moves every item to the file of what was bought.
    pub(crate) fn checkout(&self) -> Result<String, String> {
        let text = self.text()?;
        let items: Vec<&str> = items(&text).collect();
        if items.is_empty() {
            return Err("there is nothing on the list".to_owned());
        }
        append(&self.bought, &format!("{}\n", items.join("\n")))?;
        fs::write(&self.wanted, "").map_err(|error| unwritten(&self.wanted, &error))?;
        Ok(format!("bought: {}", items.join(", ")))
    }

    fn text(&self) -> Result<String, String> {
        match fs::read_to_string(&self.wanted) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
            read => read
                .map_err(|error| format!("{} could not be read: {error}", self.wanted.display())),
        }
    }
}

fn items(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

fn append(file: &Path, text: &str) -> Result<(), String> {
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(file)
        .and_then(|mut opened| opened.write_all(text.as_bytes()))
        .map_err(|error| unwritten(file, &error))
}

fn unwritten(file: &Path, error: &std::io::Error) -> String {
    format!("{} could not be written: {error}", file.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(folder: &Path, name: &str) -> String {
        fs::read_to_string(folder.join(name)).unwrap()
    }

    #[test]
    fn an_item_is_written_once() {
        let folder = tempfile::tempdir().unwrap();
        let list = List::of(folder.path());
        assert_eq!(list.add("milk").unwrap(), "milk is on the list");
        assert_eq!(list.add(" Milk ").unwrap(), "Milk is on the list already");
        assert_eq!(read(folder.path(), "shopping-list.txt"), "milk\n");
    }

    #[test]
    fn a_list_that_a_person_wrote_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("shopping-list.txt"), "bread").unwrap();
        List::of(folder.path()).add("milk").unwrap();
        assert_eq!(read(folder.path(), "shopping-list.txt"), "bread\nmilk\n");
    }

    #[test]
    fn an_item_that_is_no_line_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        for item in ["", "  ", "milk\neggs"] {
            let error = List::of(folder.path()).add(item).unwrap_err();
            assert!(
                error.starts_with("expected the name of an item on one line"),
                "{error}"
            );
        }
        assert!(!folder.path().join("shopping-list.txt").exists());
    }

    #[test]
    fn a_file_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = List::of(&folder.path().join("nowhere"))
            .add("milk")
            .unwrap_err();
        assert!(
            error.contains("shopping-list.txt could not be written: "),
            "{error}"
        );
    }

    #[test]
    fn checkout_moves_the_list() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("shopping-list.txt"), "milk\n\n eggs \n").unwrap();
        let list = List::of(folder.path());
        assert_eq!(list.checkout().unwrap(), "bought: milk, eggs");
        assert_eq!(read(folder.path(), "shopping-list.txt"), "");
        assert_eq!(read(folder.path(), "bought.txt"), "milk\neggs\n");
        assert_eq!(list.checkout().unwrap_err(), "there is nothing on the list");
    }
}
