//! Why doors were not built.

use super::{Language, Target};
use std::io;
use std::path::PathBuf;

/// Why doors were not built. No door was written, except where writing itself failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "each field is in the message of its variant")]
pub enum BuildError {
    /// Nothing at the path is a door crate.
    #[error(
        "no door to build in {}: expected the sources of a door, or a folder of such folders: {SOURCES}; \
         `doorlist new NAME --lang LANG` writes one",
        path.display()
    )]
    NoDoor { path: PathBuf },

    /// Two crates would be written to one file.
    #[error(
        "two doors are named {name}: {} and {}; name one of them otherwise",
        first.display(), second.display()
    )]
    SameName {
        name: String,
        first: PathBuf,
        second: PathBuf,
    },

    /// Cargo can not read a manifest or what it depends on.
    #[error("cargo can not read {}:\n{reason}", manifest.display())]
    Manifest { manifest: PathBuf, reason: String },

    /// A key of `[package.metadata.door]` that is not known, or does not fit.
    #[error(
        "{}: [package.metadata.door] {key}: expected {expected}, found {found}",
        manifest.display()
    )]
    Key {
        manifest: PathBuf,
        key: String,
        expected: String,
        found: String,
    },

    /// A file of the sources is missing.
    #[error("{name}: expected {expected} in {}, found none", folder.display())]
    NoSource {
        name: String,
        expected: String,
        folder: PathBuf,
    },

    /// A part of a language's toolchain is missing.
    #[error(
        "{name}: expected {missing} to build {language}, found none; install it with\n  {install}"
    )]
    NoToolchain {
        name: String,
        language: Language,
        missing: String,
        install: String,
    },

    /// A program that is there can not be started.
    #[error("{program} can not be started: {source}")]
    NotStarted { program: String, source: io::Error },

    /// A program ended well and made nothing.
    #[error(
        "{name}: expected {program} to write a component, found that it ended well and wrote none"
    )]
    NothingMade { name: String, program: String },

    /// What was made can not be opened.
    #[error("{name} can not be opened here: {reason}")]
    Unusable { name: String, reason: String },

    /// A program of the Rust toolchain can not be started.
    #[error("{program} can not be started ({source}); install Rust: https://rustup.rs")]
    Missing { program: String, source: io::Error },

    /// The compiler does not answer about itself.
    #[error("{program} does not say which compiler it is, run in {}:\n{output}", folder.display())]
    Compiler {
        program: String,
        folder: PathBuf,
        output: String,
    },

    /// A target is missing and could not be added.
    #[error(
        "the Rust target {target} is not installed, and it could not be added:\n{reason}\n\
         Run this in {}:\n  rustup target add {target}",
        folder.display()
    )]
    NoTarget {
        target: Target,
        folder: PathBuf,
        reason: String,
    },

    /// A crate does not compile.
    #[error("{name} does not compile:\n{output}")]
    Compile { name: String, output: String },

    /// What was compiled can not be made a component.
    #[error("{name} can not be packed as a component: {reason}")]
    Pack { name: String, reason: String },

    /// The WIT of a crate can not be read.
    #[error("the WIT of {name} can not be read from {}: {reason}", path.display())]
    Wit {
        name: String,
        path: PathBuf,
        reason: String,
    },

    /// A file can not be read.
    #[error("{} can not be read: {source}", file.display())]
    Read { file: PathBuf, source: io::Error },

    /// A file can not be written.
    #[error("{} can not be written: {source}", file.display())]
    Write { file: PathBuf, source: io::Error },
}

/// How the sources of each language are known.
const SOURCES: &str = "a Cargo.toml with crate-type = [\"cdylib\"] under [lib], or go.mod, door.ts, \
                       door.js, door.py, a .c or a .wat file beside a wit folder";
