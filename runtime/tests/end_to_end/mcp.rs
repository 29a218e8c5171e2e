//! The doors of a loop as the tools of a client: the official SDK's own client, over pipes.

use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use doorlist::ambient::System;
use doorlist::gate::Gate;
use doorlist::journal::FolderJournal;
use doorlist::loop_folder::FolderSource;
use doorlist::mcp::{DoorServer, Elicit};
use doorlist::sandbox::{Sandbox, Settings};
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, CancelledNotificationParam,
    ClientCapabilities, ClientConfig, ClientRequest, ElicitRequestParams, ElicitResult,
    ElicitationAction, Implementation, ProgressNotificationParam,
};
use rmcp::service::{
    NotificationContext, PeerRequestOptions, RequestContext, RoleClient, RunningService,
};
use rmcp::{ClientHandler, ErrorData};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};

use crate::command::cache;
use crate::laid::{LOOP, Laid};

/// A client whose person answers in one way, and which counts what it is told.
#[derive(Clone)]
struct Person {
    answers: Option<ElicitResult>,
    asked: Arc<Mutex<Vec<String>>>,
    changes: Arc<AtomicUsize>,
    progress: Arc<AtomicUsize>,
    elicits: bool,
}

impl Person {
    /// A client that can not ask its person.
    fn mute() -> Self {
        Self {
            answers: None,
            asked: Arc::default(),
            changes: Arc::default(),
            progress: Arc::default(),
            elicits: false,
        }
    }

    fn answering(answers: Option<ElicitResult>) -> Self {
        Self {
            answers,
            elicits: true,
            ..Self::mute()
        }
    }
}

fn nod(nod: bool) -> ElicitResult {
    ElicitResult::new(ElicitationAction::Accept).with_content(json!({ "nod": nod }))
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        let capabilities = ClientCapabilities::builder();
        let capabilities = match self.elicits {
            true => capabilities.enable_elicitation().build(),
            false => capabilities.build(),
        };
        ClientConfig::new(capabilities, Implementation::new("a test", "1"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        if let ElicitRequestParams::FormElicitationParams { message, .. } = request {
            self.asked.lock().unwrap().push(message);
        }
        match &self.answers {
            Some(answer) => Ok(answer.clone()),
            None => std::future::pending().await,
        }
    }

    async fn on_progress(
        &self,
        progress: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        let told = progress.message.unwrap();
        assert!(
            told.starts_with("top__spin has been under way for "),
            "{told}"
        );
        self.progress.fetch_add(1, Ordering::SeqCst);
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changes.fetch_add(1, Ordering::SeqCst);
    }
}

type Client = RunningService<RoleClient, Person>;

/// A client of `doorlist mcp`.
async fn client(laid: &Laid, person: Person) -> Client {
    let command = laid.doorlist(["mcp", LOOP]).into_command();
    let mut command = tokio::process::Command::from(command);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().expect("it can be started");
    let pipes = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
    // It ends when the client hangs up.
    tokio::spawn(async move { child.wait().await });
    rmcp::serve_client(person, pipes).await.expect("it answers")
}

/// A client of a server in this process, which waits for its person a little only.
async fn client_within(laid: &Laid, person: Person) -> Client {
    let folder = laid.folder();
    let journal = Arc::new(FolderJournal::sessions(&laid.dir()).unwrap());
    let (source, _) = FolderSource::open(folder).unwrap();
    let gate = Gate::new(Sandbox::new(Settings::for_one_loop(Some(cache()))).unwrap());
    let server = DoorServer::new(journal, &System, gate, Arc::new(Mutex::new(source)), "")
        .eliciting(Elicit {
            wait: Duration::from_millis(300),
        });
    let (here, there) = tokio::io::duplex(1 << 16);
    tokio::spawn(async move {
        let serving = rmcp::serve_server(server, there).await.expect("it begins");
        serving.waiting().await
    });
    rmcp::serve_client(person, here).await.expect("it answers")
}

fn call(name: &str, arguments: Value) -> CallToolRequestParams {
    let Value::Object(arguments) = arguments else {
        panic!("{arguments} is no object")
    };
    CallToolRequestParams::new(name.to_owned()).with_arguments(arguments)
}

async fn called(client: &Client, name: &str, arguments: Value) -> (bool, String) {
    let calling = client.call_tool(call(name, arguments));
    let called = tokio::time::timeout(Duration::from_secs(60), calling).await;
    text(&called.expect("every call is answered").unwrap())
}

/// Whether it went well, and the text.
fn text(result: &CallToolResult) -> (bool, String) {
    let [content] = &result.content[..] else {
        panic!("{result:?}")
    };
    let text = content.as_text().expect("a text").text.clone();
    (result.is_error != Some(true), text)
}

fn asking() -> Laid {
    let laid = Laid::fridge();
    laid.edit(
        "policy.toml",
        "first = [\"shopping.checkout\"]",
        "first = [\"shopping.*\"]",
    );
    laid
}

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
async fn a_call_that_waits_for_a_nod_uses_it_when_it_is_made_again() {
    let laid = asking();
    let client = client(&laid, Person::answering(Some(nod(true)))).await;
    let add = || called(&client, "shopping__add", json!({ "item": "milk" }));
    let waiting = |answer: (bool, String), ask: &str| {
        assert!(!answer.0, "{}", answer.1);
        let told = format!("waiting for a nod: run `doorlist nod {ask} -C ");
        assert!(answer.1.starts_with(&told), "{}", answer.1);
        assert!(answer.1.ends_with("`, then call again"), "{}", answer.1);
    };
    waiting(add().await, "s1.1");
    // The same call attaches to the open question, another one asks anew.
    waiting(add().await, "s1.1");
    let eggs = called(&client, "shopping__add", json!({ "item": "eggs" })).await;
    waiting(eggs, "s1.2");
    // Meanwhile the other doors open.
    let counted = called(&client, "fridge__count", json!({ "items": [] })).await;
    assert_eq!(counted, (true, "[]".to_owned()));

    let sessions = laid.doorlist(["sessions", LOOP]);
    sessions
        .stdout_has("   1  a test 1, 3 calls, ")
        .stdout_has(
            "      waits for a nod: doorlist nod s1.1\n        shopping.add must be asked first.",
        )
        .stdout_has("          {\"item\":\"eggs\"}\n")
        .call();
    let given = laid.doorlist(["nod", "s1.1", "-C", LOOP]);
    given
        .stderr_has(
            "shopping.add must be asked first. It would be opened with\n  {\"item\":\"milk\"}",
        )
        .stderr_has("it may open, this once, when the client calls again.")
        .call();
    let again = laid.doorlist(["nod", "s1.1", "-C", LOOP]);
    again
        .exit(1)
        .stderr_has("expected a call that waits for a nod, found s1.2")
        .call();
    assert_eq!(add().await, (true, "milk is on the list".to_owned()));
    // It is used once.
    waiting(add().await, "s1.4");
    assert_eq!(laid.read("data/shopping-list.txt"), "milk\n");

    laid.doorlist(["deny", "s1.2", "-C", LOOP])
        .stderr_has("denied")
        .call();
    let denied = called(&client, "shopping__add", json!({ "item": "eggs" })).await;
    assert_eq!(
        denied,
        (
            false,
            "denied: a person was asked first and said no.".to_owned()
        )
    );
    let eggs = called(&client, "shopping__add", json!({ "item": "eggs" })).await;
    waiting(eggs, "s1.5");

    // A nod is for the bytes that were shown.
    laid.doorlist(["nod", "s1.5", "-C", LOOP])
        .stderr_has("")
        .call();
    let other = std::fs::read(laid.path("doors/fridge.wasm")).unwrap();
    laid.write("doors/shopping.wasm", other);
    let swapped = called(&client, "shopping__add", json!({ "item": "eggs" })).await;
    assert!(!swapped.0, "{}", swapped.1);
    assert_eq!(laid.read("data/shopping-list.txt"), "milk\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_client_answers_only_where_the_policy_lets_it() {
    let laid = asking();
    let person = Person::answering(Some(nod(true)));
    let add = json!({ "item": "milk" });
    let client = client_within(&laid, person.clone()).await;
    let answer = called(&client, "shopping__add", add.clone()).await;
    assert!(answer.1.starts_with("waiting for a nod"), "{}", answer.1);
    assert!(
        person.asked.lock().unwrap().is_empty(),
        "it was not even asked"
    );

    laid.edit(
        "policy.toml",
        "[ask]",
        "[ask]\nby = [\"terminal\", \"client\"]",
    );
    for (answers, told, opened) in [
        (Some(nod(true)), "milk is on the list", true),
        (
            Some(nod(false)),
            "denied: a person was asked first and said no.",
            false,
        ),
        // What a client may do by itself is no denial: the question stays.
        (
            Some(ElicitResult::new(ElicitationAction::Decline)),
            "waiting for a nod",
            false,
        ),
        (
            Some(ElicitResult::new(ElicitationAction::Cancel)),
            "waiting for a nod",
            false,
        ),
        (
            Some(ElicitResult::new(ElicitationAction::Accept)),
            "waiting for a nod",
            false,
        ),
        (None, "waiting for a nod", false),
    ] {
        let person = Person::answering(answers.clone());
        let client = client_within(&laid, person.clone()).await;
        let answer = called(&client, "shopping__add", add.clone()).await;
        assert_eq!(answer.0, opened, "{answers:?}: {}", answer.1);
        assert!(answer.1.starts_with(told), "{answers:?}: {}", answer.1);
        let asked = person.asked.lock().unwrap();
        assert!(asked[0].contains("  {\"item\":\"milk\"}"), "{asked:?}");
    }
    assert_eq!(laid.read("data/shopping-list.txt"), "milk\n");
    // A client that cannot ask its person.
    let mute = client_within(&laid, Person::mute()).await;
    let answer = called(&mute, "shopping__add", add).await;
    assert!(answer.1.starts_with("waiting for a nod"), "{}", answer.1);
}

const SPIN: &str = r#"(component
    (core module $m
        (func (export "spin") (result i32) (loop (br 0)) (i32.const 0))
        (func (export "one") (result i32) (i32.const 1)))
    (core instance $i (instantiate $m))
    (func (export "spin") (result u32) (canon lift (core func $i "spin")))
    (func (export "one") (result u32) (canon lift (core func $i "one"))))"#;

fn spinning() -> Laid {
    Laid::empty()
        .file(
            "loop.txt",
            "+++\nlist = [\"top.spin\", \"top.one\"]\nfuel = 400_000_000_000\n+++\nSpin.\n",
        )
        .file(
            "policy.toml",
            "[limits]\nfuel = 300_000_000_000\ntime = \"60 s\"\n",
        )
        .file("doors/top.wat", SPIN)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_call_closes_its_door_and_frees_its_place() {
    let laid = spinning();
    let client = client(&laid, Person::mute()).await;
    // More than there are workers, one after another: each must be free again.
    for _ in 0..6 {
        let request =
            ClientRequest::CallToolRequest(CallToolRequest::new(call("top__spin", json!({}))));
        let options = PeerRequestOptions::no_options();
        let handle = client
            .send_cancellable_request(request, options)
            .await
            .unwrap();
        tokio::time::sleep(Duration::from_millis(150)).await;
        let param =
            CancelledNotificationParam::new(Some(handle.id.clone()), Some("enough".to_owned()));
        client.notify_cancelled(param).await.unwrap();
        drop(handle);
    }
    let one = called(&client, "top__one", json!({})).await;
    assert_eq!(one, (true, "1".to_owned()));
    let aborted = || laid.read("sessions/1.jsonl").matches("\"aborted\"").count();
    let until = std::time::Instant::now() + Duration::from_secs(20);
    while aborted() < 6 {
        assert!(
            std::time::Instant::now() < until,
            "{} were aborted",
            aborted()
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_is_told_that_a_long_call_is_under_way() {
    let laid = spinning();
    laid.edit("policy.toml", "60 s", "3 s");
    let person = Person::mute();
    let client = client(&laid, person.clone()).await;
    let ended = called(&client, "top__spin", json!({})).await;
    assert!(!ended.0 && ended.1.contains("limit"), "{}", ended.1);
    let told = person.progress.load(Ordering::SeqCst);
    assert!(told >= 2, "it was told {told} times");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_calls_at_once_are_each_answered() {
    let laid = Laid::fridge();
    let client = Arc::new(client(&laid, Person::mute()).await);
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..1_000 {
        let client = Arc::clone(&client);
        calls.spawn(async move {
            let item = format!("item {number}");
            let counted = called(&client, "fridge__count", json!({ "items": [&item] })).await;
            assert_eq!(counted, (true, format!("[[\"{item}\",0]]")));
        });
    }
    let mut answered = 0;
    while let Some(call) = calls.join_next().await {
        call.unwrap();
        answered += 1;
    }
    assert_eq!(answered, 1_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_clients_of_one_folder_are_two_sessions() {
    let laid = asking();
    let (one, two) = (
        client(&laid, Person::mute()).await,
        client(&laid, Person::mute()).await,
    );
    let add = json!({ "item": "milk" });
    let first = called(&one, "shopping__add", add.clone()).await.1;
    let second = called(&two, "shopping__add", add.clone()).await.1;
    assert!(first.contains("nod s1.1 "), "{first}");
    assert!(second.contains("nod s2.1 "), "{second}");
    laid.doorlist(["nod", "s2.1", "-C", LOOP])
        .stderr_has("")
        .call();
    let first = called(&one, "shopping__add", add.clone()).await;
    assert!(
        first.1.starts_with("waiting for a nod"),
        "the nod is the other's: {}",
        first.1
    );
    let second = called(&two, "shopping__add", add).await;
    assert_eq!(second, (true, "milk is on the list".to_owned()));
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
async fn the_same_failure_is_not_opened_for_ever() {
    let laid = Laid::fridge();
    std::fs::remove_file(laid.path("data/fridge.txt")).unwrap();
    let client = client(&laid, Person::mute()).await;
    let count = |item: &'static str| called(&client, "fridge__count", json!({ "items": [item] }));
    for _ in 0..3 {
        let failed = count("milk").await;
        assert!(
            failed
                .1
                .starts_with("error: /data/fridge.txt could not be read"),
            "{}",
            failed.1
        );
    }
    let stopped = "not opened: with these arguments it failed 3 times in this session.";
    assert_eq!(count("milk").await, (false, stopped.to_owned()));
    assert!(
        count("eggs").await.1.starts_with("error: "),
        "other arguments are tried"
    );
}

/// A door that prints what looks like the protocol.
const PRINTS: &str = include_str!("greet.wat");

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
    drop(to);
    assert_eq!(lines.next_line().await.unwrap(), None);
    assert!(
        child.wait().await.unwrap().success(),
        "a client that hangs up is no error"
    );
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
        // Another test may have been first.
        let _ = tokio_rustls::rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let mut post = client
            .post(&self.url)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .body(message.to_string());
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
