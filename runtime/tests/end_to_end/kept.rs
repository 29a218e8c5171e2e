//! What doors keep by `doorlist:host/kv`: for a run or a session, for their own component, and only where
//! it is granted.

use std::sync::Arc;

use rmcp::model::Tool;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::laid::{LOOP, Laid};
use crate::mcp::client::{Person, called, client};

const KEEPER: &str = include_str!("keeper.wat");

const FUNCTIONS: [&str; 9] = [
    "put", "look", "names", "take", "trap", "spin", "fail", "fill", "bump",
];

/// Two components that keep, each with all its doors listed, and the policy that grants it.
pub(crate) fn keepers() -> Laid {
    let names = ["keeper", "other"]
        .into_iter()
        .flat_map(|stem| FUNCTIONS.map(|function| format!("{stem}.{function}")));
    let names: Vec<String> = names.collect();
    let granted = names
        .iter()
        .map(|name| format!("[door.\"{name}\"]\nkv = true\n"));
    let policy = granted.collect::<String>() + "[limits]\nfuel = 1_000_000\n";
    Laid::empty()
        .file(
            "loop.txt",
            format!("+++\nlist = {names:?}\nsame-failure = 9\n+++\nKeep.\n"),
        )
        .file("policy.toml", policy)
        .file("doors/keeper.wat", KEEPER)
        .file("doors/other.wat", KEEPER)
}

/// What was pasted below each call of a run with these answers.
#[track_caller]
fn told(laid: &Laid, script: &str) -> Vec<String> {
    laid.write("answers.txt", format!("{script}close Done.\n"));
    laid.run_script().stdout_has("").stderr_has("").call();
    pasted(laid)
}

fn pasted(laid: &Laid) -> Vec<String> {
    let history = laid.read("history.txt");
    let door = |line: &&str| line.starts_with("keeper.") || line.starts_with("other.");
    let lines: Vec<&str> = history.lines().collect();
    let called = lines.windows(2).filter(|pair| door(&pair[0]));
    called.map(|pair| pair[1].to_owned()).collect()
}

const PUT: &str = "keeper.put {\"key\": \"milk\", \"value\": \"1\"}\n";
const LOOK: &str = "keeper.look {\"key\": \"milk\"}\n";

#[test]
fn an_opening_finds_what_one_before_it_in_the_run_has_kept() {
    let laid = keepers();
    let script = format!(
        "{PUT}{LOOK}keeper.put {{\"key\": \"é\", \"value\": \"\"}}\nkeeper.names\n\
         keeper.take {{\"key\": \"milk\"}}\nkeeper.take {{\"key\": \"milk\"}}\nkeeper.names\n"
    );
    let found = told(&laid, &script);
    assert_eq!(found[1], "| \"1\"");
    assert_eq!(
        found[3..],
        ["| [\"milk\",\"é\"]", "| true", "| false", "| [\"é\"]"]
    );
    let kept = laid.of_kind("1", "opened");
    let kept: Vec<&Value> = kept
        .iter()
        .map(|record| &record["payload"]["kept"])
        .collect();
    let (milk, none) = (json!({ "milk": "1" }), Value::Null);
    assert_eq!(kept[..2], [&milk, &none]);
    assert_eq!(kept[4], &json!({ "milk": null }));
}

#[test]
fn another_run_and_another_component_find_nothing() {
    let laid = keepers();
    let script = format!("{PUT}other.names\nother.look {{\"key\": \"milk\"}}\n");
    let found = told(&laid, &script);
    assert_eq!(found[1..], ["| []", "| null"]);
    let found = told(&laid, "keeper.names\n");
    assert_eq!(found, ["| []"], "the second run");
}

#[test]
fn an_opening_that_does_not_return_well_keeps_nothing() {
    let laid = keepers();
    let with = "{\"key\": \"milk\", \"value\": \"2\"}";
    let script = format!("{PUT}keeper.trap {with}\nkeeper.spin {with}\nkeeper.fail {with}\n{LOOK}");
    let found = told(&laid, &script);
    for (line, begins) in found[1..]
        .iter()
        .zip(["trap: ", "limit: ", "error: ", "| \"1\""])
    {
        assert!(line.starts_with(begins), "{found:?}");
    }
}

#[test]
fn there_is_room_for_so_much_and_the_door_is_told() {
    let laid = keepers();
    let found = told(&laid, "keeper.fill\nkeeper.names\n");
    let full = "error: expected at most 64 keys of 65536 bytes, values included, of all doors of the \
        component together; nothing was changed";
    assert_eq!(found, [full, "| []"]);
}

#[test]
fn a_run_that_goes_on_after_a_kill_has_what_it_kept() {
    let laid = keepers();
    let script = format!("{PUT}{LOOK}");
    told(&laid, &script);
    // As it was when the process died before the second put-back.
    let journal = laid.read("runs/1.jsonl");
    let opened = journal.find("\"kind\":\"opened\"").unwrap();
    let end = opened + journal[opened..].find('\n').unwrap() + 1;
    laid.write("runs/1.jsonl", &journal[..end]);
    std::fs::remove_file(laid.path("history.txt")).unwrap();
    laid.resume_script().stdout_has("").stderr_has("").call();
    assert_eq!(pasted(&laid)[1], "| \"1\"");
}

#[test]
fn it_is_refused_before_a_run_where_the_policy_does_not_grant_it() {
    let laid = keepers();
    let [ours, others] = ["keeper.look", "other.look"].map(|name| format!("[door.\"{name}\"]\nkv"));
    laid.edit(
        "policy.toml",
        &format!("{ours} = true"),
        &format!("{ours} = false"),
    );
    let wrong = "doors/keeper.wat: expected `kv = true` in [door.\"keeper.look\"] of policy.toml, which \
        the door needs for its import `doorlist:host/kv@0.1.0`; found none";
    let check = laid.doorlist(["check", LOOP]);
    check
        .exit(30)
        .stdout_has(wrong)
        .stderr_has("diagram.txt")
        .call();
    let call = laid.doorlist(["call", "keeper.look", "{\"key\": \"a\"}", "-C", LOOP]);
    call.exit(1).stderr_has(wrong).call();
    laid.script(PUT)
        .run_script()
        .exit(16)
        .stdout_has("")
        .stderr_has(wrong)
        .call();

    // It is a loop's own to grant, unless the host-wide policy says otherwise.
    let laid = keepers();
    let fits = || {
        let check = laid.doorlist(["check", LOOP]).stdout_has("");
        check.stderr_has("diagram.txt").call();
    };
    fits();
    laid.host_wide("[door.\"other.*\"]\nclock = \"real\"\n");
    let check = laid.doorlist(["check", LOOP]).exit(30);
    check
        .stdout_has("other.bump keeps keys for as long as a run lasts")
        .stderr_has("diagram.txt")
        .call();
    laid.host_wide("[door.\"other.*\"]\nkv = true\n");
    fits();
    assert!(laid.read("policy.toml").contains(&others));
}

#[test]
fn by_hand_it_is_empty_and_forgotten() {
    let laid = keepers();
    let by_hand = |name: &str, arguments: &str| {
        let call = laid.doorlist(["call", name, arguments, "-C", LOOP]);
        call.stdout_has("").stderr_has(" fuel, ").call().stdout
    };
    let put = "{\"key\": \"a\", \"value\": \"b\"}";
    by_hand("keeper.put", put);
    assert_eq!(by_hand("keeper.names", "{}"), "[]\n");
    let file = format!("{LOOP}/doors/keeper.wat");
    let attempt = laid.doorlist(["try", &file, put, "--function", "put"]);
    attempt
        .stdout_has("")
        .stderr_has("it reached for the keys that it keeps, and found none\n")
        .stderr_has("[door.\"keeper.put\"]\nkv = true\n")
        .call();
    let doors = laid
        .doorlist(["doors", LOOP])
        .stdout_has("granted something");
    assert!(!doors.call().stdout.contains(", pure"), "it is not pure");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_keeps_for_itself() {
    let laid = keepers();
    let (one, two) = (
        Arc::new(client(&laid, Person::mute()).await),
        client(&laid, Person::mute()).await,
    );
    called(&one, "keeper__put", json!({ "key": "milk", "value": "1" })).await;
    let look = json!({ "key": "milk" });
    let found = called(&one, "keeper__look", look.clone()).await;
    assert_eq!(found, (true, "\"1\"".to_owned()));
    for (client, door) in [(&two, "keeper__look"), (&*one, "other__look")] {
        let found = called(client, door, look.clone()).await;
        assert_eq!(found, (true, "null".to_owned()), "{door}");
    }
    let failed = called(&one, "keeper__trap", json!({ "key": "milk", "value": "2" })).await;
    assert!(!failed.0, "{}", failed.1);
    assert_eq!(called(&one, "keeper__look", look).await.1, "\"1\"");
    // At once, and still one after another.
    let mut calls = JoinSet::new();
    for _ in 0..20 {
        let one = Arc::clone(&one);
        calls.spawn(async move { called(&one, "keeper__bump", json!({})).await.1 });
    }
    let told = calls.join_all().await;
    let mut numbers: Vec<u32> = told.iter().map(|number| number.parse().unwrap()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=20).collect::<Vec<_>>());
    let tools = one.list_all_tools().await.unwrap();
    let bump = tools.iter().find(|tool| tool.name == "keeper__bump");
    assert!(changes_something(bump.unwrap()));
}

/// Neither only read nor the same again.
fn changes_something(tool: &Tool) -> bool {
    let hints = tool.annotations.as_ref().unwrap();
    hints.read_only_hint == Some(false) && hints.idempotent_hint == Some(false)
}
