//! What a door returned, as the model reads it, and what arguments are when they are compared.

use serde_json::Value;
use wasmtime::component::Val;

use super::function::Function;
use super::place::Place;
use super::raise::{Form, Raise};
use super::shape::Shape;

/// What a call came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// The result as text. A function that returns nothing, and a success that carries nothing, say
    /// `ok`.
    Text(String),
    /// The failure side of an outermost `result`: the door's own error. A failure that carries
    /// nothing says `error`.
    DoorError(String),
}

/// Why a result cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsayable {
    /// JSON has no number for it. The door must say it in another way, e.g. as an option.
    #[error("`{path}` is {found}, and JSON has no number for that")]
    NotFinite {
        /// Where in the result.
        path: String,
        /// `NaN`, `Infinity` or `-Infinity`.
        found: &'static str,
    },
    /// The value is not of the type that the interface declares. The runtime checks each result, so
    /// this is a fault of the host, not of the door.
    #[error("`{path}` is not of its declared type {expected}")]
    NotItsType {
        /// Where in the values.
        path: String,
        /// The type, in WIT words.
        expected: String,
    },
}

impl Function {
    /// The text of what a call returned.
    ///
    /// An outermost `result` is taken off. A string, a char, an enum, an integer and a `list<u8>`
    /// stand as they are, without quotes; anything else is compact JSON in the forms of the table of
    /// [`super`], with fields as they are declared.
    ///
    /// # Errors
    ///
    /// When the values hold a NaN or an infinity, or are not those of this function.
    pub fn say(&self, results: &[Val]) -> Result<Said, Unsayable> {
        let at = &Place::RESULT;
        match (&self.result, results) {
            (None, []) => Ok(Said::Text("ok".to_owned())),
            (Some(Shape::Result { ok, .. }), [Val::Result(Ok(value))]) => {
                carried(ok.as_deref(), value.as_deref(), "ok", at).map(Said::Text)
            }
            (Some(Shape::Result { error, .. }), [Val::Result(Err(value))]) => {
                carried(error.as_deref(), value.as_deref(), "error", at).map(Said::DoorError)
            }
            (Some(shape), [value]) => text(shape, value, at).map(Said::Text),
            (Some(shape), _) => Err(Unsayable::mismatch(at, shape)),
            (None, _) => Err(Unsayable::mismatch(at, &Shape::Tuple(Vec::new()))),
        }
    }

    /// The JSON value of what [`say`](Self::say) wrote for a success; `None` where the text is none,
    /// which is one that was cut. Of a program it is its text.
    #[must_use]
    pub fn value_of(&self, text: &str) -> Option<Value> {
        let Some(shape) = self.success().filter(|_| self.command.is_none()) else {
            return Some(text.into());
        };
        match shape {
            Shape::String => Some(text.into()),
            shape if is_word(shape) => match serde_json::from_str(text) {
                Ok(Value::Number(number)) if shape.integer_range().is_some() => {
                    // Beyond what a double tells apart, digits in a string, as everywhere.
                    let exact = loop_spec::canonical(&Value::Number(number));
                    serde_json::from_str(&exact).ok()
                }
                _ => Some(text.into()),
            },
            _ => serde_json::from_str(text).ok(),
        }
    }

    /// The canonical text of arguments that [`fit`](Self::fit) made: two calls have the same
    /// arguments exactly when these texts are equal.
    ///
    /// It is what [`loop_spec::canonical`] gives for the arguments written out in full, each option
    /// that was left out as `null`; it can be fitted again. The sign of a zero is not in it, as
    /// RFC 8785 has it.
    ///
    /// # Errors
    ///
    /// When the values are not arguments of this function.
    pub fn canonical(&self, values: &[Val]) -> Result<String, Unsayable> {
        if let (Some(_), [Val::String(arguments)]) = (&self.command, values) {
            return Ok(arguments.clone());
        }
        if values.len() != self.parameters.len() {
            let shapes = self.parameters.iter().map(|field| field.shape.clone());
            let all = Shape::Tuple(shapes.collect());
            return Err(Unsayable::mismatch(&Place::ARGUMENTS, &all));
        }
        let mut raise = Raise::new(Form::Canonical);
        raise.object(&self.parameters, values.iter(), &Place::ARGUMENTS)?;
        Ok(raise.into_text())
    }
}

impl Unsayable {
    pub(super) fn mismatch(at: &Place<'_>, shape: &Shape) -> Self {
        Self::NotItsType {
            path: at.to_string(),
            expected: shape.to_string(),
        }
    }

    pub(super) fn not_finite(at: &Place<'_>, found: &'static str) -> Self {
        Self::NotFinite {
            path: at.to_string(),
            found,
        }
    }
}

fn carried(
    shape: Option<&Shape>,
    value: Option<&Val>,
    nothing: &str,
    at: &Place<'_>,
) -> Result<String, Unsayable> {
    match (shape, value) {
        (Some(shape), Some(value)) => text(shape, value, at),
        (None, None) => Ok(nothing.to_owned()),
        (shape, _) => Err(Unsayable::mismatch(
            at,
            shape.unwrap_or(&Shape::Tuple(Vec::new())),
        )),
    }
}

fn text(shape: &Shape, value: &Val, at: &Place<'_>) -> Result<String, Unsayable> {
    if let (Shape::String, Val::String(text)) = (shape, value) {
        return Ok(text.clone());
    }
    let mut raise = Raise::new(Form::Said);
    raise.value(shape, value, at)?;
    let json = raise.into_text();
    if is_word(shape)
        && let Ok(bare) = serde_json::from_str::<String>(&json)
    {
        return Ok(bare);
    }
    Ok(json)
}

/// What stands without quotes, beside a string.
fn is_word(shape: &Shape) -> bool {
    matches!(shape, Shape::Char | Shape::Enum(_))
        || shape.integer_range().is_some()
        || shape.is_bytes()
}
