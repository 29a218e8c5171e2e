//! Programs as doors: JSON on standard input, the observation on standard output.

use std::process::Command;

use crate::laid::{LOOP, Laid};

const GREET: &str = include_str!("greet.wat");

/// What `greet` takes.
const SCHEMA: &str = r#"{
    "type": "object",
    "description": "Says what it is told.",
    "properties": { "name": { "type": "string" }, "fail": { "type": "boolean" } },
    "additionalProperties": false
}"#;

/// A loop whose one door is a program for WASI preview 1.
fn greeting() -> Laid {
    Laid::empty()
        .file("loop.txt", "+++\nlist = [\"greet\"]\n+++\nGreet.\n")
        .file("doors/greet.schema.json", SCHEMA)
        .file("doors/greet.wat", GREET)
}

#[test]
fn a_program_for_preview_1_reads_its_arguments_and_says_its_observation() {
    let laid = greeting();
    let call = |arguments| laid.doorlist(["call", "greet", arguments, "-C", LOOP]);
    call("{ \"name\": \"Ada\" }")
        .stdout("{\"name\":\"Ada\"}\n")
        .stderr_has("printed: reading")
        .call();
    // A program that fails says why on standard output.
    call("{\"fail\": true}")
        .exit(21)
        .stdout("error: {\"fail\":true}\n")
        .stderr_has("")
        .call();
}

#[test]
fn what_does_not_fit_the_schema_never_reaches_the_program() {
    let laid = greeting();
    for (arguments, misfit) in [
        (
            "{\"name\": 7}",
            "arguments: `/name`: 7 is not of type \"string\"\n",
        ),
        (
            "{\"nmae\": \"Ada\"}",
            "arguments: Additional properties are not allowed ('nmae' was unexpected)\n",
        ),
        (
            "[]",
            "arguments: expected a JSON object, found an empty list\n",
        ),
    ] {
        let call = laid.doorlist(["call", "greet", arguments, "-C", LOOP]);
        call.exit(21).stdout(misfit).call();
    }
}

#[test]
fn a_model_reads_what_a_program_takes_and_its_answer_is_in_the_history() {
    let laid = greeting().script("greet {\"name\": \"Ada\"}\nclose done\n");
    laid.run_script().stdout_has("done").stderr_has("").call();
    let history = laid.read("history.txt");
    assert!(
        history.contains("greet {\"name\":\"Ada\"}\n| {\"name\":\"Ada\"}\n"),
        "{history}"
    );
    let page = laid.doorlist(["page", "-C", LOOP, "--put-back", "1"]);
    page.stdout_has("greet(fail?: boolean, name?: string) -> text")
        .stdout_has("Says what it is told.")
        .call();
}

#[test]
fn another_description_of_a_program_is_another_door() {
    let laid = greeting();
    laid.edit("doors/greet.schema.json", "Says", "Repeats");
    let call = laid.doorlist(["call", "greet", "{}", "-C", LOOP]);
    let ended = call
        .exit(21)
        .stdout_has("")
        .stderr_has("doors/greet.wat")
        .call();
    assert!(!ended.stdout.contains("{}\n"), "{}", ended.stdout);
}

#[test]
fn a_wrong_description_is_named_with_its_file() {
    let laid = greeting();
    for (schema, problem) in [
        ("{", "expected a JSON Schema; EOF"),
        (
            "{\"type\": \"array\"}",
            "expected a JSON Schema of an object",
        ),
        (
            "{\"type\": \"object\", \"$ref\": \"https://example.com/a.json\"}",
            "expected a JSON Schema that stands by itself",
        ),
    ] {
        laid.write("doors/greet.schema.json", schema);
        let call = laid.doorlist(["call", "greet", "{}", "-C", LOOP]);
        let ended = call.exit(1).stderr_has("greet.schema.json: ").call();
        assert!(ended.stderr.contains(problem), "{}", ended.stderr);
    }
}

#[test]
fn a_program_is_added_with_what_describes_it() {
    let laid = Laid::empty().file("loop.txt", "+++\nlist = [\"hail\"]\n+++\nGreet.\n");
    let from = tempfile::tempdir().unwrap();
    let module = from.path().join("greet.wasm");
    std::fs::write(&module, wat::parse_str(GREET).unwrap()).unwrap();
    std::fs::write(from.path().join("greet.schema.json"), SCHEMA).unwrap();
    let module = module.to_str().unwrap();
    let add = laid.doorlist(["add", module, "--name", "hail", "--yes", "-C", LOOP]);
    add.stdout_has("hail(fail?: boolean, name?: string) -> text")
        .stderr_has("hail.wasm")
        .call();
    assert_eq!(laid.read("doors/hail.schema.json"), SCHEMA);
    let call = laid.doorlist(["call", "hail", "{\"name\": \"Ada\"}", "-C", LOOP]);
    call.stdout("{\"name\":\"Ada\"}\n").stderr_has("").call();
}

#[test]
fn a_module_that_is_no_program_says_what_was_expected() {
    let laid = Laid::empty();
    for (module, problem) in [
        (
            "(module (import \"env\" \"dial\" (func)) (func (export \"_start\")))",
            "found the import \"dial\" of \"env\"",
        ),
        (
            "(module (import \"wasi_unstable\" \"fd_write\" (func)) (func (export \"_start\")))",
            "found the import \"fd_write\" of \"wasi_unstable\"",
        ),
        ("(module)", "found a core module that exports no `_start`"),
        (
            "(module (import \"wasi_snapshot_preview1\" \"no_such\" (func)) \
             (func (export \"_start\")))",
            "cannot be made a component",
        ),
    ] {
        laid.write_unaccepted("doors/odd.wat", module);
        let file = laid.path("doors/odd.wat");
        let attempt = laid.doorlist(["try", file.to_str().unwrap(), "{}"]);
        let ended = attempt.exit(1).stderr_has("odd.wat: ").call();
        assert!(ended.stderr.contains(problem), "{}", ended.stderr);
    }
}

/// What a plain Rust program is, without anything of Doorlist in it.
#[test]
fn a_command_component_of_plain_rust_is_a_door() {
    let laid = Laid::empty();
    let folder = tempfile::tempdir().unwrap();
    let (source, program) = (folder.path().join("main.rs"), folder.path().join("p.wasm"));
    let text = r#"
        use std::io::Read as _;
        fn main() {
            let mut read = String::new();
            std::io::stdin().read_to_string(&mut read).unwrap();
            if read.contains("panic") { panic!("as asked") }
            if read.contains("quiet") { std::process::exit(7) }
            print!("{} bytes\n", read.len());
        }"#;
    std::fs::write(&source, text).unwrap();
    let mut rustc = Command::new("rustc");
    rustc.args(["--target", "wasm32-wasip2", "--edition", "2024", "-o"]);
    let output = rustc.arg(&program).arg(&source).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let program = program.to_str().unwrap();
    let attempt = |arguments| laid.doorlist(["try", program, arguments]);
    attempt("{}").stdout("3 bytes\n").stderr_has("").call();
    attempt("{\"quiet\": 1}")
        .exit(21)
        .stdout("error: the program failed and said nothing\n")
        .stderr_has("")
        .call();
    attempt("{\"panic\": 1}")
        .exit(21)
        .stdout_has("trap: ")
        .stderr_has("as asked")
        .call();
}
