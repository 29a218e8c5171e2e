//! What was heard of an answer so far, put together from pieces.

use std::collections::HashMap;

use bytes::Bytes;
use loop_spec::{Answer, Call, Ended, Usage};

use super::super::{Decision, Listener, ModelError};
use super::tools::ToolNames;
use super::trouble::Trouble;
use crate::grants::{MaskedStream, Masks};

/// An answer on its way. Nothing in it shows the key.
pub(super) struct Heard<'l> {
    listener: &'l mut dyn Listener,
    masks: Masks,
    streamed: MaskedStream,
    text: String,
    refusal: String,
    calls: Vec<HeardCall>,
    /// Which of `calls` a server means by an index.
    by_index: HashMap<u64, usize>,
    /// How it ended, once that was said.
    pub(super) label: Option<Label>,
    /// Whether the calls came under the key of before there could be several.
    pub(super) calls_are_old: bool,
    /// Whether the mark behind the end came.
    pub(super) over: bool,
    pub(super) usage: Usage,
}

/// How a provider says that an answer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Ended(Ended),
    /// What there is of an answer is none: why.
    NoAnswer(String),
}

/// A part of a call, as a server sends it.
#[derive(Debug, Default)]
pub(super) struct Piece {
    pub(super) index: Option<u64>,
    pub(super) id: Option<String>,
    pub(super) name: Option<String>,
    pub(super) arguments: String,
}

#[derive(Debug, Default)]
struct HeardCall {
    id: Option<String>,
    name: String,
    arguments: String,
    /// The arguments that its start carried, which hold if no pieces of them come.
    given: String,
}

impl<'l> Heard<'l> {
    pub(super) fn new(listener: &'l mut dyn Listener, masks: Masks) -> Self {
        Self {
            listener,
            streamed: MaskedStream::new(masks.clone()),
            masks,
            text: String::new(),
            refusal: String::new(),
            calls: Vec::new(),
            by_index: HashMap::new(),
            label: None,
            calls_are_old: false,
            over: false,
            usage: Usage::default(),
        }
    }

    /// The next words.
    pub(super) fn say(&mut self, words: &str) {
        self.text.push_str(words);
        let shown = self.streamed.push(Bytes::copy_from_slice(words.as_bytes()));
        self.show(&shown);
    }

    /// The next words of why it does not want to answer.
    pub(super) fn refuse(&mut self, words: &str) {
        self.refusal.push_str(words);
    }

    /// The next piece of a call. Which call it belongs to its index says, else its id; a piece with
    /// neither goes on with the last call, unless it names a door.
    pub(super) fn piece(&mut self, piece: Piece) -> Result<(), Trouble> {
        let id = piece.id.filter(|id| !id.is_empty());
        let name = piece.name.filter(|name| !name.is_empty());
        let at = match piece.index {
            Some(index) => self.by_index.get(&index).copied(),
            None if id.is_some() => self.calls.iter().rposition(|call| call.id == id),
            None if name.is_some() => None,
            None => self.calls.len().checked_sub(1),
        };
        // Some servers give every call the same index: another id, or another name behind arguments, is
        // another call.
        let goes_on = |call: &HeardCall| {
            let other_id = id.is_some() && call.id.is_some() && call.id != id;
            let other_name = name.as_ref().is_some_and(|name| *name != call.name);
            !other_id && (!other_name || call.arguments.is_empty())
        };
        let at = at.filter(|at| goes_on(&self.calls[*at]));
        let at = match at {
            Some(at) => at,
            None => self.begin()?,
        };
        if let Some(index) = piece.index {
            self.by_index.insert(index, at);
        }
        let call = &mut self.calls[at];
        call.id = call.id.take().or(id);
        // Some servers say the name with every piece, a few say it in pieces.
        if let Some(name) = name.filter(|name| *name != call.name) {
            call.name.push_str(&name);
        }
        call.arguments.push_str(&piece.arguments);
        Ok(())
    }

    /// A call whose pieces come under `index`; `given` are the arguments that hold if no pieces of
    /// them come.
    pub(super) fn start(
        &mut self,
        index: u64,
        id: Option<String>,
        name: String,
        given: String,
    ) -> Result<(), Trouble> {
        let at = self.begin()?;
        self.by_index.insert(index, at);
        self.calls[at] = HeardCall {
            id: id.filter(|id| !id.is_empty()),
            name,
            arguments: String::new(),
            given,
        };
        Ok(())
    }

    fn begin(&mut self) -> Result<usize, Trouble> {
        if self.calls.len() == MOST_CALLS {
            return Err(Trouble::Final(format!(
                "expected at most {MOST_CALLS} names in one answer, found more"
            )));
        }
        self.calls.push(HeardCall::default());
        Ok(self.calls.len() - 1)
    }

    /// Whether calls came.
    pub(super) fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }

    /// Whether the answer is whole: its end was labelled or marked.
    pub(super) fn is_whole(&self) -> bool {
        self.over || self.label.is_some()
    }

    /// The decision that it is. Names lead back to doors by `names`.
    pub(super) fn decision(mut self, names: &ToolNames) -> Result<Decision, ModelError> {
        let rest = self.streamed.rest();
        self.show(&rest);
        let refused = match &self.label {
            Some(Label::NoAnswer(why)) => Some(why.clone()),
            _ if !self.refusal.is_empty() => {
                let words = super::http::shown(&self.refusal);
                Some(format!("the model refused to answer: {words}"))
            }
            _ => None,
        };
        if let Some(why) = refused {
            return Err(self.failed(&why, names));
        }
        let ended = match self.label {
            Some(Label::Ended(ended)) => ended,
            _ => Ended::Turn,
        };
        let text = self.text();
        let calls = self.calls(names);
        let answer = match (calls.is_empty(), text) {
            (true, Some(text)) => Answer::Close(text),
            (_, remark) => Answer::Names { calls, remark },
        };
        Ok(Decision {
            answer,
            ended,
            fuel: 0,
            usage: self.usage,
        })
    }

    /// Why there is no answer, with what there is of one.
    pub(super) fn failed(&self, why: &str, names: &ToolNames) -> ModelError {
        let (calls, remark) = (self.calls(names), self.text());
        let anything = !calls.is_empty() || remark.is_some();
        ModelError {
            why: self.masks.text(why.to_owned()),
            // Words that broke off are no close.
            answer: anything.then_some(Answer::Names { calls, remark }),
            fuel: 0,
            usage: self.usage,
        }
    }

    fn text(&self) -> Option<String> {
        let anything = !self.text.trim().is_empty();
        anything.then(|| self.masks.text(self.text.clone()))
    }

    fn calls(&self, names: &ToolNames) -> Vec<Call> {
        let hidden = |text: &str| self.masks.text(text.to_owned());
        let call = |call: &HeardCall| Call {
            name: hidden(&names.door(&call.name)),
            arguments: match call.arguments.is_empty() {
                true => hidden(&call.given),
                false => hidden(&call.arguments),
            },
            id: call.id.as_deref().map(hidden),
        };
        self.calls.iter().map(call).collect()
    }

    fn show(&mut self, words: &[u8]) {
        if !words.is_empty() {
            // Secrets are ASCII, so what is held back begins at a character.
            self.listener.hear(&String::from_utf8_lossy(words));
        }
    }
}

/// Names of one answer that are put together: far more than are opened of one, and few enough that
/// each has a place in an id.
const MOST_CALLS: usize = 4_096;
