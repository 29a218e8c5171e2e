//! Doors in every language, from `new` to `test`.
//!
//! Where a language's toolchain is not there its test says so and ends; with `DOORLIST_EVERY_LANGUAGE`
//! set, as in CI, it fails.

mod cases;
mod each;
mod fetches;
mod programs;
mod scripts;
pub(crate) mod server;
pub(crate) mod toolchain;
