//! JSON Schema of arguments and results, for those who ask a model for them.

use serde_json::{Map, Value, json};

use super::function::Function;
use super::shape::{Case, Field, Shape};

impl Function {
    /// JSON Schema (2020-12) of the object of arguments. Everything that it allows is of a form that
    /// [`fit`](Self::fit) takes; a few more forms are taken than it names, such as integers in
    /// strings.
    #[must_use]
    pub fn schema(&self) -> Value {
        if let Some(takes) = &self.command {
            return takes.schema();
        }
        let mut schema = object(&self.parameters, Side::Arguments);
        schema["$schema"] = DIALECT.into();
        if let Some(docs) = &self.docs {
            schema["description"] = docs.as_str().into();
        }
        schema
    }

    /// JSON Schema (2020-12) of what a success returns, where it returns anything.
    #[must_use]
    pub fn output_schema(&self) -> Option<Value> {
        if self.command.is_some() {
            return None;
        }
        let mut schema = schema(self.success()?, Side::Results);
        schema["$schema"] = DIALECT.into();
        Some(schema)
    }
}

/// Results have one form each; arguments may have more.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Arguments,
    Results,
}

fn schema(shape: &Shape, side: Side) -> Value {
    match shape {
        Shape::Bool => json!({ "type": "boolean" }),
        Shape::S8 | Shape::U8 | Shape::S16 | Shape::U16 | Shape::S32 | Shape::U32 => integer(shape),
        Shape::S64 | Shape::U64 => json!({
            "anyOf": [integer(shape), { "type": "string", "pattern": "^-?[0-9]+$" }],
            "description": "beyond 9007199254740991 its digits in a string",
        }),
        Shape::F32 | Shape::F64 => match side {
            Side::Results => json!({ "type": "number" }),
            Side::Arguments => json!({
                "anyOf": [{ "type": "number" }, { "enum": ["NaN", "Infinity", "-Infinity"] }],
            }),
        },
        Shape::Char => json!({ "type": "string", "minLength": 1, "maxLength": 1 }),
        Shape::String => json!({ "type": "string" }),
        Shape::List(item) if shape.is_bytes() => bytes(item, side),
        Shape::List(item) => json!({ "type": "array", "items": schema(item, side) }),
        Shape::FixedList(item, length) => json!({
            "type": "array",
            "items": schema(item, side),
            "minItems": length,
            "maxItems": length,
        }),
        Shape::Map(key, value) => json!({
            "type": "array",
            "items": tuple(&[&**key, &**value], side),
            "description": "[key, value] pairs, each key once",
        }),
        Shape::Record(fields) => object(fields, side),
        Shape::Tuple(items) => tuple(&items.iter().collect::<Vec<_>>(), side),
        Shape::Variant(cases) => {
            let case = |case: &Case| one_case(&case.name, case.payload.as_ref(), side);
            json!({ "anyOf": cases.iter().map(case).collect::<Vec<_>>() })
        }
        Shape::Enum(names) => json!({ "type": "string", "enum": names }),
        Shape::Option(some) => json!({ "anyOf": [present(some, side), { "type": "null" }] }),
        Shape::Result { ok, error } => json!({
            "anyOf": [
                one_case("ok", ok.as_deref(), side),
                one_case("error", error.as_deref(), side),
            ],
        }),
        Shape::Flags(names) => json!({
            "type": "array",
            "items": { "type": "string", "enum": names },
            "uniqueItems": true,
        }),
    }
}

fn integer(shape: &Shape) -> Value {
    let mut schema = json!({ "type": "integer" });
    if let Some((least, greatest)) = shape.integer_range() {
        schema["minimum"] = bound(least);
        schema["maximum"] = bound(greatest);
    }
    schema
}

/// A bound of a 64-bit type, which fits one of JSON's two integer forms.
fn bound(bound: i128) -> Value {
    match (u64::try_from(bound), i64::try_from(bound)) {
        (Ok(unsigned), _) => unsigned.into(),
        (_, Ok(signed)) => signed.into(),
        (Err(_), Err(_)) => Value::Null,
    }
}

fn bytes(item: &Shape, side: Side) -> Value {
    let base64 = json!({
        "type": "string",
        "contentEncoding": "base64",
        "description": "bytes in base64",
    });
    match side {
        Side::Results => base64,
        Side::Arguments => json!({
            "anyOf": [base64, { "type": "array", "items": integer(item) }],
        }),
    }
}

fn tuple(items: &[&Shape], side: Side) -> Value {
    let length = items.len();
    json!({
        "type": "array",
        // No `items` beside it: a validator of an older draft knows no `prefixItems` and would hold
        // every item to it. The length says that there are no more.
        "prefixItems": items.iter().map(|item| schema(item, side)).collect::<Vec<_>>(),
        "minItems": length,
        "maxItems": length,
    })
}

/// An object of all `fields`. In arguments an option may be left out; in results it is `null`.
fn object(fields: &[Field], side: Side) -> Value {
    let properties: Map<String, Value> = fields
        .iter()
        .map(|field| (field.name.clone(), schema(&field.shape, side)))
        .collect();
    let required: Vec<&str> = fields
        .iter()
        .filter(|field| side == Side::Results || !matches!(field.shape, Shape::Option(_)))
        .map(|field| field.name.as_str())
        .collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn one_case(name: &str, payload: Option<&Shape>, side: Side) -> Value {
    match payload {
        None => json!({ "const": name }),
        Some(payload) => json!({
            "type": "object",
            "properties": { name: schema(payload, side) },
            "required": [name],
            "additionalProperties": false,
        }),
    }
}

/// What an option holds: an option in it is wrapped, so that `null` stays the outer one.
fn present(some: &Shape, side: Side) -> Value {
    match some {
        Shape::Option(_) => one_case("some", Some(some), side),
        _ => schema(some, side),
    }
}

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";
