//! A request for a chat completion.

use serde::Serialize;
use serde_json::Value;

use super::super::conversation::{Conversation, Tool, Turn};
use super::super::schema::{adapted, is_strict};
use super::super::tools::{ToolNames, wire_id};
use super::super::{Provider, RemoteSettings};

/// The body of a request. `usage`: whether the server is asked to count tokens in its stream.
pub(in super::super) fn request(
    settings: &RemoteSettings,
    conversation: &Conversation,
    names: &ToolNames,
    usage: bool,
) -> serde_json::Result<Vec<u8>> {
    let own = settings.is_own_endpoint();
    // Others know the older name alone; OpenAI's newer models refuse it.
    let newer = own && settings.provider == Provider::OpenAi;
    let most = settings.max_tokens.map(u32::from);
    let (max_tokens, max_completion_tokens) = if newer { (None, most) } else { (most, None) };
    let mut messages = vec![Said::System {
        content: &conversation.system,
    }];
    for turn in &conversation.turns {
        say(&mut messages, turn, settings.provider, names);
    }
    let tool = |tool| offer(tool, settings, names);
    serde_json::to_vec(&Request {
        model: &settings.model,
        messages,
        tools: conversation.tools.iter().map(tool).collect(),
        stream: settings.stream,
        stream_options: (usage && settings.stream).then_some(StreamOptions {
            include_usage: true,
        }),
        max_tokens,
        max_completion_tokens,
        temperature: settings.temperature,
    })
}

fn say<'c>(messages: &mut Vec<Said<'c>>, turn: &'c Turn, provider: Provider, names: &ToolNames) {
    match turn {
        Turn::User { results, text } => {
            messages.extend(results.iter().map(|came| Said::Tool {
                tool_call_id: wire_id(came.call),
                content: &came.text,
            }));
            if !text.is_empty() {
                messages.push(Said::User { content: text });
            }
        }
        Turn::Model { text, calls } => {
            let call = |(place, named): (usize, &'c loop_spec::Named)| ToolCall {
                id: wire_id(named.call),
                kind: "function",
                function: Named {
                    name: names.tool(&named.name),
                    arguments: &named.arguments,
                },
                extra_content: (provider == Provider::Gemini && place == 0).then_some(UNSIGNED),
            };
            messages.push(Said::Assistant {
                content: (!text.is_empty()).then_some(text),
                tool_calls: calls.iter().enumerate().map(call).collect(),
            });
        }
    }
}

fn offer(tool: &Tool, settings: &RemoteSettings, names: &ToolNames) -> Offered {
    let parameters = adapted(settings.provider, &tool.schema);
    let own = settings.is_own_endpoint() && settings.provider == Provider::OpenAi;
    let mut description = tool.description.clone();
    description.truncate(description.floor_char_boundary(LONGEST_DESCRIPTION));
    Offered {
        kind: "function",
        function: Function {
            name: names.tool(&tool.name),
            description,
            strict: (own && is_strict(&parameters)).then_some(true),
            parameters,
        },
    }
}

#[derive(Serialize)]
struct Request<'c> {
    model: &'c str,
    messages: Vec<Said<'c>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Offered>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "lowercase")]
enum Said<'c> {
    System {
        content: &'c str,
    },
    User {
        content: &'c str,
    },
    Assistant {
        #[serde(skip_serializing_if = "Option::is_none")]
        content: Option<&'c str>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<ToolCall<'c>>,
    },
    Tool {
        tool_call_id: String,
        content: &'c str,
    },
}

#[derive(Serialize)]
struct ToolCall<'c> {
    id: String,
    #[serde(rename = "type")]
    kind: &'static str,
    function: Named<'c>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extra_content: Option<ExtraContent>,
}

#[derive(Serialize)]
struct Named<'c> {
    name: String,
    /// A text, in which the JSON stands as it was written.
    arguments: &'c str,
}

#[derive(Serialize)]
struct Offered {
    #[serde(rename = "type")]
    kind: &'static str,
    function: Function,
}

#[derive(Serialize)]
struct Function {
    name: String,
    description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
    parameters: Value,
}

/// Gemini 3 refuses calls that come back without the signature of the thought behind them. A page keeps
/// no thoughts; this is the value that Gemini's documentation names for a call without one.
const UNSIGNED: ExtraContent = ExtraContent {
    google: Signature {
        thought_signature: "skip_thought_signature_validator",
    },
};

#[derive(Clone, Copy, Serialize)]
struct ExtraContent {
    google: Signature,
}

#[derive(Clone, Copy, Serialize)]
struct Signature {
    thought_signature: &'static str,
}

/// Bytes of a description that OpenAI takes. The page's top has all of it.
const LONGEST_DESCRIPTION: usize = 1_024;

#[cfg(test)]
mod tests {
    use super::super::super::{Endpoint, RemoteLimits};
    use super::*;
    use serde_json::json;

    fn sent(endpoint: &str, schema: &Value) -> Value {
        let settings = RemoteSettings {
            provider: Provider::OpenAi,
            model: "m".to_owned(),
            endpoint: endpoint.parse::<Endpoint>().unwrap(),
            key: None,
            max_tokens: std::num::NonZeroU32::new(7),
            temperature: None,
            stream: true,
            limits: RemoteLimits::default(),
        };
        let conversation = Conversation {
            system: "top".to_owned(),
            turns: Vec::new(),
            tools: vec![Tool {
                name: "a.b".to_owned(),
                description: "é".repeat(1_000),
                schema: schema.clone(),
            }],
        };
        let names = ToolNames::new(Provider::OpenAi, ["a.b"]).unwrap();
        let body = request(&settings, &conversation, &names, true).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    /// Others refuse what only OpenAI has.
    #[test]
    fn what_is_openais_alone_goes_to_openai_alone() {
        let closed = json!({ "type": "object", "properties": {}, "additionalProperties": false });
        let own = sent(Provider::OpenAi.own_endpoint(), &closed);
        assert_eq!(own["max_completion_tokens"], 7);
        assert!(own.get("max_tokens").is_none());
        assert_eq!(own["tools"][0]["function"]["strict"], true);
        let open = sent(
            Provider::OpenAi.own_endpoint(),
            &json!({ "type": "object" }),
        );
        assert!(open["tools"][0]["function"].get("strict").is_none());
        let other = sent("http://127.0.0.1:1/v1", &closed);
        assert_eq!(other["max_tokens"], 7);
        assert!(other.get("max_completion_tokens").is_none());
        let function = &other["tools"][0]["function"];
        assert!(function.get("strict").is_none());
        assert_eq!(function["description"].as_str().unwrap().len(), 1_024);
    }
}
