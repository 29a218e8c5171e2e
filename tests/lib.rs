//! tests/lib.rs
