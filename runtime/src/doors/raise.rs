//! Values of a component, written as JSON.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::Value;
use wasmtime::component::Val;

use super::number;
use super::place::Place;
use super::say::Unsayable;
use super::shape::{Field, Shape};

/// What the JSON is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// To be read: fields as they are declared; a float that JSON cannot write is an error.
    Said,
    /// To be compared: the text that [`loop_spec::canonical`] would give.
    Canonical,
}

/// A writer of compact JSON.
pub(super) struct Raise {
    form: Form,
    json: Vec<u8>,
}

/// The canonical text of one value. A value that is not of its type has none of its own; those that
/// `fit` made always are.
pub(super) fn canonical(shape: &Shape, value: &Val) -> String {
    let mut raise = Raise::new(Form::Canonical);
    match raise.value(shape, value, &Place::ARGUMENTS) {
        Ok(()) => raise.into_text(),
        Err(error) => error.to_string(),
    }
}

impl Raise {
    pub(super) fn new(form: Form) -> Self {
        Self {
            form,
            json: Vec::new(),
        }
    }

    pub(super) fn into_text(self) -> String {
        String::from_utf8(self.json).expect("what is written is JSON, and JSON is UTF-8")
    }

    pub(super) fn value(
        &mut self,
        shape: &Shape,
        value: &Val,
        at: &Place<'_>,
    ) -> Result<(), Unsayable> {
        match (shape, value) {
            (Shape::Bool, Val::Bool(bool)) => self.plain(bool),
            (Shape::S8, Val::S8(number)) => self.plain(number),
            (Shape::U8, Val::U8(number)) => self.plain(number),
            (Shape::S16, Val::S16(number)) => self.plain(number),
            (Shape::U16, Val::U16(number)) => self.plain(number),
            (Shape::S32, Val::S32(number)) => self.plain(number),
            (Shape::U32, Val::U32(number)) => self.plain(number),
            (Shape::S64, Val::S64(number)) => self.long((*number).into()),
            (Shape::U64, Val::U64(number)) => self.long((*number).into()),
            (Shape::F32, Val::Float32(float)) => self.float(number::widened(*float), at)?,
            (Shape::F64, Val::Float64(float)) => self.float(*float, at)?,
            (Shape::Char, Val::Char(char)) => self.string(char.encode_utf8(&mut [0; 4])),
            (Shape::String, Val::String(text)) => self.string(text),
            (Shape::List(_), Val::List(items)) if shape.is_bytes() => {
                let bytes: Option<Vec<u8>> = items.iter().map(byte).collect();
                let bytes = bytes.ok_or_else(|| Unsayable::mismatch(at, shape))?;
                self.string(&STANDARD.encode(bytes));
            }
            (Shape::List(item), Val::List(items))
            | (Shape::FixedList(item, _), Val::FixedLengthList(items)) => {
                self.list(items.iter().map(|value| (&**item, value)), at)?;
            }
            (Shape::Tuple(shapes), Val::Tuple(items)) if shapes.len() == items.len() => {
                self.list(shapes.iter().zip(items), at)?;
            }
            (Shape::Map(key, value), Val::Map(entries)) => self.map(key, value, entries, at)?,
            (Shape::Record(known), Val::Record(given)) if known.len() == given.len() => {
                let values = given.iter().map(|(_, value)| value);
                self.object(known, values, at)?;
            }
            (Shape::Variant(cases), Val::Variant(name, payload)) => {
                let case = cases.iter().find(|case| case.name == *name);
                let case = case.ok_or_else(|| Unsayable::mismatch(at, shape))?;
                self.case(name, case.payload.as_ref(), payload.as_deref(), at)?;
            }
            (Shape::Enum(_), Val::Enum(name)) => self.string(name),
            (Shape::Option(_), Val::Option(None)) => self.json.extend_from_slice(b"null"),
            (Shape::Option(some), Val::Option(Some(value))) => match **some {
                Shape::Option(_) => self.case("some", Some(some), Some(value), at)?,
                _ => self.value(some, value, at)?,
            },
            (Shape::Result { ok, .. }, Val::Result(Ok(payload))) => {
                self.case("ok", ok.as_deref(), payload.as_deref(), at)?;
            }
            (Shape::Result { error, .. }, Val::Result(Err(payload))) => {
                self.case("error", error.as_deref(), payload.as_deref(), at)?;
            }
            (Shape::Flags(names), Val::Flags(set)) => {
                let set = names.iter().filter(|name| set.contains(name));
                self.separated(b'[', set, b']', |raise, name| {
                    raise.string(name);
                    Ok(())
                })?;
            }
            _ => return Err(Unsayable::mismatch(at, shape)),
        }
        Ok(())
    }

    /// An object of `known` keys, whose values come in the same order.
    pub(super) fn object<'v>(
        &mut self,
        known: &[Field],
        values: impl Iterator<Item = &'v Val>,
        at: &Place<'_>,
    ) -> Result<(), Unsayable> {
        let mut entries: Vec<(&Field, &Val)> = known.iter().zip(values).collect();
        if self.form == Form::Canonical {
            // WIT names are ASCII, where the order of bytes is that of UTF-16 code units.
            entries.sort_by_key(|(field, _)| &field.name);
        }
        self.separated(b'{', entries, b'}', |raise, (field, value)| {
            raise.string(&field.name);
            raise.json.push(b':');
            raise.value(&field.shape, value, &Place::Key(at, &field.name))
        })
    }

    fn list<'v>(
        &mut self,
        items: impl Iterator<Item = (&'v Shape, &'v Val)>,
        at: &Place<'_>,
    ) -> Result<(), Unsayable> {
        self.separated(
            b'[',
            items.enumerate(),
            b']',
            |raise, (i, (shape, value))| raise.value(shape, value, &Place::Item(at, i)),
        )
    }

    fn map(
        &mut self,
        key: &Shape,
        value: &Shape,
        entries: &[(Val, Val)],
        at: &Place<'_>,
    ) -> Result<(), Unsayable> {
        self.separated(
            b'[',
            entries.iter().enumerate(),
            b']',
            |raise, (i, entry)| {
                let pair = [(key, &entry.0), (value, &entry.1)];
                raise.list(pair.into_iter(), &Place::Item(at, i))
            },
        )
    }

    fn case(
        &mut self,
        name: &str,
        shape: Option<&Shape>,
        payload: Option<&Val>,
        at: &Place<'_>,
    ) -> Result<(), Unsayable> {
        match (shape, payload) {
            (None, None) => self.string(name),
            (Some(shape), Some(value)) => {
                self.json.push(b'{');
                self.string(name);
                self.json.push(b':');
                self.value(shape, value, &Place::Key(at, name))?;
                self.json.push(b'}');
            }
            (Some(shape), None) => return Err(Unsayable::mismatch(&Place::Key(at, name), shape)),
            (None, Some(_)) => return Err(Unsayable::mismatch(at, &Shape::Tuple(Vec::new()))),
        }
        Ok(())
    }

    fn separated<T>(
        &mut self,
        open: u8,
        items: impl IntoIterator<Item = T>,
        close: u8,
        mut write: impl FnMut(&mut Self, T) -> Result<(), Unsayable>,
    ) -> Result<(), Unsayable> {
        self.json.push(open);
        for (i, item) in items.into_iter().enumerate() {
            if i > 0 {
                self.json.push(b',');
            }
            write(self, item)?;
        }
        self.json.push(close);
        Ok(())
    }

    fn plain(&mut self, value: &(impl Serialize + ?Sized)) {
        serde_json::to_writer(&mut self.json, value).expect("a Vec takes every text and number");
    }

    /// A 64-bit integer: digits in a string where a reader with doubles would round it.
    fn long(&mut self, number: i128) {
        match number.unsigned_abs() > loop_spec::LARGEST_EXACT.into() {
            true => self.string(&number.to_string()),
            false => self.plain(&number),
        }
    }

    fn float(&mut self, float: f64, at: &Place<'_>) -> Result<(), Unsayable> {
        match (number::name_of(float), self.form) {
            (Some(name), Form::Canonical) => self.string(name),
            (Some(name), Form::Said) => return Err(Unsayable::not_finite(at, name)),
            (None, Form::Canonical) => {
                let text = loop_spec::canonical(&float.into());
                self.json.extend_from_slice(text.as_bytes());
            }
            (None, Form::Said) => self.plain(&Value::from(float)),
        }
        Ok(())
    }

    fn string(&mut self, text: &str) {
        // The escapes of serde_json are those of RFC 8785.
        self.plain(text);
    }
}

fn byte(value: &Val) -> Option<u8> {
    match value {
        Val::U8(byte) => Some(*byte),
        _ => None,
    }
}
