//! Doors as tools, and what a door came to as a tool's result.

use std::sync::Arc;

use loop_spec::loop_machine::Outcome;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::doors::{Function, Shape, mapped};
use crate::gate::GuardedDoor;
use crate::loop_run::Snapshot;

/// The listed doors, in the order of the list.
pub(super) fn tools(snapshot: &Snapshot) -> Vec<Tool> {
    let list = snapshot.text.list().iter();
    list.filter_map(|name| snapshot.doors.get(name))
        .map(tool)
        .collect()
}

/// The listed door that a tool's name stands for.
pub(super) fn named<'s>(snapshot: &'s Snapshot, tool: &'s str) -> &'s str {
    let mut list = snapshot.text.list().iter();
    list.find(|name| mapped(name) == tool)
        .map_or(tool, String::as_str)
}

fn tool(door: &GuardedDoor) -> Tool {
    let function = &door.door.function;
    let name = mapped(&door.door.name);
    let input = object(function.schema());
    let mut tool = Tool::new(name, about(door), Arc::new(input))
        .with_title(door.door.name.clone())
        .with_annotations(annotations(door));
    if let Some(output) = output_schema(function) {
        tool = tool.with_raw_output_schema(Arc::new(output));
    }
    tool
}

fn about(door: &GuardedDoor) -> String {
    let mut about = door.door.function.docs.clone().unwrap_or_default();
    if !about.is_empty() {
        about.push_str("\n\n");
    }
    about.push_str(&door.door.signature());
    if door.asked_first {
        about.push_str("\n\nA person is asked before it is opened.");
    }
    about
}

/// What its grants let it do. A door that is granted nothing changes nothing, and gives the same again
/// but for its clock and its random numbers.
fn annotations(door: &GuardedDoor) -> ToolAnnotations {
    let grants = &door.grants;
    let writes = grants.dirs.iter().any(|dir| dir.write);
    let reaches_out = !grants.hosts.is_empty();
    ToolAnnotations::with_title(door.door.name.clone())
        .read_only(!writes && !reaches_out && !grants.kv)
        .destructive(writes || reaches_out)
        .idempotent(door.is_pure())
        .open_world(reaches_out)
}

/// A tool's output is an object: what is none stands in one, under `result`.
fn output_schema(function: &Function) -> Option<JsonObject> {
    let schema = function.output_schema()?;
    let mut schema = object(schema);
    if is_object(function) {
        return Some(schema);
    }
    let dialect = schema.remove("$schema");
    let mut wrapped = object(json!({
        "type": "object",
        "properties": { "result": schema },
        "required": ["result"],
        "additionalProperties": false,
    }));
    if let Some(dialect) = dialect {
        wrapped.insert("$schema".to_owned(), dialect);
    }
    Some(wrapped)
}

fn is_object(function: &Function) -> bool {
    matches!(function.success(), Some(Shape::Record(_)))
}

/// What a door came to. What is no value of its output's schema is an error, as the protocol has it.
pub(super) fn result(door: &GuardedDoor, outcome: &Outcome, observation: String) -> CallToolResult {
    let Outcome::Said { text } = outcome else {
        return error(observation);
    };
    let function = &door.door.function;
    if function.output_schema().is_none() {
        return CallToolResult::success(vec![ContentBlock::text(observation)]);
    }
    // What was cut to its limit is no JSON any more.
    let Some(value) = function.value_of(text) else {
        return error(observation);
    };
    let mut result = CallToolResult::success(vec![ContentBlock::text(observation)]);
    result.structured_content = Some(match is_object(function) {
        true => value,
        false => json!({ "result": value }),
    });
    result
}

/// What a client's model reads where nothing, or nothing good, came of a call.
pub(super) fn error(observation: impl Into<String>) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(observation)])
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => unreachable!("a schema of Doorlist's is an object"),
    }
}
