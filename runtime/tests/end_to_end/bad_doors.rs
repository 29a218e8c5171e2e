//! Doors that cannot be used, and folders with more of them than anybody reads: each with a message
//! that says what was expected, what was found and where.

use crate::laid::{LOOP, Laid};
use crate::languages::toolchain::outfitted;

const LIST: &str = "+++\nlist = [\"top.one\"]\n+++\nOne.\n";

const ONE: &str = r#"(component
    (core module $m (func (export "one") (result i32) (i32.const 1)))
    (core instance $i (instantiate $m))
    (func (export "one") (result u32) (canon lift (core func $i "one"))))"#;

#[test]
fn a_door_of_another_version_of_wasi_names_what_is_missing() {
    let other = ONE.replace(
        "(core module",
        "(import \"wasi:http/client@0.3.0\" (instance))\n(core module",
    );
    let laid = Laid::empty()
        .file("loop.txt", LIST)
        .file("doors/top.wat", other);
    let named = "wasi:http/client@0.3.0";
    let check = laid.doorlist(["check", LOOP]).exit(30).stdout_has(named);
    check.stderr_has("diagram").call();
    let file = format!("{LOOP}/doors/top.wat");
    laid.doorlist(["try", &file, "{}"])
        .exit(1)
        .stderr_has(named)
        .call();
    laid.doorlist(["add", &file, "--name", "other", "-C", LOOP])
        .exit(1)
        .stderr_has(named)
        .call();
    assert!(!laid.has("doors/other.wasm"));
}

#[test]
fn a_package_that_is_too_large_is_not_read() {
    let laid = Laid::empty().file("loop.txt", LIST);
    let file = std::fs::File::create(laid.path("../large.wasm")).unwrap();
    // It takes no place on the disk, and would take it in memory.
    file.set_len(100_000_001).unwrap();
    laid.doorlist(["add", "large.wasm", "-C", LOOP])
        .exit(1)
        .stderr_has(
            "large.wasm: expected a component of at most 100000000 bytes, found 100000001 bytes",
        )
        .call();
}

#[test]
fn a_name_that_no_client_takes_is_refused_before_anything_is_kept() {
    let laid = Laid::empty().file("loop.txt", LIST);
    for name in ["Käse", "a b", "a.b", "牛奶", "", "..", "a/b"] {
        laid.write_unaccepted("../one.wat", ONE);
        laid.doorlist(["add", "one.wat", "--name", name, "-C", LOOP, "--yes"])
            .exit(1)
            .stderr_has("expected a name of ASCII letters, digits, - and _ in each part")
            .call();
    }
    assert!(!laid.has("doors"), "nothing was kept");
    // A file with such a name can be tried all the same.
    laid.write_unaccepted("../Käse.wat", ONE);
    laid.doorlist(["try", "Käse.wat", "{}"])
        .stdout("1\n")
        .stderr_has("")
        .call();
}

#[cfg(unix)]
#[test]
fn a_toolchain_that_fails_half_way_leaves_what_was_there() {
    use std::os::unix::fs::PermissionsExt as _;
    let laid = Laid::empty().file("loop.txt", LIST);
    let new = laid.doorlist(["new", "py", "--lang", "python", "-C", LOOP]);
    new.stdout_has("").stderr_has("").call();
    laid.write("doors/py.wasm", wat::parse_str(ONE).unwrap());
    let before = std::fs::read(laid.path("doors/py.wasm")).unwrap();
    let bin = laid.dir().parent().unwrap().join("bin");
    std::fs::create_dir(&bin).unwrap();
    let tool = bin.join("componentize-py");
    for (script, told) in [
        (
            "echo half >&2; for last; do :; done; echo half > \"$last\"; exit 3",
            "py does not compile:\nhalf",
        ),
        (
            "exit 0",
            "to write a component, found that it ended well and wrote none",
        ),
        (
            "for last; do :; done; echo half > \"$last\"",
            "py can not be packed as a component: ",
        ),
        ("kill -9 $$", "py does not compile:"),
    ] {
        std::fs::write(&tool, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
        let build = outfitted(laid.doorlist(["build", LOOP]));
        build
            .env("PATH", bin.to_str().unwrap())
            .exit(1)
            .stderr_has(told)
            .call();
        assert_eq!(
            std::fs::read(laid.path("doors/py.wasm")).unwrap(),
            before,
            "{script}"
        );
    }
}

#[test]
fn five_hundred_doors_in_one_folder_are_listed_and_called() {
    let laid = Laid::empty();
    let one = wat::parse_str(ONE).unwrap();
    for number in 0..500 {
        laid.write_unaccepted(&format!("doors/door-{number}.wasm"), &one);
    }
    laid.accept();
    let listed = laid
        .doorlist(["doors", LOOP])
        .stdout_has("door-499.one() -> u32")
        .call();
    assert_eq!(listed.stdout.matches(".one() -> u32").count(), 500);
    laid.doorlist(["call", "door-250.one", "-C", LOOP])
        .stdout("1\n")
        .stderr_has("")
        .call();
    laid.doorlist(["call", "door-500.one", "-C", LOOP])
        .exit(20)
        .stdout("not on the list.\n")
        .stderr_has("")
        .call();
}

#[test]
fn a_writer_is_told_what_would_be_refused_and_what_a_model_will_miss() {
    let laid = Laid::empty();
    let check = |file: &str| laid.doorlist(["check", &format!("{LOOP}/{file}")]);
    laid.write_unaccepted("one.wat", ONE);
    check("one.wat")
        .stdout("warning: loop/one.wat: one.one has no documentation; expected a comment above it in its WIT, which is what a model reads\n")
        .call();
    let told = check("one.wat").arg("--json").stdout_has("").call().json();
    assert_eq!(told["findings"][0]["error"], false);
    laid.write_unaccepted("greet.wat", include_str!("greet.wat"));
    check("greet.wat")
        .stdout_has("expected loop/greet.schema.json beside it")
        .call();
    laid.write_unaccepted(
        "greet.schema.json",
        "{\"type\": \"object\", \"description\": \"Greets.\"}",
    );
    check("greet.wat")
        .stdout("loop/greet.wat: nothing is wrong\n")
        .call();
    let streams = ONE.replace(
        "(func (export \"one\") (result u32)",
        "(type $s (stream u8))\n(func (export \"one\") (param \"a\" $s) (result u32)",
    );
    laid.write_unaccepted("streams.wat", streams);
    check("streams.wat")
        .exit(30)
        .stdout_has("error: loop/streams.wat: ")
        .call();
    let mut large = wat::parse_str(ONE).unwrap();
    // A custom section: its length in five bytes, a name of one, and nothing else.
    large.extend([0, 0x82, 0x9f, 0xad, 0x02, 1, b'x']);
    large.resize(large.len() + 4_935_552, 0);
    laid.write_unaccepted("large.wasm", large);
    check("large.wasm")
        .stdout_has("takes seconds to compile")
        .call();
}
