//! A model over HTTP: OpenAI's chat completions, which most servers speak, and Anthropic's messages.
//!
//! The two formats are read here and not by a client library, since what a library makes of an oddity
//! the gate cannot see any more. The widest one (genai 0.7.2) was looked at: it makes room for every
//! call below an index that the server chose, so that the index 4294967295 ends the host; it takes
//! arguments that come as an object for an empty text; it drops calls without an index, copies all
//! arguments with each piece, and reads them through values that round numbers. What does not differ
//! from one provider to the next is left to libraries: HTTP and TLS to `reqwest` with rustls, events to
//! `sse-stream`.
//!
//! A put-back is one request, made again within bounds where nothing speaks against it
//! ([`RemoteLimits`]). It may be dropped at any point: nothing of it goes on anywhere else.

mod anthropic;
mod body;
mod conversation;
mod endpoint;
mod heard;
mod http;
mod limits;
mod openai;
mod provider;
mod schema;
mod settings;
#[cfg(test)]
mod tests;
mod tools;
mod trouble;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::{Stream, StreamExt as _};
use loop_spec::{Page, Usage};
use reqwest::{Client, Response};
use sse_stream::SseByteStream;
use tokio::time::{sleep, timeout};

use super::{Decision, Listener, Model, ModelError};
use crate::grants::Masks;
use body::Cut;
use heard::Heard;
use http::Kind;
use limits::AFTER_THE_END;
use provider::Wire;
use trouble::{Tries, Trouble};

pub use conversation::{CameOfIt, Conversation, NoConversation, Tool, Turn};
pub use endpoint::{BadEndpoint, Endpoint};
pub use limits::RemoteLimits;
pub use provider::Provider;
pub use settings::{BadSettings, GivenKey, RemoteChoice, RemoteSettings};
pub use tools::SharedName;

/// A model that a provider serves over HTTP.
pub struct RemoteModel {
    name: String,
    settings: RemoteSettings,
    client: Client,
    masks: Masks,
    /// Whether the server counts tokens in its streams, as far as is known.
    counts: bool,
}

impl RemoteModel {
    /// A model that is asked as `settings` say. Nothing is sent yet.
    ///
    /// # Errors
    /// When no client can be made, as with a proxy in the environment that is none.
    pub fn new(settings: RemoteSettings) -> Result<Self, ModelError> {
        let name = format!("{}:{}", settings.provider, settings.model);
        let client = http::client(&settings)
            .map_err(|error| ModelError::new(format!("{name}: {}", http::told(error))))?;
        Ok(Self {
            name,
            masks: Masks::over(&settings.key),
            client,
            settings,
            counts: true,
        })
    }

    /// Asks once. What comes goes into `heard`, also when it breaks off.
    async fn ask(&self, body: Bytes, heard: &mut Heard<'_>) -> Result<(), Trouble> {
        let settings = &self.settings;
        let wire = settings.provider.wire();
        let url = settings.endpoint.join(wire.path());
        let headers = http::headers(wire, settings.key.as_ref());
        let limits = &settings.limits;
        let response = http::send(&self.client, url, headers, body, limits, &self.masks).await?;
        match http::kind(&response) {
            Kind::Events => {
                let pieces = body::pieces(response, limits, &self.masks);
                hear(wire, pieces, heard).await
            }
            Kind::Json => {
                let whole = body::whole(response, limits, &self.masks).await;
                let whole = whole.map_err(|cut| cut_off(&cut))?;
                match wire {
                    Wire::ChatCompletions => openai::whole(&whole, heard),
                    Wire::Messages => anthropic::whole(&whole, heard),
                }
            }
            Kind::Other(found) => Err(self.neither(found, response).await),
        }
    }

    async fn neither(&self, found: String, response: Response) -> Trouble {
        let limits = RemoteLimits {
            bytes: BEGINNING,
            ..self.settings.limits.clone()
        };
        let body = body::whole(response, &limits, &self.masks).await;
        let body = body.unwrap_or_default();
        Trouble::Final(format!(
            "expected text/event-stream or application/json, found {}: {}; check the endpoint",
            match found.as_str() {
                "" => "no content type",
                found => found,
            },
            http::shown(&String::from_utf8_lossy(&body))
        ))
    }

    fn body(
        &self,
        conversation: &Conversation,
        names: &tools::ToolNames,
    ) -> Result<Bytes, ModelError> {
        let body = match self.settings.provider.wire() {
            Wire::ChatCompletions => {
                openai::request(&self.settings, conversation, names, self.counts)
            }
            Wire::Messages => anthropic::request(&self.settings, conversation, names),
        };
        let body = body.map_err(|error| self.unbuilt(&error))?;
        Ok(body.into())
    }

    fn unbuilt(&self, why: &dyn std::fmt::Display) -> ModelError {
        ModelError::new(format!(
            "{}: no request can be made of this page: {why}",
            self.name
        ))
    }

    /// Servers that do not know the option refuse the request and name it.
    fn is_about_counting(&self, trouble: &Trouble) -> bool {
        let names_it = trouble.why().contains("stream_options");
        self.counts && names_it && matches!(trouble, Trouble::Final(_))
    }
}

#[async_trait]
impl Model for RemoteModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn sums_up(&self) -> bool {
        true
    }

    async fn decide(
        &mut self,
        _put_back: u32,
        page: &Page<'_>,
        listener: &mut dyn Listener,
    ) -> Result<Decision, ModelError> {
        let conversation = Conversation::of(page).map_err(|error| self.unbuilt(&error))?;
        let listed = conversation.tools.iter().map(|tool| tool.name.as_str());
        let names = tools::ToolNames::new(self.settings.provider, listed)
            .map_err(|error| self.unbuilt(&error))?;
        let limits = self.settings.limits.clone();
        let mut tries = Tries::new(&limits);
        // Of every attempt: a provider counts them all.
        let mut used = Usage::default();
        loop {
            let body = self.body(&conversation, &names)?;
            let mut heard = Heard::new(listener, self.masks.clone());
            let asked = self.ask(body, &mut heard).await;
            used += heard.usage;
            heard.usage = used;
            let trouble = match asked {
                Ok(()) => {
                    return heard
                        .decision(&names)
                        .map_err(|error| self.error(error, &tries));
                }
                Err(trouble) => trouble.hidden(&self.masks),
            };
            if self.is_about_counting(&trouble) {
                self.counts = false;
                continue;
            }
            let Some(wait) = tries.wait(&trouble, chance()) else {
                return Err(self.error(heard.failed(trouble.why(), &names), &tries));
            };
            drop(heard);
            listener.again(trouble.why(), wait);
            sleep(wait).await;
        }
    }
}

impl RemoteModel {
    fn error(&self, error: ModelError, tries: &Tries<'_>) -> ModelError {
        let why = match tries.again() {
            0 => format!("{}: {}", self.name, error.why),
            again => {
                let asked = loop_spec::numbers::counted(again + 1, "time");
                format!("{}: {} (asked {asked})", self.name, error.why)
            }
        };
        ModelError { why, ..error }
    }
}

/// Hears the events in `pieces` up to the end of the answer.
async fn hear(
    wire: Wire,
    pieces: impl Stream<Item = Result<Bytes, Cut>> + Send,
    heard: &mut Heard<'_>,
) -> Result<(), Trouble> {
    let pieces = std::pin::pin!(pieces);
    let mut events = SseByteStream::new(pieces);
    while !heard.over {
        let next = match heard.label {
            None => events.next().await,
            Some(_) => match timeout(AFTER_THE_END, events.next()).await {
                Ok(next) => next,
                Err(_) => return Ok(()),
            },
        };
        let event = match next {
            Some(Ok(event)) => event,
            // Behind its end nothing of an answer can be lost.
            _ if heard.is_whole() => return Ok(()),
            Some(Err(error)) => return Err(unheard(error)),
            None => {
                let why = "the answer ended without the mark of its end";
                return Err(Trouble::Broken(why.to_owned()));
            }
        };
        if let Some(data) = event.data {
            match wire {
                Wire::ChatCompletions => openai::event(&data, heard)?,
                Wire::Messages => anthropic::event(&data, heard)?,
            }
        }
    }
    Ok(())
}

fn unheard(error: sse_stream::Error) -> Trouble {
    match error {
        sse_stream::Error::Body(cause) => match cause.downcast_ref::<Cut>() {
            Some(cut) => cut_off(cut),
            None => Trouble::Broken(cause.to_string()),
        },
        other => Trouble::Broken(format!(
            "expected a stream of events, found one with {other}"
        )),
    }
}

fn cut_off(cut: &Cut) -> Trouble {
    match cut {
        Cut::TooLarge { .. } | Cut::TooLong { .. } => Trouble::Final(cut.to_string()),
        Cut::Silent { .. } | Cut::Broken { .. } => Trouble::Broken(cut.to_string()),
    }
}

/// From 0 to 1, so that many who were told "later" do not come back at one moment.
fn chance() -> f64 {
    // Without chance all wait the same, which is no reason to fail.
    f64::from(getrandom::u32().unwrap_or_default()) / f64::from(u32::MAX)
}

/// Bytes that are read of a body which is of another kind.
const BEGINNING: usize = 4 << 10;
