//! `call`, `try` and `doors`: doors without a run.

use serde_json::Value;

use crate::hand::HAND;
use crate::laid::{LOOP, Laid};

#[test]
fn a08_an_off_list_name_is_answered_so_and_where_to_add_it_is_said() {
    let laid = Laid::fridge();
    let call = laid.doorlist(["call", "shopping.checkout", "-C", LOOP]);
    call.exit(20)
        .stdout("not on the list.\n")
        .stderr_has("add \"shopping.checkout\" to `list` in loop/loop.txt")
        .call();
    // Nothing of the folder but loop.txt is looked at.
    std::fs::remove_dir_all(laid.path("doors")).unwrap();
    let call = laid.doorlist(["call", "shopping.checkout", "-C", LOOP]);
    call.exit(20)
        .stdout("not on the list.\n")
        .stderr_has("loop.txt")
        .call();
}

#[test]
fn a09_a_call_by_hand_prints_what_the_door_returns() {
    let laid = Laid::fridge();
    let call = |arguments| laid.doorlist(["call", "fridge.count", arguments, "-C", LOOP]);
    call("{\"items\": [\"milk\"]}")
        .stdout("[[\"milk\",1]]\n")
        .stderr_has(" fuel, ")
        .call();
    call("-")
        .stdin("{\"items\": [\"eggs\"]}")
        .stdout("[[\"eggs\",4]]\n")
        .stderr_has(" fuel, ")
        .call();
    assert!(!laid.has("runs/1.jsonl"), "a call by hand is no run");
}

#[test]
fn a10_each_failure_of_a_call_by_hand_is_its_observation() {
    let laid = Laid::by_hand("");
    for (door, arguments, observation) in [
        ("hand.fail", "{\"text\": \"no milk\"}", "error: no milk\n"),
        ("hand.trap", "{}", "trap: "),
        ("hand.spin", "{}", "limit: the door used up its fuel of "),
        (
            "hand.take",
            "{\"count\": -1}",
            "arguments: `count`: expected u32",
        ),
        (
            "hand.take",
            "{\"cuont\": 1}",
            "arguments: there is no parameter \"cuont\"; did you mean \"count\"?",
        ),
        (
            "hand.take",
            "nonsense",
            "arguments: expected arguments as JSON",
        ),
    ] {
        let call = laid.doorlist(["call", door, arguments, "-C", LOOP]);
        let ended = call.exit(21).stdout_has(observation).stderr_has("").call();
        assert!(ended.stdout.starts_with(observation), "{}", ended.stdout);
    }
}

#[test]
fn a20_a_call_of_a_door_that_must_be_asked_first_opens_nothing_where_nobody_is_there() {
    let laid = Laid::by_hand("").file("policy.toml", "[ask]\nfirst = [\"hand.*\"]\n");
    let call = laid.doorlist(["call", "hand.say", "{\"text\": \"\u{202e}hi\"}", "-C", LOOP]);
    let ended = call
        .stdin("y\ny\n")
        .exit(12)
        .stderr_has("hand.say must be asked first")
        .stderr_has("Nobody can be asked here")
        .stdout("")
        .call();
    assert!(!ended.stderr.contains('\u{202e}'), "{}", ended.stderr);
}

#[test]
fn a_call_tells_programs_all_that_it_took() {
    let laid = Laid::by_hand("");
    let call = laid.doorlist(["call", "hand.take", "{\"count\": 7}", "-C", LOOP, "--json"]);
    let ended = call.stdout_has("{").call();
    let said = ended.json();
    assert_eq!(said["door"], "hand.take");
    assert_eq!(said["arguments"], serde_json::json!({ "count": 7 }));
    assert_eq!(said["outcome"], "said");
    assert_eq!(said["observation"], "7");
    assert!(said["fuel"].as_u64().unwrap() > 0, "{said}");
    let off = laid.doorlist(["call", "hand.other", "-C", LOOP, "--json"]);
    let ended = off.exit(20).stdout_has("{").stderr_has("loop.txt").call();
    let said = ended.json();
    assert_eq!(said["outcome"], "off_list");
}

#[test]
fn a_component_is_tried_in_an_inert_world_and_says_what_it_imports() {
    let laid = Laid::fridge();
    let attempt = laid.doorlist(["try", "loop/doors/fridge.wasm", "{\"items\": [\"milk\"]}"]);
    attempt
        .exit(21)
        .stdout_has("error: /data/fridge.txt could not be read")
        .stderr_has(
            "it imports wasi:cli, wasi:clocks, wasi:filesystem, wasi:io; it is granted nothing",
        )
        .stderr_has("it reached for /data/fridge.txt, to read\n")
        .stderr_has("[door.\"fridge.count\"]\ndirs = [{ host = \"data\", guest = \"/data\" }]\n")
        .call();
}

#[test]
fn what_a_component_reached_for_is_told_with_the_least_policy() {
    let laid = Laid::fridge();
    let add = laid.doorlist([
        "try",
        "loop/doors/shopping.wasm",
        "{\"item\": \"milk\"}",
        "--json",
    ]);
    let tried = add
        .args(["--function", "add"])
        .exit(21)
        .stdout_has("")
        .stderr_has("")
        .call()
        .json();
    assert_eq!(tried["reached"]["clock"], false);
    assert_eq!(tried["reached"]["folders"], true);
    let policy = tried["policy"].as_str().unwrap();
    assert!(
        policy.contains("guest = \"/data\", write = true"),
        "{policy}"
    );
    // With that policy, and nothing more of it, the door does its work.
    let laid = laid.file("policy.toml", policy);
    let add = ["call", "shopping.add", "{\"item\": \"milk\"}", "-C", LOOP];
    laid.doorlist(add)
        .stdout("milk is on the list\n")
        .stderr_has("fuel")
        .call();

    let connecting = include_str!("../../src/sandbox/tests/doors/connecting.wat");
    let laid = laid.file("connecting.wat", connecting);
    laid.doorlist(["try", "loop/connecting.wat"])
        .stdout_has("")
        .stderr_has("it reached for a socket or the address of a name, which no grant gives")
        .call();

    let curious = include_str!("../../src/sandbox/tests/doors/curious.wat");
    let laid = laid.file("curious.wat", curious);
    let reached = |function| {
        let call = laid.doorlist(["try", "loop/curious.wat", "--json", "--function", function]);
        let call = call.stdout_has("").stderr_has("");
        call.call().json()["reached"].clone()
    };
    for (function, reached_for) in [
        ("seconds", "clock"),
        ("draw", "random"),
        ("environment", "environment"),
        ("directories", "folders"),
    ] {
        let reached = reached(function);
        for key in ["clock", "random", "environment", "folders"] {
            assert_eq!(reached[key], key == reached_for, "{function}: {reached}");
        }
    }
}

#[test]
fn a_component_of_several_functions_is_tried_by_name() {
    let laid = Laid::empty().file("odd name 1.0.wat", HAND);
    let attempt = || laid.doorlist(["try", "loop/odd name 1.0.wat", "{\"text\": \"hi\"}"]);
    attempt()
        .exit(1)
        .stderr_has("expected --function with one of ")
        .stderr_has("door.say")
        .call();
    attempt()
        .args(["--function", "shout"])
        .exit(1)
        .stderr_has("expected a function `shout`, found ")
        .call();
    attempt()
        .args(["--function", "say"])
        .stdout("hi\n")
        .stderr_has("it imports nothing")
        .call();
}

#[test]
fn the_same_trial_gives_the_same_bytes_for_the_same_fuel() {
    let laid = Laid::fridge();
    let attempt = || {
        let call = laid.doorlist(["try", "loop/doors/settled.wasm"]);
        call.arg(
            "{\"top\": \"Nothing below 2.\", \"line\": \"\", \"history\": \"\", \"close\": \"x\"}",
        )
        .args(["--time", "5", "--seed", "7", "--json"])
        .exit(21)
        .stdout_has("{")
        .stderr_has("")
        .call()
        .stdout
    };
    let said = [attempt(), attempt()].map(|said| {
        let mut said: Value = serde_json::from_str(&said).unwrap();
        assert!(said["fuel"].as_u64().unwrap() > 0, "{said}");
        said["microseconds"] = Value::Null;
        said
    });
    assert_eq!(said[0], said[1]);
}

#[test]
fn what_cannot_be_tried_is_named() {
    let laid = Laid::empty()
        .file("text.wasm", "hello")
        .file("net.wat", NEEDS_MORE);
    let attempt = |file| laid.doorlist(["try", file]).exit(1);
    attempt("loop/none.wasm")
        .stderr_has("loop/none.wasm")
        .call();
    attempt("loop/text.wasm")
        .stderr_has("loop/text.wasm: ")
        .call();
    attempt("loop/net.wat")
        .stderr_has("wasi:http/types@0.3.0")
        .call();
}

#[test]
fn doors_lists_everything_in_the_folder() {
    let laid = Laid::fridge();
    let ended = laid
        .doorlist(["doors", LOOP])
        .stdout_has("fridge.count(")
        .call();
    for part in [
        "fridge.count(items: list<string>) -> list<tuple<string, u32>>\n",
        "    How many of each item are in the fridge.\n",
        "    listed, granted something\n",
        "    not on the list, asked first, granted something\n",
        "    imports nothing\n",
        "    not on the list, pure\n",
        "loop/doors/settled.wasm, ",
        " bytes, sha256:",
    ] {
        assert!(ended.stdout.contains(part), "{part:?}: {}", ended.stdout);
    }
    let ended = laid
        .doorlist(["doors", LOOP, "--json"])
        .stdout_has("{")
        .call();
    let said = ended.json();
    let doors = said["doors"].as_array().unwrap();
    let names: Vec<_> = doors
        .iter()
        .map(|door| door["name"].as_str().unwrap())
        .collect();
    let all = [
        "fridge.count",
        "mind.decide",
        "settled.stands",
        "shopping.add",
        "shopping.checkout",
    ];
    assert_eq!(names, all);
    assert_eq!(doors[0]["schema"]["required"], serde_json::json!(["items"]));
    assert_eq!(
        (&doors[2]["pure"], &doors[2]["listed"]),
        (&true.into(), &false.into())
    );
}

#[test]
fn doors_tells_of_a_broken_file_and_lists_the_others() {
    let laid = Laid::fridge().file("doors/broken.wasm", "no component");
    laid.doorlist(["doors", LOOP])
        .exit(1)
        .stdout_has("fridge.count(")
        .stderr_has("loop/doors/broken.wasm: ")
        .call();
}

#[test]
fn a_reader_that_has_had_enough_is_no_fault() {
    let laid = Laid::fridge();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = laid.doorlist(["doors", LOOP]).into_command();
    let output = command.stdout(writer).output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), vec![]));
}

/// A component with a function, and an import that no door is offered.
const NEEDS_MORE: &str = r#"(component
    (import "wasi:http/types@0.3.0" (instance))
    (core module $m (func (export "f")))
    (core instance $i (instantiate $m))
    (func (export "f") (canon lift (core func $i "f"))))"#;

const LOGS: &str = include_str!("logs.wat");

#[test]
fn what_a_door_logs_goes_to_the_trace_and_not_to_the_model() {
    let laid = Laid::empty()
        .file("loop.txt", "+++\nlist = [\"logs.warn\"]\n+++\nLog.\n")
        .file("doors/logs.wat", LOGS);
    let arguments = "{\"text\": \"milk is low\\n\\u001b[2Jeggs too\"}";
    let call = laid.doorlist(["call", "logs.warn", arguments, "-C", LOOP, "--json"]);
    let called = call.stdout_has("").call().json();
    assert_eq!(called["outcome"], "said");
    assert_eq!(
        called["printed"],
        "warn: milk is low\nwarn: \u{1b}[2Jeggs too\n"
    );
    let other = LOGS.replace("log@0.1.0", "log@0.2.0");
    laid.write("doors/logs.wat", other);
    let check = laid.doorlist(["check", &format!("{LOOP}/doors/logs.wat")]);
    check
        .exit(30)
        .stdout_has(
            "`doorlist:host/log@0.2.0` is not there; this host has `doorlist:host/log@0.1.0`",
        )
        .call();
}
