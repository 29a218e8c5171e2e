//! doors-sdk/src/lib.rs
