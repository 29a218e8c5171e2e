//! The server over HTTP: sessions, no sessions, and strangers.

use std::process::Stdio;

use serde_json::{Value, json};

use super::client::asking;
use crate::laid::{LOOP, Laid};

/// `doorlist mcp --http`, ended with the test.
struct Server {
    child: std::process::Child,
    url: String,
}

impl Server {
    fn start(laid: &Laid, more: &[&str]) -> Self {
        use std::io::BufRead as _;
        let call = laid.doorlist(["mcp", LOOP, "--http", "127.0.0.1:0"]);
        let mut command = call
            .args(more.iter().map(std::ffi::OsStr::new))
            .into_command();
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("it can be started");
        let mut said = std::io::BufReader::new(child.stderr.take().unwrap());
        let mut url = String::new();
        while !url.contains("http://") {
            url.clear();
            assert_ne!(said.read_line(&mut url).unwrap(), 0, "it says where it is");
        }
        let url = url[url.find("http://").unwrap()..].trim().to_owned();
        Self { child, url }
    }

    /// Posts a message; the status, the session that the answer names, and the answer.
    async fn post(
        &self,
        headers: &[(&str, &str)],
        message: &Value,
    ) -> (u16, Option<String>, Value) {
        self.post_text(headers, message.to_string()).await
    }

    async fn post_text(
        &self,
        headers: &[(&str, &str)],
        message: String,
    ) -> (u16, Option<String>, Value) {
        // Another test may have been first.
        let _ = tokio_rustls::rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let mut post = client
            .post(&self.url)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .body(message);
        for (name, value) in headers {
            post = post.header(*name, *value);
        }
        let answer = post.send().await.unwrap();
        let status = answer.status().as_u16();
        let session = answer.headers().get("mcp-session-id");
        let session = session.map(|id| id.to_str().unwrap().to_owned());
        let body = answer.text().await.unwrap();
        // An event stream has its answer in the last event with data.
        let data = body.lines().filter_map(|line| line.strip_prefix("data:"));
        let data = data.map(str::trim).rfind(|data| !data.is_empty());
        let value = serde_json::from_str(data.unwrap_or(&body)).unwrap_or(Value::Null);
        (status, session, value)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn initialize() -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": { "name": "raw", "version": "0" } } })
}

fn call_message(id: u32, name: &str, arguments: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call",
        "params": { "name": name, "arguments": arguments } })
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_message_is_answered_in_the_words_of_the_protocol() {
    let laid = asking();
    let server = Server::start(&laid, &[]);
    for (text, code) in [("{bad json", -32700), ("{\"a\": 1}", -32600)] {
        let (status, _, answer) = server.post_text(&[], text.to_owned()).await;
        assert_eq!(
            (status, &answer["error"]["code"]),
            (400, &json!(code)),
            "{answer}"
        );
        assert_eq!(answer["id"], Value::Null);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn over_http_each_client_is_a_session_too() {
    let laid = asking();
    let server = Server::start(&laid, &[]);
    for client in [1, 2] {
        let (status, session, answer) = server.post(&[], &initialize()).await;
        assert_eq!(status, 200, "{answer}");
        let session = session.expect("a session has a name");
        let headers = [
            ("mcp-session-id", &*session),
            ("mcp-protocol-version", "2025-11-25"),
        ];
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(server.post(&headers, &ready).await.0, 202);
        let count = call_message(2, "fridge__count", json!({ "items": ["milk"] }));
        let (_, _, answer) = server.post(&headers, &count).await;
        assert_eq!(
            answer["result"]["structuredContent"],
            json!({ "result": [["milk", 1]] })
        );
        let add = call_message(3, "shopping__add", json!({ "item": "milk" }));
        let (_, _, answer) = server.post(&headers, &add).await;
        let told = answer["result"]["content"][0]["text"].as_str().unwrap();
        assert!(
            told.contains(&format!("`doorlist nod s{client}.2 -C ")),
            "{told}"
        );
    }
    let nobodys = [
        ("mcp-session-id", "nobodys"),
        ("mcp-protocol-version", "2025-11-25"),
    ];
    let count = call_message(2, "fridge__count", json!({ "items": [] }));
    assert_eq!(server.post(&nobodys, &count).await.0, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_sessions_a_nod_is_found_by_the_call_that_is_made_again() {
    let laid = asking();
    let server = Server::start(&laid, &[]);
    let version = "2026-07-28";
    let add = |id| {
        let mut add = call_message(id, "shopping__add", json!({ "item": "milk" }));
        add["params"]["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientInfo": { "name": "raw", "version": "0" },
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        add
    };
    let headers = [
        ("mcp-protocol-version", version),
        ("mcp-method", "tools/call"),
        ("mcp-name", "shopping__add"),
    ];
    let (status, _, answer) = server.post(&headers, &add(1)).await;
    assert_eq!(status, 200, "{answer}");
    let told = answer["result"]["content"][0]["text"].as_str().unwrap();
    assert!(told.contains("`doorlist nod s1.1 -C "), "{told}");
    laid.doorlist(["nod", "s1.1", "-C", LOOP])
        .stderr_has("")
        .call();
    let (_, _, answer) = server.post(&headers, &add(2)).await;
    assert_eq!(
        answer["result"]["content"][0]["text"],
        "milk is on the list"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn without_sessions_the_client_is_asked_by_the_answer_to_its_call() {
    let laid = asking();
    laid.edit(
        "policy.toml",
        "[ask]",
        "[ask]\nby = [\"terminal\", \"client\"]",
    );
    let server = Server::start(&laid, &[]);
    let version = "2026-07-28";
    let add = |item: &str, answer: Option<(Value, &str)>| {
        let mut add = call_message(1, "shopping__add", json!({ "item": item }));
        add["params"]["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientInfo": { "name": "raw", "version": "0" },
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": { "form": {} } },
        });
        if let Some((answer, state)) = answer {
            add["params"]["inputResponses"] = json!({ "nod": answer });
            add["params"]["requestState"] = state.into();
        }
        add
    };
    let headers = [
        ("mcp-protocol-version", version),
        ("mcp-method", "tools/call"),
        ("mcp-name", "shopping__add"),
    ];
    let call = async |message: Value| server.post(&headers, &message).await.2["result"].clone();
    let asked = call(add("milk", None)).await;
    assert_eq!(asked["resultType"], "input_required", "{asked}");
    let question = &asked["inputRequests"]["nod"];
    assert_eq!(question["method"], "elicitation/create");
    let shown = question["params"]["message"].as_str().unwrap();
    assert!(shown.contains("  {\"item\":\"milk\"}"), "{shown}");
    let state = asked["requestState"].as_str().unwrap();
    let accept = json!({ "action": "accept", "content": { "nod": true } });

    // A nod for one call is none for another, whatever state comes with it.
    let eggs = call(add("eggs", Some((accept.clone(), "s1.99")))).await;
    let told = eggs["content"][0]["text"].as_str().unwrap();
    assert!(told.starts_with("waiting for a nod"), "{told}");
    let declined = call(add("milk", Some((json!({ "action": "decline" }), state)))).await;
    let told = declined["content"][0]["text"].as_str().unwrap();
    assert!(told.starts_with("waiting for a nod"), "{told}");
    let added = call(add("milk", Some((accept, state)))).await;
    assert_eq!(
        added["content"][0]["text"], "milk is on the list",
        "{added}"
    );
    assert_eq!(laid.read("data/shopping-list.txt"), "milk\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_are_kept_out_of_a_server_over_http() {
    let laid = Laid::fridge();
    let token = "0123456789abcdef0123456789abcdef";
    let server = Server::start(&laid, &["--token", token]);
    let bearer = format!("Bearer {token}");
    let authorized = ("authorization", &*bearer);
    let status = async |headers: &[(&str, &str)]| server.post(headers, &initialize()).await.0;
    assert_eq!(status(&[authorized]).await, 200);
    for wrong in [
        "Bearer 0123456789abcdef0123456789abcdee",
        "Bearer ",
        token,
        "Basic x",
    ] {
        assert_eq!(status(&[("authorization", wrong)]).await, 401, "{wrong}");
    }
    assert_eq!(status(&[]).await, 401);
    // A page whose name was made to lead here, and a page that speaks to it directly.
    for (name, value, expected) in [
        ("host", "evil.example", 403),
        ("host", "localhost.evil.example", 403),
        ("origin", "https://evil.example", 403),
        ("origin", "null", 403),
        ("origin", "http://localhost:5173", 200),
    ] {
        assert_eq!(
            status(&[authorized, (name, value)]).await,
            expected,
            "{name}: {value}"
        );
    }
}

#[test]
fn a_server_that_others_reach_must_have_a_token() {
    let laid = Laid::fridge();
    let serve = || laid.doorlist(["mcp", LOOP, "--http", "0.0.0.0:0"]);
    serve()
        .exit(1)
        .stderr_has("0.0.0.0:")
        .stderr_has(
            "expected a token where others than this machine can reach the server, found none",
        )
        .call();
    serve()
        .env("DOORLIST_MCP_TOKEN", "secret")
        .exit(1)
        .stderr_has("expected a token of at least 22 visible characters, found 6")
        .call();
}
