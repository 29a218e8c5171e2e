//! Who decides: a component, a script, the person at the terminal, or a model that a provider serves
//! over HTTP. Each gets the page and hands over a close or names.

mod component;
mod person;
pub mod remote;
mod script;
mod source;

use std::time::Duration;

use async_trait::async_trait;
use loop_spec::{Answer, Ended, Page, Usage};

pub use component::ComponentModel;
pub use person::PersonModel;
pub use remote::RemoteModel;
pub use script::{ScriptError, ScriptModel};
pub use source::{ModelSource, NotAModel};

/// A model: it is put back with a page, and answers.
#[async_trait]
pub trait Model: Send {
    /// What it is called in the journal, e.g. `doors/mind.wasm`.
    fn name(&self) -> &str;

    /// Reads the page of this put-back and answers it. `listener` hears the words as they come, from
    /// a model that streams.
    ///
    /// Asking again with the same page after a crash must do no harm.
    ///
    /// # Errors
    /// When there is no answer. The run stops with a model error and can be resumed.
    async fn decide(
        &mut self,
        put_back: u32,
        page: &Page<'_>,
        listener: &mut dyn Listener,
    ) -> Result<Decision, ModelError>;

    /// Whether it can sum up what came first on a page that nearly fills its window. One that cannot
    /// gets every page whole.
    fn sums_up(&self) -> bool {
        false
    }

    /// The run is over after this many put-backs: is anything left over that should have been used?
    ///
    /// # Errors
    /// What is left over.
    fn finish(&self, put_backs: u32) -> Result<(), ModelError> {
        let _ = put_backs;
        Ok(())
    }
}

/// An answer and what it cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The close or the names.
    pub answer: Answer,
    /// How it ended, as the model's provider labels it.
    pub ended: Ended,
    /// Fuel used, where the model is a component; else 0.
    pub fuel: u64,
    /// Tokens used, where the model's provider counts them.
    pub usage: Usage,
}

impl Decision {
    /// An answer that cost nothing.
    #[must_use]
    pub fn free(answer: Answer) -> Self {
        Self {
            answer,
            ended: Ended::Turn,
            fuel: 0,
            usage: Usage::default(),
        }
    }
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
#[error("{why}")]
pub struct ModelError {
    /// Why, for a person.
    pub why: String,
    /// What there is of an answer that broke off.
    pub answer: Option<Answer>,
    /// Fuel used, where the model is a component; else 0.
    pub fuel: u64,
    /// Tokens used, where the model's provider counts them.
    pub usage: Usage,
}

/// Hears what a model says while it says it.
pub trait Listener: Send {
    /// The next piece of the answer's text.
    fn hear(&mut self, words: &str);

    /// The answer did not come, or broke off: it is asked for again after `wait`, from the beginning.
    fn again(&mut self, why: &str, wait: Duration) {
        let _ = (why, wait);
    }
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Deaf;

impl Listener for Deaf {
    fn hear(&mut self, _words: &str) {}
}

impl ModelError {
    fn new(why: impl Into<String>) -> Self {
        Self {
            why: why.into(),
            answer: None,
            fuel: 0,
            usage: Usage::default(),
        }
    }
}
