//! runtime/src/lib.rs
pub mod grants;
pub mod journal;
