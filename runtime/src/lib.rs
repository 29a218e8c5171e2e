//! runtime/src/lib.rs

pub mod build;
pub mod init;
