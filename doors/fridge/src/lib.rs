//! The door `fridge`: counts what a text file says is in the fridge.
//!
//! The file is `/data/fridge.txt`, which a person edits: a line an item, as in `milk 1`. A line
//! that begins with `#` is a note. An item without a line is one that the fridge does not have: its
//! count is 0. Upper and lower case are the same.

mod contents;

use contents::Contents;
use std::path::Path;

wit_bindgen::generate!({ world: "fridge" });

#[cfg(target_family = "wasm")]
export!(Door);

/// What the component exports.
pub struct Door;

impl Guest for Door {
    fn count(items: Vec<String>) -> Result<Vec<(String, u32)>, String> {
        count(Path::new(FILE), items)
    }
}

/// The items in the order asked for.
fn count(file: &Path, items: Vec<String>) -> Result<Vec<(String, u32)>, String> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| format!("{} could not be read: {error}", file.display()))?;
    let contents = Contents::read(&text).map_err(|error| format!("{}, {error}", file.display()))?;
    Ok(items
        .into_iter()
        .map(|item| (item.clone(), contents.count(&item)))
        .collect())
}

/// Where the grant puts the loop's folder `data`.
const FILE: &str = "/data/fridge.txt";

#[cfg(test)]
mod tests {
    use super::*;

    fn count_in(text: &[u8], items: &[&str]) -> Result<Vec<(String, u32)>, String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("fridge.txt");
        std::fs::write(&file, text).unwrap();
        count(&file, items.iter().map(|item| item.to_string()).collect())
    }

    #[test]
    fn counts_stand_in_the_order_asked_for() {
        let counts = count_in(b"milk 1\neggs 4\n", &["eggs", "milk"]).unwrap();
        assert_eq!(counts, [("eggs".to_owned(), 4), ("milk".to_owned(), 1)]);
    }

    #[test]
    fn an_item_without_a_line_is_none() {
        assert_eq!(
            count_in(b"milk 1", &["butter"]).unwrap(),
            [("butter".to_owned(), 0)]
        );
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = count(Path::new("/nowhere/fridge.txt"), vec![]).unwrap_err();
        assert!(
            error.starts_with("/nowhere/fridge.txt could not be read: "),
            "{error}"
        );
    }

    #[test]
    fn a_file_that_is_not_text_is_named() {
        let error = count_in(b"milk \xff", &["milk"]).unwrap_err();
        assert!(error.contains("fridge.txt could not be read"), "{error}");
    }

    #[test]
    fn a_wrong_line_is_named_with_its_file() {
        let error = count_in(b"milk 1\neggs\n", &["milk"]).unwrap_err();
        assert!(error.contains("fridge.txt, line 2: "), "{error}");
    }
}
