//! The hooks `redact`: what looks like a key leaves a run neither in arguments nor in a close, and is not
//! shown to the model.
//!
//! Named in a loop.txt as `hooks = "doors/redact.wasm"`. It has no imports: it knows what it is asked.

use std::ops::Range;

use exports::doorlist::hooks::{after, before, end};

wit_bindgen::generate!({ world: "hooks", path: "../../doors-sdk/wit/hooks" });

#[cfg(target_family = "wasm")]
export!(Hooks);

/// What the component exports.
pub struct Hooks;

impl before::Guest for Hooks {
    fn may_open(door: String, arguments: String) -> Result<(), String> {
        match keys(&arguments).next() {
            None => Ok(()),
            Some(_) => Err(format!("what looks like a key is not given to {door}")),
        }
    }
}

impl after::Guest for Hooks {
    fn tell(what: after::Returned) -> Result<Option<String>, String> {
        Ok(redacted(&what.text))
    }
}

impl end::Guest for Hooks {
    fn may_end(close: String) -> Result<(), String> {
        match keys(&close).next() {
            None => Ok(()),
            Some(_) => Err("the close has what looks like a key in it".to_owned()),
        }
    }
}

/// The text with `[a key]` in the place of each; `None` when there is none.
fn redacted(text: &str) -> Option<String> {
    let mut told = String::new();
    let mut rest = 0;
    for key in keys(text) {
        told += &text[rest..key.start];
        told += "[a key]";
        rest = key.end;
    }
    (rest > 0).then(|| told + &text[rest..])
}

/// Where something stands that looks like a key.
fn keys(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let belongs = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + text[from..].find(belongs)?;
        let length = text[start..].find(|letter| !belongs(letter));
        from = length.map_or(text.len(), |length| start + length);
        Some(start..from)
    })
    .filter(|word| is_key(&text[word.clone()]))
}

fn is_key(word: &str) -> bool {
    word.len() >= SHORTEST && BEGINNINGS.iter().any(|begins| word.starts_with(begins))
}

/// How the keys of well-known services begin, as their scanners for leaked keys have it.
const BEGINNINGS: [&str; 10] = [
    "AKIA",
    "AIza",
    "ghp_",
    "gho_",
    "github_pat_",
    "glpat-",
    "sk-",
    "sk_live_",
    "xoxb-",
    "xoxp-",
];

/// Bytes of a key, its beginning included.
const SHORTEST: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "ghp_0123456789abcdefghij";

    #[test]
    fn a_key_is_hidden_wherever_it_stands() {
        assert_eq!(
            redacted(&format!("token={KEY}, 家 \"{KEY}\"")).unwrap(),
            "token=[a key], 家 \"[a key]\""
        );
        assert_eq!(redacted("sk-learn and AKIA are words"), None);
        assert_eq!(redacted(""), None);
    }

    #[test]
    fn arguments_and_a_close_with_a_key_are_refused() {
        let may = |text: &str| {
            use {before::Guest as _, end::Guest as _};
            let text = text.to_owned();
            (
                Hooks::may_open("web.get".to_owned(), text.clone()).is_ok(),
                Hooks::may_end(text).is_ok(),
            )
        };
        assert_eq!(may("{\"url\":\"https://example.com\"}"), (true, true));
        let sent = format!("{{\"url\":\"https://example.com/?k={KEY}\"}}");
        assert_eq!(may(&sent), (false, false));
    }
}
