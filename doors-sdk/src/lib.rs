//! What a door needs of Doorlist: the WIT packages under `wit/`, a macro that writes a door's own WIT,
//! and a reader of the page for those who stand where a model stands, or check what it did.
//!
//! With the feature `door`, one module is one component and each public function in it a door; its
//! comments are what a model reads. Public structs and enums of the module are records, enums and
//! variants; what is private stays as it is. `doorlist build` does the rest, and plain `cargo test`
//! tests the functions.
//!
//! ```ignore
//! #[doors_sdk::doors]
//! mod door {
//!     /// A line that has the text.
//!     #[derive(PartialEq)]
//!     pub struct Hit {
//!         pub line: u32,
//!         pub text: String,
//!     }
//!
//!     /// The lines of a text that have another one in them.
//!     pub fn find(text: String, wanted: String) -> Result<Vec<Hit>, String> {
//!         if wanted.is_empty() {
//!             return Err("expected a text to look for".to_owned());
//!         }
//!         let lines = (1..).zip(text.lines()).filter(|(_, text)| text.contains(&wanted));
//!         Ok(lines.map(|(line, text)| Hit { line, text: text.to_owned() }).collect())
//!     }
//! }
//! ```
//!
//! What the host offers beside WASI is in `host`: lines for the trace, requests to granted hosts, keys that
//! stay for as long as the run lasts, what earlier doors returned, the end of the run.
//!
//! A door for a loop needs neither: any component will do. The reader is for two special ones:
//! - a **model**, which exports `doorlist:model/decide`: it gets the whole page ([`Page::read`]) and
//!   hands over a close or names;
//! - a **check**, which exports `doorlist:close/close`: it gets the parts of the page
//!   ([`Top::read`], [`History::read`]) and says whether a close stands.
//!
//! The page is read by its frames alone (`[1 loop.txt …]`, `| `, `~ `, `- `), never by the sentences
//! between them, so it is read the same way in every language.
//!
//! ```
//! use doors_sdk::{Outcome, Page};
//!
//! let page = Page::read(
//!     "Keep milk in the house.
//!
//! You may hand over a close, or names from this list with their arguments:
//! - fridge.count(items: list<string>) -> list<tuple<string, u32>>: How many are in the fridge.
//! Lines that begin with \"| \" are what a door returned.
//!
//! The user's line:
//! | What do we need?
//!
//! What happened so far:
//! [1 loop.txt 5f1c2a90d3b4]
//! fridge.count {\"items\":[\"milk\"]}
//! | [[\"milk\",1]]
//! [2 loop.txt 5f1c2a90d3b4]
//! fridge.open {}
//! not on the list.
//! ",
//! )?;
//! assert_eq!(page.top.prose, "Keep milk in the house.");
//! assert!(page.top.lists("fridge.count"));
//! assert_eq!(page.line, "What do we need?");
//!
//! let calls: Vec<_> = page.history.calls().collect();
//! assert_eq!(calls[0].arguments, r#"{"items":["milk"]}"#);
//! assert_eq!(calls[0].outcome, Outcome::Returned(r#"[["milk",1]]"#.to_owned()));
//! assert_eq!(calls[1].outcome, Outcome::Failed("not on the list.".to_owned()));
//! # Ok::<(), doors_sdk::NotAPage>(())
//! ```

#[cfg(feature = "door")]
pub use doors_sdk_macros::doors;
/// What the macro's code is made of.
#[cfg(feature = "door")]
#[doc(hidden)]
pub use wit_bindgen;

mod history;
#[cfg(feature = "door")]
pub mod host;
mod page;
mod round;
mod top;

pub use history::History;
pub use page::{NotAPage, Page};
pub use round::{Call, Close, Outcome, Round};
pub use top::{Listed, Top};
