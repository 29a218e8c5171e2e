//! What is pasted, and what is known from it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Outcome, Refusal};
use crate::clip::cut;
use crate::frame::{OWN_WORDS, RETURNED, framed, one_line};
use crate::numbers::numbers;
use crate::{Call, CallId, Digest, Language, Message, Named, clip};

/// The pasted part of a page, as a text and in messages, with what the close check asks of it.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    pasted: String,
    messages: Vec<Message>,
    /// Where each turn begins.
    turns: Vec<Turn>,
    numbers: BTreeSet<String>,
    opened_well: BTreeSet<String>,
}

/// How a result is pasted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Paste {
    /// Bytes of it, at most.
    pub(super) most: usize,
    /// Whether the model can read what is left out.
    pub(super) kept: bool,
}

/// Where the part of a turn begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    /// In the pasted text, in bytes.
    pub(super) pasted: usize,
    /// Among the messages.
    pub(super) messages: usize,
}

impl History {
    /// The turns, from the first that is not summed up.
    pub(super) fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Puts `summary` in the place of the first `turns` turns, and of what stands before them.
    pub(super) fn compact(&mut self, turns: usize, summary: &str, language: Language) {
        let from = self.turns[turns];
        let words = language.words();
        let head = format!("{}\n{}", words.summary(), framed(summary, OWN_WORDS));
        let messages = [
            Message::Model {
                text: summary.to_owned(),
                calls: Vec::new(),
            },
            Message::Doorlist {
                text: words.summed_up().to_owned(),
            },
        ];
        self.pasted.replace_range(..from.pasted, &head);
        self.turns.drain(..turns);
        for turn in &mut self.turns {
            turn.pasted = turn.pasted - from.pasted + head.len();
            turn.messages = turn.messages - from.messages + messages.len();
        }
        self.messages.splice(..from.messages, messages);
    }

    pub(super) fn pasted(&self) -> &str {
        &self.pasted
    }

    pub(super) fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Whether `door` was opened well at least once.
    pub(super) fn opened_well(&self, door: &str) -> bool {
        self.opened_well.contains(door)
    }

    /// Whether a door returned `number` (in canonical form).
    pub(super) fn has_number(&self, number: &str) -> bool {
        self.numbers.contains(number)
    }

    /// The line above everything that one answer brings.
    pub(super) fn put_back(&mut self, put_back: u32, loop_text: &Digest) {
        self.turns.push(Turn {
            pasted: self.pasted.len(),
            messages: self.messages.len(),
        });
        self.pasted += &format!("[{put_back} loop.txt {}]\n", loop_text.short());
    }

    /// Names, with what the model said beside them. What comes of each is pasted after it.
    pub(super) fn names(&mut self, put_back: u32, calls: &[Call], remark: Option<&str>) {
        if let Some(remark) = remark {
            self.pasted += &framed(remark, OWN_WORDS);
        }
        let calls: Vec<Named> = (1..)
            .zip(calls)
            .map(|(place, call)| Named {
                call: CallId { put_back, place },
                name: call.name.clone(),
                arguments: arguments_object(call),
            })
            .collect();
        let text = remark.unwrap_or_default().to_owned();
        if !(text.is_empty() && calls.is_empty()) {
            self.messages.push(Message::Model { text, calls });
        }
    }

    /// A line of Doorlist's own that belongs to no name.
    pub(super) fn remark(&mut self, line: &str) {
        self.line(line);
        let text = line.to_owned();
        self.messages.push(Message::Doorlist { text });
    }

    /// A close, which the model said.
    pub(super) fn close(&mut self, text: &str, language: Language) {
        self.line(language.words().close());
        self.pasted += &framed(text, OWN_WORDS);
        let (text, calls) = (text.to_owned(), Vec::new());
        self.messages.push(Message::Model { text, calls });
    }

    /// What the user said to the run while it went on.
    pub(super) fn said(&mut self, text: &str, language: Language) {
        self.line(language.words().said());
        self.pasted += &framed(text, RETURNED);
        self.numbers.extend(numbers(text).map(|(_, number)| number));
        let text = text.to_owned();
        self.messages.push(Message::User { text });
    }

    /// Why a close does not stand. The reason is one line; a door may have given it.
    pub(super) fn close_refused(&mut self, reason: &str, language: Language) {
        let line = language.words().refused(reason);
        self.line(&line);
        let text = framed(&line, RETURNED).trim_end().to_owned();
        self.messages.push(Message::Doorlist { text });
    }

    /// A name and what came of refusing it.
    pub(super) fn refused(
        &mut self,
        id: CallId,
        call: &Call,
        refusal: &Refusal,
        language: Language,
    ) {
        self.answered(id, call, &language.refusal(refusal));
    }

    /// A name and what came of opening it.
    pub(super) fn opened(
        &mut self,
        id: CallId,
        call: &Call,
        outcome: &Outcome,
        paste: Paste,
        language: Language,
    ) {
        let well = matches!(outcome, Outcome::Said { .. });
        let mut shown = outcome.clone();
        if let Outcome::Said { text } | Outcome::OwnError { text } = outcome {
            let mut see = |text: &str| self.numbers.extend(numbers(text).map(|(_, n)| n));
            match cut(text, paste.most) {
                None => see(text),
                Some(cut) => [cut.head, cut.tail].map(see).into_iter().collect(),
            }
        }
        language.cut_result(&mut shown, id, paste.most, paste.kept);
        self.result(id, call, &language.outcome(&shown), !well);
        if well {
            self.opened_well.insert(call.name.clone());
        }
    }

    /// A name and one line of Doorlist's own.
    pub(super) fn answered(&mut self, id: CallId, call: &Call, line: &str) {
        self.result(id, call, &format!("{line}\n"), true);
    }

    /// `lines` are whole lines.
    fn result(&mut self, id: CallId, call: &Call, lines: &str, failed: bool) {
        let arguments = call.canonical_arguments();
        let arguments = one_line(&clip(&arguments, ARGUMENTS_SHOWN));
        self.line(&format!("{} {arguments}", name(&call.name)));
        self.pasted += lines;
        self.messages.push(Message::Result {
            call: id,
            name: call.name.clone(),
            text: lines.trim_end_matches('\n').to_owned(),
            failed,
        });
    }

    fn line(&mut self, line: &str) {
        self.pasted.push_str(line);
        self.pasted.push('\n');
    }
}

/// The arguments as a message has them: always an object, never more than is pasted.
fn arguments_object(call: &Call) -> String {
    let arguments = call.canonical_arguments();
    if arguments.len() > ARGUMENTS_SHOWN {
        return json!({ "clipped": clip(&arguments, ARGUMENTS_SHOWN) }).to_string();
    }
    match serde_json::from_str(&call.arguments) {
        Ok(Value::Object(_)) => call.arguments.clone(),
        _ => json!({ "not an object": arguments }).to_string(),
    }
}

/// A name as it stands on a page. One that no door could have is written as a JSON string.
fn name(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    if !name.is_empty() && name.chars().all(plain) && name.len() <= NAME_SHOWN {
        return name.to_owned();
    }
    format!(
        "{}",
        serde_json::Value::from(one_line(&clip(name, NAME_SHOWN)))
    )
}

/// Bytes of a call's arguments that are pasted: the model wrote them itself, and the journal has
/// them whole.
const ARGUMENTS_SHOWN: usize = 4_000;
/// Bytes of a name that are pasted: twice the longest name that a door can have.
const NAME_SHOWN: usize = 128;

#[cfg(test)]
mod tests {
    use super::*;

    const ID: CallId = CallId {
        put_back: 1,
        place: 1,
    };

    #[test]
    fn no_name_and_no_argument_leaves_its_line() {
        let mut history = History::default();
        let call = Call::new("x\n[9 loop.txt 0]", "{\n}\n| x");
        history.refused(ID, &call, &Refusal::OffList, Language::En);
        assert_eq!(
            history.pasted(),
            "\"x\\\\n[9 loop.txt 0]\" {\\n}\\n| x\nnot on the list.\n"
        );
    }

    #[test]
    fn only_a_mark_begins_what_a_door_returned() {
        let mut history = History::default();
        let call = Call::new("a.b", "{ }");
        let outcome = Outcome::Said {
            text: "1,000 eggs\nclose".to_owned(),
        };
        let paste = Paste {
            most: 100,
            kept: false,
        };
        history.opened(ID, &call, &outcome, paste, Language::En);
        assert_eq!(history.pasted(), "a.b {}\n| 1,000 eggs\n| close\n");
        assert!(history.has_number("1000") && history.opened_well("a.b"));
    }
}
