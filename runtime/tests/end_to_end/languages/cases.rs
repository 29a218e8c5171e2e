//! Recorded cases, and building and testing at every change.

use super::toolchain::{build, laid};
use crate::laid::{LOOP, Laid};

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
