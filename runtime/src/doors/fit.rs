//! Arguments as JSON, turned into the values that a component takes.

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde_json::{Map, Value};
use wasmtime::component::Val;

use super::function::Function;
use super::misfit::Misfit;
use super::number;
use super::place::Place;
use super::shape::{Field, Shape};

impl Function {
    /// The values to call this function with, from an object keyed by the parameters' names.
    ///
    /// Total and exact: what this returns always passes the type check of the call, and says no
    /// less and no more than `arguments` did. The forms taken are in the table of [`super`].
    ///
    /// # Errors
    ///
    /// The first place where the arguments do not fit.
    pub fn fit(&self, arguments: &Value) -> Result<Vec<Val>, Misfit> {
        if let Some(takes) = &self.command {
            return takes.fit(arguments);
        }
        let at = &Place::ARGUMENTS;
        let Value::Object(given) = arguments else {
            return Err(Misfit::not_an_object(at, arguments));
        };
        let values = fields(&self.parameters, "parameter", given, at)?;
        Ok(values.into_iter().map(|(_, value)| value).collect())
    }
}

fn fit(shape: &Shape, json: &Value, at: &Place<'_>) -> Result<Val, Misfit> {
    let misfit = || Misfit::value(at, shape, json);
    if let Some(range) = shape.integer_range() {
        let whole = number::whole(json).filter(|whole| (range.0..=range.1).contains(whole));
        return whole
            .and_then(|whole| integer(shape, whole))
            .ok_or_else(misfit);
    }
    Ok(match (shape, json) {
        (Shape::Bool, Value::Bool(bool)) => Val::Bool(*bool),
        (Shape::F32, _) => Val::Float32(number::single(json).ok_or_else(misfit)?),
        (Shape::F64, _) => Val::Float64(number::double(json).ok_or_else(misfit)?),
        (Shape::Char, Value::String(text)) => Val::Char(only_char(text).ok_or_else(misfit)?),
        (Shape::String, Value::String(text)) => Val::String(text.clone()),
        (Shape::List(_), Value::String(text)) if shape.is_bytes() => {
            let bytes = BASE64.decode(text).map_err(|_| misfit())?;
            Val::List(bytes.into_iter().map(Val::U8).collect())
        }
        (Shape::List(item), Value::Array(given)) => Val::List(items(item, given, at)?),
        (Shape::FixedList(item, length), Value::Array(given))
            if given.len() == *length as usize =>
        {
            Val::FixedLengthList(items(item, given, at)?)
        }
        (Shape::Map(key, value), Value::Array(given)) => Val::Map(pairs(key, value, given, at)?),
        (Shape::Record(known), Value::Object(given)) => {
            Val::Record(fields(known, "field", given, at)?)
        }
        (Shape::Tuple(shapes), Value::Array(given)) if given.len() == shapes.len() => {
            Val::Tuple(tuple(shapes, given, at)?)
        }
        (Shape::Variant(cases), _) => {
            let cases = cases
                .iter()
                .map(|case| (case.name.as_str(), case.payload.as_ref()));
            let (name, payload) = case(shape, cases, json, at)?;
            Val::Variant(name.to_owned(), payload)
        }
        (Shape::Enum(names), Value::String(given)) => Val::Enum(name(names, given, at)?),
        (Shape::Option(_), Value::Null) => Val::Option(None),
        (Shape::Option(some), _) => Val::Option(Some(Box::new(present(shape, some, json, at)?))),
        (Shape::Result { ok, error }, _) => {
            let cases = [("ok", ok.as_deref()), ("error", error.as_deref())];
            let (name, payload) = case(shape, cases.into_iter(), json, at)?;
            Val::Result(if name == "ok" {
                Ok(payload)
            } else {
                Err(payload)
            })
        }
        (Shape::Flags(names), Value::Array(given)) => Val::Flags(flags(shape, names, given, at)?),
        _ => return Err(misfit()),
    })
}

fn integer(shape: &Shape, whole: i128) -> Option<Val> {
    Some(match shape {
        Shape::S8 => Val::S8(whole.try_into().ok()?),
        Shape::U8 => Val::U8(whole.try_into().ok()?),
        Shape::S16 => Val::S16(whole.try_into().ok()?),
        Shape::U16 => Val::U16(whole.try_into().ok()?),
        Shape::S32 => Val::S32(whole.try_into().ok()?),
        Shape::U32 => Val::U32(whole.try_into().ok()?),
        Shape::S64 => Val::S64(whole.try_into().ok()?),
        Shape::U64 => Val::U64(whole.try_into().ok()?),
        _ => return None,
    })
}

fn only_char(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

fn items(shape: &Shape, given: &[Value], at: &Place<'_>) -> Result<Vec<Val>, Misfit> {
    let item = |(i, json)| fit(shape, json, &Place::Item(at, i));
    given.iter().enumerate().map(item).collect()
}

fn tuple(shapes: &[Shape], given: &[Value], at: &Place<'_>) -> Result<Vec<Val>, Misfit> {
    let item = |(i, (shape, json))| fit(shape, json, &Place::Item(at, i));
    shapes.iter().zip(given).enumerate().map(item).collect()
}

/// The entries of a map. A key that stands twice is a misfit, since the component would be left to
/// choose one of the values.
fn pairs(
    key: &Shape,
    value: &Shape,
    given: &[Value],
    at: &Place<'_>,
) -> Result<Vec<(Val, Val)>, Misfit> {
    let pair = Shape::Tuple(vec![key.clone(), value.clone()]);
    let mut seen = std::collections::HashSet::new();
    let mut pairs = Vec::with_capacity(given.len());
    for (i, json) in given.iter().enumerate() {
        let at = &Place::Item(at, i);
        let Value::Array(two) = json else {
            return Err(Misfit::value(at, &pair, json));
        };
        let [left, right] = two.as_slice() else {
            return Err(Misfit::value(at, &pair, json));
        };
        let entry = (
            fit(key, left, &Place::Item(at, 0))?,
            fit(value, right, &Place::Item(at, 1))?,
        );
        if !seen.insert(super::raise::canonical(key, &entry.0)) {
            return Err(Misfit::twice(&Place::Item(at, 0), left));
        }
        pairs.push(entry);
    }
    Ok(pairs)
}

/// The values of `known` fields or parameters, in their order. An option may be left out.
fn fields(
    known: &[Field],
    kind: &'static str,
    given: &Map<String, Value>,
    at: &Place<'_>,
) -> Result<Vec<(String, Val)>, Misfit> {
    let names = known.iter().map(|field| field.name.as_str());
    if names
        .clone()
        .filter(|name| given.contains_key(*name))
        .count()
        < given.len()
    {
        let stranger = given
            .keys()
            .find(|key| names.clone().all(|name| name != *key));
        return Err(Misfit::unknown(
            at,
            kind,
            stranger.map_or("", |key| key),
            names,
        ));
    }
    let field = |field: &Field| {
        let at = &Place::Key(at, &field.name);
        let value = match (given.get(&field.name), &field.shape) {
            (Some(json), shape) => fit(shape, json, at)?,
            (None, Shape::Option(_)) => Val::Option(None),
            (None, shape) => return Err(Misfit::missing(at, shape)),
        };
        Ok((field.name.clone(), value))
    };
    known.iter().map(field).collect()
}

/// What an option holds. An option of an option is wrapped (`{"some": …}`), so that `null` always
/// means the outer one.
fn present(shape: &Shape, some: &Shape, json: &Value, at: &Place<'_>) -> Result<Val, Misfit> {
    if !matches!(some, Shape::Option(_)) {
        return fit(some, json, at);
    }
    match only_entry(json) {
        Some(("some", inner)) => fit(some, inner, &Place::Key(at, "some")),
        _ => Err(Misfit::value(at, shape, json)),
    }
}

/// A case and what it carries: `{"case": payload}`, or `"case"` where it carries nothing.
fn case<'a>(
    shape: &Shape,
    mut cases: impl Iterator<Item = (&'a str, Option<&'a Shape>)> + Clone,
    json: &Value,
    at: &Place<'_>,
) -> Result<(&'a str, Option<Box<Val>>), Misfit> {
    let misfit = || Misfit::value(at, shape, json);
    let (given, payload) = match json {
        Value::String(name) => (name.as_str(), None),
        _ => only_entry(json)
            .map(|(name, json)| (name, Some(json)))
            .ok_or_else(misfit)?,
    };
    let names = cases.clone().map(|(name, _)| name);
    let Some((name, carries)) = cases.find(|(name, _)| *name == given) else {
        return Err(Misfit::unknown(at, "case", given, names));
    };
    let inside = &Place::Key(at, name);
    let value = match (carries, payload) {
        (Some(shape), Some(json)) => Some(Box::new(fit(shape, json, inside)?)),
        (None, None) => None,
        (Some(shape), None) => return Err(Misfit::missing(inside, shape)),
        (None, Some(_)) => return Err(misfit()),
    };
    Ok((name, value))
}

fn name(names: &[String], given: &str, at: &Place<'_>) -> Result<String, Misfit> {
    let known = names.iter().map(String::as_str);
    match known.clone().find(|name| *name == given) {
        Some(name) => Ok(name.to_owned()),
        None => Err(Misfit::unknown(at, "case", given, known)),
    }
}

/// The flags that are set, in their declared order whatever the order given.
fn flags(
    shape: &Shape,
    names: &[String],
    given: &[Value],
    at: &Place<'_>,
) -> Result<Vec<String>, Misfit> {
    let mut set = vec![false; names.len()];
    for (i, json) in given.iter().enumerate() {
        let at = &Place::Item(at, i);
        let Value::String(flag) = json else {
            return Err(Misfit::value(at, shape, json));
        };
        let known = names.iter().map(String::as_str);
        let index = known.clone().position(|name| name == flag);
        let index = index.ok_or_else(|| Misfit::unknown(at, "flag", flag, known))?;
        if std::mem::replace(&mut set[index], true) {
            return Err(Misfit::twice(at, json));
        }
    }
    let chosen = names.iter().zip(set).filter(|(_, set)| *set);
    Ok(chosen.map(|(name, _)| name.clone()).collect())
}

/// The key and value of an object that has just one.
fn only_entry(json: &Value) -> Option<(&str, &Value)> {
    let mut entries = json.as_object()?.iter();
    let (key, value) = entries.next()?;
    entries.next().is_none().then_some((key, value))
}

/// The standard alphabet, with or without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);
