//! One request to a provider, and what its status says.

use std::time::SystemTime;

use bytes::Bytes;
use loop_spec::clip;
use loop_spec::frame::one_line;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, LOCATION, RETRY_AFTER};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};
use serde_json::Value;
use tokio::time::timeout;

use super::provider::Wire;
use super::trouble::{Trouble, is_later, retry_after};
use super::{RemoteLimits, RemoteSettings, body};
use crate::grants::{Masks, Secret};
use crate::tls::client_config;

/// A client that follows no redirect, so that nothing is sent on to where it leads; on this machine it
/// asks no proxy.
pub(super) fn client(settings: &RemoteSettings) -> reqwest::Result<Client> {
    let client = Client::builder()
        .user_agent(concat!("doorlist/", env!("CARGO_PKG_VERSION")))
        .tls_backend_preconfigured((*client_config()).clone())
        .redirect(Policy::none())
        .connect_timeout(settings.limits.connect);
    match settings.endpoint.is_this_machine() {
        true => client.no_proxy().build(),
        false => client.https_only(true).build(),
    }
}

/// The headers of every request. The key's is marked, so that nothing that prints headers shows it.
pub(super) fn headers(wire: Wire, key: Option<&Secret>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let json = HeaderValue::from_static("application/json");
    headers.insert(CONTENT_TYPE, json);
    let either = HeaderValue::from_static("text/event-stream, application/json");
    headers.insert(ACCEPT, either);
    if wire == Wire::Messages {
        let version = HeaderName::from_static("anthropic-version");
        headers.insert(version, HeaderValue::from_static(ANTHROPIC_VERSION));
    }
    if let Some(key) = key {
        let (name, value) = match wire {
            Wire::ChatCompletions => (AUTHORIZATION, format!("Bearer {}", key.reveal())),
            Wire::Messages => (
                HeaderName::from_static("x-api-key"),
                key.reveal().to_owned(),
            ),
        };
        // A secret is of ASCII signs that show, which a header takes.
        if let Ok(mut value) = HeaderValue::try_from(value) {
            value.set_sensitive(true);
            headers.insert(name, value);
        }
    }
    headers
}

/// Sends `body` to `url`; an answer whose status is a success.
pub(super) async fn send(
    client: &Client,
    url: Url,
    headers: HeaderMap,
    body: Bytes,
    limits: &RemoteLimits,
    masks: &Masks,
) -> Result<Response, Trouble> {
    let sent = client.post(url).headers(headers).body(body).send();
    let later = |why| Trouble::Later { why, after: None };
    let Ok(came) = timeout(limits.first_byte, sent).await else {
        let waited = limits.first_byte;
        return Err(later(format!(
            "expected an answer within {waited:?}, found none"
        )));
    };
    let response = came.map_err(|error| later(masks.text(told(error))))?;
    if response.status().is_success() {
        return Ok(response);
    }
    Err(refusal(response, limits, masks).await)
}

/// What kind of body a content type announces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Events,
    Json,
    Other(String),
}

pub(super) fn kind(response: &Response) -> Kind {
    let named = response.headers().get(CONTENT_TYPE);
    let named = named.map_or("", |value| value.to_str().unwrap_or("?"));
    let essence = named.split(';').next().unwrap_or_default().trim();
    match essence.to_ascii_lowercase().as_str() {
        "text/event-stream" => Kind::Events,
        "application/json" => Kind::Json,
        _ => Kind::Other(named.to_owned()),
    }
}

/// What an error and all that caused it say, without the address.
pub(super) fn told(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut said = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(error) = cause {
        let what = error.to_string();
        if !said.contains(&what) {
            said = format!("{said}: {what}");
        }
        cause = error.source();
    }
    said
}

async fn refusal(response: Response, limits: &RemoteLimits, masks: &Masks) -> Trouble {
    let status = response.status();
    let header = |name| response.headers().get(name)?.to_str().ok();
    let after = header(RETRY_AFTER).and_then(|text| retry_after(text, SystemTime::now()));
    if status.is_redirection() {
        let leads = header(LOCATION).unwrap_or("nowhere");
        let leads = leads.split(['?', '#']).next().unwrap_or_default();
        return Trouble::Final(masks.text(format!(
            "expected an answer, found {status}, which leads to {}; nothing is sent on: if that is \
             meant, name it as the endpoint",
            shown(leads)
        )));
    }
    let limits = RemoteLimits {
        bytes: REFUSAL,
        ..limits.clone()
    };
    // An error without its words is an error all the same.
    let words = body::whole(response, &limits, masks).await;
    let words = message(&String::from_utf8_lossy(&words.unwrap_or_default()));
    let check = advice(status);
    let asks = after.filter(|after| *after > limits.longest_wait);
    let asks = asks.map(|after| format!("; it wants to be asked again in {} s", after.as_secs()));
    let asks = asks.unwrap_or_default();
    let why = masks.text(format!(
        "expected an answer, found {status}{words}{check}{asks}"
    ));
    match is_later(status.as_u16()) {
        true => Trouble::Later { why, after },
        false => Trouble::Final(why),
    }
}

/// What the body of an error says: its message, or its beginning.
fn message(body: &str) -> String {
    let parsed: Option<Value> = serde_json::from_str(body).ok();
    let said = parsed.as_ref().and_then(error_message);
    match said.as_deref().unwrap_or(body).trim() {
        "" => String::new(),
        said => format!(": {}", shown(said)),
    }
}

/// The message in an error of either wire format; servers nest it in one of these ways.
pub(super) fn error_message(body: &Value) -> Option<String> {
    let body = match body {
        Value::Array(all) => all.first()?,
        body => body,
    };
    let error = body.get("error").unwrap_or(body);
    let message = error.get("message").or_else(|| body.get("detail"));
    let said = message.unwrap_or(error);
    match said.as_str() {
        Some(said) => Some(said.to_owned()),
        None if said.is_null() => None,
        None => Some(said.to_string()),
    }
}

/// A server's words on one line, at most some lines of a terminal long.
pub(super) fn shown(words: &str) -> String {
    one_line(&clip(words.trim(), SHOWN))
}

fn advice(status: StatusCode) -> &'static str {
    match status.as_u16() {
        400 | 422 => "; check the model's name, --max-tokens and --temperature",
        401 => "; check the key",
        402 => "; check the account that the key belongs to",
        403 => "; check the key, and that it may use this model",
        404 => "; check the model's name and the endpoint",
        413 => "; the page is longer than the provider takes",
        _ => "",
    }
}

/// The version of Anthropic's interface that the format is of.
const ANTHROPIC_VERSION: &str = "2023-06-01";
/// Bytes of an error's body that are read.
const REFUSAL: usize = 64 << 10;
/// Bytes of an error's message that are shown.
const SHOWN: usize = 600;
