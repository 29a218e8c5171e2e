//! Numbers from JSON, exactly.

use loop_spec::LARGEST_EXACT;
use serde_json::{Number, Value};

/// The whole number that `value` is: a JSON number, or a string that holds one.
///
/// A number with a fraction or an exponent was read as a double, so it counts as whole only where
/// doubles are exact: within ±(2^53 - 1).
pub(super) fn whole(value: &Value) -> Option<i128> {
    let number = number(value)?;
    if let Some(signed) = number.as_i64() {
        return Some(signed.into());
    }
    if let Some(unsigned) = number.as_u64() {
        return Some(unsigned.into());
    }
    let double = number.as_f64()?;
    let exact = double.fract() == 0.0 && double.abs() <= LARGEST_EXACT as f64;
    exact.then_some(double as i128)
}

/// The double that `value` is: a JSON number, a string that holds one, or one of [`NOT_IN_JSON`].
pub(super) fn double(value: &Value) -> Option<f64> {
    let named = NOT_IN_JSON.iter().find(|(name, _)| value == name);
    match named {
        Some((_, double)) => Some(*double),
        None => number(value)?.as_f64(),
    }
}

/// The single-precision float nearest to [`double`]; `None` when that would be an infinity that was
/// not asked for.
pub(super) fn single(value: &Value) -> Option<f32> {
    let double = double(value)?;
    let single = double as f32;
    (single.is_finite() || !double.is_finite()).then_some(single)
}

/// The double whose shortest decimal form is that of `single`, so that `0.1` stays `0.1`; read back
/// as single precision it is `single` again.
pub(super) fn widened(single: f32) -> f64 {
    match single.to_string().parse::<f64>() {
        Ok(short) if (short as f32).to_bits() == single.to_bits() => short,
        _ => single.into(),
    }
}

/// The name of a float that JSON has no number for.
pub(super) fn name_of(double: f64) -> Option<&'static str> {
    NOT_IN_JSON
        .iter()
        .find(|(_, known)| *known == double || (known.is_nan() && double.is_nan()))
        .map(|(name, _)| *name)
}

fn number(value: &Value) -> Option<Number> {
    match value {
        Value::Number(number) => Some(number.clone()),
        // Only characters of a number, so that no space around it is taken.
        Value::String(text) if text.bytes().all(|b| b"0123456789+-.eE".contains(&b)) => {
            text.parse().ok()
        }
        _ => None,
    }
}

/// The floats that JSON cannot write, and the strings that stand for them in arguments.
const NOT_IN_JSON: [(&str, f64); 3] = [
    ("NaN", f64::NAN),
    ("Infinity", f64::INFINITY),
    ("-Infinity", f64::NEG_INFINITY),
];
