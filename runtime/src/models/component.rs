//! A component decides: it exports `doorlist:model/decide`.

use async_trait::async_trait;
use loop_spec::loop_machine::Outcome;
use loop_spec::{Answer, Call, Page};
use serde::Deserialize;

use super::{Decision, Listener, Model, ModelError};
use crate::gate::{Admission, Conditions, Gate, GuardedDoor};

/// A model that is a component. It is opened like a door that is granted nothing, once for each
/// put-back, so that it knows nothing but the page.
pub struct ComponentModel<'g> {
    name: String,
    gate: &'g Gate,
    door: GuardedDoor,
}

impl<'g> ComponentModel<'g> {
    /// The interface that such a component exports, without its version.
    pub const INTERFACE: &'static str = "doorlist:model/decide";
    /// The function of that interface.
    pub const FUNCTION: &'static str = "decide";

    /// A model called `name` that is opened through `gate`. `door` is the function
    /// [`Self::FUNCTION`] of [`Self::INTERFACE`].
    #[must_use]
    pub fn new(name: impl Into<String>, gate: &'g Gate, door: GuardedDoor) -> Self {
        Self {
            name: name.into(),
            gate,
            door,
        }
    }
}

#[async_trait]
impl Model for ComponentModel<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    async fn decide(
        &mut self,
        put_back: u32,
        page: &Page<'_>,
        _listener: &mut dyn Listener,
    ) -> Result<Decision, ModelError> {
        let arguments = serde_json::json!({ "page": page.to_string() });
        // A model gets no clock and no chance of its own, so the same page has the same answer.
        let seed = u64::from(put_back);
        let conditions = Conditions {
            time: 0,
            seed,
            fuel: self.door.limits.fuel,
            ..Conditions::default()
        };
        let came = match self.gate.admit(&self.door, &arguments.to_string(), true) {
            Admission::Open { values, .. } => self.gate.open(&self.door, values, conditions).await,
            Admission::Misfit { what } => return Err(ModelError::new(what)),
            Admission::Locked { why, .. } => {
                return Err(ModelError::new(format!("{} is {why}", self.name)));
            }
            Admission::Ask { .. } => return Err(ModelError::new("a model is never asked first")),
        };
        let fuel = came.fuel;
        let failed = |why: String| ModelError {
            fuel,
            ..ModelError::new(format!("{}: {why}", self.name))
        };
        match came.outcome {
            Outcome::Said { text } => match serde_json::from_str::<Handed>(&text) {
                Ok(handed) => Ok(Decision {
                    fuel,
                    ..Decision::free(handed.into())
                }),
                Err(error) => Err(failed(format!("expected a close or names, found {error}"))),
            },
            Outcome::OwnError { text } => Err(failed(text)),
            Outcome::Trap { what } => Err(failed(format!("trap: {what}"))),
            other => Err(failed(format!("expected an answer, found {other:?}"))),
        }
    }
}

/// The WIT variant `answer`, in the JSON form of component values.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Handed {
    Close(String),
    Names {
        calls: Vec<Call>,
        remark: Option<String>,
    },
}

impl From<Handed> for Answer {
    fn from(handed: Handed) -> Self {
        match handed {
            Handed::Close(text) => Self::Close(text),
            Handed::Names { calls, remark } => Self::Names { calls, remark },
        }
    }
}
