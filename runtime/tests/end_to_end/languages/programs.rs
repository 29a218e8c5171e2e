//! Programs without an SDK, as the compilers of their languages leave them: modules for WASI preview 1
//! that read JSON and write text.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::toolchain::{ASSEMBLYSCRIPT, C, GO, build, has, laid, outfitted, program};
use crate::laid::{LOOP, Laid};

#[test]
fn a_plain_program_in_go_is_a_door() {
    if !has("Go", GO) {
        return;
    }
    let laid = listed()
        .file("doors/plain/go.mod", "module plain\n\ngo 1.25\n")
        .file("doors/plain/main.go", IN_GO)
        .file("doors/plain/door.schema.json", SCHEMA);
    build(&laid).stderr_has("building plain from Go").call();
    greets(&laid);
    let call = laid.doorlist(["call", "plain", "{\"name\": 7}", "-C", LOOP]);
    call.exit(21)
        .stdout("arguments: `/name`: 7 is not of type \"string\"\n")
        .call();
}

#[test]
fn a_plain_program_in_c_is_a_door() {
    if !has("C", C) {
        return;
    }
    let laid = listed().file("doors/plain/main.c", IN_C);
    build(&laid).stderr_has("building plain from C").call();
    greets(&laid);
    fails(&laid);
}

/// `doorlist build` knows no AssemblyScript: its compiler's module comes in as any stranger's does.
#[test]
#[cfg(unix)]
fn a_plain_program_in_assemblyscript_is_a_door() {
    if !has("AssemblyScript", ASSEMBLYSCRIPT) {
        return;
    }
    let laid = listed();
    let folder = laid.dir().parent().unwrap().join("plain");
    fs::create_dir(&folder).unwrap();
    // Where npm installs what a folder asks for.
    std::os::unix::fs::symlink(modules(), folder.join("node_modules")).unwrap();
    let (source, module) = (folder.join("plain.ts"), folder.join("plain.wasm"));
    fs::write(&source, IN_ASSEMBLYSCRIPT).unwrap();
    let asc = |more: &[&str]| {
        let mut asc = Command::new(program("asc"));
        asc.current_dir(&folder);
        asc.args(["plain.ts", "--outFile", "plain.wasm"]).args(more);
        let ended = asc.output().unwrap();
        assert!(ended.status.success(), "{ended:?}");
    };
    let add = || outfitted(laid.doorlist(["add", module.to_str().unwrap(), "-C", LOOP, "--yes"]));
    asc(&[
        "--config",
        "node_modules/@assemblyscript/wasi-shim/asconfig.json",
    ]);
    add().stdout_has("").stderr_has("").call();
    greets(&laid);
    fails(&laid);
    // For a page of a browser, as it compiles when nothing is said.
    fs::write(
        &source,
        "export function half(a: i32): i32 { assert(a > 1); return a / 2; }",
    )
    .unwrap();
    asc(&[]);
    add()
        .exit(1)
        .stderr_has("expected a core module that imports nothing but `wasi_snapshot_preview1`")
        .stderr_has("found the import \"abort\" of \"env\"")
        .call();
}

fn listed() -> Laid {
    laid().file("loop.txt", "+++\nlist = [\"plain\"]\n+++\nGreet.\n")
}

#[track_caller]
fn greets(laid: &Laid) {
    let call = laid.doorlist(["call", "plain", "{\"name\": \"Ada\"}", "-C", LOOP]);
    call.stdout("Hello, Ada!\n")
        .stderr_has("printed: seen")
        .call();
}

/// Another exit code than 0 is the door's own error.
#[track_caller]
fn fails(laid: &Laid) {
    let call = laid.doorlist(["call", "plain", "{}", "-C", LOOP]);
    call.exit(21)
        .stdout_has("error: ")
        .stderr_has("printed: no name")
        .call();
}

/// The folder that npm put the compiler into, and what has it import WASI.
fn modules() -> PathBuf {
    let asc = program("asc").canonicalize().unwrap();
    let mut above = asc.ancestors();
    let found = above.find(|at| at.ends_with("node_modules"));
    found.expect("npm installs into `node_modules`").to_owned()
}

const SCHEMA: &str = r#"{"type": "object", "properties": {"name": {"type": "string"}}}"#;

const IN_GO: &str = r#"
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	var in struct{ Name string `json:"name"` }
	_ = json.NewDecoder(os.Stdin).Decode(&in)
	fmt.Fprintln(os.Stderr, "seen")
	fmt.Printf("Hello, %s!\n", in.Name)
}
"#;

const IN_C: &str = r#"
#include <stdio.h>
#include <string.h>

int main(void) {
  char text[1024] = {0};
  fread(text, 1, sizeof text - 1, stdin);
  char *name = strstr(text, "\"name\":\"");
  if (!name) {
    fputs("no name\n", stderr);
    return 1;
  }
  name += strlen("\"name\":\"");
  fputs("seen\n", stderr);
  printf("Hello, %.*s!\n", (int)strcspn(name, "\""), name);
  return 0;
}
"#;

const IN_ASSEMBLYSCRIPT: &str = r#"
const buffer = new ArrayBuffer(1024);
const read = process.stdin.read(buffer);
const text = String.UTF8.decode(buffer.slice(0, read));
const key = '"name":"';
const at = text.indexOf(key);
if (at < 0) {
  process.stderr.write("no name\n");
  process.exit(1);
}
const name = text.substring(at + key.length);
process.stderr.write("seen\n");
process.stdout.write("Hello, " + name.substring(0, name.indexOf('"')) + "!\n");
"#;
