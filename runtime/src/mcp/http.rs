//! The same over HTTP: one server for many clients, each with a session of its own.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http::{Request, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full, combinators::UnsyncBoxBody};
use hyper::body::{Body, Bytes, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::DoorServer;

/// Who may speak to a server over HTTP.
#[derive(Clone, Debug, Default)]
pub struct Admitted {
    /// What every request must carry as `authorization: Bearer …`. Without one, only a server that
    /// listens on this machine's own addresses may be started.
    pub token: Option<String>,
    /// The names that a request may call the server by, beside those of this machine: `example.com`
    /// or `example.com:8080`. A page of a stranger that has its name lead here is refused by it.
    pub hosts: Vec<String>,
    /// The origins of pages that may speak to it, beside those of this machine:
    /// `https://app.example.com:443`.
    pub origins: Vec<String>,
}

impl Admitted {
    /// Whether a server may listen at `address` for these.
    ///
    /// # Errors
    /// When nobody but a stranger could be kept out.
    pub fn check(&self, address: SocketAddr) -> Result<(), HttpError> {
        if self.token.is_none() && !address.ip().is_loopback() {
            return Err(HttpError::NoToken { address });
        }
        if let Some(token) = &self.token {
            let visible = token.chars().all(|c| c.is_ascii_graphic());
            if !visible || token.len() < SHORTEST_TOKEN {
                let found = token.len();
                return Err(HttpError::BadToken { found });
            }
        }
        Ok(())
    }
}

/// Why a server is not started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// It would be open to others, and everybody could call its doors.
    #[error(
        "{address}: expected a token where others than this machine can reach the server, found none"
    )]
    NoToken {
        /// Where it would listen.
        address: SocketAddr,
    },
    /// A token that anybody could guess.
    #[error("expected a token of at least {SHORTEST_TOKEN} visible characters, found {found}")]
    BadToken {
        /// How many it has.
        found: usize,
    },
    /// It cannot listen.
    #[error(transparent)]
    Io(#[from] io::Error),
}

type Answer = Response<UnsyncBoxBody<Bytes, std::convert::Infallible>>;

/// Serves clients at the path [`PATH`] until `stop`. `server` makes one for each client.
///
/// # Errors
/// When nobody but a stranger could be kept out, or the listener fails.
pub async fn serve_http(
    listener: TcpListener,
    server: impl Fn() -> DoorServer + Send + Sync + 'static,
    admitted: Admitted,
    stop: CancellationToken,
) -> Result<(), HttpError> {
    let address = listener.local_addr()?;
    admitted.check(address)?;
    let own = ["localhost", "127.0.0.1", "::1"].map(str::to_owned);
    let own_pages =
        ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"].map(str::to_owned);
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(own.into_iter().chain(admitted.hosts))
        .with_allowed_origins(own_pages.into_iter().chain(admitted.origins))
        .enforce_origin_validation()
        .with_cancellation_token(stop.child_token());
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(server()), sessions, config);
    // Compared as digests, which take the same time wherever they differ.
    let token = admitted.token.map(|token| blake3::hash(token.as_bytes()));

    let connections = GracefulShutdown::new();
    loop {
        let stream = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                // One that was lost again, or no more files for now: others may come.
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
        };
        let service = service.clone();
        let answer = service_fn(move |request: Request<Incoming>| {
            let service = service.clone();
            async move {
                Ok::<_, std::convert::Infallible>(match refusal(&request, token) {
                    Some(refused) => refused,
                    None => understood(is_json(&request), service.handle(request).await).await,
                })
            }
        });
        let mut connection = hyper::server::conn::http1::Builder::new();
        connection
            .timer(TokioTimer::new())
            .header_read_timeout(Duration::from_secs(10));
        let connection = connection.serve_connection(TokioIo::new(stream), answer);
        let watched = connections.watch(connection);
        tokio::spawn(async move {
            // A client that hung up.
            let _ = watched.await;
        });
    }
    // Streams that stay open are ended with their sessions.
    let _ = tokio::time::timeout(Duration::from_secs(5), connections.shutdown()).await;
    Ok(())
}

/// What answers a request that is for no client of this server.
fn refusal<B>(request: &Request<B>, token: Option<blake3::Hash>) -> Option<Answer> {
    if let Some(token) = token {
        let given = request.headers().get(header::AUTHORIZATION);
        let given = given
            .and_then(|given| given.to_str().ok())
            .and_then(|given| {
                let (scheme, given) = given.split_once(' ')?;
                scheme.eq_ignore_ascii_case("bearer").then_some(given)
            });
        if given.is_none_or(|given| blake3::hash(given.as_bytes()) != token) {
            let mut refused = answer(
                StatusCode::UNAUTHORIZED,
                "expected the token of this server",
            );
            let challenge = header::HeaderValue::from_static("Bearer");
            refused
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, challenge);
            return Some(refused);
        }
    }
    (request.uri().path() != PATH).then(|| answer(StatusCode::NOT_FOUND, "the doors are at /mcp"))
}

/// Whether a request says that its body is JSON.
fn is_json<B>(request: &Request<B>) -> bool {
    let kind = request.headers().get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("application/json"))
}

/// The answer of the SDK, which calls JSON that it does not understand a wrong media type. The protocol
/// has errors of its own for that.
async fn understood<B>(is_json: bool, answer: Response<B>) -> Answer
where
    B: Body<Data = Bytes, Error = std::convert::Infallible> + Send + 'static,
{
    if answer.status() != StatusCode::UNSUPPORTED_MEDIA_TYPE || !is_json {
        return answer.map(UnsyncBoxBody::new);
    }
    let said = answer.into_body().collect().await;
    let said = said.map(|said| String::from_utf8_lossy(&said.to_bytes()).into_owned());
    let is_other = |said: &str| OTHER.iter().any(|words| said.contains(words));
    let (code, message) = match said {
        Ok(said) if is_other(&said) => (-32600, "expected a message of JSON-RPC 2.0"),
        _ => (-32700, "expected JSON"),
    };
    let error = serde_json::json!({
        "jsonrpc": "2.0", "id": null, "error": { "code": code, "message": message },
    });
    let body = Full::new(Bytes::from(error.to_string()));
    let mut answer = Response::new(body.boxed_unsync());
    *answer.status_mut() = StatusCode::BAD_REQUEST;
    let json = header::HeaderValue::from_static("application/json");
    answer.headers_mut().insert(header::CONTENT_TYPE, json);
    answer
}

fn answer(status: StatusCode, text: &'static str) -> Answer {
    let body = Full::new(Bytes::from_static(text.as_bytes()));
    let mut answer = Response::new(body.boxed_unsync());
    *answer.status_mut() = status;
    answer
}

/// What the SDK says of JSON that is no message, in any of these words.
const OTHER: [&str; 4] = ["JSON-RPC", "missing field", "invalid type", "did not match"];
/// Where clients find the server.
pub const PATH: &str = "/mcp";
/// Characters: 128 bits in hexadecimal digits are 32, in letters and digits 22.
const SHORTEST_TOKEN: usize = 22;
