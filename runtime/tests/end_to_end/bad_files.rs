//! Files that are not what they should be.

use std::fs;

use crate::broken::{answers_refused, component_refused, refuses};
use crate::hand::HAND;
use crate::laid::{Laid, shown};

#[test]
fn a_door_that_is_not_there() {
    let gone = |laid: &Laid| fs::remove_file(laid.path("doors/hand.wat")).unwrap();
    refuses(
        gone,
        &[
            "loop/doors/hand.wasm",
            "loop/doors/hand.wat",
            "found neither",
        ],
    );
    let no_doors = |laid: &Laid| fs::remove_dir_all(laid.path("doors")).unwrap();
    refuses(no_doors, &["loop/doors", "expected "]);
    let renamed = |laid: &Laid| {
        let (say, tell) = (
            "(func (export \"say\") (param \"",
            "(func (export \"tell\") (param \"",
        );
        laid.edit("doors/hand.wat", say, tell);
    };
    refuses(
        renamed,
        &[
            "loop/doors/hand.wat: expected a door `hand.say`",
            "hand.tell",
        ],
    );
}

#[test]
fn what_is_no_webassembly() {
    component_refused(b"MZ\x90\0 no component", &["expected ", "found "]);
    component_refused(b"", &["expected ", "found "]);
    component_refused(b"\0asm\x0d\0\x01\0\xff\xff\xff\xff\x0f", &["expected "]);
    let text = |text: &'static [u8]| move |laid: &Laid| laid.write("doors/hand.wat", text);
    let wat = "loop/doors/hand.wat: expected WebAssembly text; ";
    refuses(text(b"(component (func"), &[wat]);
    refuses(text(b"(component \xff)"), &[wat, "UTF-8"]);
    let deep = |laid: &Laid| {
        let deep = format!("{}{}", "(component ".repeat(100_000), ")".repeat(100_000));
        laid.write("doors/hand.wat", deep);
    };
    refuses(deep, &["loop/doors/hand.wat: expected WebAssembly text; "]);
}

#[test]
fn a_truncated_component() {
    let whole = wat::parse_str(HAND).unwrap();
    for cut in [
        4,
        8,
        9,
        20,
        whole.len() / 3,
        whole.len() / 2,
        whole.len() - 1,
    ] {
        component_refused(&whole[..cut], &["expected "]);
    }
}

#[test]
fn a_module_with_strange_imports() {
    let module = wat::parse_str("(module (import \"env\" \"launch\" (func)))").unwrap();
    component_refused(
        &module,
        &[
            "found the import \"launch\" of \"env\"",
            "expected a core module",
        ],
    );
    let strange =
        "(component (import \"acme:rockets/pad@1.0.0\" (instance (export \"launch\" (func)))))";
    let strange = move |laid: &Laid| {
        let doors = HAND.trim_end().strip_suffix(')').unwrap();
        let import = strange.strip_prefix("(component").unwrap();
        let import = import.strip_suffix(')').unwrap();
        let doors = doors.replacen("(component", &format!("(component {import}"), 1);
        laid.write("doors/hand.wat", format!("{doors})"));
    };
    refuses(
        strange,
        &[
            "loop/doors/hand.wat: ",
            "acme:rockets/pad@1.0.0",
            "is neither WASI 0.2 nor",
        ],
    );
}

#[test]
fn files_of_200_mb() {
    let huge = |path: &'static str| {
        move |laid: &Laid| {
            fs::remove_file(laid.path(path)).ok();
            let file = fs::File::create(laid.path(path)).unwrap();
            file.set_len(200_000_000).unwrap();
        }
    };
    for path in ["loop.txt", "policy.toml", "doors/hand.wat"] {
        refuses(
            huge(path),
            &[&shown(path), "expected ", "at most 1", "found 200000000"],
        );
    }
    answers_refused(
        huge("answers.txt"),
        &["answers.txt", "at most 1", "found 200000000"],
    );
}

#[test]
fn folders_in_the_place_of_files() {
    let folder = |path: &'static str| {
        move |laid: &Laid| {
            fs::remove_file(laid.path(path)).ok();
            fs::create_dir(laid.path(path)).unwrap();
        }
    };
    for path in ["loop.txt", "policy.toml", "doors/hand.wat"] {
        refuses(folder(path), &[&shown(path), "expected ", "found a folder"]);
    }
    answers_refused(
        folder("answers.txt"),
        &["answers.txt", "expected a text file, found a folder"],
    );
}

/// To open a pipe would wait for its other end for ever.
#[cfg(unix)]
#[test]
fn pipes_in_the_place_of_files() {
    let pipe = |path: &'static str| {
        move |laid: &Laid| {
            fs::remove_file(laid.path(path)).ok();
            let made = std::process::Command::new("mkfifo")
                .arg(laid.path(path))
                .status()
                .unwrap();
            assert!(made.success());
        }
    };
    for path in ["loop.txt", "policy.toml", "doors/hand.wat"] {
        refuses(
            pipe(path),
            &[&shown(path), "expected ", "found a device or a pipe"],
        );
    }
    answers_refused(
        pipe("answers.txt"),
        &[
            "answers.txt",
            "expected a text file, found a device or a pipe",
        ],
    );
}

#[test]
fn text_that_is_not_utf_8() {
    let not_text =
        |path: &'static str| move |laid: &Laid| laid.write(path, b"+++\nlist = [\"\xff\"]\n");
    let found = "expected text in UTF-8, found byte 0xff at offset 13";
    for path in ["loop.txt", "policy.toml"] {
        refuses(not_text(path), &[&format!("{}: {found}", shown(path))]);
    }
    answers_refused(not_text("answers.txt"), &["answers.txt", found]);
}
