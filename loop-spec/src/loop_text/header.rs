//! The header of a `loop.txt`: from TOML to checked values.

use std::num::{NonZeroU32, NonZeroU64};
use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;
use toml::de::DeTable;

use super::{
    FUEL, Header, KEEP, LoopTextError, PUT_BACKS, RESERVE, RESULT, SAME_FAILURE, SHOWN, WINDOW,
    Window,
};
use crate::{Language, Place, nearest};

/// The keys of a header.
pub const KEYS: &[&str] = &[
    "list",
    "put-backs",
    "same-failure",
    "fuel",
    "result",
    "close",
    "hooks",
    "needs",
    "numbers",
    "model",
    "language",
    "window",
    "reserve",
    "keep",
];

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Raw {
    list: Option<Vec<Spanned<String>>>,
    put_backs: Option<Spanned<u32>>,
    same_failure: Option<Spanned<u32>>,
    fuel: Option<Spanned<u64>>,
    result: Option<Spanned<u32>>,
    close: Option<Spanned<String>>,
    hooks: Option<Spanned<String>>,
    #[serde(default)]
    needs: Vec<Spanned<String>>,
    numbers: Option<Spanned<String>>,
    model: Option<String>,
    language: Option<Spanned<String>>,
    window: Option<Spanned<u32>>,
    reserve: Option<Spanned<u32>>,
    keep: Option<Spanned<u32>>,
}

/// Reads `toml`, which begins at byte `offset` of `file`.
pub(super) fn parse(file: &str, toml: &str, offset: usize) -> Result<Header, LoopTextError> {
    let place = |span: Range<usize>| Place::at(file, offset + span.start);
    let syntax = |error: toml::de::Error| LoopTextError::Toml {
        place: place(error.span().unwrap_or(0..0)),
        found: error.message().replace('\n', " "),
    };
    let table = DeTable::parse(toml).map_err(syntax)?;
    for key in table.get_ref().keys() {
        let name: &str = key.get_ref();
        if !KEYS.contains(&name) {
            return Err(LoopTextError::UnknownKey {
                place: place(key.span()),
                key: name.to_owned(),
                nearest: nearest(name, KEYS),
                known: KEYS,
            });
        }
    }
    let raw: Raw = toml::from_str(toml)
        .map_err(|error| mistyped(&table, toml, &error, place).unwrap_or_else(|| syntax(error)))?;
    check(raw, place)
}

/// The key whose value has another type than it takes.
fn mistyped(
    table: &Spanned<DeTable<'_>>,
    toml: &str,
    error: &toml::de::Error,
    place: impl Fn(Range<usize>) -> Place,
) -> Option<LoopTextError> {
    let at = error.span()?;
    let holds = |span: Range<usize>| span.start <= at.start && at.end <= span.end;
    let (key, value) = table
        .get_ref()
        .iter()
        .find(|(_, value)| holds(value.span()))?;
    let (key, expected) = TYPES.iter().find(|(known, _)| *known == key.get_ref())?;
    Some(LoopTextError::Value {
        place: place(value.span()),
        key,
        found: toml[value.span()].chars().take(SHOWN).collect(),
        expected,
    })
}

fn check(raw: Raw, place: impl Fn(Range<usize>) -> Place) -> Result<Header, LoopTextError> {
    let value = |key, found: &Spanned<String>, expected| LoopTextError::Value {
        place: place(found.span()),
        key,
        found: found.get_ref().clone(),
        expected,
    };
    let zero = |key, span| LoopTextError::Value {
        place: place(span),
        key,
        found: "0".to_owned(),
        expected: "at least 1",
    };
    let count = |key, count: Option<Spanned<u32>>, default| match count {
        None => Ok(default),
        Some(count) => NonZeroU32::new(*count.get_ref()).ok_or_else(|| zero(key, count.span())),
    };
    let list = names(raw.list.ok_or(LoopTextError::NoList)?, &place)?;
    let needs = names(raw.needs.clone(), &place)?;
    if let Some(stray) = raw.needs.iter().find(|need| !list.contains(need.get_ref())) {
        let (place, name) = (place(stray.span()), stray.get_ref().clone());
        return Err(LoopTextError::NeedsUnlisted { place, name });
    }
    for (key, path) in [("close", &raw.close), ("hooks", &raw.hooks)] {
        if let Some(path) = path
            && !is_component_path(path.get_ref())
        {
            let expected = "a component in this folder: `doors/NAME.wasm`";
            return Err(value(key, path, expected));
        }
    }
    let language = match &raw.language {
        None => Language::En,
        Some(code) => Language::of_code(code.get_ref())
            .ok_or_else(|| value("language", code, "`en` or `zh`"))?,
    };
    if let Some(numbers) = raw
        .numbers
        .as_ref()
        .filter(|found| found.get_ref() != FROM_PAGE)
    {
        return Err(value("numbers", numbers, "`from page`"));
    }
    let fuel = match &raw.fuel {
        None => FUEL,
        Some(fuel) => NonZeroU64::new(*fuel.get_ref()).ok_or_else(|| zero("fuel", fuel.span()))?,
    };
    let window = Window {
        window: count("window", raw.window.clone(), WINDOW)?,
        reserve: count("reserve", raw.reserve.clone(), RESERVE)?,
        keep: count("keep", raw.keep.clone(), KEEP)?,
    };
    if window.threshold() <= u64::from(window.keep.get()) {
        let named = raw.window.or(raw.reserve).or(raw.keep);
        let span = named.map_or(0..0, |named| named.span());
        return Err(LoopTextError::Value {
            place: place(span),
            key: "window",
            found: window.window.to_string(),
            expected: "more than `reserve` and `keep` together",
        });
    }
    Ok(Header {
        window,
        list,
        needs,
        language,
        fuel,
        put_backs: count("put-backs", raw.put_backs, PUT_BACKS)?,
        same_failure: count("same-failure", raw.same_failure, SAME_FAILURE)?,
        result: count("result", raw.result, RESULT)?,
        close: raw.close.map(Spanned::into_inner),
        hooks: raw.hooks.map(Spanned::into_inner),
        numbers_from_page: raw.numbers.is_some(),
        model: raw.model,
    })
}

/// Names that doors can have, each once.
fn names(
    raw: Vec<Spanned<String>>,
    place: impl Fn(Range<usize>) -> Place,
) -> Result<Vec<String>, LoopTextError> {
    let mut names: Vec<String> = Vec::with_capacity(raw.len());
    for spanned in raw {
        let (place, name) = (place(spanned.span()), spanned.into_inner());
        if !is_door_name(&name) {
            return Err(LoopTextError::Name { place, name });
        }
        if names.contains(&name) {
            return Err(LoopTextError::Twice { place, name });
        }
        names.push(name);
    }
    Ok(names)
}

/// `stem`, `stem.function` or `stem.interface.function`.
fn is_door_name(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let parts: Vec<_> = name.split('.').collect();
    parts.len() <= 3
        && parts
            .iter()
            .all(|part| !part.is_empty() && part.chars().all(letter))
}

/// A path below the loop's folder that names a component.
fn is_component_path(path: &str) -> bool {
    let ends = path.ends_with(".wasm") || path.ends_with(".wat");
    let inside = path
        .split('/')
        .all(|part| !part.is_empty() && part != "." && part != "..");
    ends && inside && !path.contains(['\\', ':', '\0'])
}

/// What each key takes.
const TYPES: &[(&str, &str)] = &[
    ("list", NAMES),
    ("put-backs", COUNT),
    ("same-failure", COUNT),
    ("fuel", "a whole number from 1 to 9,223,372,036,854,775,807"),
    ("result", COUNT),
    ("close", "a text: `\"doors/NAME.wasm\"`"),
    ("hooks", "a text: `\"doors/NAME.wasm\"`"),
    ("needs", NAMES),
    ("numbers", "`\"from page\"`"),
    (
        "model",
        "a text: `\"doors/NAME.wasm\"`, `\"script:FILE\"`, `\"person\"` or `\"openai:NAME\"`",
    ),
    ("language", "`\"en\"` or `\"zh\"`"),
    ("window", COUNT),
    ("reserve", COUNT),
    ("keep", COUNT),
];
const NAMES: &str = "doors' names: `[\"fridge.count\"]`";
const COUNT: &str = "a whole number from 1 to 4,294,967,295";

/// The one value of `numbers`.
const FROM_PAGE: &str = "from page";
