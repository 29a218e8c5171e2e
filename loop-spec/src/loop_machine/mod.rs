//! The loop: assemble, decide, act, stop.
//!
//! ```
//! use loop_spec::loop_machine::{LoopMachine, Step};
//! use loop_spec::Machine;
//!
//! let machine = LoopMachine::new();
//! assert_eq!(machine.step(), Some(Step::Start));
//! ```

mod act;
mod assemble;
mod chart;
mod compact;
mod decide;
mod event;
#[cfg(test)]
mod fridge;
#[cfg(test)]
mod golden;
mod history;
#[cfg(test)]
mod hooks;
#[cfg(test)]
mod invariants;
#[cfg(test)]
mod nods;
mod outcome;
mod phase;
#[cfg(test)]
pub(crate) mod play;
#[cfg(test)]
mod properties;
mod question;
mod returned;
mod step;
mod stop;
#[cfg(test)]
mod turns;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::kv::Kept;
use crate::{Arrow, Digest, LoopText, Machine, Misapplied, Node, Usage};

pub use assemble::Reading;
pub use chart::{
    AskedFirst, Cell, Chart, DecidedBy, Decision, DoorSketch, Drawing, PolicyLine, Ways, node,
};
pub use compact::ToSumUp;
pub use event::{
    Answered, Asked, Card, CloseJudged, CloseRefusal, Compacted, EndJudged, Event, HookSaid,
    HookedResult, Hooks, LoopRead, ModelFailed, Nod, NodAnswered, NotCompacted, Opened, Opening,
    PutBack, Refused, Resumed, RunStarted, Said, Stopped,
};
pub use outcome::{Limit, Outcome, Refusal};
pub use returned::Returned;
pub use step::Step;
pub use stop::Stop;

use compact::Compaction;
use history::History;
use phase::Phase;

/// A loop, as far as its events have brought it.
#[derive(Clone, Debug)]
pub struct LoopMachine {
    run: Option<RunStarted>,
    texts: BTreeMap<Digest, Arc<LoopText>>,
    reading: Option<Reading>,
    chart: Chart,
    history: History,
    put_backs: u32,
    fuel: u64,
    failures: Failures,
    kept: Kept,
    returned: Returned,
    /// The door whose wish ends the run: every door of the last answer had it.
    ended: Option<String>,
    /// How often the hook before the end has said no.
    end_refused: u32,
    /// Ids of calls that were named.
    ids: BTreeSet<String>,
    /// How many answers in a row were cut short.
    cut_short: u32,
    usage: Usage,
    /// The first door whose output is on the page and not trusted.
    tainted_by: Option<String>,
    /// Ids of what was said to the run.
    said: BTreeSet<String>,
    /// Whether the last answer named doors.
    named: bool,
    compaction: Compaction,
    phase: Phase,
    at: Node,
    stop: Option<Stop>,
}

/// How often each door failed with which arguments, and the worst of them.
#[derive(Clone, Debug, Default)]
struct Failures {
    counts: BTreeMap<(String, String), u32>,
    worst: Option<(String, String, u32)>,
}

impl LoopMachine {
    /// A loop to which nothing has happened.
    #[must_use]
    pub fn new() -> Self {
        Self {
            run: None,
            texts: BTreeMap::new(),
            reading: None,
            chart: Chart::new(),
            history: History::default(),
            put_backs: 0,
            fuel: 0,
            failures: Failures::default(),
            kept: Kept::default(),
            returned: Returned::default(),
            ended: None,
            end_refused: 0,
            ids: BTreeSet::new(),
            cut_short: 0,
            usage: Usage::default(),
            tainted_by: None,
            said: BTreeSet::new(),
            named: false,
            compaction: Compaction::default(),
            phase: Phase::New,
            at: node::LINE,
            stop: None,
        }
    }

    /// What the run was started with.
    #[must_use]
    pub fn run(&self) -> Option<&RunStarted> {
        self.run.as_ref()
    }

    /// `loop.txt` and the listed doors as they were read last.
    #[must_use]
    pub fn reading(&self) -> Option<&Reading> {
        self.reading.as_ref()
    }

    /// Whether this `loop.txt` is in the journal already, so that it need not be written again.
    #[must_use]
    pub fn knows(&self, digest: &Digest) -> bool {
        self.texts.contains_key(digest)
    }

    /// What is pasted so far: `history.txt`, byte for byte.
    #[must_use]
    pub fn pasted(&self) -> &str {
        self.history.pasted()
    }

    /// How many times the model was put back.
    #[must_use]
    pub fn put_backs(&self) -> u32 {
        self.put_backs
    }

    /// Fuel used by everything this run opened.
    #[must_use]
    pub fn fuel_used(&self) -> u64 {
        self.fuel
    }

    /// Whether what is said to the run can come onto the page now: the run is between two turns, and
    /// doors were named in the last (acceptance C19). Behind a close it always can.
    #[must_use]
    pub fn listens(&self) -> bool {
        match self.phase {
            Phase::Assemble => self.named && self.ended.is_none(),
            Phase::Done { .. } => true,
            _ => false,
        }
    }

    /// Whether this was said to the run already.
    #[must_use]
    pub fn heard(&self, id: &str) -> bool {
        self.said.contains(id)
    }

    /// Tokens used by the model, where its provider counts them.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.usage
    }

    /// Fuel that is left of the run's budget; what the doors that are open may use is gone.
    #[must_use]
    pub fn fuel_left(&self) -> u64 {
        let budget = self
            .reading
            .as_ref()
            .map_or(0, |reading| reading.text().fuel().get());
        let given = self.openings().map(|opening| opening.fuel);
        let given = given.fold(self.fuel, u64::saturating_add);
        budget.saturating_sub(given)
    }

    /// Where the run stopped, if it stands still.
    #[must_use]
    pub fn stop(&self) -> Option<&Stop> {
        self.stop.as_ref()
    }

    /// What the doors of its components keep.
    #[must_use]
    pub fn kept(&self) -> &Kept {
        &self.kept
    }

    /// What its doors returned, whole.
    #[must_use]
    pub fn returned(&self) -> &Returned {
        &self.returned
    }

    /// The node at which it stands.
    #[must_use]
    pub fn at(&self) -> &Node {
        &self.at
    }

    /// The openings that are under way.
    pub fn openings(&self) -> impl Iterator<Item = &Opening> {
        self.phase.openings()
    }

    /// The call that waits for a nod, if one does.
    #[must_use]
    pub fn asked(&self) -> Option<&Asked> {
        self.phase.asked()
    }

    /// What a person gave their nod to, while it is not used.
    #[must_use]
    pub fn nodded(&self) -> Option<&Asked> {
        self.phase.nodded()
    }

    /// The arrows from where it stands over `nodes`, if its chart has all of them.
    fn path(&self, event: &Event, nodes: &[Node]) -> Result<Vec<Arrow>, Misapplied> {
        let mut from = self.at.clone();
        let mut arrows = Vec::with_capacity(nodes.len());
        for to in nodes {
            let arrow = Arrow {
                from,
                to: to.clone(),
            };
            if !self.chart.has(&arrow) {
                return Err(self.misapplied(event, format!("the chart has no arrow {arrow}")));
            }
            arrows.push(arrow);
            from = to.clone();
        }
        Ok(arrows)
    }

    fn arrive(&mut self, arrows: &[Arrow]) {
        if let Some(last) = arrows.last() {
            self.at = last.to.clone();
        }
    }

    fn misapplied(&self, event: &Event, why: impl Into<String>) -> Misapplied {
        Misapplied {
            event: event.kind().to_owned(),
            at: self.at.clone(),
            why: why.into(),
        }
    }
}

impl Default for LoopMachine {
    fn default() -> Self {
        Self::new()
    }
}

impl Machine for LoopMachine {
    type Event = Event;
    type Step = Step;

    fn step(&self) -> Option<Step> {
        if self.stop.is_some() {
            return None;
        }
        Some(match &self.phase {
            Phase::New => Step::Start,
            Phase::Assemble => match &self.ended {
                Some(door) => stop::record(Stop::Ended { door: door.clone() }),
                None => Step::Assemble,
            },
            Phase::Decide { put_back } => Step::Decide {
                put_back: *put_back,
            },
            Phase::Act(act) => self.act_step(act),
            Phase::Close { put_back, text } => self.close_step(*put_back, text),
            Phase::ModelFailed { why } => stop::record(Stop::ModelError { why: why.clone() }),
            Phase::Done { close, judged } => Step::End {
                close: close.clone(),
                judge: !judged && self.end_is_judged(),
            },
        })
    }

    fn cancelled(&self) -> Vec<Event> {
        if self.phase == Phase::New || self.stop.is_some() {
            return Vec::new();
        }
        let mut events = match &self.phase {
            Phase::Act(act) => act.aborted(),
            _ => Vec::new(),
        };
        events.push(stop::event(Stop::Cancelled));
        events
    }

    fn apply(&mut self, event: &Event) -> Result<Vec<Arrow>, Misapplied> {
        if self.stop.is_some() && !matches!(event, Event::Resumed(_) | Event::NodAnswered(_)) {
            return Err(self.misapplied(event, "the run stands still; it must be resumed first"));
        }
        match event {
            Event::RunStarted(started) => self.run_started(event, started),
            Event::LoopRead(read) => self.loop_read(event, read),
            Event::PutBack(put_back) => self.put_back(event, put_back),
            Event::Answered(answered) => self.answered(event, answered),
            Event::ModelFailed(failed) => self.model_failed(event, failed),
            Event::Refused(refused) => self.refused(event, refused),
            Event::Asked(asked) => self.asked_about(event, asked),
            Event::NodAnswered(nod) => self.nod_answered(event, nod),
            Event::Opening(opening) => self.open(event, opening),
            Event::Opened(opened) => self.opened(event, opened),
            Event::Said(said) => self.said(event, said),
            Event::Compacted(compacted) => self.compacted(event, compacted),
            Event::NotCompacted(not) => self.not_compacted(event, not),
            Event::CloseJudged(judged) => self.close_judged(event, judged),
            Event::EndJudged(judged) => self.end_judged(event, judged),
            Event::Stopped(stopped) => self.stopped(event, stopped),
            Event::Resumed(_) => self.resumed(event),
        }
    }
}

impl Failures {
    fn count(&mut self, door: &str, arguments: &str) {
        let key = (door.to_owned(), arguments.to_owned());
        let count = self.counts.entry(key).or_default();
        *count += 1;
        if self
            .worst
            .as_ref()
            .is_none_or(|(_, _, worst)| *count >= *worst)
        {
            self.worst = Some((door.to_owned(), arguments.to_owned(), *count));
        }
    }
}
