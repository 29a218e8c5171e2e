//! What answers a client.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use loop_spec::CallId;
use loop_spec::loop_machine::{Asked, Nod};
use loop_spec::policy::Approver;
use loop_spec::session::QuestionName;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, ElicitRequest, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationSchema, Implementation, InputRequest, InputRequests,
    InputRequiredResult, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam,
    ProtocolVersion, ServerCapabilities, ServerConfig, SubscriptionFilter, Tool,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, SubscriptionContext};
use rmcp::{ErrorData, ServerHandler};
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use super::tools::{error, named, result, tools};
use crate::ambient::Ambient;
use crate::driver::DriveError;
use crate::gate::Gate;
use crate::journal::Journal;
use crate::loop_run::{LoopSource, Snapshot};
use crate::session::{Answer, End, Session};

/// The doors of one loop, for one client: a session.
#[derive(Clone)]
pub struct DoorServer {
    shared: Arc<Shared>,
}

/// How a client's person is asked, where the policy lets the client answer.
#[derive(Clone, Copy, Debug)]
pub struct Elicit {
    /// How long an answer is waited for while the call stands open. Clients give up on a call after a
    /// minute, so it is well under that.
    pub wait: Duration,
}

impl Default for Elicit {
    fn default() -> Self {
        Self {
            wait: Duration::from_secs(20),
        }
    }
}

/// The session of all requests of one server that belong to none: from 2026-07-28 on the protocol has
/// no sessions over HTTP, and every request makes a server of its own. Whoever has the server's token
/// is one client.
#[derive(Clone, Debug, Default)]
pub struct Stateless {
    session: Arc<OnceCell<Arc<Session>>>,
}

struct Shared {
    journal: Arc<dyn Journal>,
    ambient: &'static dyn Ambient,
    gate: Gate,
    source: Arc<Mutex<dyn LoopSource>>,
    elicit: Elicit,
    session: OnceCell<Arc<Session>>,
    stateless: Option<Stateless>,
    place: String,
}

impl DoorServer {
    /// A server for the client that connects next. Its session is kept in `journal` once it calls;
    /// `place` is what a person types behind the name of a question, such as `-C my-loop`.
    #[must_use]
    pub fn new(
        journal: Arc<dyn Journal>,
        ambient: &'static dyn Ambient,
        gate: Gate,
        source: Arc<Mutex<dyn LoopSource>>,
        place: &str,
    ) -> Self {
        let shared = Shared {
            journal,
            ambient,
            gate,
            source,
            elicit: Elicit::default(),
            session: OnceCell::new(),
            stateless: None,
            place: place.to_owned(),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// The same, asking a client's person otherwise.
    #[must_use]
    pub fn eliciting(mut self, elicit: Elicit) -> Self {
        self.unshared().elicit = elicit;
        self
    }

    /// The same, for requests that belong to no session.
    #[must_use]
    pub fn stateless(mut self, stateless: Stateless) -> Self {
        self.unshared().stateless = Some(stateless);
        self
    }

    fn unshared(&mut self) -> &mut Shared {
        Arc::get_mut(&mut self.shared).expect("a server is set up before it is cloned to serve")
    }

    async fn session(
        &self,
        context: &RequestContext<RoleServer>,
    ) -> Result<&Arc<Session>, DriveError> {
        let shared = &self.shared;
        let start = || async {
            let client = context.client_info();
            let client = client.map(|client| format!("{} {}", client.name, client.version));
            Session::start(
                Arc::clone(&shared.journal),
                shared.ambient,
                shared.gate.clone(),
                client.as_deref().unwrap_or("a client"),
                &shared.place,
            )
            .await
        };
        let session = match &shared.stateless {
            Some(stateless) if is_inline(context) => &stateless.session,
            _ => &shared.session,
        };
        session.get_or_try_init(start).await
    }

    /// What the loop is now, or what is wrong with it, for a person.
    fn snapshot(&self) -> Result<Arc<Snapshot>, String> {
        let mut source = self
            .shared
            .source
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        source.read()
    }

    fn tools(&self) -> Result<Vec<Tool>, String> {
        Ok(tools(&*self.snapshot()?))
    }

    async fn called(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, DriveError> {
        let session = self.session(context).await?;
        // The person who wrote the loop reads in the client what is wrong with it.
        let snapshot = match self.snapshot() {
            Ok(snapshot) => snapshot,
            Err(why) => return Ok(error(why).into()),
        };
        let client_answers = snapshot.ask.by.contains(&Approver::Client);
        let name = named(&snapshot, &request.name);
        let arguments = Value::Object(request.arguments.clone().unwrap_or_default()).to_string();
        if client_answers && let Some((call, nod)) = answered(&request) {
            // Somebody may have answered elsewhere in the meantime; then that stands.
            let _ = session.answer(call, nod).await;
        }
        let call = || session.call(&snapshot, name, &arguments, &context.ct);
        let answer = call().await?;
        let End::Waiting(asked) = &answer.end else {
            return Ok(told(answer));
        };
        if !client_answers || !can_elicit(context) {
            return Ok(told(answer));
        }
        if is_inline(context) {
            // A client that was asked and gave no answer is not asked again by the same call.
            if request.input_responses.is_some() {
                return Ok(told(answer));
            }
            let mut requests = InputRequests::new();
            let question = ElicitRequest::new(question(asked));
            requests.insert(NOD.to_owned(), InputRequest::Elicitation(question));
            let state = session.name_of(asked.call).to_string();
            return Ok(InputRequiredResult::new(Some(requests), Some(state)).into());
        }
        let wait = Some(self.shared.elicit.wait);
        let asking = context
            .peer
            .create_elicitation_with_timeout(question(asked), wait);
        let said = tokio::select! {
            biased;
            () = context.ct.cancelled() => None,
            said = asking => said.ok().and_then(|said| nod(&said)),
        };
        let Some(nod) = said else {
            return Ok(told(answer));
        };
        let _ = session.answer(asked.call, nod).await;
        // A nod is for the bytes that were shown; those of before are what is opened.
        Ok(told(call().await?))
    }

    /// Tells the client each second that its call is still under way.
    async fn progress(context: &RequestContext<RoleServer>, tool: &str) {
        let Some(token) = context.meta.get_progress_token() else {
            return std::future::pending().await;
        };
        for second in 1_u32.. {
            tokio::time::sleep(Duration::from_secs(1)).await;
            let mut progress = ProgressNotificationParam::new(token.clone(), f64::from(second));
            progress.message = Some(format!("{tool} has been under way for {second} s"));
            let _ = context.peer.notify_progress(progress).await;
        }
    }
}

impl ServerHandler for DoorServer {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_tool_list_changed()
            .build();
        let about = Implementation::new("doorlist", env!("CARGO_PKG_VERSION"));
        let config = ServerConfig::new(capabilities).with_server_info(about);
        let prose = self.snapshot().map(|it| it.text.prose().trim().to_owned());
        match prose {
            Ok(prose) if !prose.is_empty() => config.with_instructions(prose),
            _ => config,
        }
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.tools();
        let tools = tools.map_err(|why| ErrorData::internal_error(why, None))?;
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = request.name.clone();
        let called = tokio::select! {
            called = self.called(request, &context) => called,
            () = Self::progress(&context, &tool) => unreachable!("it never ends"),
        };
        Ok(match called {
            Ok(answer) => answer,
            Err(failed) => return Err(ErrorData::internal_error(failed.to_string(), None)),
        })
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let server = self.clone();
        tokio::spawn(async move {
            let peer = &context.peer;
            let notify = || async move { peer.notify_tool_list_changed().await.map_err(drop) };
            server.watch(|| peer.is_transport_closed(), notify).await;
        });
    }

    fn accepted_subscription_filter(&self, _: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(SubscriptionFilter::builder().tools_list_changed().build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let sink = context.sink();
        let notify = || async move { sink.notify_tool_list_changed().await.map_err(drop) };
        tokio::select! {
            () = context.cancelled() => {}
            () = self.watch(|| false, notify) => {}
        }
        Ok(())
    }
}

impl DoorServer {
    /// Looks at the loop from time to time, and tells when its tools are others. While it cannot be
    /// read they are those of before.
    async fn watch<F, E>(&self, ended: impl Fn() -> bool, notify: impl Fn() -> F)
    where
        F: Future<Output = Result<(), E>>,
    {
        let mut known = self.tools().ok();
        while !ended() {
            tokio::time::sleep(LOOK).await;
            let server = self.clone();
            let looked = tokio::task::spawn_blocking(move || server.tools().ok()).await;
            let Ok(Some(now)) = looked else { continue };
            if known.as_ref() != Some(&now) {
                if notify().await.is_err() {
                    return;
                }
                known = Some(now);
            }
        }
    }
}

fn told(answer: Answer) -> CallToolResponse {
    match answer.end {
        End::Refused | End::Waiting(_) => error(answer.observation).into(),
        End::Opened { door, outcome } => result(&door, &outcome, answer.observation).into(),
    }
}

/// Whether the server cannot ask the client by itself, and no session holds requests together.
fn is_inline(context: &RequestContext<RoleServer>) -> bool {
    let version = context.protocol_version();
    version.is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

fn can_elicit(context: &RequestContext<RoleServer>) -> bool {
    let capabilities = context.client_capabilities();
    let elicitation = capabilities.and_then(|it| it.elicitation);
    // Before there were modes, it was forms.
    elicitation.is_some_and(|it| it.form.is_some() || it.url.is_none())
}

fn question(asked: &Asked) -> ElicitRequestParams {
    let schema = json!({
        "type": "object",
        "properties": { "nod": { "type": "boolean", "title": "May it open, this once?" } },
        "required": ["nod"],
    });
    let schema = match schema {
        Value::Object(schema) => ElicitationSchema::from_json_schema(schema),
        _ => unreachable!("it is an object"),
    };
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: asked.shown(),
        requested_schema: schema.expect("a yes-or-no question is a form"),
    }
}

/// What a client's person said to the question that the last call came back with.
///
/// The state is the client's to forge: it names a question of its own session or none, and a nod is
/// bound to its call all the same.
fn answered(request: &CallToolRequestParams) -> Option<(CallId, Nod)> {
    let said = request.input_responses.as_ref()?.get(NOD)?;
    let said: ElicitResult = serde_json::from_value(said.clone()).ok()?;
    let name: QuestionName = request.request_state.as_deref()?.parse().ok()?;
    Some((name.call(), nod(&said)?))
}

/// A nod or a denial, where a person said so. A client that declines or cancels may do so by itself.
fn nod(said: &ElicitResult) -> Option<Nod> {
    if said.action != ElicitationAction::Accept {
        return None;
    }
    match said.content.as_ref()?.get(NOD)?.as_bool()? {
        true => Some(Nod::Given),
        false => Some(Nod::Denied),
    }
}

/// What the one field of the question is called.
const NOD: &str = "nod";
/// How often the loop is looked at.
const LOOK: Duration = Duration::from_millis(500);
