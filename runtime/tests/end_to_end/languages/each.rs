//! One door in each language: it is written, built, tested, and gives the same every time.

use std::fs;

use super::toolchain::{C, GO, PYTHON, build, has, laid, outfitted};
use crate::laid::{LOOP, Laid};

/// Writes a door, builds it and runs its cases.
#[track_caller]
pub(crate) fn from_new_to_test(language: &str) -> Laid {
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
