//! What a door needs of Doorlist: the WIT packages under `wit/`, and a reader of the page for those
//! who stand where a model stands, or check what it did.
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

mod history;
mod page;
mod round;
mod top;

pub use history::History;
pub use page::{NotAPage, Page};
pub use round::{Call, Close, Outcome, Round};
pub use top::{Listed, Top};
