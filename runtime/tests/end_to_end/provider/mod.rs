//! Models over HTTP, served by a provider of this machine that speaks the wire formats.

mod keys;
mod messages;
mod odd;
mod runs;
pub(crate) mod server;
mod troubles;
