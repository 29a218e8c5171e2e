//! runtime/src/lib.rs
