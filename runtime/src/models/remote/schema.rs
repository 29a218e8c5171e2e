//! JSON Schema of arguments in the dialects that providers take.
//!
//! A schema only advises the model: whether arguments fit, the gate decides by the door's interface.
//! So what a provider has no words for is left out, which allows more and never less.

use serde_json::{Map, Value, json};

use super::Provider;

/// The schema of a door's arguments for `provider`: an object, with nothing beside it at the top.
pub(super) fn adapted(provider: Provider, schema: &Value) -> Value {
    let mut root = match (provider, schema) {
        (Provider::Gemini, schema) => gemini(schema),
        (_, Value::Object(root)) => root.clone(),
        _ => Map::new(),
    };
    for key in NOT_AT_THE_TOP {
        root.remove(key);
    }
    root.insert("type".to_owned(), "object".into());
    // OpenAI wants them named, be there none.
    root.entry("properties").or_insert_with(|| json!({}));
    Value::Object(root)
}

/// Whether OpenAI's strict mode takes the whole schema: every property required, nothing beside them, and
/// only what its decoder follows.
pub(super) fn is_strict(schema: &Value) -> bool {
    let Some(schema) = schema.as_object() else {
        return false;
    };
    let all = |value: &Value| {
        value
            .as_array()
            .is_some_and(|all| all.iter().all(is_strict))
    };
    let follows = |(key, value): (&String, &Value)| match key.as_str() {
        "type" => value.is_string(),
        "description" | "enum" | "const" | "minimum" | "maximum" | "pattern" | "required"
        | "minItems" | "maxItems" => true,
        "additionalProperties" => value == &Value::Bool(false),
        "items" => is_strict(value),
        "anyOf" => all(value),
        "properties" => value
            .as_object()
            .is_some_and(|properties| properties.values().all(is_strict)),
        _ => false,
    };
    let closed = schema.get("type") != Some(&"object".into())
        || schema.get("additionalProperties") == Some(&Value::Bool(false)) && names_all(schema);
    closed && schema.iter().all(follows)
}

fn names_all(schema: &Map<String, Value>) -> bool {
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array);
    properties.is_none_or(|properties| {
        let named = |name| required.is_some_and(|all| all.contains(&Value::from(name)));
        properties.keys().map(String::as_str).all(named)
    })
}

/// Gemini takes a part of OpenAPI's schemas and refuses a request with any other key.
fn gemini(schema: &Value) -> Map<String, Value> {
    let mut out = Map::new();
    let Some(schema) = schema.as_object() else {
        return out;
    };
    for (key, value) in schema {
        match (key.as_str(), value) {
            ("properties", Value::Object(properties)) => {
                let each =
                    |(name, value): (&String, &Value)| (name.clone(), Value::Object(gemini(value)));
                out.insert(key.clone(), properties.iter().map(each).collect());
            }
            ("items", items) => drop(out.insert(key.clone(), gemini(items).into())),
            ("prefixItems", Value::Array(items)) => {
                let mut each: Vec<Value> = items.iter().map(|item| gemini(item).into()).collect();
                each.dedup();
                let items = match <[Value; 1]>::try_from(each) {
                    Ok([one]) => one,
                    Err(each) => json!({ "anyOf": each }),
                };
                out.insert("items".to_owned(), items);
            }
            ("anyOf" | "oneOf", Value::Array(cases)) => any_of(&mut out, cases),
            ("const", Value::String(only)) => choice(&mut out, &[only.as_str().into()]),
            ("enum", Value::Array(cases)) if cases.iter().all(Value::is_string) => {
                choice(&mut out, cases);
            }
            ("type", Value::Array(types)) => {
                let null = Value::from("null");
                let some = types.iter().find(|it| **it != null);
                out.extend(some.map(|some| ("type".to_owned(), some.clone())));
                if types.contains(&null) {
                    out.insert("nullable".to_owned(), true.into());
                }
            }
            (key, value) if GEMINI.contains(&key) => {
                drop(out.insert(key.to_owned(), value.clone()))
            }
            _ => {}
        }
    }
    // An array without them is refused.
    if out.get("type") == Some(&"array".into()) {
        out.entry("items").or_insert_with(|| json!({}));
    }
    out
}

/// `null` among the cases is a key of its own there.
fn any_of(out: &mut Map<String, Value>, cases: &[Value]) {
    let is_null = |case: &&Value| case.get("type") == Some(&"null".into());
    let (null, cases): (Vec<&Value>, Vec<&Value>) = cases.iter().partition(is_null);
    if !null.is_empty() {
        out.insert("nullable".to_owned(), true.into());
    }
    let cases: Vec<Map<String, Value>> = cases.into_iter().map(gemini).collect();
    match <[Map<String, Value>; 1]>::try_from(cases) {
        Ok([one]) => out.extend(one),
        Err(cases) => drop(out.insert("anyOf".to_owned(), cases.into_iter().collect())),
    }
}

fn choice(out: &mut Map<String, Value>, of: &[Value]) {
    out.insert("type".to_owned(), "string".into());
    out.insert("enum".to_owned(), of.to_vec().into());
}

/// No provider takes these for all of the arguments; `$schema` says nothing that they do not know.
const NOT_AT_THE_TOP: [&str; 10] = [
    "$schema", "$id", "anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "nullable",
];
/// The keys of Gemini's `Schema` whose values are as in JSON Schema.
const GEMINI: [&str; 13] = [
    "type",
    "title",
    "description",
    "required",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
    "minLength",
    "maxLength",
    "minProperties",
    "maxProperties",
    "pattern",
];

#[cfg(test)]
mod tests {
    use super::*;

    /// A record of an option, an enum, a tuple and a variant, as the doors' interfaces say them.
    fn schema() -> Value {
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {
                "maybe": { "anyOf": [{ "type": "string" }, { "type": "null" }] },
                "size": { "type": "string", "enum": ["s", "m"] },
                "pair": {
                    "type": "array", "minItems": 2, "maxItems": 2,
                    "prefixItems": [{ "type": "string" }, { "type": "integer", "minimum": 0 }],
                },
                "case": { "anyOf": [
                    { "const": "none" },
                    {
                        "type": "object", "properties": { "some": { "type": "boolean" } },
                        "required": ["some"], "additionalProperties": false,
                    },
                ] },
                "flags": { "type": "array", "items": { "type": "string" }, "uniqueItems": true },
            },
            "required": ["size", "pair", "case", "flags"],
            "additionalProperties": false,
        })
    }

    #[test]
    fn openai_and_anthropic_take_it_but_for_the_dialects_name() {
        let mut plain = schema();
        plain.as_object_mut().unwrap().remove("$schema");
        for provider in [Provider::OpenAi, Provider::Anthropic, Provider::Ollama] {
            assert_eq!(adapted(provider, &schema()), plain);
        }
    }

    #[test]
    fn gemini_gets_what_its_dialect_has() {
        let expected = json!({
            "type": "object",
            "properties": {
                "maybe": { "type": "string", "nullable": true },
                "size": { "type": "string", "enum": ["s", "m"] },
                "pair": {
                    "type": "array", "minItems": 2, "maxItems": 2,
                    "items": { "anyOf": [{ "type": "string" }, { "type": "integer", "minimum": 0 }] },
                },
                "case": { "anyOf": [
                    { "type": "string", "enum": ["none"] },
                    {
                        "type": "object", "properties": { "some": { "type": "boolean" } },
                        "required": ["some"],
                    },
                ] },
                "flags": { "type": "array", "items": { "type": "string" } },
            },
            "required": ["size", "pair", "case", "flags"],
        });
        assert_eq!(adapted(Provider::Gemini, &schema()), expected);
    }

    #[test]
    fn the_top_is_an_object_and_nothing_else() {
        for (schema, properties) in [
            (json!(true), json!({})),
            (
                json!({ "anyOf": [{ "type": "object" }, { "type": "null" }] }),
                json!({}),
            ),
            (
                json!({ "properties": { "a": {} }, "oneOf": [] }),
                json!({ "a": {} }),
            ),
        ] {
            for provider in Provider::ALL {
                let expected = json!({ "type": "object", "properties": properties });
                assert_eq!(adapted(provider, &schema), expected, "{provider} {schema}");
            }
        }
    }

    #[test]
    fn strict_is_what_the_strict_mode_follows_whole() {
        let closed = json!({
            "type": "object",
            "properties": { "items": { "type": "array", "items": { "type": "string" } } },
            "required": ["items"],
            "additionalProperties": false,
        });
        assert!(is_strict(&closed));
        let mut open = closed.clone();
        open["additionalProperties"] = true.into();
        let mut optional = closed.clone();
        optional["required"] = json!([]);
        let mut tuple = closed.clone();
        tuple["properties"]["items"] = json!({ "prefixItems": [] });
        let mut ordered = closed.clone();
        ordered["properties"]["items"]["uniqueItems"] = true.into();
        for schema in [open, optional, tuple, ordered, schema()] {
            assert!(!is_strict(&schema), "{schema}");
        }
    }
}
