//! What a page shows cut can be read by `history.fetch`, in runs and for clients (acceptance C17).

use serde_json::{Value, json};

use crate::hand::{HAND, say};
use crate::laid::{LOOP, Laid};
use crate::mcp::client::{Person, called, client};

/// The hand's `say` beside Doorlist's own door, and results that are cut at 1,000 bytes.
fn cutting() -> Laid {
    let text = "+++\nlist = [\"hand.say\", \"history.fetch\"]\nresult = 1_000\n+++\nRead.\n";
    Laid::empty()
        .file("loop.txt", text)
        .file("doors/hand.wat", HAND)
}

/// Three hundred lines of ten bytes.
fn long() -> String {
    (0..300).map(|n| format!("line {n:04}\n")).collect()
}

fn fetch(arguments: &Value) -> String {
    format!("history.fetch {arguments}")
}

#[test]
fn c17_what_is_cut_is_read_by_bytes_and_by_lines() {
    let bytes = json!({ "call": "1.1", "from-byte": 900, "bytes": 20 });
    let lines = json!({ "call": "1.1", "from-line": 101, "lines": 2 });
    let nobody = json!({ "call": "7.1" });
    let calls = [
        say(&long()),
        fetch(&bytes),
        fetch(&lines),
        fetch(&nobody),
        "close Done.\n".to_owned(),
    ];
    let laid = cutting().script(&calls.join("\n"));
    laid.redraw();
    laid.run_script()
        .stdout("Done.\n")
        .stderr_has("done")
        .call();
    let history = laid.read("history.txt");
    let pointer = "bytes cut; read them with history.fetch {\"call\":\"1.1\",\"from-byte\":";
    for told in [
        pointer,
        "| bytes 900 to 920 of 3000\n| line 0090\n| line 0091\n",
        "| lines 101 to 102 of 300, bytes 1000 to 1020 of 3000\n| line 0100\n| line 0101\n",
        "error: expected a call whose door has returned",
    ] {
        assert!(history.contains(told), "{told}: {history}");
    }
    laid.doorlist(["trace", "-C", LOOP, "--against", "diagram"])
        .stdout_has("Every step is an arrow on the diagram.")
        .call();
}

#[test]
fn c17_by_what_the_page_says_all_of_it_comes_together() {
    let text = long();
    let mut calls = vec![say(&text)];
    let mut at = 0;
    while at < text.len() {
        calls.push(fetch(
            &json!({ "call": "1.1", "from-byte": at, "bytes": 700 }),
        ));
        at += 700;
    }
    calls.push("close Done.\n".to_owned());
    let laid = cutting().script(&calls.join("\n"));
    laid.run_script()
        .stdout("Done.\n")
        .stderr_has("done")
        .call();
    let opened = laid.of_kind("1", "opened");
    let parts = opened[1..].iter().map(|opened| {
        let told = opened["payload"]["outcome"]["said"]["text"]
            .as_str()
            .unwrap();
        told.split_once('\n').unwrap().1
    });
    assert_eq!(parts.collect::<String>(), text);
}

#[test]
fn c17_a_resumed_run_reads_what_was_returned_before_it() {
    let calls = [say(&long()), "close Early.\n".to_owned()];
    let laid = cutting().script(&calls.join("\n"));
    laid.edit("loop.txt", "result =", "put-backs = 1\nresult =");
    laid.run_script().exit(10).stderr_has("put-backs").call();
    laid.edit("loop.txt", "put-backs = 1\n", "");
    let read = json!({ "call": "1.1", "from-line": 300 });
    laid.write(
        "answers.txt",
        [say("first"), fetch(&read), "close Done.\n".to_owned()].join("\n"),
    );
    laid.resume_script()
        .stdout("Done.\n")
        .stderr_has("done")
        .call();
    assert!(laid.read("history.txt").contains("| line 0299\n"));
}

#[test]
fn c17_a_door_of_somebody_else_reads_no_history_without_a_grant() {
    let own = include_bytes!("../../init/doors/history.wasm");
    let fits = Laid::empty().file("loop.txt", "+++\nlist = [\"reader.fetch\"]\n+++\nRead.\n");
    fits.write("doors/reader.wasm", own);
    let wrong = "expected `history = true` in [door.\"reader.fetch\"] of policy.toml";
    fits.doorlist(["check", LOOP])
        .exit(30)
        .stdout_has(wrong)
        .stderr_has("")
        .call();
    fits.write("policy.toml", "[door.\"reader.fetch\"]\nhistory = true\n");
    fits.doorlist(["allow", LOOP, "--yes"])
        .stdout_has("reader.fetch reads what the doors of its run returned")
        .stderr_has("allowed")
        .call();
    fits.doorlist(["check", LOOP])
        .stdout_has("")
        .stderr_has("")
        .call();
}

#[tokio::test(flavor = "multi_thread")]
async fn c17_a_client_reads_its_own_session_and_no_other() {
    let laid = cutting();
    let one = client(&laid, Person::mute()).await;
    let other = client(&laid, Person::mute()).await;
    let (well, cut) = called(&one, "hand__say", json!({ "text": long() })).await;
    assert!(well && cut.len() < 1_200, "{cut}");
    let pointer = cut.split_once("history.fetch ").unwrap().1;
    let pointer: Value = serde_json::from_str(pointer.split_once(" …]").unwrap().0).unwrap();
    let mut read = pointer;
    read["bytes"] = json!(10);
    let (well, text) = called(&one, "history__fetch", read.clone()).await;
    assert!(well && text.contains("\nline 00"), "{text}");
    let (well, text) = called(&other, "history__fetch", read).await;
    assert!(!well, "{text}");
}
