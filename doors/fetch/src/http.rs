//! One request over `wasi:http`.

use wasip2::http::outgoing_handler::handle;
use wasip2::http::types::{
    ErrorCode, Fields, IncomingBody, IncomingResponse, OutgoingRequest, Scheme,
};
use wasip2::io::streams::StreamError;

use crate::{Parts, Response};

pub(crate) fn get(parts: &Parts<'_>) -> Result<Response, String> {
    let scheme = match parts.secure {
        true => Scheme::Https,
        false => Scheme::Http,
    };
    let request = OutgoingRequest::new(Fields::new());
    let wrong = |()| format!("expected a host and a path, found {:?}", parts.authority);
    request.set_scheme(Some(&scheme)).map_err(wrong)?;
    request
        .set_authority(Some(parts.authority))
        .map_err(wrong)?;
    request
        .set_path_with_query(Some(parts.path))
        .map_err(wrong)?;
    let told = |code| told(&code, parts);
    let future = handle(request, None).map_err(told)?;
    let answer = loop {
        match future.get() {
            Some(answer) => {
                break answer
                    .map_err(|()| "it was asked for twice")?
                    .map_err(told)?;
            }
            None => future.subscribe().block(),
        }
    };
    let content_type = answer.headers().get("content-type");
    let content_type = content_type.first();
    Ok(Response {
        status: answer.status(),
        content_type: content_type.map(|value| String::from_utf8_lossy(value).into_owned()),
        body: body(&answer)?,
    })
}

/// A host that is not granted is refused before anything is sent.
fn told(code: &ErrorCode, parts: &Parts<'_>) -> String {
    let scheme = if parts.secure { "https" } else { "http" };
    match code {
        ErrorCode::HttpRequestDenied => format!(
            "{scheme}://{} is not among the hosts that policy.toml grants this door",
            parts.authority
        ),
        code => format!("{}: {code:?}", parts.authority),
    }
}

fn body(answer: &IncomingResponse) -> Result<String, String> {
    let body: IncomingBody = answer.consume().map_err(|()| "the answer has no body")?;
    let stream = body
        .stream()
        .map_err(|()| "the answer's body cannot be read")?;
    let mut bytes = Vec::new();
    loop {
        match stream.blocking_read(64 << 10) {
            Ok(more) => bytes.extend(more),
            Err(StreamError::Closed) => break,
            Err(StreamError::LastOperationFailed(error)) => {
                return Err(format!("the answer broke off: {}", error.to_debug_string()));
            }
        }
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.chars().take(LONGEST).collect())
}

/// Characters.
const LONGEST: usize = 200_000;
