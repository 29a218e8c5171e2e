//! runtime/src/lib.rs
pub mod journal;
