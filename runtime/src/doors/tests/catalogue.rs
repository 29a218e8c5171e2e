//! Folders of doors, and each refusal with its message.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::*;
use crate::doors::{Catalogue, CatalogueError, DoorFile};

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let dir = TempDir::new().unwrap();
    for (name, bytes) in files {
        fs::write(dir.path().join(name), bytes).unwrap();
    }
    dir
}

fn names_of(catalogue: &Catalogue) -> Vec<&str> {
    catalogue.doors().map(|door| door.name.as_str()).collect()
}

/// The message of a folder's refusal.
fn refusal(dir: &TempDir) -> String {
    let error = Catalogue::read(dir.path()).expect_err("the folder was taken");
    without_folder(dir, &error)
}

/// A message with `DIR` for the folder.
fn without_folder(dir: &TempDir, error: &CatalogueError) -> String {
    let dir = dir.path().display().to_string();
    error.to_string().replace(&dir, "DIR").replace('\\', "/")
}

#[test]
fn a_folder_gives_a_door_for_each_function() {
    let text = b"(component (core module (func (export \"f\"))) (core instance (instantiate 0))
        (func (export \"clear\") (canon lift (core func 0 \"f\"))))";
    let dir = folder(&[
        ("fridge.wasm", &exporting(&["count", "eat-milk"])),
        ("shelf.wat", text),
        ("notes.txt", b"not a door"),
        ("fridge.schema.json", b"{}"),
    ]);
    fs::create_dir(dir.path().join("shopping")).unwrap();
    let catalogue = Catalogue::read(dir.path()).unwrap();
    assert_eq!(
        names_of(&catalogue),
        ["fridge.count", "fridge.eat-milk", "shelf.clear"]
    );

    let door = catalogue.door("fridge.count").unwrap();
    assert_eq!(door.signature(), "fridge.count()");
    assert_eq!(
        door.component_digest(),
        loop_spec::Digest::of(&*door.file.component)
    );
    assert_eq!(
        door.file.path.as_deref(),
        Some(&*dir.path().join("fridge.wasm"))
    );
    let shelf = catalogue.door("shelf.clear").unwrap();
    assert_eq!(shelf.file.component[..4], *b"\0asm");
    assert!(catalogue.door("fridge.checkout").is_none());
}

#[test]
fn a08_only_the_files_that_are_asked_for_are_looked_at() {
    let dir = folder(&[
        ("fridge.wasm", &exporting(&["count"])),
        ("broken.wasm", b"?"),
    ]);
    let catalogue = Catalogue::only(dir.path(), ["fridge", "fridge"]).unwrap();
    assert_eq!(names_of(&catalogue), ["fridge.count"]);
    assert!(names_of(&Catalogue::only(dir.path(), []).unwrap()).is_empty());
}

#[test]
fn a11_a_listed_name_without_a_door_names_the_file_looked_for() {
    let dir = folder(&[("shelf.wasm", &exporting(&["count", "clear"]))]);
    let refusal = |name| {
        let error = Catalogue::listed(dir.path(), &[name]).unwrap_err();
        without_folder(&dir, &error)
    };
    let rows = [
        (
            "fridge.count",
            "expected the doors of \"fridge\" in a file, found neither DIR/fridge.wasm nor \
             DIR/fridge.wat",
        ),
        (
            "shelf.cuont",
            "expected a door `shelf.cuont` in DIR/shelf.wasm, found shelf.clear, shelf.count",
        ),
        (
            "shelf",
            "expected a door `shelf` in DIR/shelf.wasm, found shelf.clear, shelf.count",
        ),
    ];
    for (name, expected) in rows {
        assert_eq!(refusal(name), expected);
    }
    let listed = Catalogue::listed(dir.path(), &["shelf.count"]).unwrap();
    assert_eq!(names_of(&listed), ["shelf.clear", "shelf.count"]);
}

#[test]
fn a_stem_does_not_lead_out_of_the_folder() {
    let dir = folder(&[("outer.wasm", &exporting(&["f"]))]);
    let inner = dir.path().join("inner");
    fs::create_dir(&inner).unwrap();
    let error = Catalogue::only(&inner, ["../outer"]).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("expected the doors of \"../outer\""),
        "{error}"
    );
}

#[test]
fn files_that_are_no_components_are_named() {
    let rows: [(&str, &[u8], &str); 5] = [
        (
            "a.wasm",
            b"",
            "DIR/a.wasm: expected a WebAssembly component, found nothing",
        ),
        (
            "a.wat",
            b"(component\n  (cor))",
            "DIR/a.wat: expected WebAssembly text; expected valid component field\n     --> a.wat:2:4\n      \
             |\n    2 |   (cor))\n      |    ^",
        ),
        (
            "a.wat",
            b"\xff",
            "DIR/a.wat: expected WebAssembly text; it is not UTF-8: invalid utf-8 sequence of 1 \
             bytes from index 0",
        ),
        (
            "a.b.wasm",
            b"",
            "DIR/a.b.wasm: expected a name of ASCII letters, digits, - and _ in each part, at most \
             64 characters with __ for each dot, found \"a.b\"",
        ),
        (
            ".wasm.wasm",
            b"",
            "DIR/.wasm.wasm: expected a name of ASCII letters, digits, - and _ in each part, at most \
             64 characters with __ for each dot, found \".wasm\"",
        ),
    ];
    for (name, bytes, expected) in rows {
        assert_eq!(refusal(&folder(&[(name, bytes)])), expected);
    }
    let missing = Catalogue::read(Path::new("no/such/folder"))
        .unwrap_err()
        .to_string();
    assert!(
        missing.starts_with("no/such/folder: expected a folder of components, found none"),
        "{missing}"
    );
}

#[test]
fn a_long_name_is_refused_after_mapping() {
    let stem = "s".repeat(61);
    assert!(DoorFile::from_bytes(&stem, exporting(&["f"])).is_ok());
    let error = DoorFile::from_bytes(&stem, exporting(&["ff"]))
        .unwrap_err()
        .to_string();
    assert!(error.ends_with(&format!("found \"{stem}.ff\"")), "{error}");
}

#[test]
fn a_large_file_is_not_read() {
    let dir = folder(&[]);
    let file = fs::File::create(dir.path().join("big.wasm")).unwrap();
    file.set_len(200_000_000).unwrap();
    assert_eq!(
        refusal(&dir),
        "DIR/big.wasm: expected a component of at most 100000000 bytes, found 200000000 bytes"
    );
}

#[test]
fn what_is_not_a_file_is_not_opened() {
    let dir = folder(&[]);
    fs::create_dir(dir.path().join("x.wasm")).unwrap();
    let expected = "DIR/x.wasm: expected a component in a file, found a folder";
    assert_eq!(refusal(&dir), expected);
}

#[cfg(unix)]
#[test]
fn pipes_devices_and_dangling_links_are_not_waited_for() {
    use std::os::unix::fs::symlink;

    let expected = "DIR/x.wasm: expected a component in a file, found a device or a pipe";
    let dir = folder(&[]);
    symlink("/dev/zero", dir.path().join("x.wasm")).unwrap();
    assert_eq!(refusal(&dir), expected);

    let dir = folder(&[]);
    let pipe = dir.path().join("x.wasm");
    let made = std::process::Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .unwrap();
    assert!(made.success());
    assert_eq!(refusal(&dir), expected);

    let dir = folder(&[]);
    symlink("nowhere", dir.path().join("x.wasm")).unwrap();
    assert_eq!(
        refusal(&dir),
        "DIR/x.wasm: expected a component, found a file that cannot be read: No such file or \
         directory (os error 2)"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn file_names_are_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let dir = folder(&[]);
    fs::write(dir.path().join(OsStr::from_bytes(b"\xff.wasm")), b"").unwrap();
    let error = Catalogue::read(dir.path()).unwrap_err().to_string();
    assert!(
        error.ends_with(": expected file names in UTF-8, found \"\\xFF.wasm\""),
        "{error}"
    );
}

#[test]
fn two_files_of_one_stem_are_refused() {
    let dir = folder(&[("a.wasm", &exporting(&["f"])), ("a.wat", b"(component)")]);
    let only = without_folder(&dir, &Catalogue::only(dir.path(), ["a"]).unwrap_err());
    assert_eq!(
        only,
        "expected one file for the doors of `a`, found DIR/a.wasm and DIR/a.wat"
    );

    let twice =
        [("a", "f"), ("a", "g")].map(|(stem, f)| DoorFile::from_bytes(stem, exporting(&[f])));
    assert_eq!(
        Catalogue::of(twice.map(Result::unwrap))
            .unwrap_err()
            .to_string(),
        "expected one file for the doors of `a`, found a and a"
    );
}

/// A component that exports `functions` as an interface.
fn exporting_interface(name: &str, functions: &[&str]) -> String {
    let exports: String = functions
        .iter()
        .map(|f| format!("(export \"{f}\" (func 0))"))
        .collect();
    format!("(instance {exports}) (export \"{name}\" (instance 0))")
}

#[test]
fn two_doors_of_one_name_are_refused_in_every_order() {
    let core = "(core module (func (export \"f\"))) (core instance (instantiate 0))
        (func (canon lift (core func 0 \"f\")))";
    let one = exporting_interface("home:kitchen/b", &["c"]);
    let inner = || {
        let fields = format!("{core} {one} (export \"c\" (func 0))");
        DoorFile::from_bytes("a", component(&fields)).unwrap()
    };
    let outer = || DoorFile::from_bytes("a__b", exporting(&["c"])).unwrap();
    let expected = "expected doors with names of their own, found `a.b.c` of a and `a__b.c` of \
                    a__b, both `a__b__c` where names have no dots; rename a file";
    for files in [[inner(), outer()], [outer(), inner()]] {
        assert_eq!(Catalogue::of(files).unwrap_err().to_string(), expected);
    }
    assert_eq!(
        names_of(&Catalogue::of([inner()]).unwrap()),
        ["a.b.c", "a.c"]
    );

    let versions = format!(
        "{core} (instance (export \"c\" (func 0)))
         (export \"home:kitchen/b@0.1.0\" (instance 0)) (export \"home:kitchen/b@0.2.0\" (instance 0))"
    );
    let versions = DoorFile::from_bytes("a", component(&versions)).unwrap();
    assert_eq!(
        Catalogue::of([versions]).unwrap_err().to_string(),
        "expected doors with names of their own, found `a.b.c` of a and `a.b.c` of a, both \
         `a__b__c` where names have no dots; rename a file"
    );
}

#[test]
fn imports_that_are_not_met_are_named() {
    let core = "(import \"wasi:config/runtime@0.2.0-draft\" (instance)) (import \"acme:db/query\" (instance))
        (import \"wasi:cli/stdin@0.2.0\" (instance))
        (core module (func (export \"f\"))) (core instance (instantiate 0))
        (func (export \"f\") (canon lift (core func 0 \"f\")))";
    let dir = folder(&[("net.wasm", &component(core))]);
    assert_eq!(
        refusal(&dir),
        "DIR/net.wasm: it cannot be opened here: `wasi:config/runtime@0.2.0-draft` is not \
         there; this host has `wasi:config/store@0.2.0-rc.1`, `acme:db/query` is neither WASI 0.2 nor \
         an interface of Doorlist"
    );
    let every = Catalogue::read_each(dir.path()).unwrap();
    assert!(
        every[0].is_ok(),
        "an interface can be read whatever it imports"
    );
}
