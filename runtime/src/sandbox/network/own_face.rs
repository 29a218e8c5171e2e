//! `doorlist:host/http`: one call is one request, from its first header to the last byte of its answer.

use bytes::Bytes;
use http::header::CONTENT_LENGTH;
use http::response::Parts;
use http::uri::PathAndQuery;
use http::{HeaderName, HeaderValue, Uri};
use http_body_util::{BodyExt as _, Full};
use wasmtime::StoreContextMut;
use wasmtime::component::{ComponentType, Lift, Linker, Lower, ResourceTable};
use wasmtime_wasi_http::p2::bindings::http::types::{Method, Scheme};
use wasmtime_wasi_http::p2::types::{HostFutureIncomingResponse, HostOutgoingRequest};
use wasmtime_wasi_http::{Error, FieldMap, WasiBody};

use super::{Network, REQUEST_HEADERS};
use crate::sandbox::state::State;

/// What a door asks for.
#[derive(ComponentType, Lift)]
#[component(record)]
struct Request {
    #[component(name = "method")]
    method: String,
    #[component(name = "url")]
    url: String,
    #[component(name = "headers")]
    headers: Vec<(String, String)>,
    #[component(name = "body")]
    body: Option<Vec<u8>>,
}

/// What it is answered.
#[derive(ComponentType, Lower)]
#[component(record)]
struct Response {
    #[component(name = "status")]
    status: u16,
    #[component(name = "reason")]
    reason: String,
    #[component(name = "headers")]
    headers: Vec<(String, String)>,
    #[component(name = "body")]
    body: Vec<u8>,
}

/// Why there is no answer, in words for whoever reads what the door says.
#[derive(ComponentType, Lower)]
#[component(variant)]
enum Failure {
    #[component(name = "refused")]
    Refused(String),
    #[component(name = "invalid")]
    Invalid(String),
    #[component(name = "failed")]
    Failed(String),
}

type Came = Result<Response, Failure>;

/// Links it. More bytes than may be sent and received end the opening in the call that they are in.
pub(in crate::sandbox) fn add_http(linker: &mut Linker<State>) -> wasmtime::Result<()> {
    linker.instance(HTTP)?.func_wrap_async(
        "send",
        |mut store: StoreContextMut<'_, State>, (request,): (Request,)| {
            Box::new(async move {
                let (network, table) = store.data_mut().network();
                let came = match network.send(table, request)? {
                    Ok((url, answer)) => received(answer).await.map_err(|error| told(error, &url)),
                    Err(failure) => Err(failure),
                };
                store.data().check_network()?;
                let (network, _) = store.data_mut().network();
                let came: Came = came.map(|(parts, body)| network.response(parts, body));
                Ok((came,))
            })
        },
    )
}

impl Network {
    /// Sends a request as `wasi:http` would, and gives back to where it goes. The outer error is none
    /// of the door's.
    fn send(
        &mut self,
        table: &mut ResourceTable,
        request: Request,
    ) -> wasmtime::Result<Result<(Uri, HostFutureIncomingResponse), Failure>> {
        let url = match request.url.parse::<Uri>() {
            Ok(url) if url.authority().is_some() => url,
            _ => return Ok(Err(no_url(&request.url))),
        };
        let asked = match self.outgoing(&url, request) {
            Ok(asked) => table.push(asked)?,
            Err(failure) => return Ok(Err(failure)),
        };
        Ok(match self.begin(table, asked, None) {
            Ok(answer) => Ok((url, table.delete(answer)?)),
            Err(error) => Err(told(error.downcast()?.into(), &url)),
        })
    }

    fn outgoing(&mut self, url: &Uri, request: Request) -> Result<HostOutgoingRequest, Failure> {
        let scheme = match url.scheme_str() {
            Some("http") => Scheme::Http,
            Some("https") => Scheme::Https,
            _ => return Err(no_url(&request.url)),
        };
        let mut headers = FieldMap::new_mutable(REQUEST_HEADERS);
        for (name, value) in request.headers {
            let refused = |error| Failure::Invalid(format!("the header {name:?}: {error}"));
            let added = headers.append(&mut self.hooks, name.clone(), value.into_bytes());
            added.map_err(refused)?;
        }
        let length = request.body.as_ref().map_or(0, Vec::len);
        let said = headers.get(CONTENT_LENGTH);
        if said.is_some_and(|said| said.as_bytes() != length.to_string().as_bytes()) {
            let what = format!("the header \"content-length\": the body has {length} bytes");
            return Err(Failure::Invalid(what));
        }
        headers.set_immutable();
        Ok(HostOutgoingRequest {
            method: method(request.method),
            scheme: Some(scheme),
            authority: url.authority().map(ToString::to_string),
            path_with_query: url.path_and_query().map(PathAndQuery::to_string),
            headers,
            body: request.body.map(whole),
        })
    }

    /// An answer as the door gets it, without the headers that are the connection's own.
    fn response(&mut self, parts: Parts, body: Bytes) -> Response {
        let headers = FieldMap::new_immutable(&mut self.hooks, parts.headers);
        let header = |(name, value): (&HeaderName, &HeaderValue)| {
            let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            (name.as_str().to_owned(), value)
        };
        Response {
            status: parts.status.as_u16(),
            // Of the number, not of the server: there is nothing to look through in it.
            reason: parts.status.canonical_reason().unwrap_or_default().into(),
            headers: headers.iter().map(header).collect(),
            body: body.into(),
        }
    }
}

/// Waits for an answer, and for all of it. Dropping this ends its connection.
async fn received(answer: HostFutureIncomingResponse) -> Result<(Parts, Bytes), Error> {
    let (answer, _connection) = match answer {
        HostFutureIncomingResponse::Pending(answer) => answer.await?,
        HostFutureIncomingResponse::Ready(answer) => answer?,
        HostFutureIncomingResponse::Consumed => return Err(Error::InternalError(None)),
    };
    let (parts, body) = answer.into_parts();
    Ok((parts, body.collect().await?.to_bytes()))
}

/// The method as the library has it, which knows those of its own by their variants alone.
fn method(name: String) -> Method {
    match http::Method::from_bytes(name.as_bytes()) {
        Ok(method) => method.into(),
        Err(_) => Method::Other(name),
    }
}

fn whole(body: Vec<u8>) -> WasiBody {
    let body = Full::new(Bytes::from(body));
    body.map_err(Error::from).boxed_unsync()
}

fn told(error: Error, url: &Uri) -> Failure {
    let [scheme, authority] =
        [url.scheme_str(), url.authority().map(|it| it.as_str())].map(Option::unwrap_or_default);
    let host = format!("{scheme}://{authority}");
    match error {
        Error::HttpRequestDenied => Failure::Refused(format!(
            "{host} is not among the hosts that this door is granted; name it under `hosts` in the \
             door's own [door.\"…\"] of policy.toml"
        )),
        Error::DestinationIpProhibited => Failure::Refused(format!(
            "{host} leads to an address that is not for everybody; name that address too under \
             `hosts` in the door's own [door.\"…\"] of policy.toml"
        )),
        Error::HttpRequestUriInvalid => no_url(&url.to_string()),
        Error::HttpRequestMethodInvalid => Failure::Invalid("no door may use this method".into()),
        error => Failure::Failed(format!("{host}: {error}")),
    }
}

fn no_url(found: &str) -> Failure {
    Failure::Invalid(format!(
        "expected a URL such as https://example.com/a, found {found:?}"
    ))
}

/// The interface.
const HTTP: &str = "doorlist:host/http@0.1.0";
