//! Whole loops, through the `doorlist` binary and through the library under it.
//!
//! One test binary for all of them: linking wasmtime once is enough. They lie in the package of the
//! binary, and not in `tests/`, because Cargo builds a binary for the tests of its own package and
//! says where it is. A file that no `mod` line reaches is found by `layout.rs`.

mod allowed;
#[cfg(unix)]
mod apart;
mod bad_doors;
mod bad_files;
mod bad_input;
mod broken;
mod by_hand;
mod command;
mod commands;
mod damaged;
mod deaths;
mod determinism;
mod diagram;
mod driven;
mod ending;
mod errors;
mod fetched;
mod fetched_back;
mod forged;
mod golden;
mod hand;
mod hooks;
mod host_faults;
mod injection;
mod json;
mod kept;
mod killed;
mod laid;
mod languages;
mod layout;
mod locked;
mod matrix;
mod mcp;
mod mortal;
mod nods;
mod page;
mod provider;
mod real_model;
mod refused;
mod registry;
mod said;
mod samples;
mod security;
mod stale;
mod stops;
mod summed_up;
mod taint;
mod talk;
mod tally;
#[cfg(unix)]
mod terminal;
mod typed;
mod which_folder;
mod writers;
