//! The official SDK's own client, with a person behind it, and the loops that it calls.

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
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ElicitRequestParams,
    ElicitResult, ElicitationAction, Implementation, ProgressNotificationParam,
};
use rmcp::service::{NotificationContext, RequestContext, RoleClient, RunningService};
use rmcp::{ClientHandler, ErrorData};
use serde_json::{Value, json};

use crate::command::cache;
use crate::laid::{LOOP, Laid};

/// A client whose person answers in one way, and which counts what it is told.
#[derive(Clone)]
pub(crate) struct Person {
    answers: Option<ElicitResult>,
    pub(crate) asked: Arc<Mutex<Vec<String>>>,
    pub(crate) changes: Arc<AtomicUsize>,
    pub(crate) progress: Arc<AtomicUsize>,
    elicits: bool,
}

impl Person {
    /// A client that can not ask its person.
    pub(crate) fn mute() -> Self {
        Self {
            answers: None,
            asked: Arc::default(),
            changes: Arc::default(),
            progress: Arc::default(),
            elicits: false,
        }
    }

    pub(crate) fn answering(answers: Option<ElicitResult>) -> Self {
        Self {
            answers,
            elicits: true,
            ..Self::mute()
        }
    }
}

pub(crate) fn nod(nod: bool) -> ElicitResult {
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

pub(crate) type Client = RunningService<RoleClient, Person>;

/// A client of `doorlist mcp`.
pub(crate) async fn client(laid: &Laid, person: Person) -> Client {
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
pub(crate) async fn client_within(laid: &Laid, person: Person) -> Client {
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

pub(crate) fn call(name: &str, arguments: Value) -> CallToolRequestParams {
    let Value::Object(arguments) = arguments else {
        panic!("{arguments} is no object")
    };
    CallToolRequestParams::new(name.to_owned()).with_arguments(arguments)
}

pub(crate) async fn called(client: &Client, name: &str, arguments: Value) -> (bool, String) {
    let calling = client.call_tool(call(name, arguments));
    let called = tokio::time::timeout(Duration::from_secs(60), calling).await;
    text(&called.expect("every call is answered").unwrap())
}

/// Whether it went well, and the text.
pub(crate) fn text(result: &CallToolResult) -> (bool, String) {
    let [content] = &result.content[..] else {
        panic!("{result:?}")
    };
    let text = content.as_text().expect("a text").text.clone();
    (result.is_error != Some(true), text)
}

pub(crate) fn asking() -> Laid {
    let laid = Laid::fridge();
    laid.edit(
        "policy.toml",
        "first = [\"shopping.checkout\"]",
        "first = [\"shopping.*\"]",
    );
    laid
}

pub(crate) const SPIN: &str = r#"(component
    (core module $m
        (func (export "spin") (result i32) (loop (br 0)) (i32.const 0))
        (func (export "one") (result i32) (i32.const 1)))
    (core instance $i (instantiate $m))
    (func (export "spin") (result u32) (canon lift (core func $i "spin")))
    (func (export "one") (result u32) (canon lift (core func $i "one"))))"#;

pub(crate) fn spinning() -> Laid {
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
