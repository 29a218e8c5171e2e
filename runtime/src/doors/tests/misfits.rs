//! Each way of not fitting, with its message.

use serde_json::Value;

use super::*;
use crate::doors::parse_arguments;

fn misfit(function: &Function, given: &str) -> String {
    let given: Value = parse_arguments(given).unwrap();
    match function.fit(&given) {
        Ok(values) => panic!("{given} fits as {values:?}"),
        Err(misfit) => misfit.to_string(),
    }
}

/// What does not fit a parameter `v`, and the message after its path.
fn check(shape: &Shape, rows: &[(&str, &str)]) {
    let function = echoing(shape.clone());
    for (given, expected) in rows {
        let message = misfit(&function, &format!("{{\"v\":{given}}}"));
        assert_eq!(message, format!("`v{expected}"), "{shape} {given}");
    }
}

#[test]
fn arguments_are_an_object_of_the_parameters() {
    let function = function(
        [
            (
                "items",
                list(record([("name", Shape::String), ("price", Shape::F64)])),
            ),
            ("note", option(Shape::String)),
        ],
        None,
    );
    let rows = [
        (
            "[1,2,3]",
            "expected an object keyed by the parameters' names, found a list of 3",
        ),
        (
            "null",
            "expected an object keyed by the parameters' names, found null",
        ),
        (
            "{}",
            "`items`: expected list<record { name: string, price: f64 }>, found nothing",
        ),
        (
            r#"{"itmes":[]}"#,
            r#"there is no parameter "itmes"; did you mean "items"?"#,
        ),
        (
            r#"{"items":[],"colour":1}"#,
            r#"there is no parameter "colour"; expected one of items, note"#,
        ),
        (
            r#"{"items":[{"name":"a","price":1},{"name":"b","prize":2}]}"#,
            r#"`items[1]`: there is no field "prize"; did you mean "price"?"#,
        ),
        (
            r#"{"items":[{"name":"a","price":1},{"name":"b"}]}"#,
            r#"`items[1].price`: expected f64 (a number, "NaN", "Infinity" or "-Infinity"), found nothing"#,
        ),
        (
            r#"{"items":[{"name":7,"price":1}]}"#,
            "`items[0].name`: expected string, found 7",
        ),
        (
            r#"{"items":[],"note":false}"#,
            "`note`: expected string, found false",
        ),
    ];
    for (given, expected) in rows {
        assert_eq!(misfit(&function, given), expected);
    }
    let none = super::function([], None);
    assert_eq!(
        misfit(&none, r#"{"a":1}"#),
        r#"there is no parameter "a"; none is taken"#
    );
}

#[test]
fn integers_out_of_range_or_not_whole() {
    let u8 = "`: expected u8 (a whole number from 0 to 255), found ";
    let rows = [
        ("256", "256"),
        ("-1", "-1"),
        ("1.5", "1.5"),
        ("true", "true"),
        ("null", "null"),
        ("\"\"", "\"\""),
        ("\" 1\"", "\" 1\""),
        ("\"0x10\"", "\"0x10\""),
        ("\"01\"", "\"01\""),
        ("\"+1\"", "\"+1\""),
        ("[1]", "a list of 1"),
        ("{}", "an empty object"),
    ];
    for (given, found) in rows {
        check(&Shape::U8, &[(given, &format!("{u8}{found}"))]);
    }
    let u64 = "`: expected u64 (a whole number from 0 to 18446744073709551615), found ";
    for (given, found) in [
        ("18446744073709551616", "1.8446744073709552e+19"),
        ("\"18446744073709551616\"", "\"18446744073709551616\""),
        // Read as a double, this may have been another number.
        ("9007199254740993.0", "9007199254740992.0"),
    ] {
        check(&Shape::U64, &[(given, &format!("{u64}{found}"))]);
    }
    let s64 = "`: expected s64 (a whole number from -9223372036854775808 to 9223372036854775807), \
               found ";
    check(
        &Shape::S64,
        &[("9223372036854775808", &format!("{s64}9223372036854775808"))],
    );
}

#[test]
fn floats() {
    let f32 = r#"`: expected f32 (a number, "NaN", "Infinity" or "-Infinity"), found "#;
    for (given, found) in [
        ("1e39", "1e+39"),
        ("\"1e39\"", "\"1e39\""),
        ("\"nan\"", "\"nan\""),
        ("\"inf\"", "\"inf\""),
        ("\"1e999\"", "\"1e999\""),
        ("null", "null"),
    ] {
        check(&Shape::F32, &[(given, &format!("{f32}{found}"))]);
    }
}

#[test]
fn texts_are_quoted_clipped_and_escaped() {
    check(
        &Shape::Char,
        &[
            (
                "\"\"",
                "`: expected char (a string of one character), found \"\"",
            ),
            (
                "\"ab\"",
                "`: expected char (a string of one character), found \"ab\"",
            ),
            (
                "\"e\u{301}\"",
                "`: expected char (a string of one character), found \"e\\u{301}\"",
            ),
        ],
    );
    let long = format!("\"{}\"", "x".repeat(1_000));
    let clipped = format!(
        "`: expected bool, found \"{}\"... (1000 bytes)",
        "x".repeat(40)
    );
    check(
        &Shape::Bool,
        &[
            (&long, &clipped),
            (
                "\"a\\nb\\u202e\\u0007\"",
                "`: expected bool, found \"a\\nb\\u{202e}\\u{7}\"",
            ),
        ],
    );
}

#[test]
fn lists_of_a_length_and_bytes() {
    let bytes = "`: expected list<u8> (a base64 string or a list of numbers), found ";
    check(
        &list(Shape::U8),
        &[
            ("\"a*b=\"", &format!("{bytes}\"a*b=\"")),
            ("\"AP8-Pw==\"", &format!("{bytes}\"AP8-Pw==\"")),
            ("7", &format!("{bytes}7")),
            (
                "[1,256]",
                "[1]`: expected u8 (a whole number from 0 to 255), found 256",
            ),
        ],
    );
    check(
        &Shape::Tuple(vec![Shape::U8, Shape::String]),
        &[
            (
                "[1]",
                "`: expected tuple<u8, string> (a list of 2), found a list of 1",
            ),
            ("[1,2]", "[1]`: expected string, found 2"),
            (
                "{\"0\":1,\"1\":2}",
                "`: expected tuple<u8, string> (a list of 2), found an object of 2 keys",
            ),
        ],
    );
    check(
        &Shape::FixedList(Box::new(Shape::Bool), 3),
        &[(
            "[]",
            "`: expected list<bool, 3> (a list of 3), found an empty list",
        )],
    );
    check(
        &Shape::Map(Box::new(Shape::String), Box::new(Shape::U8)),
        &[
            (
                "{\"a\":1}",
                "`: expected map<string, u8> (a list of [key, value] pairs, each key once), \
                 found an object with the key \"a\"",
            ),
            ("[[\"a\",1],[\"a\",2]]", "[1][0]`: \"a\" is given twice"),
            (
                "[[\"a\"]]",
                "[0]`: expected tuple<string, u8> (a list of 2), found a list of 1",
            ),
        ],
    );
}

#[test]
fn names_that_a_type_does_not_have() {
    check(
        &Shape::Enum(names(["small", "large"])),
        &[
            (
                "\"smal\"",
                r#"`: there is no case "smal"; did you mean "small"?"#,
            ),
            (
                "\"huge\"",
                r#"`: there is no case "huge"; expected one of small, large"#,
            ),
            (
                "1",
                "`: expected enum { small, large } (one of the names), found 1",
            ),
        ],
    );
    check(
        &Shape::Flags(names(["read", "write"])),
        &[
            (
                "[\"read\",\"wrote\"]",
                r#"[1]`: there is no flag "wrote"; did you mean "write"?"#,
            ),
            ("[\"read\",\"read\"]", r#"[1]`: "read" is given twice"#),
            (
                "[1]",
                "[0]`: expected flags { read, write } (a list of names), found 1",
            ),
            (
                "\"read\"",
                "`: expected flags { read, write } (a list of names), found \"read\"",
            ),
        ],
    );
}

#[test]
fn cases_carry_what_they_carry() {
    let words = "`: expected variant { off, dim(u8) } ({\"case\": value}, or \"case\" where it takes \
                 none), found ";
    check(
        &variant([("off", None), ("dim", Some(Shape::U8))]),
        &[
            (
                "\"dim\"",
                ".dim`: expected u8 (a whole number from 0 to 255), found nothing",
            ),
            (
                "{\"dim\":\"x\"}",
                ".dim`: expected u8 (a whole number from 0 to 255), found \"x\"",
            ),
            (
                "{\"off\":null}",
                &format!("{words}an object with the key \"off\""),
            ),
            (
                "{\"dim\":1,\"off\":2}",
                &format!("{words}an object of 2 keys"),
            ),
            (
                "\"on\"",
                r#"`: there is no case "on"; expected one of off, dim"#,
            ),
            ("{}", &format!("{words}an empty object")),
        ],
    );
    check(
        &result(Shape::U8, None),
        &[
            (
                "{\"err\":1}",
                r#"`: there is no case "err"; expected one of ok, error"#,
            ),
            (
                "\"ok\"",
                ".ok`: expected u8 (a whole number from 0 to 255), found nothing",
            ),
        ],
    );
    check(
        &option(option(Shape::U8)),
        &[(
            "5",
            "`: expected option<option<u8>> (null or {\"some\": value}), found 5",
        )],
    );
}
