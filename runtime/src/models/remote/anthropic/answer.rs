//! A message: whole, or in events.

use loop_spec::Ended;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::heard::{Heard, Label, Piece};
use super::super::http::{error_message, shown};
use super::super::trouble::Trouble;

/// The data of one event of a stream.
pub(in super::super) fn event(data: &str, heard: &mut Heard<'_>) -> Result<(), Trouble> {
    if data.trim().is_empty() {
        return Ok(());
    }
    let event: Event = serde_json::from_str(data).map_err(|error| {
        Trouble::Broken(format!(
            "expected an event of a message, found ({error}) {}",
            shown(data)
        ))
    })?;
    match event.kind.as_str() {
        "message_start" => count(event.message.and_then(|it| it.usage), heard),
        "content_block_start" => {
            if let Some(block) = event.content_block {
                block.take(event.index.unwrap_or_default(), heard)?;
            }
        }
        "content_block_delta" => {
            let delta = event.delta.unwrap_or_default();
            if let Some(text) = delta.text {
                heard.say(&text);
            }
            if let Some(arguments) = delta.partial_json {
                heard.piece(Piece {
                    index: event.index,
                    arguments,
                    ..Piece::default()
                })?;
            }
        }
        "message_delta" => {
            count(event.usage, heard);
            let reason = event.delta.and_then(|delta| delta.stop_reason);
            heard.label = reason.as_deref().map(label).or(heard.label.take());
        }
        "message_stop" => heard.over = true,
        "error" => return Err(failure(&event.error.unwrap_or_default())),
        // `ping`, the end of a block, and what is still to come.
        _ => {}
    }
    Ok(())
}

/// A whole answer, from a server that does not stream.
pub(in super::super) fn whole(body: &[u8], heard: &mut Heard<'_>) -> Result<(), Trouble> {
    let found = || shown(&String::from_utf8_lossy(body));
    let message: Message = serde_json::from_slice(body).map_err(|error| {
        let why = format!("expected a message, found ({error}) {}", found());
        match error.is_eof() {
            true => Trouble::Broken(why),
            false => Trouble::Final(why),
        }
    })?;
    if let Some(error) = &message.error {
        return Err(failure(error));
    }
    let Some(content) = message.content else {
        let why = format!("expected a message, found no content in {}", found());
        return Err(Trouble::Final(why));
    };
    for (index, block) in (0..).zip(content) {
        block.take(index, heard)?;
    }
    count(message.usage, heard);
    heard.label = message.stop_reason.as_deref().map(label);
    heard.over = true;
    Ok(())
}

/// Tokens so far: each count replaces the one before. What was read from a cache was read.
fn count(counted: Option<Counted>, heard: &mut Heard<'_>) {
    let Some(counted) = counted else {
        return;
    };
    if let Some(input) = counted.input_tokens {
        let cached = [
            counted.cache_creation_input_tokens,
            counted.cache_read_input_tokens,
        ];
        let cached = cached.into_iter().flatten();
        heard.usage.input = cached.fold(input, u64::saturating_add);
    }
    if let Some(output) = counted.output_tokens {
        heard.usage.output = output;
    }
}

/// `stop_reason`.
fn label(reason: &str) -> Label {
    match reason {
        "max_tokens" | "model_context_window_exceeded" => Label::Ended(Ended::Length),
        "tool_use" => Label::Ended(Ended::Doors),
        "refusal" => Label::NoAnswer("the model refused to answer (`refusal`)".to_owned()),
        _ => Label::Ended(Ended::Turn),
    }
}

fn failure(error: &Value) -> Trouble {
    let said = error_message(error).unwrap_or_default();
    let why = format!("expected an answer, found an error in it: {}", shown(&said));
    match error.get("type").and_then(Value::as_str) {
        Some("overloaded_error" | "api_error" | "rate_limit_error" | "timeout_error") => {
            Trouble::Later { why, after: None }
        }
        _ => Trouble::Final(why),
    }
}

/// Any event. Not an enum by its type: a tag is read through values, which round numbers.
#[derive(Deserialize)]
struct Event {
    #[serde(rename = "type")]
    kind: String,
    message: Option<Message>,
    index: Option<u64>,
    content_block: Option<Block>,
    delta: Option<Delta>,
    usage: Option<Counted>,
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Message {
    content: Option<Vec<Block>>,
    stop_reason: Option<String>,
    usage: Option<Counted>,
    error: Option<Value>,
}

/// What an event changes: a block's text or input, or the end of the message. Thoughts have other keys.
#[derive(Default, Deserialize)]
struct Delta {
    text: Option<String>,
    partial_json: Option<String>,
    stop_reason: Option<String>,
}

#[derive(Deserialize)]
struct Counted {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct Block {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
    id: Option<String>,
    name: Option<String>,
    input: Option<Box<RawValue>>,
}

impl Block {
    fn take(self, index: u64, heard: &mut Heard<'_>) -> Result<(), Trouble> {
        match self.kind.as_str() {
            "text" => heard.say(&self.text.unwrap_or_default()),
            "tool_use" => {
                // A block begins with `"input": {}`, and where no pieces of it follow, that is what the
                // model said: the format sends no pieces for a call without arguments.
                let given = self.input.map(|input| input.get().to_owned());
                let name = self.name.unwrap_or_default();
                heard.start(index, self.id, name, given.unwrap_or_default())?;
            }
            _ => {}
        }
        Ok(())
    }
}
