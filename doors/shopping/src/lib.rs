//! The door `shopping`: a shopping list that is a text file, a line an item.
//!
//! The list is `/data/shopping-list.txt`, which a person may edit; what was bought goes to
//! `/data/bought.txt`.

mod list;

use list::List;
use std::path::Path;

wit_bindgen::generate!({ world: "shopping" });

#[cfg(target_family = "wasm")]
export!(Door);

/// What the component exports.
pub struct Door;

impl Guest for Door {
    fn add(item: String) -> Result<String, String> {
        List::of(Path::new(FOLDER)).add(&item)
    }

    fn checkout() -> Result<String, String> {
        List::of(Path::new(FOLDER)).checkout()
    }
}

/// Where the grant puts the loop's folder `data`.
const FOLDER: &str = "/data";
