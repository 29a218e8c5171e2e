//! A page as a conversation: what every wire format is made from, and all that reaches a remote model.

use loop_spec::frame::{RETURNED, framed, one_line, visible};
use loop_spec::loop_machine::Card;
use loop_spec::{CallId, Message, Named, Page};
use serde::Serialize;
use serde_json::Value;

/// A page for models that take turns: the system's text, turns that alternate, and the listed doors.
///
/// Printed by `doorlist page --messages`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Conversation {
    /// The top of the page.
    pub system: String,
    /// From the user's line on. The first is the user's, and no two of one side follow each other.
    pub turns: Vec<Turn>,
    /// The listed doors, in the order of the list.
    pub tools: Vec<Tool>,
}

/// One side's turn. Texts are never blank; a turn has a text or something else.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum Turn {
    /// What came of the names of the turn before, then what the user and Doorlist say.
    User {
        /// One for each name, in their order.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        results: Vec<CameOfIt>,
        /// The words, paragraphs apart.
        #[serde(skip_serializing_if = "String::is_empty")]
        text: String,
    },
    /// What the model said.
    Model {
        /// A close, or what it said beside its names.
        #[serde(skip_serializing_if = "String::is_empty")]
        text: String,
        /// The names that it handed over.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        calls: Vec<Named>,
    },
}

/// What came of a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CameOfIt {
    /// The call.
    pub call: CallId,
    /// As it is pasted.
    pub text: String,
    /// Whether nothing came of it that a door returned well.
    pub failed: bool,
}

/// A listed door.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tool {
    /// The door's name.
    pub name: String,
    /// Its signature, then what its writer says of it.
    pub description: String,
    /// JSON Schema of its arguments; an object.
    pub schema: Value,
}

/// A page that is no conversation: a name and its result are not together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected exactly one result behind each name, in the order of the names; call {call} is otherwise"
)]
pub struct NoConversation {
    /// The first call that is not as it must be.
    pub call: CallId,
}

impl Conversation {
    /// What a remote model gets of `page`.
    ///
    /// # Errors
    /// A name has no result, or a result no name.
    pub fn of(page: &Page<'_>) -> Result<Self, NoConversation> {
        let mut turns = Vec::new();
        // A user who said nothing said this on the page.
        let line = match page.line().trim() {
            "" => framed("", RETURNED).trim_end().to_owned(),
            _ => page.line().to_owned(),
        };
        told(&mut turns, None, &line);
        for message in page.messages() {
            match message {
                Message::User { text } | Message::Doorlist { text } => told(&mut turns, None, text),
                Message::Model { text, calls } => said(&mut turns, text, calls),
                Message::Result {
                    call,
                    text,
                    failed,
                    name: _,
                } => {
                    let came = CameOfIt {
                        call: *call,
                        text: text.clone(),
                        failed: *failed,
                    };
                    told(&mut turns, Some(came), "");
                }
            }
        }
        check(&turns)?;
        Ok(Self {
            system: page.top_text().to_owned(),
            turns,
            tools: page.cards().iter().map(Tool::of).collect(),
        })
    }
}

fn told(turns: &mut Vec<Turn>, came: Option<CameOfIt>, words: &str) {
    if !matches!(turns.last(), Some(Turn::User { .. })) {
        turns.push(Turn::User {
            results: Vec::new(),
            text: String::new(),
        });
    }
    if let Some(Turn::User { results, text }) = turns.last_mut() {
        results.extend(came);
        add(text, words);
    }
}

fn said(turns: &mut Vec<Turn>, words: &str, named: &[Named]) {
    // Nothing was said: no provider takes a turn without anything in it.
    if words.trim().is_empty() && named.is_empty() {
        return;
    }
    if !matches!(turns.last(), Some(Turn::Model { .. })) {
        turns.push(Turn::Model {
            text: String::new(),
            calls: Vec::new(),
        });
    }
    if let Some(Turn::Model { text, calls }) = turns.last_mut() {
        add(text, words);
        calls.extend_from_slice(named);
    }
}

/// Paragraphs apart; blank words are none.
fn add(text: &mut String, words: &str) {
    if words.trim().is_empty() {
        return;
    }
    if !text.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(words);
}

fn check(turns: &[Turn]) -> Result<(), NoConversation> {
    let mut waiting: &[Named] = &[];
    for turn in turns {
        match turn {
            Turn::Model { calls, .. } => waiting = calls,
            Turn::User { results, .. } => {
                let names = waiting.iter().map(|named| named.call);
                let came = results.iter().map(|came| came.call);
                if let Some(call) = first_difference(names, came) {
                    return Err(NoConversation { call });
                }
                waiting = &[];
            }
        }
    }
    match waiting.first() {
        Some(named) => Err(NoConversation { call: named.call }),
        None => Ok(()),
    }
}

fn first_difference(
    mut one: impl Iterator<Item = CallId>,
    mut other: impl Iterator<Item = CallId>,
) -> Option<CallId> {
    loop {
        match (one.next(), other.next()) {
            (None, None) => return None,
            (a, b) if a == b => {}
            (a, b) => return a.or(b),
        }
    }
}

impl Tool {
    fn of(card: &Card) -> Self {
        let mut description = one_line(&card.signature);
        if let Some(about) = &card.about {
            let lines: Vec<_> = about.lines().map(visible).collect();
            description = format!("{description}\n\n{}", lines.join("\n"));
        }
        let schema = card.schema.clone();
        Self {
            name: card.name.clone(),
            description,
            schema: schema.unwrap_or_else(|| serde_json::json!({ "type": "object" })),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loop_spec::Language;

    fn id(place: u32) -> CallId {
        CallId { put_back: 1, place }
    }

    fn named(place: u32) -> Named {
        Named {
            call: id(place),
            name: "a.b".to_owned(),
            arguments: "{}".to_owned(),
        }
    }

    fn result(place: u32) -> Message {
        Message::Result {
            call: id(place),
            name: "a.b".to_owned(),
            text: "| x".to_owned(),
            failed: false,
        }
    }

    fn of(line: &str, messages: &[Message]) -> Result<Vec<Turn>, NoConversation> {
        let page = Page::new("top", line, "", Language::En).said_in(messages, &[]);
        Conversation::of(&page).map(|it| it.turns)
    }

    fn user(results: &[u32], text: &str) -> Turn {
        let came = |place: &u32| CameOfIt {
            call: id(*place),
            text: "| x".to_owned(),
            failed: false,
        };
        Turn::User {
            results: results.iter().map(came).collect(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn sides_alternate_and_nothing_blank_is_a_turn() {
        let blank = Message::Model {
            text: "  ".to_owned(),
            calls: Vec::new(),
        };
        let doorlist = |text: &str| Message::Doorlist {
            text: text.to_owned(),
        };
        let model = Message::Model {
            text: String::new(),
            calls: vec![named(1), named(2)],
        };
        let more = Message::User {
            text: "more".to_owned(),
        };
        let turns = [blank, doorlist("empty"), model, result(1), result(2), more];
        assert_eq!(
            of("line", &turns).unwrap(),
            [
                user(&[], "line\n\nempty"),
                Turn::Model {
                    text: String::new(),
                    calls: vec![named(1), named(2)]
                },
                user(&[1, 2], "more"),
            ]
        );
        assert_eq!(of("", &[]).unwrap(), [user(&[], "|")]);
    }

    #[test]
    fn c06_a_name_without_its_result_is_told() {
        let model = |places: &[u32]| Message::Model {
            text: String::new(),
            calls: places.iter().copied().map(named).collect(),
        };
        for (messages, wrong) in [
            (vec![model(&[1])], 1),
            (vec![model(&[1, 2]), result(1)], 2),
            (vec![model(&[1, 2]), result(2), result(1)], 1),
            (vec![result(1)], 1),
            (vec![model(&[1]), result(1), result(1)], 1),
        ] {
            let call = id(wrong);
            assert_eq!(of("line", &messages), Err(NoConversation { call }));
        }
    }
}
