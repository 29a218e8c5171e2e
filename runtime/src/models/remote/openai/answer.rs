//! A chat completion: whole, or in chunks.
//!
//! Servers that speak this format differ in what they leave out and in the types of what they send, so
//! everything is optional here but what an answer is made of.

use loop_spec::{Ended, Usage};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::heard::{Heard, Label, Piece};
use super::super::http::{error_message, shown};
use super::super::trouble::{Trouble, is_later};

/// The data of one event of a stream.
pub(in super::super) fn event(data: &str, heard: &mut Heard<'_>) -> Result<(), Trouble> {
    let data = data.trim();
    if data == "[DONE]" {
        heard.over = true;
        return Ok(());
    }
    // Some servers send empty events to keep the connection.
    if data.is_empty() {
        return Ok(());
    }
    let chunk: Completion = serde_json::from_str(data).map_err(|error| {
        Trouble::Broken(format!(
            "expected a chunk of a chat completion, found ({error}) {}",
            shown(data)
        ))
    })?;
    take(chunk, heard, false)
}

/// A whole answer, from a server that does not stream.
pub(in super::super) fn whole(body: &[u8], heard: &mut Heard<'_>) -> Result<(), Trouble> {
    let completion: Completion = serde_json::from_slice(body).map_err(|error| {
        let found = shown(&String::from_utf8_lossy(body));
        let why = format!("expected a chat completion, found ({error}) {found}");
        match error.is_eof() {
            true => Trouble::Broken(why),
            false => Trouble::Final(why),
        }
    })?;
    if completion.error.is_none() && completion.choices.is_none() {
        let found = shown(&String::from_utf8_lossy(body));
        return Err(Trouble::Final(format!(
            "expected a chat completion, found no choices in {found}"
        )));
    }
    take(completion, heard, true)?;
    heard.over = true;
    Ok(())
}

fn take(completion: Completion, heard: &mut Heard<'_>, whole: bool) -> Result<(), Trouble> {
    let groqs = completion.x_groq.and_then(|groq| groq.usage);
    if let Some(counted) = completion.usage.or(groqs) {
        // Where it comes more than once it counts on.
        heard.usage = Usage {
            input: counted.prompt_tokens.unwrap_or_default(),
            output: counted.completion_tokens.unwrap_or_default(),
        };
    }
    let mut choices = completion.choices.unwrap_or_default().into_iter();
    if let Some(choice) = choices.next() {
        let said = if whole { choice.message } else { choice.delta };
        if let Some(said) = said {
            said.take(heard, whole)?;
        }
        if let Some(reason) = choice.finish_reason {
            heard.label = Some(label(&reason));
        }
    }
    match completion.error {
        None => Ok(()),
        Some(error) => Err(failure(&error)),
    }
}

/// `finish_reason`.
fn label(reason: &str) -> Label {
    match reason {
        "length" | "max_tokens" | "model_length" => Label::Ended(Ended::Length),
        "tool_calls" | "function_call" => Label::Ended(Ended::Doors),
        "content_filter" | "safety" | "recitation" => Label::NoAnswer(format!(
            "the provider's filter refused the answer (`{reason}`)"
        )),
        "error" => Label::NoAnswer("the server labels the answer an error".to_owned()),
        _ => Label::Ended(Ended::Turn),
    }
}

/// An error in the place of a chunk.
fn failure(error: &Value) -> Trouble {
    let said = error_message(error).unwrap_or_default();
    let why = format!("expected an answer, found an error in it: {}", shown(&said));
    let status = error.get("code").or_else(|| error.get("status"));
    let status = status
        .and_then(Value::as_u64)
        .and_then(|it| u16::try_from(it).ok());
    match status.is_some_and(is_later) {
        true => Trouble::Later { why, after: None },
        false => Trouble::Final(why),
    }
}

#[derive(Deserialize)]
struct Completion {
    choices: Option<Vec<Choice>>,
    usage: Option<Counted>,
    x_groq: Option<Groq>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Groq {
    usage: Option<Counted>,
}

#[derive(Deserialize)]
struct Counted {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct Choice {
    delta: Option<Said>,
    message: Option<Said>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Said {
    content: Option<Content>,
    refusal: Option<String>,
    tool_calls: Option<Vec<ToolCall>>,
    /// What calls were called before there could be several; some servers send a copy of the first.
    function_call: Option<Function>,
}

/// A text, or parts of which some are text (Mistral's thinking models).
#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
struct Part {
    #[serde(rename = "type")]
    kind: Option<String>,
    text: Option<String>,
}

#[derive(Deserialize)]
struct ToolCall {
    index: Option<u64>,
    id: Option<String>,
    function: Option<Function>,
}

#[derive(Deserialize)]
struct Function {
    name: Option<String>,
    arguments: Option<Box<RawValue>>,
}

impl Said {
    fn take(self, heard: &mut Heard<'_>, whole: bool) -> Result<(), Trouble> {
        match self.content {
            Some(Content::Text(text)) => heard.say(&text),
            Some(Content::Parts(parts)) => {
                let text = |part: &Part| part.kind.as_deref().is_none_or(|kind| kind == "text");
                for part in parts.into_iter().filter(text) {
                    heard.say(&part.text.unwrap_or_default());
                }
            }
            None => {}
        }
        if let Some(refusal) = self.refusal {
            heard.refuse(&refusal);
        }
        let calls = self.tool_calls.unwrap_or_default();
        let old = self.function_call.filter(|_| calls.is_empty());
        for (place, call) in (0..).zip(calls) {
            let function = call.function.unwrap_or(Function {
                name: None,
                arguments: None,
            });
            let arguments = function.arguments();
            let name = function.name;
            if whole {
                // Each is a call of its own there, whatever its id is.
                heard.start(place, call.id, name.unwrap_or_default(), arguments)?;
                continue;
            }
            heard.piece(Piece {
                index: call.index,
                id: call.id,
                name,
                arguments,
            })?;
        }
        match old {
            Some(function) if !heard.has_calls() || heard.calls_are_old => {
                heard.calls_are_old = true;
                let arguments = function.arguments();
                heard.piece(Piece {
                    index: Some(0),
                    name: function.name,
                    arguments,
                    ..Piece::default()
                })
            }
            _ => Ok(()),
        }
    }
}

impl Function {
    /// The arguments as they were written: what is in a string, or any other value's own text. None are
    /// an empty text and never `{}`: the format has no other word for "no arguments" than `{}` itself, so
    /// what the door takes decides.
    fn arguments(&self) -> String {
        let Some(raw) = &self.arguments else {
            return String::new();
        };
        match serde_json::from_str::<String>(raw.get()) {
            Ok(text) => text,
            Err(_) => raw.get().to_owned(),
        }
    }
}
