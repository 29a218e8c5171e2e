//! What is told of a door and of what it returned.

use serde_json::json;
use wasmtime::component::Val;

use super::*;
use crate::doors::Said;

fn text(value: Val, shape: Shape) -> String {
    match function([], shape).say(&[value]) {
        Ok(Said::Text(text)) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_result_that_is_a_word_stands_without_quotes() {
    let string = |text: &str| Val::String(text.to_owned());
    assert_eq!(text(string("two\nlines"), Shape::String), "two\nlines");
    assert_eq!(text(string(""), Shape::String), "");
    assert_eq!(text(Val::Char('"'), Shape::Char), "\"");
    assert_eq!(
        text(Val::Enum("low".to_owned()), Shape::Enum(names(["low"]))),
        "low"
    );
    assert_eq!(text(Val::U64(u64::MAX), Shape::U64), "18446744073709551615");
    assert_eq!(text(Val::List(vec![Val::U8(1)]), list(Shape::U8)), "AQ==");
    // A string in an option keeps its quotes, so that it is never the option's own null.
    let some = Val::Option(Some(Box::new(string("null"))));
    assert_eq!(text(some, option(Shape::String)), "\"null\"");
    assert_eq!(text(Val::Option(None), option(Shape::String)), "null");
    assert_eq!(
        text(Val::List(vec![string("milk")]), list(Shape::String)),
        "[\"milk\"]"
    );
}

#[test]
fn a_top_level_result_is_taken_apart() {
    let door = function([], result(list(Shape::U8), Shape::String));
    let ok = Val::Result(Ok(Some(Box::new(Val::List(vec![])))));
    assert_eq!(door.say(&[ok]), Ok(Said::Text(String::new())));
    let error = Val::Result(Err(Some(Box::new(Val::String("no milk".to_owned())))));
    assert_eq!(
        door.say(&[error]),
        Ok(Said::DoorError("no milk".to_owned()))
    );

    let bare = function([], result(None, None));
    assert_eq!(
        bare.say(&[Val::Result(Ok(None))]),
        Ok(Said::Text("ok".to_owned()))
    );
    assert_eq!(
        bare.say(&[Val::Result(Err(None))]),
        Ok(Said::DoorError("error".to_owned()))
    );
    assert_eq!(function([], None).say(&[]), Ok(Said::Text("ok".to_owned())));
}

#[test]
fn values_of_another_type_are_the_hosts_fault() {
    let door = function([], list(Shape::U32));
    assert_eq!(
        door.say(&[Val::List(vec![Val::U32(1), Val::U8(2)])])
            .unwrap_err()
            .to_string(),
        "`result[1]` is not of its declared type u32"
    );
    assert!(door.say(&[]).is_err());
    assert!(function([], None).say(&[Val::Bool(true)]).is_err());
    assert!(door.canonical(&[Val::Bool(true)]).is_err());
}

#[test]
fn signatures_are_short() {
    let pairs = list(Shape::Tuple(vec![Shape::String, Shape::U32]));
    let count = function(
        [("items", list(Shape::String))],
        result(pairs, Shape::String),
    );
    assert_eq!(
        count.signature("fridge.count"),
        "fridge.count(items: list<string>) -> list<tuple<string, u32>>"
    );
    assert_eq!(
        count.to_string(),
        "f: func(items: list<string>) -> result<list<tuple<string, u32>>, string>"
    );
    assert_eq!(
        function([], result(None, Shape::String)).signature("a.b"),
        "a.b()"
    );
    let many = variant([
        ("a", None),
        ("b", Some(record([("c", option(Shape::F32))]))),
    ]);
    let map = Shape::Map(
        Box::new(Shape::Char),
        Box::new(Shape::FixedList(Box::new(Shape::S8), 4)),
    );
    let flags = Shape::Flags(names(["x", "y"]));
    assert_eq!(
        function([("many", many), ("map", map)], flags).signature("a.b"),
        "a.b(many: variant { a, b(record { c: option<f32> }) }, map: map<char, list<s8, 4>>) -> \
         flags { x, y }"
    );
}

#[test]
fn a_schema_says_what_is_taken() {
    let mut door = function(
        [
            ("items", list(Shape::String)),
            ("size", option(Shape::Enum(names(["small", "large"])))),
            ("at", Shape::Tuple(vec![Shape::U8, Shape::F32])),
        ],
        result(Shape::U64, Shape::String),
    );
    door.docs = Some("Counts things.".to_owned());
    let float = json!({
        "anyOf": [{ "type": "number" }, { "enum": ["NaN", "Infinity", "-Infinity"] }]
    });
    assert_eq!(
        door.schema(),
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "description": "Counts things.",
            "type": "object",
            "properties": {
                "items": { "type": "array", "items": { "type": "string" } },
                "size": {
                    "anyOf": [
                        { "type": "string", "enum": ["small", "large"] },
                        { "type": "null" },
                    ],
                },
                "at": {
                    "type": "array",
                    "prefixItems": [{ "type": "integer", "minimum": 0, "maximum": 255 }, float],
                    "minItems": 2,
                    "maxItems": 2,
                },
            },
            "required": ["items", "at"],
            "additionalProperties": false,
        })
    );
    assert_eq!(
        door.output_schema(),
        Some(json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "anyOf": [
                { "type": "integer", "minimum": 0, "maximum": u64::MAX },
                { "type": "string", "pattern": "^-?[0-9]+$" },
            ],
            "description": "beyond 9007199254740991 its digits in a string",
        }))
    );
    assert_eq!(function([], None).output_schema(), None);
}

#[test]
fn a_schema_has_a_form_for_every_type() {
    let rows = [
        (
            list(Shape::U8),
            json!({ "anyOf": [
                { "type": "string", "contentEncoding": "base64", "description": "bytes in base64" },
                { "type": "array", "items": { "type": "integer", "minimum": 0, "maximum": 255 } },
            ] }),
        ),
        (
            variant([("off", None), ("dim", Some(Shape::Bool))]),
            json!({ "anyOf": [
                { "const": "off" },
                {
                    "type": "object",
                    "properties": { "dim": { "type": "boolean" } },
                    "required": ["dim"],
                    "additionalProperties": false,
                },
            ] }),
        ),
        (
            option(option(Shape::Bool)),
            json!({ "anyOf": [
                {
                    "type": "object",
                    "properties": {
                        "some": { "anyOf": [{ "type": "boolean" }, { "type": "null" }] },
                    },
                    "required": ["some"],
                    "additionalProperties": false,
                },
                { "type": "null" },
            ] }),
        ),
        (
            Shape::Flags(names(["a"])),
            json!({
                "type": "array",
                "items": { "type": "string", "enum": ["a"] },
                "uniqueItems": true,
            }),
        ),
        (
            Shape::Char,
            json!({ "type": "string", "minLength": 1, "maxLength": 1 }),
        ),
    ];
    for (shape, expected) in rows {
        let schema = function([("v", shape)], None).schema();
        assert_eq!(schema["properties"]["v"], expected);
    }
}
