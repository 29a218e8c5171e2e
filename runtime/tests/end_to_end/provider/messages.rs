//! What reaches a provider's model is the page, and nothing else does.

use serde_json::{Value, json};

use super::runs::provided;
use super::server::Server;
use crate::laid::{LINE, LOOP, Laid};

/// What `doorlist page --messages` prints of a put-back.
fn printed(laid: &Laid, put_back: &str) -> Value {
    let page = laid.doorlist(["page", "-C", LOOP, "--messages", "--put-back", put_back]);
    page.stdout_has("{").call().json()
}

#[test]
fn c05_a_request_to_openai_is_the_conversation_that_page_prints() {
    let server = Server::of(["openai-count", "openai-add", "openai-close"]);
    let laid = Laid::fridge();
    provided(&laid, "openai:m", &server)
        .stdout_has("milk")
        .stderr_has("done")
        .call();
    for (put_back, asked) in (1..).zip(server.seen()) {
        let mut sent = asked.body;
        let neutral = printed(&laid, &put_back.to_string());
        let (messages, tools) = (sent["messages"].take(), sent["tools"].take());
        let rest = json!({
            "model": "m", "messages": null, "tools": null, "stream": true,
            "stream_options": { "include_usage": true },
        });
        assert_eq!(sent, rest, "nothing else is sent");
        assert_eq!(messages, openai(&neutral), "put-back {put_back}");
        for (sent, tool) in tools
            .as_array()
            .unwrap()
            .iter()
            .zip(neutral["tools"].as_array().unwrap())
        {
            let name = tool["name"].as_str().unwrap().replace('.', "__");
            assert_eq!(sent["function"]["name"], name);
            assert_eq!(sent["function"]["description"], tool["description"]);
            let mut schema = tool["schema"].clone();
            schema.as_object_mut().unwrap().remove("$schema");
            assert_eq!(sent["function"]["parameters"], schema);
        }
        assert_eq!(tools.as_array().unwrap().len(), 2);
    }
}

/// The conversation as chat completions have it.
fn openai(neutral: &Value) -> Value {
    let mut messages = vec![json!({ "role": "system", "content": neutral["system"] })];
    for turn in neutral["turns"].as_array().unwrap() {
        if turn["from"] == "model" {
            let calls = turn["calls"].as_array().cloned().unwrap_or_default();
            let call = |call: &Value| {
                let name = call["name"].as_str().unwrap().replace('.', "__");
                json!({
                    "id": id(&call["call"]), "type": "function",
                    "function": { "name": name, "arguments": call["arguments"] },
                })
            };
            let mut said = json!({ "role": "assistant" });
            if let Some(text) = turn.get("text") {
                said["content"] = text.clone();
            }
            if !calls.is_empty() {
                said["tool_calls"] = calls.iter().map(call).collect();
            }
            messages.push(said);
            continue;
        }
        for came in turn["results"].as_array().into_iter().flatten() {
            let id = id(&came["call"]);
            messages.push(json!({ "role": "tool", "tool_call_id": id, "content": came["text"] }));
        }
        if let Some(text) = turn.get("text") {
            messages.push(json!({ "role": "user", "content": text }));
        }
    }
    messages.into()
}

/// Nine signs: the put-back and the place in its answer as one number.
fn id(call: &Value) -> String {
    let (put_back, place) = call.as_str().unwrap().split_once('.').unwrap();
    let number = (put_back.parse::<u64>().unwrap() << 21) + place.parse::<u64>().unwrap();
    let signs: Vec<char> = ('0'..='9').chain('A'..='Z').chain('a'..='z').collect();
    let digit = |power: u32| signs[(number / 62_u64.pow(power) % 62) as usize];
    (0..9).rev().map(digit).collect()
}

#[test]
fn c05_a_request_to_anthropic_has_results_first_and_alternates() {
    let server = Server::of(["anthropic-count", "anthropic-add", "anthropic-close"]);
    let laid = Laid::fridge();
    provided(&laid, "anthropic:m", &server)
        .args(["--max-tokens", "500", "--temperature", "0.5"])
        .stdout_has("milk")
        .stderr_has("done")
        .call();
    let asked = server.seen().pop().unwrap();
    assert!(
        asked.head.contains("anthropic-version: 2023-06-01"),
        "{}",
        asked.head
    );
    assert!(
        asked.head.starts_with("POST /v1/messages HTTP/1.1\r\n"),
        "{}",
        asked.head
    );
    let body = asked.body;
    assert_eq!(body["system"], printed(&laid, "3")["system"]);
    assert_eq!(
        (&body["max_tokens"], &body["temperature"]),
        (&json!(500), &json!(0.5))
    );
    let (count, add) = (id(&"1.1".into()), id(&"2.1".into()));
    assert_eq!(
        body["messages"],
        json!([
            { "role": "user", "content": [{ "type": "text", "text": LINE }] },
            { "role": "assistant", "content": [
                { "type": "text", "text": "First I look." },
                { "type": "tool_use", "id": count, "name": "fridge__count",
                  "input": { "items": ["milk", "eggs"] } },
            ] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": count,
                  "content": "| [[\"milk\",1],[\"eggs\",4]]" },
            ] },
            { "role": "assistant", "content": [
                { "type": "tool_use", "id": add, "name": "shopping__add",
                  "input": { "item": "milk" } },
            ] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": add, "content": "| milk is on the list" },
            ] },
        ])
    );
    // An error is marked as one, and Doorlist's words come behind the results.
    let server = Server::of([
        "anthropic-no-arguments",
        "anthropic-empty",
        "anthropic-close",
    ]);
    let laid = Laid::fridge();
    laid.edit("loop.txt", "put-backs = 8", "put-backs = 3");
    provided(&laid, "anthropic:m", &server)
        .exit(10)
        .stderr_has("put-backs")
        .call();
    let turns = server.seen().pop().unwrap().body["messages"].take();
    let told = &turns[2]["content"];
    assert_eq!(told[0]["is_error"], true, "{turns}");
    assert_eq!(told[0]["content"], "not on the list.");
    assert_eq!(told[1]["type"], "text", "{turns}");
    assert_eq!(turns.as_array().unwrap().len(), 3);
}

#[test]
fn gemini_and_ollama_are_asked_like_openai_each_in_its_dialect() {
    let server = Server::of(["openai-count", "openai-add", "openai-close"]);
    let laid = Laid::fridge();
    provided(&laid, "gemini:m", &server)
        .stdout_has("milk")
        .stderr_has("done")
        .call();
    let body = server.seen().pop().unwrap().body;
    let schema = &body["tools"][0]["function"]["parameters"];
    assert!(
        !schema.to_string().contains("additionalProperties"),
        "{schema}"
    );
    let signature = &body["messages"][2]["tool_calls"][0]["extra_content"]["google"];
    assert_eq!(
        signature["thought_signature"],
        "skip_thought_signature_validator"
    );
    let server = Server::of(["openai-whole", "openai-add", "openai-close"]);
    let laid = Laid::fridge();
    provided(&laid, "ollama:m", &server)
        .args(["--max-tokens", "7"])
        .stdout_has("milk")
        .stderr_has("done")
        .call();
    let body = server.seen().pop().unwrap().body;
    assert_eq!(body["max_tokens"], 7);
    assert!(
        body["messages"][2]["tool_calls"][0]
            .get("extra_content")
            .is_none()
    );
}
