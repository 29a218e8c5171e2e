//! What doors are granted: from what a folder's policy asks for to what the sandbox may hand over.
//!
//! ```text
//! Policy -> Requests (resolved, checked) -> allowed by a person? -> FolderGrants -> Grants of a door
//! ```
//!
//! Paths are resolved to the end, symbolic links included, before anything is judged by them. A
//! folder inside the loop's own `data/` is granted as it is asked for. Everything else is a request:
//! it is nothing until a person has allowed it, and an edit asks again. Some folders are never
//! granted for writing: those of a loop's own files, and those where Doorlist keeps what it trusts.

mod allowances;
mod error;
mod granted;
mod hard_links;
mod kept;
mod requests;
mod secret;
#[cfg(test)]
mod tests;

pub use allowances::{AllowanceError, Allowances};
pub use error::{GrantError, NoSecret};
pub use granted::{FolderGrants, GrantedDir, Grants};
pub use requests::{Request, Requests};
pub(crate) use secret::MaskedStream;
pub use secret::{BadSecret, GrantedSecret, Masks, Secret, Secrets};
