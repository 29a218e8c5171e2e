//! Doors that are written by hand, so that a test needs no build.

/// The component, in its text form.
pub(crate) const HAND: &str = include_str!("hand.wat");

/// Its functions: `say` and `fail` give back their text, `take` its number; the others end badly.
pub(crate) const NAMES: [&str; 6] = ["say", "fail", "trap", "spin", "grow", "take"];

/// A call of `hand.say`.
pub(crate) fn say(text: &str) -> String {
    format!("hand.say {}", serde_json::json!({ "text": text }))
}
