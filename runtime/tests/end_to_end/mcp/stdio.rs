//! Standard input and output, and how a client is told to use them.

use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};

use crate::laid::{LOOP, Laid};

/// A door that prints what looks like the protocol.
const PRINTS: &str = include_str!("../greet.wat");

#[tokio::test(flavor = "multi_thread")]
async fn nothing_but_the_protocol_is_on_standard_output() {
    let laid = Laid::empty()
        .file("loop.txt", "+++\nlist = [\"greet\"]\n+++\nGreet.\n")
        .file("doors/greet.wat", PRINTS);
    let mut command = tokio::process::Command::from(laid.doorlist(["mcp", LOOP]).into_command());
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let (mut to, from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut lines = BufReader::new(from).lines();
    let version = "2025-11-25";
    let injected = "\n{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}\n";
    for message in [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": version, "capabilities": {},
            "clientInfo": { "name": "raw", "version": "0" } } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
            "name": "greet", "arguments": { "name": injected } } }),
    ] {
        to.write_all(format!("{message}\n").as_bytes())
            .await
            .unwrap();
    }
    for id in [1, 2] {
        let line = lines.next_line().await.unwrap().unwrap();
        let message: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(message["jsonrpc"], "2.0");
        assert_eq!(message["id"], id, "{line}");
        if id == 1 {
            assert_eq!(message["result"]["protocolVersion"], version);
        }
    }
    to.write_all(b"{bad json\n\n").await.unwrap();
    let line = lines.next_line().await.unwrap().unwrap();
    let message: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(message["error"]["code"], -32700, "{line}");
    assert_eq!(message["id"], Value::Null);
    drop(to);
    assert_eq!(lines.next_line().await.unwrap(), None);
    assert!(
        child.wait().await.unwrap().success(),
        "a client that hangs up is no error"
    );
}

#[test]
fn a_client_is_told_how_to_start_the_server() {
    let laid = Laid::fridge();
    let install = laid.doorlist(["mcp", "install", "claude", LOOP]);
    let printed = install
        .stdout_has("")
        .stderr_has("in .mcp.json of a project")
        .call()
        .json();
    let entry = &printed["mcpServers"]["loop"];
    assert_eq!(entry["args"][0], "mcp");
    assert!(
        entry["command"].as_str().unwrap().contains("doorlist"),
        "{entry}"
    );
    let config = entry["env"]["DOORLIST_CONFIG"].as_str().unwrap();
    assert!(std::path::Path::new(config).is_absolute(), "{entry}");
    assert!(entry["env"]["DOORLIST_CACHE"].is_string(), "{entry}");
    laid.write(
        "policy.toml",
        "[door.\"fridge.count\"]\nhosts = [\"https://a.b\"]\nsecrets = [{ host = \"https://a.b\", \
         header = \"x-key\", from = \"env:FRIDGE_KEY\" }]\n",
    );
    laid.doorlist(["mcp", "install", "claude", LOOP])
        .stdout_has("")
        .stderr_has(
            "its policy takes secrets from FRIDGE_KEY; set them where the client is started",
        )
        .call();
    // What is in the file already stays.
    let place = laid.dir().parent().unwrap().to_owned();
    std::fs::create_dir(place.join(".vscode")).unwrap();
    let file = place.join(".vscode/mcp.json");
    std::fs::write(
        &file,
        "{\"servers\": {\"other\": {\"command\": \"x\"}}, \"inputs\": []}",
    )
    .unwrap();
    let install = || laid.doorlist(["mcp", "install", "vscode", LOOP, "--write"]);
    install()
        .stderr_has("wrote the server \"loop\" into .vscode/mcp.json")
        .call();
    let written: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(written["servers"]["other"]["command"], "x");
    assert_eq!(written["servers"]["loop"]["type"], "stdio");
    assert_eq!(written["inputs"], json!([]));
    std::fs::write(&file, "{ // a comment\n}").unwrap();
    install()
        .exit(1)
        .stderr_has(".vscode/mcp.json: expected a JSON object; nothing was written")
        .call();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{ // a comment\n}");
}
