//! What a question of a session is called.

use std::fmt;
use std::str::FromStr;

use crate::CallId;

/// A question of one session, as a person types it behind `doorlist nod`: `s1.3` is what the third
/// call of the session 1 asked.
///
/// ```
/// use loop_spec::session::QuestionName;
/// let name: QuestionName = "s1.3".parse().unwrap();
/// assert_eq!((name.session, name.call().put_back), (1, 3));
/// assert_eq!(name.to_string(), "s1.3");
/// assert!("1.3".parse::<QuestionName>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuestionName {
    /// The number of the session.
    pub session: u64,
    number: u32,
}

/// A text that names no question.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected the name of a question such as s1.3, found {found:?}")]
pub struct NotAQuestion {
    /// The text.
    pub found: String,
}

impl QuestionName {
    /// The name of what a call asked.
    #[must_use]
    pub fn new(session: u64, call: CallId) -> Self {
        let number = call.put_back;
        Self { session, number }
    }

    /// The call that asked it.
    #[must_use]
    pub fn call(self) -> CallId {
        super::call(self.number)
    }
}

impl fmt::Display for QuestionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s{}.{}", self.session, self.number)
    }
}

impl FromStr for QuestionName {
    type Err = NotAQuestion;

    fn from_str(text: &str) -> Result<Self, NotAQuestion> {
        let read = || {
            let (session, number) = text.strip_prefix('s')?.split_once('.')?;
            Some(Self {
                session: session.parse().ok()?,
                number: number.parse().ok()?,
            })
        };
        read().ok_or_else(|| NotAQuestion {
            found: text.to_owned(),
        })
    }
}
