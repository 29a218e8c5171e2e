//! The JSON form of each type, both ways.

use wasmtime::component::Val;

use super::*;
use crate::doors::{Said, parse_arguments};

/// `given` fits as `value`, and `value` is said as `said`.
struct Row {
    shape: Shape,
    given: &'static str,
    value: Val,
    said: &'static str,
}

fn check(rows: impl IntoIterator<Item = Row>) {
    for row in rows {
        // In a tuple, so that nothing is unwrapped or unquoted.
        let function = echoing(Shape::Tuple(vec![row.shape.clone()]));
        let given = parse_arguments(&format!("{{\"v\":[{}]}}", row.given)).unwrap();
        let values = function
            .fit(&given)
            .unwrap_or_else(|misfit| panic!("{misfit}"));
        assert_eq!(
            values,
            [Val::Tuple(vec![row.value.clone()])],
            "{} {}",
            row.shape,
            row.given
        );
        let said = Said::Text(format!("[{}]", row.said));
        assert_eq!(function.say(&values), Ok(said));

        // What stands without quotes is the same value all the same. An outermost result has none.
        if !matches!(row.shape, Shape::Result { .. }) {
            let bare = echoing(row.shape.clone());
            let Ok(Said::Text(text)) = bare.say(&[row.value]) else {
                panic!("{}", row.said)
            };
            let read = bare.value_of(&text).map(|value| value.to_string());
            let value: serde_json::Value = serde_json::from_str(row.said).unwrap();
            assert_eq!(read, Some(value.to_string()), "{text}");
        }

        // The canonical text means the same arguments, and is that of the JSON itself.
        let canonical = function.canonical(&values).unwrap();
        let again = parse_arguments(&canonical).unwrap();
        assert_eq!(loop_spec::canonical(&again), canonical);
        let refitted = function.canonical(&function.fit(&again).unwrap()).unwrap();
        assert_eq!(refitted, canonical);
    }
}

fn row(shape: Shape, given: &'static str, value: Val, said: &'static str) -> Row {
    Row {
        shape,
        given,
        value,
        said,
    }
}

fn same(shape: Shape, json: &'static str, value: Val) -> Row {
    row(shape, json, value, json)
}

fn some(value: Val) -> Val {
    Val::Option(Some(Box::new(value)))
}

#[test]
fn integers() {
    check([
        same(Shape::U8, "255", Val::U8(255)),
        same(Shape::S8, "-128", Val::S8(-128)),
        same(Shape::U16, "65535", Val::U16(65_535)),
        same(Shape::S16, "-32768", Val::S16(-32_768)),
        same(Shape::U32, "4294967295", Val::U32(u32::MAX)),
        same(Shape::S32, "-2147483648", Val::S32(i32::MIN)),
        row(Shape::U32, "3.0", Val::U32(3), "3"),
        row(Shape::U32, "3e2", Val::U32(300), "300"),
        row(Shape::U32, "\"7\"", Val::U32(7), "7"),
        row(Shape::S32, "\"-7\"", Val::S32(-7), "-7"),
        row(Shape::S32, "-0.0", Val::S32(0), "0"),
    ]);
}

#[test]
fn long_integers_keep_every_digit() {
    let edge = 9_007_199_254_740_993;
    check([
        same(Shape::U64, "9007199254740991", Val::U64(edge - 2)),
        row(
            Shape::U64,
            "9007199254740993",
            Val::U64(edge),
            "\"9007199254740993\"",
        ),
        same(Shape::U64, "\"9007199254740993\"", Val::U64(edge)),
        row(
            Shape::U64,
            "18446744073709551615",
            Val::U64(u64::MAX),
            "\"18446744073709551615\"",
        ),
        same(Shape::U64, "\"18446744073709551615\"", Val::U64(u64::MAX)),
        same(Shape::S64, "\"-9223372036854775808\"", Val::S64(i64::MIN)),
        row(
            Shape::S64,
            "-9223372036854775808",
            Val::S64(i64::MIN),
            "\"-9223372036854775808\"",
        ),
        same(
            Shape::S64,
            "-9007199254740991",
            Val::S64(-9_007_199_254_740_991),
        ),
    ]);
}

#[test]
fn floats() {
    check([
        row(Shape::F64, "3", Val::Float64(3.0), "3.0"),
        same(Shape::F64, "0.1", Val::Float64(0.1)),
        same(Shape::F64, "5e-324", Val::Float64(5e-324)),
        same(
            Shape::F64,
            "1.7976931348623157e+308",
            Val::Float64(f64::MAX),
        ),
        same(Shape::F64, "-0.0", Val::Float64(-0.0)),
        row(Shape::F64, "\"2.5\"", Val::Float64(2.5), "2.5"),
        row(
            Shape::F64,
            "9007199254740993",
            Val::Float64(9_007_199_254_740_992.0),
            "9007199254740992.0",
        ),
        same(Shape::F32, "0.1", Val::Float32(0.1)),
        same(Shape::F32, "16777216.0", Val::Float32(16_777_216.0)),
        same(Shape::F32, "1e-45", Val::Float32(f32::from_bits(1))),
        row(
            Shape::F32,
            "3.4028234663852886e38",
            Val::Float32(f32::MAX),
            "3.4028235e+38",
        ),
    ]);
}

#[test]
fn floats_that_json_cannot_write_are_taken_and_never_said() {
    let function = echoing(list(Shape::F64));
    let given = parse_arguments(r#"{"v": [1, "NaN", "Infinity", "-Infinity"]}"#).unwrap();
    let values = function.fit(&given).unwrap();
    let floats = [1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(Val::Float64);
    assert_eq!(values, [Val::List(floats.to_vec())]);
    assert_eq!(
        function.canonical(&values).unwrap(),
        r#"{"v":[1,"NaN","Infinity","-Infinity"]}"#
    );
    assert_eq!(
        function.say(&values).unwrap_err().to_string(),
        "`result[1]` is NaN, and JSON has no number for that"
    );
    let function = echoing(record([("heat", Shape::F32)]));
    let value = Val::Record(vec![("heat".to_owned(), Val::Float32(f32::NEG_INFINITY))]);
    assert_eq!(
        function.say(&[value]).unwrap_err().to_string(),
        "`result.heat` is -Infinity, and JSON has no number for that"
    );
}

#[test]
fn every_single_precision_float_keeps_its_bits() {
    let function = echoing(Shape::F32);
    // A step that is prime to the number of floats walks through all exponents.
    for bits in (0..u32::MAX).step_by(65_521) {
        let float = f32::from_bits(bits);
        if !float.is_finite() {
            continue;
        }
        let Ok(Said::Text(text)) = function.say(&[Val::Float32(float)]) else {
            panic!("{float} was not said");
        };
        let given = parse_arguments(&format!("{{\"v\":{text}}}")).unwrap();
        let [Val::Float32(again)] = function.fit(&given).unwrap()[..] else {
            panic!("{text} is another type");
        };
        assert_eq!(again.to_bits(), bits, "{text}");
    }
}

#[test]
fn texts() {
    check([
        same(Shape::Bool, "true", Val::Bool(true)),
        same(Shape::Char, "\"é\"", Val::Char('é')),
        same(Shape::Char, "\"\u{1f95b}\"", Val::Char('\u{1f95b}')),
        row(
            Shape::Char,
            "\"\\ud83e\\udd5b\"",
            Val::Char('\u{1f95b}'),
            "\"\u{1f95b}\"",
        ),
        same(Shape::String, "\"\"", Val::String(String::new())),
        same(
            Shape::String,
            "\"a\\n\\\"\\u0001\"",
            Val::String("a\n\"\u{1}".to_owned()),
        ),
        same(
            Shape::Enum(names(["small", "large"])),
            "\"large\"",
            Val::Enum("large".to_owned()),
        ),
    ]);
}

#[test]
fn bytes_are_base64_or_an_array() {
    let bytes = || Val::List(vec![Val::U8(0), Val::U8(255), Val::U8(62), Val::U8(63)]);
    check([
        same(list(Shape::U8), "\"AP8+Pw==\"", bytes()),
        row(list(Shape::U8), "\"AP8+Pw\"", bytes(), "\"AP8+Pw==\""),
        row(
            list(Shape::U8),
            "[0, 255, 62, \"63\"]",
            bytes(),
            "\"AP8+Pw==\"",
        ),
        same(list(Shape::U8), "\"\"", Val::List(vec![])),
        row(list(Shape::U8), "[]", Val::List(vec![]), "\"\""),
    ]);
}

#[test]
fn lists_tuples_and_maps() {
    let pair = |key: &str, value| (Val::String(key.to_owned()), Val::U32(value));
    let map = Shape::Map(Box::new(Shape::String), Box::new(Shape::U32));
    check([
        same(
            list(Shape::U32),
            "[1,2]",
            Val::List(vec![Val::U32(1), Val::U32(2)]),
        ),
        same(
            list(list(Shape::U32)),
            "[[],[]]",
            Val::List(vec![Val::List(vec![]), Val::List(vec![])]),
        ),
        same(
            Shape::FixedList(Box::new(Shape::U8), 2),
            "[1,2]",
            Val::FixedLengthList(vec![Val::U8(1), Val::U8(2)]),
        ),
        same(
            Shape::Tuple(vec![Shape::String, Shape::U32]),
            "[\"milk\",1]",
            Val::Tuple(vec![Val::String("milk".to_owned()), Val::U32(1)]),
        ),
        same(
            map.clone(),
            "[[\"b\",1],[\"a\",2]]",
            Val::Map(vec![pair("b", 1), pair("a", 2)]),
        ),
        same(map, "[]", Val::Map(vec![])),
    ]);
}

#[test]
fn records_keep_their_order_and_may_leave_out_options() {
    let shape = || {
        record([
            ("name", Shape::String),
            ("count", Shape::U32),
            ("note", option(Shape::String)),
        ])
    };
    let value = |note| {
        Val::Record(vec![
            ("name".to_owned(), Val::String("milk".to_owned())),
            ("count".to_owned(), Val::U32(1)),
            ("note".to_owned(), note),
        ])
    };
    let without = r#"{"name":"milk","count":1,"note":null}"#;
    check([
        row(
            shape(),
            r#"{"count":1,"name":"milk"}"#,
            value(Val::Option(None)),
            without,
        ),
        same(shape(), without, value(Val::Option(None))),
        same(
            shape(),
            r#"{"name":"milk","count":1,"note":"sour"}"#,
            value(some(Val::String("sour".to_owned()))),
        ),
    ]);
}

#[test]
fn options_in_options_stay_apart() {
    let twice = || option(option(Shape::U32));
    let thrice = || option(twice());
    let none = || Val::Option(None);
    check([
        same(option(Shape::U32), "null", none()),
        same(option(Shape::U32), "5", some(Val::U32(5))),
        same(twice(), "null", none()),
        same(twice(), r#"{"some":null}"#, some(none())),
        same(twice(), r#"{"some":5}"#, some(some(Val::U32(5)))),
        same(thrice(), r#"{"some":null}"#, some(none())),
        same(thrice(), r#"{"some":{"some":null}}"#, some(some(none()))),
        same(
            thrice(),
            r#"{"some":{"some":5}}"#,
            some(some(some(Val::U32(5)))),
        ),
        same(option(list(option(Shape::Bool))), "[null,true]", {
            some(Val::List(vec![none(), some(Val::Bool(true))]))
        }),
    ]);
}

#[test]
fn variants_and_results() {
    let shape = || {
        variant([
            ("none", None),
            ("some", Some(Shape::U32)),
            ("maybe", Some(option(Shape::U32))),
        ])
    };
    let value =
        |name: &str, payload: Option<Val>| Val::Variant(name.to_owned(), payload.map(Box::new));
    let both = || result(Shape::U32, Shape::String);
    check([
        same(shape(), "\"none\"", value("none", None)),
        same(shape(), r#"{"some":1}"#, value("some", Some(Val::U32(1)))),
        same(
            shape(),
            r#"{"maybe":null}"#,
            value("maybe", Some(Val::Option(None))),
        ),
        same(
            both(),
            r#"{"ok":1}"#,
            Val::Result(Ok(Some(Box::new(Val::U32(1))))),
        ),
        same(
            both(),
            r#"{"error":"no"}"#,
            Val::Result(Err(Some(Box::new(Val::String("no".to_owned()))))),
        ),
        same(result(None, None), "\"ok\"", Val::Result(Ok(None))),
        same(result(None, None), "\"error\"", Val::Result(Err(None))),
        same(result(None, Shape::U8), r#"{"error":3}"#, {
            Val::Result(Err(Some(Box::new(Val::U8(3)))))
        }),
    ]);
}

#[test]
fn flags_are_a_set() {
    let shape = || Shape::Flags(names(["read", "write", "list"]));
    check([
        same(shape(), "[]", Val::Flags(vec![])),
        row(
            shape(),
            r#"["list","read"]"#,
            Val::Flags(names(["read", "list"])),
            r#"["read","list"]"#,
        ),
    ]);
}

#[test]
fn a14_same_arguments_have_one_canonical_text() {
    let function = function(
        [
            (
                "items",
                list(record([("price", Shape::F64), ("name", Shape::String)])),
            ),
            ("flags", Shape::Flags(names(["a", "b"]))),
            ("bytes", list(Shape::U8)),
            ("big", option(Shape::U64)),
        ],
        None,
    );
    let canonical = |text: &str| {
        let values = function.fit(&parse_arguments(text).unwrap()).unwrap();
        function.canonical(&values).unwrap()
    };
    let expected =
        r#"{"big":null,"bytes":"AAE=","flags":["a","b"],"items":[{"name":"milk","price":3}]}"#;
    for text in [
        r#"{"items":[{"price":3,"name":"milk"}],"flags":["a","b"],"bytes":"AAE="}"#,
        r#"{"bytes":[0,1],"flags":["b","a"],"items":[{"name":"milk","price":3.0}],"big":null}"#,
        r#" { "big" : null, "bytes":["0",1.0], "flags":["b","a"],
             "items":[{"name":"m\u0069lk","price":30e-1}]}"#,
    ] {
        assert_eq!(canonical(text), expected);
    }
    let big = canonical(r#"{"items":[],"flags":[],"bytes":"","big":9007199254740993}"#);
    assert_eq!(
        big,
        r#"{"big":"9007199254740993","bytes":"","flags":[],"items":[]}"#
    );
}
