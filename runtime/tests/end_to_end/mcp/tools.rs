//! What a client sees of a folder.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Value, json};

use super::client::{Person, SPIN, call, called, client, text};
use crate::laid::{LOOP, Laid};

#[tokio::test(flavor = "multi_thread")]
async fn the_listed_doors_are_the_tools_and_nothing_else_is() {
    let laid = Laid::fridge();
    let client = client(&laid, Person::mute()).await;
    let info = client.peer_info().unwrap();
    let instructions = info.instructions.clone().unwrap();
    assert!(
        instructions.starts_with("Look after the fridge."),
        "{instructions}"
    );
    let tools = client.list_all_tools().await.unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["fridge__count", "shopping__add"]);
    let hints = |index: usize| tools[index].annotations.clone().unwrap();
    assert_eq!(hints(0).read_only_hint, Some(true));
    assert_eq!(hints(1).read_only_hint, Some(false));
    assert_eq!(hints(1).open_world_hint, Some(false));

    let items = json!({ "items": ["milk", "eggs"] });
    let counted = client
        .call_tool(call("fridge__count", items))
        .await
        .unwrap();
    assert_eq!(
        text(&counted),
        (true, "[[\"milk\",1],[\"eggs\",4]]".to_owned())
    );
    let structured = counted.structured_content.unwrap();
    assert_eq!(structured, json!({ "result": [["milk", 1], ["eggs", 4]] }));
    let schema = Value::Object((**tools[0].output_schema.as_ref().unwrap()).clone());
    assert!(jsonschema_fits(&schema, &structured), "{schema}");

    for name in [
        "shopping__checkout",
        "shopping.checkout",
        "nope",
        "../fridge",
        "",
    ] {
        let answer = called(&client, name, json!({})).await;
        assert_eq!(answer, (false, "not on the list.".to_owned()), "{name}");
    }
    let misfit = called(&client, "fridge__count", json!({ "itms": [] })).await;
    assert_eq!(
        misfit,
        (
            false,
            "arguments: there is no parameter \"itms\"; did you mean \"items\"?".to_owned()
        )
    );
    client.cancel().await.unwrap();
    let session = laid.read("sessions/1.jsonl");
    assert!(session.contains("\"client\":\"a test 1\""), "{session}");
    assert!(!laid.has("runs"), "a session is no run");
}

fn jsonschema_fits(schema: &Value, value: &Value) -> bool {
    // As a validator of draft 7 sees it, which is what many clients have.
    let mut schema = schema.clone();
    schema["$schema"] = "http://json-schema.org/draft-07/schema#".into();
    jsonschema::validator_for(&schema).unwrap().is_valid(value)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_is_told_when_the_folder_changes() {
    let laid = Laid::fridge();
    let person = Person::mute();
    let client = client(&laid, person.clone()).await;
    assert_eq!(client.list_all_tools().await.unwrap().len(), 2);
    tokio::time::sleep(Duration::from_millis(700)).await;
    assert_eq!(person.changes.load(Ordering::SeqCst), 0);
    laid.edit(
        "loop.txt",
        "\"shopping.add\"]",
        "\"shopping.add\", \"shopping.checkout\"]",
    );
    let until = std::time::Instant::now() + Duration::from_secs(20);
    while person.changes.load(Ordering::SeqCst) == 0 {
        assert!(std::time::Instant::now() < until, "nothing was told");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(client.list_all_tools().await.unwrap().len(), 3);
    // A file that is being edited says what is wrong with it, and the server stays.
    laid.edit("loop.txt", "put-backs", "putbacks");
    let broken = called(&client, "fridge__count", json!({ "items": [] })).await;
    assert!(!broken.0 && broken.1.contains("loop.txt"), "{}", broken.1);
    laid.edit("loop.txt", "putbacks", "put-backs");
    let mended = called(&client, "fridge__count", json!({ "items": [] })).await;
    assert_eq!(mended, (true, "[]".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_without_a_loop_lists_what_was_accepted_in_it() {
    let laid = Laid::empty();
    let mcp = laid.doorlist(["mcp", LOOP]);
    mcp.exit(1)
        .stderr_has("expected a loop.txt, or doors that were built or accepted here")
        .call();
    laid.write("doors/top.wat", SPIN);
    laid.write_unaccepted("doors/strange.wat", SPIN);
    let client = client(&laid, Person::mute()).await;
    let tools = client.list_all_tools().await.unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["top__spin", "top__one"]);
    let strange = called(&client, "strange__one", json!({})).await;
    assert_eq!(strange, (false, "not on the list.".to_owned()));
    assert_eq!(
        called(&client, "top__one", json!({})).await,
        (true, "1".to_owned())
    );
}

/// Doors whose results stand without quotes, each of another type.
const WORDS: &str = r#"(component
    (core module $m
        (memory (export "memory") 1)
        (data (i32.const 8) "\10\00\00\00\03\00\00\00\01\02\ff")
        (func (export "grade") (result i32) (i32.const 1))
        (func (export "bytes") (result i32) (i32.const 8))
        (func (export "large") (result i64) (i64.const -1))
        (func (export "letter") (result i32) (i32.const 55)))
    (core instance $i (instantiate $m))
    (type $level' (enum "low" "mid-level"))
    (export $level "level" (type $level'))
    (func (export "grade") (result $level) (canon lift (core func $i "grade")))
    (func (export "bytes") (result (list u8))
        (canon lift (core func $i "bytes") (memory (core memory $i "memory"))))
    (func (export "large") (result u64) (canon lift (core func $i "large")))
    (func (export "letter") (result char) (canon lift (core func $i "letter"))))"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_result_without_quotes_is_structured_too() {
    let laid = Laid::empty();
    laid.write("doors/words.wat", WORDS);
    let client = client(&laid, Person::mute()).await;
    let tools = client.list_all_tools().await.unwrap();
    for (name, said, value) in [
        ("grade", "mid-level", json!("mid-level")),
        ("bytes", "AQL/", json!("AQL/")),
        (
            "large",
            "18446744073709551615",
            json!("18446744073709551615"),
        ),
        ("letter", "7", json!("7")),
    ] {
        let name = format!("words__{name}");
        let called = client.call_tool(call(&name, json!({}))).await.unwrap();
        assert_eq!(text(&called), (true, said.to_owned()));
        let structured = called.structured_content.unwrap();
        assert_eq!(structured, json!({ "result": value }), "{name}");
        let tool = tools.iter().find(|tool| *tool.name == *name).unwrap();
        let schema = Value::Object((**tool.output_schema.as_ref().unwrap()).clone());
        assert!(jsonschema_fits(&schema, &structured), "{schema}");
    }
}
