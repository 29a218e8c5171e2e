//! The page: everything that reaches the model, and nothing else does.

use std::fmt;

use crate::frame::{RETURNED, framed, one_line};
use crate::loop_machine::Card;
use crate::{Digest, Language, LoopText, Message};

/// A page: the top that `loop.txt` makes, the user's line, and what is pasted so far.
///
/// Its text is the top, the line and the history in this order, with nothing behind the history: as
/// long as `loop.txt` stays as it is, the next page begins with this one.
#[derive(Clone, Debug)]
pub struct Page<'a> {
    top: &'a str,
    line: &'a str,
    pasted: &'a str,
    messages: &'a [Message],
    cards: &'a [Card],
    head: String,
}

impl<'a> Page<'a> {
    /// A page of these parts; `top` is what [`Page::top`] made.
    #[must_use]
    pub fn new(top: &'a str, line: &'a str, pasted: &'a str, language: Language) -> Self {
        let words = language.words();
        let (for_line, so_far) = (words.line(), words.so_far());
        let head = format!("{top}\n{for_line}\n{}\n{so_far}\n", framed(line, RETURNED));
        Self {
            top,
            line,
            pasted,
            messages: &[],
            cards: &[],
            head,
        }
    }

    /// The same page, which also says its pasted part in `messages` and its names in `cards`.
    #[must_use]
    pub fn said_in(mut self, messages: &'a [Message], cards: &'a [Card]) -> Self {
        self.messages = messages;
        self.cards = cards;
        self
    }

    /// The pasted part in messages.
    #[must_use]
    pub fn messages(&self) -> &'a [Message] {
        self.messages
    }

    /// The listed doors, in the order of the list.
    #[must_use]
    pub fn cards(&self) -> &'a [Card] {
        self.cards
    }

    /// The top of a page: the prose, then lines made from the header and the doors' interfaces.
    #[must_use]
    pub fn top(text: &LoopText, cards: &[Card]) -> String {
        let words = text.language().words();
        let mut top = format!("{}\n\n", text.prose());
        let mut say = |line: &str| {
            top.push_str(line);
            top.push('\n');
        };
        say(if cards.is_empty() {
            words.no_names()
        } else {
            words.names()
        });
        for card in cards {
            say(&card_line(card));
        }
        say(&words.off_list_rule());
        say(&words.stops(text.put_backs().get(), text.same_failure().get()));
        say(words.marks());
        top
    }

    /// The top alone: what a check door gets of it.
    #[must_use]
    pub fn top_text(&self) -> &'a str {
        self.top
    }

    /// The user's line.
    #[must_use]
    pub fn line(&self) -> &'a str {
        self.line
    }

    /// What is pasted: `history.txt`.
    #[must_use]
    pub fn pasted(&self) -> &'a str {
        self.pasted
    }

    /// The digest of the page's bytes.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of_parts(&[self.head.as_bytes(), self.pasted.as_bytes()])
    }

    /// The page's length in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.head.len() + self.pasted.len()
    }

    /// Whether the page has no bytes: it never is, since it has headings.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The page's text: exactly what the model gets.
impl fmt::Display for Page<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.head)?;
        f.write_str(self.pasted)
    }
}

/// One listed door. Its writer's words are foreign text: they stay on their line.
fn card_line(card: &Card) -> String {
    match &card.about {
        None => format!("- {}", one_line(&card.signature)),
        Some(about) => {
            let about: Vec<&str> = about.split_whitespace().collect();
            format!(
                "- {}: {}",
                one_line(&card.signature),
                one_line(&about.join(" "))
            )
        }
    }
}
