//! Decide: the model hands over a close or names.

use super::phase::{Act, Phase};
use super::{Answered, Event, LoopMachine, ModelFailed, Refusal, node};
use crate::{Answer, Arrow, Call, CallId, Ended, Language, Misapplied};

impl LoopMachine {
    pub(super) fn answered(
        &mut self,
        event: &Event,
        answered: &Answered,
    ) -> Result<Vec<Arrow>, Misapplied> {
        let put_back = answered.put_back;
        self.expect_decide(event, put_back)?;
        let (nodes, phase) = match &answered.answer {
            Answer::Close(text) => {
                let text = text.clone();
                (&[node::CLOSE][..], Phase::Close { put_back, text })
            }
            Answer::Names { calls, .. } if calls.is_empty() => {
                (&[node::PASTE][..], Phase::Assemble)
            }
            Answer::Names { calls, .. } => {
                let refused = self.refused_at_once(calls, answered.ended);
                let together = self.opens_together(calls);
                let act = Act::new(put_back, calls.clone(), refused, together);
                (&[][..], Phase::Act(act))
            }
        };
        let arrows = self.path(event, nodes)?;
        self.paste_answer(put_back, &answered.answer);
        self.fuel = self.fuel.saturating_add(answered.fuel);
        self.usage += answered.usage;
        self.measured(answered.usage);
        self.cut_short = match answered.ended {
            Ended::Length => self.cut_short + 1,
            Ended::Turn | Ended::Doors => 0,
        };
        self.named = matches!(phase, Phase::Act(_));
        self.phase = phase;
        self.arrive(&arrows);
        Ok(arrows)
    }

    /// What is known against each name of an answer before anything of it is looked at.
    fn refused_at_once(&self, calls: &[Call], ended: Ended) -> Vec<Option<Refusal>> {
        // An answer has far fewer than 2^32 names: it was parsed from memory.
        let named = calls.len() as u32;
        let refusal = |call: &Call| {
            if ended == Ended::Length {
                return Some(Refusal::CutShort);
            }
            if named > MOST_NAMES {
                let most = MOST_NAMES;
                return Some(Refusal::TooMany { named, most });
            }
            let shares = |id: &&String| {
                let same = calls.iter().filter(|other| other.id.as_ref() == Some(id));
                self.ids.contains(*id) || same.count() > 1
            };
            if let Some(id) = call.id.as_ref().filter(shares) {
                let id = id.clone();
                return Some(Refusal::SameId { id });
            }
            call.name.is_empty().then_some(Refusal::NoName)
        };
        calls.iter().map(refusal).collect()
    }

    /// What an answer is on the page before anything comes of it.
    fn paste_answer(&mut self, put_back: u32, answer: &Answer) {
        let language = self.language();
        if let Some(reading) = &self.reading {
            self.history.put_back(put_back, &reading.text().digest());
        }
        if let Answer::Names { calls, remark } = answer {
            self.history.names(put_back, calls, remark.as_deref());
            if calls.is_empty() {
                self.history.remark(language.words().empty_answer());
            }
            let ids = calls.iter().filter_map(|call| call.id.clone());
            self.ids.extend(ids);
        }
    }

    pub(super) fn model_failed(
        &mut self,
        event: &Event,
        failed: &ModelFailed,
    ) -> Result<Vec<Arrow>, Misapplied> {
        let put_back = failed.put_back;
        self.expect_decide(event, put_back)?;
        self.fuel = self.fuel.saturating_add(failed.fuel);
        self.usage += failed.usage;
        if let Some(answer @ Answer::Names { calls, .. }) = &failed.answer
            && !calls.is_empty()
        {
            self.paste_answer(put_back, answer);
            let language = self.language();
            for (place, call) in (1..).zip(calls) {
                let id = CallId { put_back, place };
                self.history
                    .refused(id, call, &Refusal::BrokenOff, language);
            }
        }
        self.phase = Phase::ModelFailed {
            why: failed.why.clone(),
        };
        Ok(Vec::new())
    }

    fn expect_decide(&self, event: &Event, put_back: u32) -> Result<(), Misapplied> {
        if self.phase == (Phase::Decide { put_back }) {
            return Ok(());
        }
        Err(self.misapplied(event, format!("the model was not put back for {put_back}")))
    }

    /// The language of the `loop.txt` that was read last.
    pub(super) fn language(&self) -> Language {
        self.reading
            .as_ref()
            .map(|reading| reading.text().language())
            .unwrap_or_default()
    }
}

/// Names that one answer may hand over (acceptance C13): more than a model that thinks names at once.
const MOST_NAMES: u32 = 64;
