//! Calls `wasi:http` itself.

use wasip2::http::outgoing_handler::handle;
use wasip2::http::types::{
    ErrorCode, Fields, FutureIncomingResponse, HeaderError, IncomingBody, IncomingResponse, Method,
    OutgoingBody, OutgoingRequest, Scheme,
};
use wasip2::io::streams::StreamError;

use crate::Door;
use crate::exports::test::prober::hosts::Guest;

impl Guest for Door {
    fn send(
        method: String,
        scheme: String,
        authority: String,
        path: String,
        headers: String,
        body: String,
    ) -> Result<String, String> {
        let request = OutgoingRequest::new(fields(&headers)?);
        let set = |what: &str, set: Result<(), ()>| set.map_err(|()| format!("no such {what}"));
        set("method", request.set_method(&method_of(method)))?;
        set("scheme", request.set_scheme(Some(&scheme_of(scheme))))?;
        set("authority", request.set_authority(Some(&authority)))?;
        set("path", request.set_path_with_query(Some(&path)))?;
        let outgoing = request.body().map_err(|()| "no body")?;
        let future = handle(request, None).map_err(code)?;
        write(outgoing, body.as_bytes())?;
        answer(wait(&future)?)
    }

    fn many(count: u32, authority: String) -> Vec<String> {
        let begin = |_| {
            let request = OutgoingRequest::new(Fields::new());
            request.set_scheme(Some(&Scheme::Http)).expect("a scheme");
            let set = request.set_authority(Some(&authority));
            set.expect("an authority");
            let set = request.set_path_with_query(Some("/"));
            set.expect("a path");
            handle(request, None)
        };
        let begun: Vec<_> = (0..count).map(begin).collect();
        // All are held until the last has its answer.
        let answers: Vec<_> = begun
            .into_iter()
            .map(|begun| begun.and_then(|future| wait_for(&future)))
            .collect();
        let told = answers.iter().map(|answer| match answer {
            Ok(answer) => answer.status().to_string(),
            Err(error) => code(error.clone()),
        });
        told.collect()
    }
}

/// Headers from lines.
pub(crate) fn read_headers(headers: &str) -> impl Iterator<Item = (String, String)> {
    headers.lines().map(|line| {
        let (name, value) = line.split_once(": ").unwrap_or((line, ""));
        // A line end is a sign of these lines, so it has a name of its own.
        (name.to_owned(), value.replace("\\r\\n", "\r\n"))
    })
}

fn fields(headers: &str) -> Result<Fields, String> {
    let lines = read_headers(headers).map(|(name, value)| (name, value.into_bytes()));
    Fields::from_list(&lines.collect::<Vec<_>>()).map_err(|error| match error {
        HeaderError::InvalidSyntax => "invalid-syntax".to_owned(),
        HeaderError::Forbidden => "forbidden".to_owned(),
        other => format!("{other:?}"),
    })
}

fn write(outgoing: OutgoingBody, mut bytes: &[u8]) -> Result<(), String> {
    let stream = outgoing.write().map_err(|()| "no stream")?;
    let closed = |error| format!("writing: {error:?}");
    while !bytes.is_empty() {
        let (now, later) = bytes.split_at(bytes.len().min(4096));
        stream.blocking_write_and_flush(now).map_err(closed)?;
        bytes = later;
    }
    drop(stream);
    OutgoingBody::finish(outgoing, None).map_err(code)
}

fn wait(future: &FutureIncomingResponse) -> Result<IncomingResponse, String> {
    wait_for(future).map_err(code)
}

fn wait_for(future: &FutureIncomingResponse) -> Result<IncomingResponse, ErrorCode> {
    loop {
        if let Some(answer) = future.get() {
            return answer.expect("it is asked for once");
        }
        future.subscribe().block();
    }
}

fn answer(answer: IncomingResponse) -> Result<String, String> {
    let mut text = format!("{}\n", answer.status());
    for (name, value) in answer.headers().entries() {
        text.push_str(&format!("{name}: {}\n", String::from_utf8_lossy(&value)));
    }
    let body = answer.consume().map_err(|()| "no body")?;
    let bytes = read(&body)?;
    Ok(text + "\n" + &String::from_utf8_lossy(&bytes))
}

fn read(body: &IncomingBody) -> Result<Vec<u8>, String> {
    let stream = body.stream().map_err(|()| "no stream")?;
    let mut bytes = Vec::new();
    loop {
        match stream.blocking_read(64 << 10) {
            Ok(more) => bytes.extend(more),
            Err(StreamError::Closed) => return Ok(bytes),
            Err(StreamError::LastOperationFailed(error)) => {
                let code_of = wasip2::http::types::http_error_code(&error);
                return Err(code_of.map_or("broken".to_owned(), code));
            }
        }
    }
}

fn method_of(method: String) -> Method {
    match &*method {
        "GET" => Method::Get,
        "POST" => Method::Post,
        "CONNECT" => Method::Connect,
        "TRACE" => Method::Trace,
        _ => Method::Other(method),
    }
}

fn scheme_of(scheme: String) -> Scheme {
    match &*scheme {
        "http" => Scheme::Http,
        "https" => Scheme::Https,
        _ => Scheme::Other(scheme),
    }
}

/// The variant's own name: `HttpRequestDenied`.
fn code(error: ErrorCode) -> String {
    let text = format!("{error:?}");
    let name = text.strip_prefix("ErrorCode::").unwrap_or(&text);
    name.split(['(', ' ']).next().unwrap_or(name).to_owned()
}
