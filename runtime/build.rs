//! Finds the Go half of `wit-bindgen-go`, which lies in that crate's folder, so that a Go door is
//! built without asking for it over the network.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use cargo_metadata::MetadataCommand;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../Cargo.lock");
    let runtime = go_runtime();
    let mut table = String::from("&[\n");
    for file in GO_FILES {
        let path = runtime.join(file);
        assert!(path.is_file(), "{} is not there", path.display());
        writeln!(table, "    ({file:?}, include_str!({path:?})),").expect("a String takes it");
    }
    table.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo sets it"));
    fs::write(out.join("go_runtime.rs"), table).expect("OUT_DIR can be written");
}

/// The folder of the Go module in the sources of the crate that is used.
fn go_runtime() -> PathBuf {
    let here = env::var_os("CARGO_MANIFEST_DIR").expect("Cargo sets it");
    let target = env::var("TARGET").expect("Cargo sets it");
    let metadata = MetadataCommand::new()
        .manifest_path(Path::new(&here).join("Cargo.toml"))
        .other_options(["--filter-platform".to_owned(), target])
        .exec()
        .expect("Cargo knows what this crate depends on");
    let mut packages = metadata.packages.iter();
    let bindgen = packages
        .find(|package| package.name.as_str() == "wit-bindgen-go")
        .expect("this crate depends on wit-bindgen-go");
    let folder = bindgen.manifest_path.parent().expect("a file has a folder");
    folder.join("src/pkg").into()
}

/// What generated bindings import; futures and streams are not among it.
const GO_FILES: &[&str] = &[
    "LICENSE",
    "go.mod",
    "wit/runtime/runtime.go",
    "wit/types/option.go",
    "wit/types/result.go",
    "wit/types/tuple.go",
    "wit/types/unit.go",
];
