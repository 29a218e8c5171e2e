//! Decide: the model hands over a close or names.

use super::phase::{Act, Phase, Stage};
use super::{Answered, Event, LoopMachine, ModelFailed, node};
use crate::{Answer, Arrow, Language, Misapplied};

impl LoopMachine {
    pub(super) fn answered(
        &mut self,
        event: &Event,
        answered: &Answered,
    ) -> Result<Vec<Arrow>, Misapplied> {
        self.expect_decide(event, answered.put_back)?;
        let (nodes, phase) = match &answered.answer {
            Answer::Close(text) => {
                let text = text.clone();
                (
                    &[node::CLOSE][..],
                    Phase::Close {
                        put_back: answered.put_back,
                        text,
                    },
                )
            }
            Answer::Names { calls, .. } if calls.is_empty() => {
                (&[node::PASTE][..], Phase::Assemble)
            }
            Answer::Names { calls, .. } => {
                let calls = calls.clone();
                let put_back = answered.put_back;
                (
                    &[][..],
                    Phase::Act(Act {
                        put_back,
                        calls,
                        next: 0,
                        stage: Stage::Waiting,
                    }),
                )
            }
        };
        let arrows = self.path(event, nodes)?;
        self.paste_answer(answered);
        self.fuel = self.fuel.saturating_add(answered.fuel);
        self.phase = phase;
        self.arrive(&arrows);
        Ok(arrows)
    }

    /// What an answer is on the page before anything comes of it.
    fn paste_answer(&mut self, answered: &Answered) {
        let language = self.language();
        if let Some(reading) = &self.reading {
            self.history
                .put_back(answered.put_back, &reading.text().digest());
        }
        if let Answer::Names { calls, remark } = &answered.answer {
            if let Some(remark) = remark {
                self.history.remark(remark);
            }
            if calls.is_empty() {
                self.history.line(language.words().empty_answer());
            }
        }
    }

    pub(super) fn model_failed(
        &mut self,
        event: &Event,
        failed: &ModelFailed,
    ) -> Result<Vec<Arrow>, Misapplied> {
        self.expect_decide(event, failed.put_back)?;
        self.fuel = self.fuel.saturating_add(failed.fuel);
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
