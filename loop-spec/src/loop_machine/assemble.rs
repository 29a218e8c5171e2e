//! Assemble: the page is put together, and `loop.txt` is read again for it.

use std::sync::Arc;

use super::{Card, Hooks, Ways, node};
use super::{Event, LoopMachine, LoopRead, PutBack, RunStarted, Said, Stop, phase::Phase, stop};
use crate::{Arrow, Digest, LoopText, Misapplied, Page};

/// `loop.txt` and its doors as they were read.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    text: Arc<LoopText>,
    cards: Vec<Card>,
    asked_first: Vec<String>,
    hooks: Hooks,
    top: Arc<str>,
}

impl Reading {
    /// The `loop.txt`.
    #[must_use]
    pub fn text(&self) -> &LoopText {
        &self.text
    }

    /// The listed doors, in the order of the list.
    #[must_use]
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// What is said of one listed door.
    #[must_use]
    pub fn card(&self, name: &str) -> Option<&Card> {
        self.cards.iter().find(|card| card.name == name)
    }

    /// The listed doors that a person must be asked about first.
    #[must_use]
    pub fn asked_first(&self) -> &[String] {
        &self.asked_first
    }

    /// Where hooks are asked.
    #[must_use]
    pub fn hooks(&self) -> Hooks {
        self.hooks
    }

    /// Whether this is what was read just now.
    #[must_use]
    pub fn is(
        &self,
        digest: &Digest,
        cards: &[Card],
        asked_first: &[String],
        hooks: Hooks,
    ) -> bool {
        self.text.digest() == *digest
            && self.cards == cards
            && self.asked_first == asked_first
            && self.hooks == hooks
    }
}

impl LoopMachine {
    /// The page that stands: what the model gets at this put-back. `None` before `loop.txt` was
    /// read.
    #[must_use]
    pub fn page(&self) -> Option<Page<'_>> {
        let (run, reading) = (self.run.as_ref()?, self.reading.as_ref()?);
        let language = reading.text.language();
        let page = Page::new(&reading.top, &run.line, self.history.pasted(), language);
        Some(page.said_in(self.history.messages(), &reading.cards))
    }

    /// What follows when `loop.txt` and its doors are as they were read last: the next put-back, or
    /// the stop that is due.
    ///
    /// The event is only right at [`Step::Assemble`](super::Step::Assemble).
    #[must_use]
    pub fn assembled(&self) -> Event {
        let due = self.due().or_else(|| self.cap_reached());
        match (due, self.page(), &self.reading) {
            (Some(stop), ..) => stop::event(stop),
            (None, Some(page), Some(reading)) => Event::PutBack(PutBack {
                put_back: self.put_backs + 1,
                loop_text: reading.text.digest(),
                page: page.digest(),
                bytes: page.len() as u64,
            }),
            _ => stop::event(Stop::BadLoop {
                why: "loop.txt was not read".to_owned(),
            }),
        }
    }

    pub(super) fn run_started(
        &mut self,
        event: &Event,
        started: &RunStarted,
    ) -> Result<Vec<Arrow>, Misapplied> {
        if self.phase != Phase::New {
            return Err(self.misapplied(event, "the run has started already"));
        }
        let arrows = self.path(event, &[node::ASSEMBLE])?;
        self.run = Some(started.clone());
        self.phase = Phase::Assemble;
        self.arrive(&arrows);
        Ok(arrows)
    }

    pub(super) fn loop_read(
        &mut self,
        event: &Event,
        read: &LoopRead,
    ) -> Result<Vec<Arrow>, Misapplied> {
        if self.phase == Phase::New {
            return Err(self.misapplied(event, "the run has not started"));
        }
        let text = self.text_of(event, read)?;
        if !text
            .list()
            .iter()
            .eq(read.cards.iter().map(|card| &card.name))
        {
            return Err(self.misapplied(event, "the cards are not those of the list"));
        }
        let at_paste = self.phase == Phase::Assemble
            && [node::PASTE, node::SAY, node::COMPACT].contains(&self.at);
        let ahead = at_paste.then_some(node::ASSEMBLE);
        let arrows = self.path(event, ahead.as_slice())?;
        let ways = Ways::of(&read.cards, &read.asked_first).hooked(read.hooks);
        self.chart.extend(&text, &ways);
        self.texts.insert(read.digest, text.clone());
        let top = Page::top(&text, &read.cards).into();
        let (cards, asked_first) = (read.cards.clone(), read.asked_first.clone());
        self.reading = Some(Reading {
            text,
            cards,
            asked_first,
            hooks: read.hooks,
            top,
        });
        self.arrive(&arrows);
        Ok(arrows)
    }

    pub(super) fn said(&mut self, event: &Event, said: &Said) -> Result<Vec<Arrow>, Misapplied> {
        if !self.listens() {
            return Err(self.misapplied(event, "nothing can come onto the page now"));
        }
        if self.heard(&said.id) {
            return Err(self.misapplied(event, "it was said already"));
        }
        let arrows = self.path(event, &[node::SAY])?;
        self.said.insert(said.id.clone());
        self.history.said(&said.text, self.language());
        self.phase = Phase::Assemble;
        self.arrive(&arrows);
        Ok(arrows)
    }

    /// The text that a reading speaks of: in the event, or known by its digest.
    fn text_of(&self, event: &Event, read: &LoopRead) -> Result<Arc<LoopText>, Misapplied> {
        let Some(text) = &read.text else {
            let known = self.texts.get(&read.digest).cloned();
            return known.ok_or_else(|| self.misapplied(event, "its text is not in the journal"));
        };
        let text = LoopText::parse(text).map_err(|e| self.misapplied(event, e.to_string()))?;
        if text.digest() != read.digest {
            return Err(self.misapplied(event, "its digest is not that of its text"));
        }
        Ok(Arc::new(text))
    }

    pub(super) fn put_back(
        &mut self,
        event: &Event,
        put_back: &PutBack,
    ) -> Result<Vec<Arrow>, Misapplied> {
        if self.phase != Phase::Assemble || Some(put_back.put_back) != self.put_backs.checked_add(1)
        {
            return Err(self.misapplied(event, "no page was to be put together for it"));
        }
        if self.page().map(|page| page.digest()) != Some(put_back.page) {
            return Err(self.misapplied(event, "the page that follows from the journal is another"));
        }
        let from_paste = [node::ASSEMBLE, node::DECIDE];
        let skip = usize::from(self.at == node::ASSEMBLE);
        let arrows = self.path(event, &from_paste[skip..])?;
        self.put_backs = put_back.put_back;
        self.phase = Phase::Decide {
            put_back: put_back.put_back,
        };
        self.arrive(&arrows);
        Ok(arrows)
    }

    fn cap_reached(&self) -> Option<Stop> {
        let cap = self.reading.as_ref()?.text.put_backs().get();
        (self.put_backs >= cap).then_some(Stop::PutBacks { cap })
    }
}
