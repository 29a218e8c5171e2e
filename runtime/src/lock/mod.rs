//! Which components may be opened in a loop: those that were built or accepted there, signed where
//! that is demanded, and not revoked on this machine.
//!
//! `doors.lock` lies in the loop's folder and goes with it, as its doors do: it says that these bytes
//! are the ones that were meant. What a person revokes is kept in their own configuration, and holds
//! against every loop.

mod key;
mod lock_file;
mod locks;
mod revoked;
mod signer;

pub use key::{Key, NotAKey};
pub use lock_file::{LockFile, LockFileError, entry};
pub use locks::Locks;
pub use revoked::{Revocation, Revoked};
pub use signer::{Signer, signatures};
