//! A request for a message.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::RemoteSettings;
use super::super::conversation::{Conversation, Turn};
use super::super::schema::adapted;
use super::super::tools::{ToolNames, wire_id};

/// The body of a request.
pub(in super::super) fn request(
    settings: &RemoteSettings,
    conversation: &Conversation,
    names: &ToolNames,
) -> serde_json::Result<Vec<u8>> {
    let tools = conversation.tools.iter().map(|tool| Offered {
        name: names.tool(&tool.name),
        description: &tool.description,
        input_schema: adapted(settings.provider, &tool.schema),
    });
    let messages = conversation.turns.iter().map(|turn| said(turn, names));
    serde_json::to_vec(&Request {
        model: &settings.model,
        max_tokens: settings.max_tokens.map_or(MAX_TOKENS, u32::from),
        system: &conversation.system,
        messages: messages.collect::<Result<_, _>>()?,
        tools: tools.collect(),
        stream: settings.stream,
        temperature: settings.temperature,
    })
}

fn said<'c>(turn: &'c Turn, names: &ToolNames) -> serde_json::Result<Said<'c>> {
    let text = |text: &'c str| (!text.is_empty()).then_some(Block::Text { text });
    Ok(match turn {
        Turn::User {
            results,
            text: words,
        } => {
            // The results come first: the format takes them nowhere else.
            let results = results.iter().map(|came| Block::ToolResult {
                tool_use_id: wire_id(came.call),
                content: &came.text,
                is_error: came.failed,
            });
            Said {
                role: "user",
                content: results.chain(text(words)).collect(),
            }
        }
        Turn::Model { text: words, calls } => {
            let mut content: Vec<_> = text(words).into_iter().collect();
            for named in calls {
                content.push(Block::ToolUse {
                    id: wire_id(named.call),
                    name: names.tool(&named.name),
                    input: serde_json::from_str(&named.arguments)?,
                });
            }
            Said {
                role: "assistant",
                content,
            }
        }
    })
}

#[derive(Serialize)]
struct Request<'c> {
    model: &'c str,
    max_tokens: u32,
    system: &'c str,
    messages: Vec<Said<'c>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Offered<'c>>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
}

#[derive(Serialize)]
struct Offered<'c> {
    name: String,
    description: &'c str,
    input_schema: Value,
}

#[derive(Serialize)]
struct Said<'c> {
    role: &'static str,
    content: Vec<Block<'c>>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block<'c> {
    Text {
        text: &'c str,
    },
    ToolUse {
        id: String,
        name: String,
        /// The object as it was written: no number of it is rounded.
        input: &'c RawValue,
    },
    ToolResult {
        tool_use_id: String,
        content: &'c str,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
    },
}

/// Tokens of an answer where nobody says how many; the format must have a number, and every model that
/// is still served since 2024 takes this one.
const MAX_TOKENS: u32 = 8_192;
