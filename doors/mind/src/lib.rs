//! The model `mind`: no language model, but one that obeys the page of the fridge loop.
//!
//! It finds the items and the threshold in the prose, counts first, hands over what is below the
//! threshold to be written, and closes with what was counted and written. A door that fails is tried
//! once more, and then the close says so. It remembers nothing: all that it knows is on the page, so
//! an edit of loop.txt between two rounds is obeyed.

mod plan;
mod words;

use doors_sdk::Page;
use exports::doorlist::model::decide::{Answer, Guest};
use plan::Plan;

wit_bindgen::generate!({ world: "model", path: "../../doors-sdk/wit/model" });

#[cfg(target_family = "wasm")]
export!(Door);

/// What the component exports.
pub struct Door;

impl Guest for Door {
    fn decide(page: String) -> Result<Answer, String> {
        let page = Page::read(&page).map_err(|error| error.to_string())?;
        Plan::of(&page)?.next()
    }
}
