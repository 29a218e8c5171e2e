//! The least arguments that a function takes, for opening it once.

use serde_json::{Map, Value, json};

use super::function::Function;
use super::shape::{Field, Shape};

impl Function {
    /// An object of arguments that fits, made of zeros, empty texts and empty lists; of a program's,
    /// which only its schema knows, the empty object.
    #[must_use]
    pub fn least(&self) -> Value {
        fields(&self.parameters)
    }
}

fn fields(fields: &[Field]) -> Value {
    let least = |field: &Field| (field.name.clone(), least(&field.shape));
    Value::Object(fields.iter().map(least).collect::<Map<_, _>>())
}

fn least(shape: &Shape) -> Value {
    match shape {
        Shape::Bool => false.into(),
        Shape::Char => "a".into(),
        Shape::String => "".into(),
        Shape::List(_) if shape.is_bytes() => "".into(),
        Shape::List(_) | Shape::Map(..) | Shape::Flags(_) => json!([]),
        // One that is longer than a door is likely to take is left out, and does not fit.
        Shape::FixedList(item, length) => {
            let length = usize::try_from(*length).unwrap_or(usize::MAX);
            vec![least(item); length.min(LONGEST)].into()
        }
        Shape::Record(of) => fields(of),
        Shape::Tuple(items) => items.iter().map(least).collect(),
        Shape::Variant(cases) => match cases.first() {
            Some(case) => one_case(&case.name, case.payload.as_ref()),
            None => Value::Null,
        },
        Shape::Enum(names) => names
            .first()
            .map_or(Value::Null, |name| name.as_str().into()),
        Shape::Option(_) => Value::Null,
        Shape::Result { ok, .. } => one_case("ok", ok.as_deref()),
        Shape::S8
        | Shape::U8
        | Shape::S16
        | Shape::U16
        | Shape::S32
        | Shape::U32
        | Shape::S64
        | Shape::U64
        | Shape::F32
        | Shape::F64 => 0.into(),
    }
}

fn one_case(name: &str, payload: Option<&Shape>) -> Value {
    match payload {
        None => name.into(),
        Some(payload) => json!({ name: least(payload) }),
    }
}

/// Items.
const LONGEST: usize = 10_000;
