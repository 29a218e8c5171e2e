//! Compact: what came first on a page is summed up before the page is too long for the model.
//!
//! Turns are summed up whole, so that no name is parted from its result. The journal keeps everything:
//! the summary is an event, and what it stands for are the events before it.

use super::phase::Phase;
use super::{Compacted, Event, LoopMachine, NotCompacted, node};
use crate::{Arrow, Message, Misapplied, Page, Usage};

/// What is known of the summaries of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Compaction {
    /// How many there are.
    done: u32,
    /// The pasted text as it was before the last.
    before: Option<String>,
    /// The put-back before which the last attempt came to nothing, and how many in a row did.
    failed: Option<(u32, u32)>,
    /// Tokens of the last page, where the model's provider counts them.
    measured: u64,
}

/// What the model is given to sum up.
#[derive(Clone, Debug)]
pub struct ToSumUp {
    /// How many turns, from the first.
    pub turns: u32,
    pasted: String,
    messages: Vec<Message>,
}

impl LoopMachine {
    /// What is to be summed up before the next page: the oldest turns, so that the newest
    /// [`keep`](crate::Window::keep) tokens of the page stay as they are. `None` while the page fits, or
    /// where nothing can be done about it.
    ///
    /// Only right at [`Step::Assemble`](super::Step::Assemble).
    #[must_use]
    pub fn to_sum_up(&self) -> Option<ToSumUp> {
        let window = self.reading.as_ref()?.text().window();
        let failed = self.compaction.failed;
        if failed.is_some_and(|(at, times)| at == self.put_backs || times >= FAILURES)
            || self.tokens() <= window.threshold()
        {
            return None;
        }
        let (turns, pasted) = (self.history.turns(), self.history.pasted());
        let keep = u64::from(window.keep.get());
        let fits = |turn: usize| estimated(pasted.len() - turns[turn].pasted) <= keep;
        let last = turns.len().checked_sub(1)?;
        let cut = (1..last).find(|turn| fits(*turn)).unwrap_or(last);
        let from = turns.get(cut).filter(|_| cut > 0)?;
        let sum_up = self.language().words().sum_up();
        let mut messages = self.history.messages()[..from.messages].to_vec();
        messages.push(Message::Doorlist {
            text: sum_up.to_owned(),
        });
        Some(ToSumUp {
            // As many as put-backs, at most.
            turns: cut as u32,
            pasted: format!("{}{sum_up}\n", &pasted[..from.pasted]),
            messages,
        })
    }

    /// The page on which the model sums up.
    #[must_use]
    pub fn page_to_sum_up<'a>(&'a self, to_sum_up: &'a ToSumUp) -> Option<Page<'a>> {
        let page = self.page()?;
        let whole = Page::new(
            page.top_text(),
            page.line(),
            &to_sum_up.pasted,
            self.language(),
        );
        Some(whole.said_in(&to_sum_up.messages, page.cards()))
    }

    /// How many times what came first was summed up.
    #[must_use]
    pub fn compactions(&self) -> u32 {
        self.compaction.done
    }

    /// What was pasted before the last summary took its place.
    #[must_use]
    pub fn pasted_before(&self) -> Option<&str> {
        self.compaction.before.as_deref()
    }

    /// Tokens of the next page: estimated, and never less than the provider counted of the last.
    fn tokens(&self) -> u64 {
        let page = self.page().map_or(0, |page| page.len());
        estimated(page).max(self.compaction.measured)
    }

    /// The model's provider has counted the tokens of the page that was answered.
    pub(super) fn measured(&mut self, usage: Usage) {
        self.compaction.measured = usage.input;
    }

    pub(super) fn compacted(
        &mut self,
        event: &Event,
        compacted: &Compacted,
    ) -> Result<Vec<Arrow>, Misapplied> {
        let turns = compacted.turns as usize;
        if self.phase != Phase::Assemble || turns == 0 || turns >= self.history.turns().len() {
            return Err(self.misapplied(event, "there is nothing that it could stand for"));
        }
        let arrows = self.path(event, &[node::COMPACT])?;
        self.spend(compacted.fuel, compacted.usage);
        self.compaction = Compaction {
            done: self.compaction.done + 1,
            before: Some(self.history.pasted().to_owned()),
            failed: None,
            measured: 0,
        };
        let language = self.language();
        self.history.compact(turns, &compacted.summary, language);
        self.arrive(&arrows);
        Ok(arrows)
    }

    pub(super) fn not_compacted(
        &mut self,
        event: &Event,
        not: &NotCompacted,
    ) -> Result<Vec<Arrow>, Misapplied> {
        if self.phase != Phase::Assemble {
            return Err(self.misapplied(event, "nothing was to be summed up"));
        }
        let arrows = self.path(event, &[node::COMPACT])?;
        self.spend(not.fuel, not.usage);
        let times = self.compaction.failed.map_or(0, |(_, times)| times);
        self.compaction.failed = Some((self.put_backs, times + 1));
        self.arrive(&arrows);
        Ok(arrows)
    }

    fn spend(&mut self, fuel: u64, usage: Usage) {
        self.fuel = self.fuel.saturating_add(fuel);
        self.usage += usage;
    }
}

/// Tokens that a text of so many bytes has, about.
fn estimated(bytes: usize) -> u64 {
    bytes as u64 / BYTES_OF_A_TOKEN
}

/// Bytes of a token of English text, about; the reserve makes up for other languages.
const BYTES_OF_A_TOKEN: u64 = 4;
/// Attempts in a row that may come to nothing before no other is made.
const FAILURES: u32 = 3;
