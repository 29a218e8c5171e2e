//! What `init` writes is what the sources in `doors/` give.

use super::workshop::{DOORS, built, repository};
use loop_spec::Digest;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Another compiler gives other bytes, so those are compared only where it is the one that the
/// committed doors were built with. That the sources are theirs is required everywhere.
#[test]
fn a16_the_doors_of_init_are_built_from_these_sources() {
    let sources = sources();
    let compiler = compiler();
    if std::env::var_os(REFRESH).is_some() {
        refresh(&compiler, &sources);
    }
    let built_with = fs::read_to_string(committed().join(BUILT_WITH)).unwrap();
    let (with, of) = built_with.split_once('\n').unwrap();
    assert_eq!(
        of.trim_end(),
        sources.to_string(),
        "{}",
        stale("sources in doors/ or doors-sdk/")
    );
    for door in DOORS {
        let file = format!("{door}.wasm");
        let built = fs::read(built().join(&file)).unwrap();
        let same = built == fs::read(committed().join(&file)).unwrap();
        assert!(
            same || with != compiler || cfg!(windows),
            "{}",
            stale(&file)
        );
    }
}

fn stale(what: &str) -> String {
    format!(
        "{what} changed since runtime/init/doors was built; refresh it with\n  \
         {REFRESH}=1 cargo test -p doorlist-tests the_doors_of_init"
    )
}

fn refresh(compiler: &str, sources: &Digest) {
    for door in DOORS {
        let file = format!("{door}.wasm");
        fs::copy(built().join(&file), committed().join(&file)).unwrap();
    }
    fs::write(
        committed().join(BUILT_WITH),
        format!("{compiler}\n{sources}\n"),
    )
    .unwrap();
}

fn committed() -> PathBuf {
    repository().join("runtime/init/doors")
}

fn compiler() -> String {
    let output = Command::new("rustc").arg("--version").output().unwrap();
    String::from_utf8(output.stdout)
        .unwrap()
        .trim_end()
        .to_owned()
}

/// The names and contents of all files that the doors are made of.
fn sources() -> Digest {
    let mut listing = String::new();
    let parts = [
        "fridge", "history", "mind", "prose", "sdk", "settled", "shopping",
    ];
    let folders = parts
        .iter()
        .flat_map(|part| ["Cargo.toml", "src", "wit"].map(|below| format!("doors/{part}/{below}")));
    let shared = [
        "doors/Cargo.toml",
        "doors/Cargo.lock",
        "doors-sdk/src",
        "doors-sdk/wit",
    ];
    for name in folders.chain(shared.map(str::to_owned)) {
        list(&repository().join(&name), &name, &mut listing);
    }
    Digest::of(listing)
}

/// A file, or all files in a folder; nothing where there is none.
fn list(path: &Path, name: &str, listing: &mut String) {
    if path.is_file() {
        writeln!(listing, "{name} {}", Digest::of(fs::read(path).unwrap())).unwrap();
    }
    let Ok(entries) = fs::read_dir(path) else {
        return;
    };
    let entries = entries.map(|entry| entry.unwrap().file_name());
    let mut entries: Vec<_> = entries.collect();
    entries.sort();
    for entry in entries {
        let name = format!("{name}/{}", entry.to_str().unwrap());
        list(&path.join(&entry), &name, listing);
    }
}

/// Set to write the doors instead of comparing them.
const REFRESH: &str = "DOORLIST_REFRESH";
/// Beside the doors: the compiler, and the digest of the sources.
const BUILT_WITH: &str = "built-with.txt";
