//! `--json`: what programs read.

use serde_json::{Value, json};

use crate::command::Ended;
use crate::hand::say;
use crate::laid::{LINE, LOOP, Laid};

#[test]
fn run_prints_the_records_of_its_journal_as_they_come() {
    let laid = Laid::by_hand("").script(&format!("{}\nclose Done.\n", say("x")));
    let run = laid.run_script().arg("--json").stdout_has("").call();
    let mut kept = laid.records("1");
    for record in &mut kept {
        // The checksum is the file's, not the record's.
        record.as_object_mut().unwrap().remove("sum");
    }
    assert_eq!(lines(&run), kept);
    let last = kept.last().unwrap();
    assert_eq!(last["kind"], "stopped");
    assert_eq!(
        last["payload"]["stop"],
        json!({ "done": { "close": "Done." } })
    );
    let history = laid.doorlist(["history", "-C", LOOP, "--json"]);
    assert_eq!(lines(&history.stdout_has("").call()), kept);
    for record in kept {
        for (key, is_right) in [
            ("v", record["v"].is_u64()),
            ("seq", record["seq"].is_u64()),
            ("time", record["time"].is_u64()),
            ("kind", record["kind"].is_string()),
            ("payload", record["payload"].is_object()),
        ] {
            assert!(is_right, "{key}: {record}");
        }
    }
}

#[test]
fn resume_goes_on_counting() {
    let laid = Laid::by_hand("put-backs = 1").script(&format!("{}\nclose Done.\n", say("x")));
    let run = laid.run_script().arg("--json").exit(10).stdout_has("");
    let first = lines(&run.stderr_has("").call());
    laid.edit("loop.txt", "put-backs = 1", "put-backs = 2");
    let resumed = laid.resume_script().arg("--json").stdout_has("").call();
    let seqs = [first, lines(&resumed)].concat();
    let seqs: Vec<_> = seqs
        .iter()
        .map(|record| record["seq"].as_u64().unwrap())
        .collect();
    assert_eq!(seqs, (0..seqs.len() as u64).collect::<Vec<_>>());
    assert_eq!(seqs.len(), laid.records("1").len());
}

#[test]
fn runs_are_a_line_each() {
    let laid = Laid::by_hand("put-backs = 1").script(&say("x"));
    laid.run_script().exit(10).stderr_has("run 1").call();
    laid.write("answers.txt", "close Done.\n");
    laid.run_script()
        .stdout("Done.\n")
        .stderr_has("run 2")
        .call();
    let runs = lines(
        &laid
            .doorlist(["runs", LOOP, "--json"])
            .stdout_has("")
            .call(),
    );
    let [one, two] = runs.as_slice() else {
        panic!("{runs:?}")
    };
    assert_eq!((&one["run"], &two["run"]), (&json!("1"), &json!("2")));
    let one = &one["summary"];
    assert_eq!((&one["line"], &one["put_backs"]), (&json!(LINE), &json!(1)));
    assert_eq!((&one["opened"], &one["failed"]), (&json!(1), &json!(0)));
    assert!(one["started"].is_u64() && one["duration"].is_u64() && one["fuel"].is_u64());
    assert_eq!(one["stop"], json!({ "put_backs": { "cap": 1 } }));
    assert_eq!(
        two["summary"]["stop"],
        json!({ "done": { "close": "Done." } })
    );
}

#[test]
fn a_trace_is_its_steps_and_what_the_diagram_says_of_them() {
    let laid = Laid::by_hand("").script(&format!("{}\nclose Done.\n", say("x")));
    laid.run_script()
        .stdout("Done.\n")
        .stderr_has("done")
        .call();
    let steps = laid
        .doorlist(["trace", "-C", LOOP, "--json"])
        .stdout_has("")
        .call()
        .json();
    let steps = steps.as_array().expect("a list");
    for (number, step) in (1..).zip(steps) {
        assert_eq!(step["step"], json!(number));
        assert!(
            step["node"].is_string() && step["outcome"].is_string(),
            "{step}"
        );
        assert!(
            step["duration"].is_u64() || step["duration"].is_null(),
            "{step}"
        );
    }
    let opened = steps
        .iter()
        .find(|step| step["node"] == "open:hand.say")
        .unwrap();
    assert_eq!(opened["outcome"], "said: x");
    assert!(opened["fuel"].as_u64().unwrap() > 0 && opened["duration"].is_u64());

    let against = laid.doorlist(["trace", "-C", LOOP, "--against", "diagram", "--json"]);
    let against = against.stdout_has("").call().json();
    assert_eq!(against["strays"], json!([]));
    assert!(has(&against["cells"], &json!("stop:fuel")), "{against}");
    let arrow = json!({ "from": "fit", "to": "paste" });
    assert!(has(&against["arrows"], &arrow), "{against}");
    laid.edit("loop.txt", "\"hand.say\", ", "");
    let against = laid.doorlist(["trace", "-C", LOOP, "--against", "diagram", "--json"]);
    let against = against.exit(30).stdout_has("").call().json();
    let stray = json!({ "step": 7, "from": "lock", "to": "open:hand.say" });
    assert!(has(&against["strays"], &stray), "{against}");
}

#[test]
fn check_says_what_is_an_error_and_what_is_doubtful() {
    let laid = Laid::by_hand("");
    let check = |laid: &Laid, exit| {
        let check = laid.doorlist(["check", LOOP, "--json"]).exit(exit);
        check.stdout_has("").stderr_has("").call().json()
    };
    assert_eq!(check(&laid, 0), json!({ "findings": [] }));
    laid.write("doors/broken.wasm", "no component");
    let findings = check(&laid, 0);
    let [doubtful] = findings["findings"].as_array().unwrap().as_slice() else {
        panic!("{findings}")
    };
    assert_eq!(doubtful["error"], json!(false), "it is not listed");
    assert!(
        doubtful["what"]
            .as_str()
            .unwrap()
            .contains("doors/broken.wasm")
    );
    laid.edit("loop.txt", "hand.say", "hand.sing");
    let findings = check(&laid, 30);
    let wrong = findings["findings"].as_array().unwrap().iter();
    assert_eq!(
        wrong
            .filter(|finding| finding["error"] == json!(true))
            .count(),
        1
    );
}

#[test]
fn a_page_has_its_bytes_and_their_digest() {
    let laid = Laid::by_hand("").script(&format!("{}\nclose Done.\n", say("x")));
    laid.run_script()
        .stdout("Done.\n")
        .stderr_has("done")
        .call();
    for put_back in ["1", "2"] {
        let call = ["page", "-C", LOOP, "--put-back", put_back];
        let text = laid.doorlist(call).stdout_has("").call().stdout;
        let page = laid
            .doorlist(call)
            .arg("--json")
            .stdout_has("")
            .call()
            .json();
        assert_eq!(page["page"], json!(text));
        assert_eq!(page["put_back"].to_string(), put_back);
        let records = laid.of_kind("1", "put_back");
        let record = records
            .iter()
            .find(|r| r["payload"]["put_back"] == page["put_back"]);
        assert_eq!(page["digest"], record.unwrap()["payload"]["page"]);
    }
}

#[test]
fn a_diagram_has_its_cells() {
    let laid = Laid::by_hand("");
    let diagram = laid.doorlist(["diagram", LOOP, "--print", "--json"]);
    let diagram = diagram.stdout_has("").call().json();
    let cells = diagram["cells"].as_array().expect("a list");
    let door = cells
        .iter()
        .find(|cell| cell["node"] == "open:hand.say")
        .unwrap();
    assert!(has(&door["lines"], &json!({ "arrow": "paste" })), "{door}");
    assert!(!laid.has("diagram.txt"), "it was only printed");
}

/// The JSON values that were printed, a line each.
#[track_caller]
fn lines(ended: &Ended) -> Vec<Value> {
    let parsed =
        |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {ended}"));
    ended.stdout.lines().map(parsed).collect()
}

fn has(list: &Value, item: &Value) -> bool {
    list.as_array().is_some_and(|list| list.contains(item))
}

#[test]
fn a_command_that_fails_says_so_in_json_too() {
    let laid = Laid::empty();
    let ended = laid.doorlist(["run", "elsewhere", "x", "--json"]).exit(1);
    let ended = ended
        .stdout_has("")
        .stderr_has("doorlist: elsewhere: expected")
        .call();
    let said = ended.json()["error"].as_str().unwrap().to_owned();
    assert_eq!(ended.stderr, format!("doorlist: {said}\n"));
}
