//! One text for one JSON value: what "the same arguments" means.

use serde_json::Value;

/// The largest whole number that a JSON reader with double precision still tells from its
/// neighbours: 2^53 - 1.
pub const LARGEST_EXACT: u64 = (1 << 53) - 1;

/// The canonical text of `value`: RFC 8785, with every whole number beyond ±(2^53 - 1) that fits 64
/// bits written as a string of its decimal digits.
///
/// RFC 8785 alone rounds all numbers to double precision, so two different 64-bit numbers could have
/// one text. With the digits in a string nothing is rounded. Key order, whitespace, escapes and the
/// form of numbers (`3`, `3.0`, `3e0`) make no difference; neither does the sign of zero.
///
/// ```
/// use loop_spec::canonical;
/// let value = serde_json::json!({ "b": 3.0, "a": u64::MAX });
/// assert_eq!(canonical(&value), r#"{"a":"18446744073709551615","b":3}"#);
/// ```
#[must_use]
pub fn canonical(value: &Value) -> String {
    serde_json_canonicalizer::to_string(&exact(value))
        .expect("a JSON value has only string keys, each once, and only finite numbers")
}

/// `value` with the whole numbers that doubles would round turned into strings.
fn exact(value: &Value) -> Value {
    match value {
        Value::Number(number) => beyond_exact(number).map_or_else(
            || value.clone(),
            |whole: i128| Value::String(whole.to_string()),
        ),
        Value::Array(items) => items.iter().map(exact).collect(),
        Value::Object(fields) => fields.iter().map(|(k, v)| (k.clone(), exact(v))).collect(),
        Value::Null | Value::Bool(_) | Value::String(_) => value.clone(),
    }
}

/// The whole number that `number` is, when it fits 64 bits but not a double's 53.
fn beyond_exact(number: &serde_json::Number) -> Option<i128> {
    let whole = match (number.as_i64(), number.as_u64(), number.as_f64()) {
        (Some(signed), _, _) => i128::from(signed),
        (_, Some(unsigned), _) => i128::from(unsigned),
        // So that `1e18` and `1000000000000000000` have one text. Doubles of this size are whole.
        (_, _, Some(double)) if double.fract() == 0.0 && double.abs() < 2_f64.powi(64) => {
            double as i128
        }
        _ => return None,
    };
    let fits = i128::from(i64::MIN)..=i128::from(u64::MAX);
    (fits.contains(&whole) && whole.unsigned_abs() > u128::from(LARGEST_EXACT)).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a14_same_values_have_one_text() {
        let rows = [
            (r#"{"b":1,"a":2}"#, r#"{"a":2,"b":1}"#),
            (" [ 1 , 2 ] ", "[1,2]"),
            ("3.0", "3"),
            ("3e0", "3"),
            ("300e-2", "3"),
            ("-0.0", "0"),
            ("1e21", "1e+21"),
            ("0.000001", "0.000001"),
            ("1e-7", "1e-7"),
            (r#""\u0041\u000a\/""#, "\"A\\n/\""),
            ("\"\u{20ac}\"", "\"\u{20ac}\""),
            // Keys are ordered by UTF-16 code units, not by code points.
            (
                "{\"\u{ff5e}\":1,\"\u{1f600}\":2}",
                "{\"\u{1f600}\":2,\"\u{ff5e}\":1}",
            ),
            (
                r#"{"a":{"d":null,"c":true}}"#,
                r#"{"a":{"c":true,"d":null}}"#,
            ),
        ];
        for (given, expected) in rows {
            let value = serde_json::from_str(given).unwrap();
            assert_eq!(canonical(&value), expected, "{given}");
        }
    }

    #[test]
    fn whole_numbers_beyond_doubles_keep_every_digit() {
        let rows = [
            ("9007199254740991", "9007199254740991"),
            ("9007199254740992", r#""9007199254740992""#),
            ("9007199254740993", r#""9007199254740993""#),
            ("-9007199254740991", "-9007199254740991"),
            ("-9007199254740993", r#""-9007199254740993""#),
            ("18446744073709551615", r#""18446744073709551615""#),
            ("-9223372036854775808", r#""-9223372036854775808""#),
            ("1e18", r#""1000000000000000000""#),
            ("1000000000000000000", r#""1000000000000000000""#),
            ("1e20", "100000000000000000000"),
            ("-1e19", "-10000000000000000000"),
        ];
        for (given, expected) in rows {
            let value = serde_json::from_str(given).unwrap();
            assert_eq!(canonical(&value), expected, "{given}");
        }
    }

    proptest::proptest! {
        #[test]
        fn the_canonical_text_of_a_canonical_text_is_itself(bits: u64) {
            let double = f64::from_bits(bits);
            for value in [Value::from(bits), Value::from(bits.cast_signed()), Value::from(double)] {
                let text = canonical(&value);
                let again: Value = serde_json::from_str(&text).unwrap();
                assert_eq!(canonical(&again), text);
            }
        }
    }
}
