//! Hooks: what a loop's own component is asked before and after a door is opened, and before the end.
//!
//! A hook is a door that is granted nothing, and is asked with the same time and seed each time. One that
//! fails keeps what it was asked about: a door stays closed, a result is withheld. Only the end it does
//! not keep, since nothing more could come of the run.

use loop_spec::Language;
use loop_spec::frame::one_line;
use loop_spec::loop_machine::{EndJudged, HookSaid, HookedResult, Hooks as There, Outcome};
use serde_json::{Value, json};

use super::{Admission, Conditions, Gate, GuardedDoor};

/// The hooks of a loop, all of one component: those that it exports.
#[derive(Clone, Debug, Default)]
pub struct Hooks {
    /// Asked before a door is opened.
    pub before: Option<GuardedDoor>,
    /// Asked after a door has returned.
    pub after: Option<GuardedDoor>,
    /// Asked before a run ends.
    pub end: Option<GuardedDoor>,
}

/// What the hook before an opening said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Before {
    /// `None` when the door may be opened, else the reason why not.
    pub refused: Option<String>,
    /// Fuel used.
    pub fuel: u64,
}

impl Hooks {
    /// Which there are.
    #[must_use]
    pub fn there(&self) -> There {
        There {
            before: self.before.is_some(),
            after: self.after.is_some(),
            end: self.end.is_some(),
        }
    }

    /// The functions.
    pub fn doors(&self) -> impl Iterator<Item = &GuardedDoor> {
        [&self.before, &self.after, &self.end].into_iter().flatten()
    }

    /// Asks whether `door` may be opened with these canonical arguments, using `fuel` at most. `None`
    /// where there is no such hook.
    pub async fn before(
        &self,
        gate: &Gate,
        door: &str,
        arguments: &str,
        fuel: u64,
        language: Language,
    ) -> Option<Before> {
        let hook = self.before.as_ref()?;
        let asked = json!({ "door": door, "arguments": arguments });
        let (outcome, fuel) = ask(gate, hook, &asked, fuel).await;
        let refused = match outcome {
            Outcome::Said { .. } => None,
            outcome => Some(why(&outcome, language)),
        };
        Some(Before { refused, fuel })
    }

    /// Asks what is told of what `door` returned. `None` where there is no such hook, or the door did
    /// not return.
    pub async fn after(
        &self,
        gate: &Gate,
        door: &str,
        arguments: &str,
        outcome: &Outcome,
        fuel: u64,
        language: Language,
    ) -> Option<HookedResult> {
        let hook = self.after.as_ref()?;
        let (Outcome::Said { text } | Outcome::OwnError { text }) = outcome else {
            return None;
        };
        let well = matches!(outcome, Outcome::Said { .. });
        let asked = json!({ "what": {
            "door": door, "arguments": arguments, "well": well, "text": text,
        } });
        let (said, fuel) = ask(gate, hook, &asked, fuel).await;
        let said = match said {
            Outcome::Said { text } => match serde_json::from_str::<Value>(&text) {
                Ok(Value::String(text)) => HookSaid::Instead(text),
                Ok(Value::Null) => HookSaid::Same,
                _ => HookSaid::Withheld(TOO_LONG.to_owned()),
            },
            outcome => HookSaid::Withheld(why(&outcome, language)),
        };
        Some(HookedResult { said, fuel })
    }

    /// Asks whether the run may end with this close. `None` where there is no such hook.
    pub async fn end(&self, gate: &Gate, close: &str, fuel: u64) -> Option<EndJudged> {
        let hook = self.end.as_ref()?;
        let (outcome, fuel) = ask(gate, hook, &json!({ "close": close }), fuel).await;
        let refused = match outcome {
            Outcome::OwnError { text } => Some(text),
            _ => None,
        };
        Some(EndJudged { refused, fuel })
    }
}

const TOO_LONG: &str = "what the hook would tell instead is longer than a door may return.";

async fn ask(gate: &Gate, hook: &GuardedDoor, asked: &Value, fuel: u64) -> (Outcome, u64) {
    match gate.admit(hook, &asked.to_string(), true) {
        Admission::Open { values, .. } => {
            let conditions = Conditions {
                fuel,
                ..Conditions::default()
            };
            let came = gate.open(hook, values, conditions).await;
            (came.outcome, came.fuel)
        }
        Admission::Locked { why, .. } => {
            let what = format!("the component that `hooks` names is {why}");
            (Outcome::HostFault { what }, 0)
        }
        Admission::Misfit { what } => (Outcome::HostFault { what }, 0),
        Admission::Ask { .. } => {
            let what = "a hook is never asked about".to_owned();
            (Outcome::HostFault { what }, 0)
        }
    }
}

/// Its own reason, or how it failed.
fn why(outcome: &Outcome, language: Language) -> String {
    match outcome {
        Outcome::OwnError { text } => text.clone(),
        outcome => one_line(&language.observation(outcome)),
    }
}
