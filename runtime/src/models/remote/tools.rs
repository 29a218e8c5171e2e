//! What doors are called where models are served: letters, digits, `_` and `-`, 64 at most.

use std::collections::BTreeMap;

use loop_spec::{CallId, Digest};

use super::Provider;
use crate::doors::{LONGEST_NAME, is_usable, mapped};

/// The names of the listed doors as a provider takes them, and the way back.
#[derive(Clone, Debug)]
pub(super) struct ToolNames {
    provider: Provider,
    doors: BTreeMap<String, String>,
}

/// Two listed doors would have one name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected two names, found `{tool}` for both `{first}` and `{second}`; rename a file of the two"
)]
pub struct SharedName {
    /// The name.
    pub tool: String,
    /// One door.
    pub first: String,
    /// The other.
    pub second: String,
}

impl ToolNames {
    pub(super) fn new<'n>(
        provider: Provider,
        listed: impl IntoIterator<Item = &'n str>,
    ) -> Result<Self, SharedName> {
        let mut doors = BTreeMap::new();
        for door in listed {
            let tool = tool_name(provider, door);
            if let Some(first) = doors.insert(tool.clone(), door.to_owned()) {
                let second = door.to_owned();
                return Err(SharedName {
                    tool,
                    first,
                    second,
                });
            }
        }
        Ok(Self { provider, doors })
    }

    /// What a door is called there. A name that no door could have, which a model may have written, gets
    /// one that the provider takes.
    pub(super) fn tool(&self, name: &str) -> String {
        tool_name(self.provider, name)
    }

    /// The name in an answer: the listed door's, or as it came.
    pub(super) fn door(&self, tool: &str) -> String {
        self.doors.get(tool).map_or(tool, String::as_str).to_owned()
    }
}

fn tool_name(provider: Provider, name: &str) -> String {
    let mut tool = mapped(name);
    // Gemini's names begin with a letter or `_`.
    let begins = |c: char| c.is_ascii_alphabetic() || c == '_';
    if provider == Provider::Gemini && !tool.starts_with(begins) {
        tool.insert(0, '_');
    }
    if is_usable(&tool) && tool.len() <= LONGEST_NAME {
        return tool;
    }
    let plain = tool.chars().take(LONGEST_NAME - SHORT - 1);
    let plain = plain.map(|c| {
        if is_usable(c.encode_utf8(&mut [0; 4])) {
            c
        } else {
            '_'
        }
    });
    let digest = Digest::of(name.as_bytes());
    format!("{}_{}", plain.collect::<String>(), digest.short())
}

/// What a call of the page is called there: nine letters and digits, which is what the strictest
/// provider (Mistral) takes; another for each call of a run.
pub(super) fn wire_id(call: CallId) -> String {
    // 62^9 > 2^53: the put-back's 32 bits, and 21 of the place in an answer.
    let place = u64::from(call.place) & ((1 << PLACE_BITS) - 1);
    let mut number = (u64::from(call.put_back) << PLACE_BITS) | place;
    let mut id = [b'0'; 9];
    for digit in id.iter_mut().rev() {
        *digit = DIGITS[(number % 62) as usize];
        number /= 62;
    }
    String::from_utf8_lossy(&id).into_owned()
}

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// More places than names are taken of one answer.
const PLACE_BITS: u32 = 21;
/// Characters of [`Digest::short`].
const SHORT: usize = 12;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_lead_back_and_no_two_doors_share_one() {
        let long = format!("{}.count", "a".repeat(70));
        let other = format!("{}.clear", "a".repeat(70));
        let listed = ["fridge.count", &long, &other, "1st"];
        let names = ToolNames::new(Provider::Gemini, listed).unwrap();
        assert_eq!(names.tool("fridge.count"), "fridge__count");
        assert_eq!(names.tool("1st"), "_1st");
        for door in listed {
            let tool = names.tool(door);
            assert!(is_usable(&tool) && tool.len() <= LONGEST_NAME, "{tool}");
            assert_eq!(names.door(&tool), door);
        }
        assert_ne!(names.tool(&long), names.tool(&other));
        // What is on no list stays as it came.
        assert_eq!(names.door("fridge__open"), "fridge__open");
        assert_eq!(names.door("fridge.count"), "fridge.count");
        let shared = ToolNames::new(Provider::OpenAi, ["a.b", "a__b"]).unwrap_err();
        assert!(
            shared
                .to_string()
                .contains("`a__b` for both `a.b` and `a__b`")
        );
        let first = ToolNames::new(Provider::Gemini, ["1", "_1"]);
        assert!(first.is_err(), "the sign in front may make two the same");
    }

    proptest! {
        #[test]
        fn whatever_a_model_wrote_becomes_a_name_that_is_taken(name in any::<String>()) {
            for provider in Provider::ALL {
                let tool = tool_name(provider, &name);
                prop_assert!(is_usable(&tool) && tool.len() <= LONGEST_NAME, "{tool}");
            }
        }

        #[test]
        fn ids_are_nine_signs_and_differ(one in any::<(u32, u16)>(), other in any::<(u32, u16)>()) {
            let id = |(put_back, place): (u32, u16)| {
                wire_id(CallId { put_back, place: place.into() })
            };
            prop_assert!(id(one).len() == 9);
            prop_assert!(id(one).bytes().all(|b| b.is_ascii_alphanumeric()));
            prop_assert_eq!(id(one) == id(other), one == other);
        }
    }
}
