//! The tests of Doorlist that need more than one crate.

#[cfg(test)]
mod build;
#[cfg(all(test, unix))]
mod escapes;
