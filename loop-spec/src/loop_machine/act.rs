//! Act: the names of an answer, one after the other.

use super::phase::{Act, Phase, Stage};
use super::{
    Asked, Event, LoopMachine, Nod, NodAnswered, Opened, Opening, Outcome, Refusal, Refused, Step,
    node,
};
use crate::{Arrow, Call, CallId, Misapplied, Node};

impl LoopMachine {
    pub(super) fn act_step(&self, act: &Act) -> Step {
        let (id, call) = act.call();
        let admit = |nodded| {
            let call = call.clone();
            Step::Admit { id, call, nodded }
        };
        let refused = |refusal| {
            let refusal = Refused { call: id, refusal };
            Step::Record(Event::Refused(refusal))
        };
        if act.stage == Stage::Waiting {
            if let Some(refusal) = act.refusal() {
                return refused(refusal.clone());
            }
            // The run stops at its next page; every name has a result before.
            if self.due().is_some() {
                return refused(Refusal::Stopped);
            }
        }
        match &act.stage {
            Stage::Opening {
                opening,
                uncertain: false,
            } => Step::Open(opening.clone()),
            Stage::Opening {
                opening,
                uncertain: true,
            } => Step::Settle(opening.clone()),
            // `loop.txt` may have been edited since the person was asked.
            _ if !self.is_listed(&call.name) => refused(Refusal::OffList),
            Stage::Waiting => admit(false),
            Stage::Asked(asked) => Step::Ask(asked.clone()),
            Stage::Nodded(_) => admit(true),
        }
    }

    pub(super) fn refused(
        &mut self,
        event: &Event,
        refused: &Refused,
    ) -> Result<Vec<Arrow>, Misapplied> {
        let (act, call) = self.expect_call(event, refused.call)?;
        if matches!(act.stage, Stage::Opening { .. }) {
            return Err(self.misapplied(event, "the door is open"));
        }
        if act.refusal().is_some_and(|known| *known != refused.refusal) {
            return Err(self.misapplied(event, "something else is known against it"));
        }
        let nodes = match refused.refusal {
            Refusal::Misfit { .. } => vec![node::LIST, node::FIT, node::PASTE],
            Refusal::Locked { .. } => vec![node::LIST, node::FIT, node::LOCK, node::PASTE],
            _ => vec![node::LIST, node::PASTE],
        };
        let arrows = self.path(event, self.ahead(&nodes))?;
        self.history
            .refused(refused.call, &call, &refused.refusal, self.language());
        if let Some(arguments) = refused.refusal.arguments() {
            self.failures.count(&call.name, arguments);
        }
        self.next_call(&arrows);
        Ok(arrows)
    }

    pub(super) fn asked_about(
        &mut self,
        event: &Event,
        asked: &Asked,
    ) -> Result<Vec<Arrow>, Misapplied> {
        let (act, call) = self.expect_call(event, asked.call)?;
        self.expect_door(event, &call, &asked.door)?;
        match act.stage {
            Stage::Opening { .. } => return Err(self.misapplied(event, "the door is open")),
            Stage::Waiting if !self.is_asked_first(&asked.door) => {
                return Err(self.misapplied(event, "nobody must be asked about this door"));
            }
            // Asked again: the door is other than it was.
            Stage::Waiting | Stage::Asked(_) | Stage::Nodded(_) => {}
        }
        let nodes = [node::LIST, node::FIT, node::LOCK, node::ASK];
        let arrows = self.path(event, self.ahead(&nodes))?;
        self.set_stage(Stage::Asked(asked.clone()));
        self.arrive(&arrows);
        Ok(arrows)
    }

    pub(super) fn nod_answered(
        &mut self,
        event: &Event,
        answered: &NodAnswered,
    ) -> Result<Vec<Arrow>, Misapplied> {
        let (act, call) = self.expect_call(event, answered.call)?;
        let asked = match act.stage {
            Stage::Asked(asked) => asked,
            Stage::Nodded(asked) if answered.nod == Nod::Expired => asked,
            _ => return Err(self.misapplied(event, "no person is asked about this call")),
        };
        let Some(line) = self.language().no_nod(answered.nod) else {
            self.set_stage(Stage::Nodded(asked));
            return Ok(Vec::new());
        };
        // The run may stand still; then the next arrow is walked when it is resumed.
        let stands = self.stop.is_some();
        let arrows = if stands {
            Vec::new()
        } else {
            self.path(event, &[node::PASTE])?
        };
        self.history.answered(answered.call, &call, line);
        if answered.nod == Nod::Denied {
            self.failures.count(&asked.door, &asked.arguments);
        }
        self.next_call(&arrows);
        Ok(arrows)
    }

    pub(super) fn open(
        &mut self,
        event: &Event,
        opening: &Opening,
    ) -> Result<Vec<Arrow>, Misapplied> {
        let (act, call) = self.expect_call(event, opening.call)?;
        self.expect_door(event, &call, &opening.door)?;
        match &act.stage {
            Stage::Waiting => {}
            Stage::Nodded(asked) if asked.is_for(opening) => {}
            Stage::Nodded(_) => {
                return Err(self.misapplied(event, "the nod is for another opening"));
            }
            Stage::Asked(_) => return Err(self.misapplied(event, "a person has not answered yet")),
            Stage::Opening { .. } => return Err(self.misapplied(event, "the door is open")),
        }
        if act.refusal().is_some() {
            return Err(self.misapplied(event, "it is refused"));
        }
        let asked_first = matches!(act.stage, Stage::Nodded(_));
        if !asked_first && self.is_asked_first(&opening.door) {
            return Err(self.misapplied(event, "a person must be asked about this door first"));
        }
        let nodes = [node::LIST, node::FIT, node::LOCK, node::open(&opening.door)];
        let arrows = self.path(event, self.ahead(&nodes))?;
        self.set_stage(Stage::Opening {
            opening: opening.clone(),
            uncertain: false,
        });
        self.arrive(&arrows);
        Ok(arrows)
    }

    pub(super) fn opened(
        &mut self,
        event: &Event,
        opened: &Opened,
    ) -> Result<Vec<Arrow>, Misapplied> {
        let (act, call) = self.expect_call(event, opened.call)?;
        let Stage::Opening { opening, .. } = act.stage else {
            return Err(self.misapplied(event, "the door is not open"));
        };
        let arrows = self.path(event, &[node::PASTE])?;
        self.history
            .opened(opened.call, &call, &opened.outcome, self.language());
        if opened.outcome.is_failure() {
            self.failures.count(&opening.door, &opening.arguments);
        }
        // What it used is not known, so that a crash could refill the budget: count all of it.
        let used = if opened.outcome == Outcome::Unknown {
            opening.fuel
        } else {
            opened.fuel
        };
        self.fuel = self.fuel.saturating_add(used);
        self.next_call(&arrows);
        Ok(arrows)
    }

    /// Of the nodes of a call, those that are still ahead. The last is: from the paste of one name,
    /// the next name of the same answer goes its whole way.
    fn ahead<'n>(&self, nodes: &'n [Node]) -> &'n [Node] {
        let last = nodes.len() - 1;
        if self.at == node::ASK {
            return &nodes[last..];
        }
        let passed = nodes[..last].iter().position(|node| *node == self.at);
        &nodes[passed.map_or(0, |index| index + 1)..]
    }

    fn expect_call(&self, event: &Event, id: CallId) -> Result<(Act, Call), Misapplied> {
        let Phase::Act(act) = &self.phase else {
            return Err(self.misapplied(event, "no call is under way"));
        };
        let (next, call) = act.call();
        if next != id {
            return Err(self.misapplied(event, format!("call {next} is under way, not {id}")));
        }
        Ok((act.clone(), call.clone()))
    }

    fn expect_door(&self, event: &Event, call: &Call, door: &str) -> Result<(), Misapplied> {
        if call.name != door || !self.is_listed(door) {
            return Err(self.misapplied(event, format!("`{door}` was not named, or is not listed")));
        }
        Ok(())
    }

    fn is_listed(&self, name: &str) -> bool {
        self.reading
            .as_ref()
            .is_some_and(|reading| reading.text().lists(name))
    }

    fn is_asked_first(&self, door: &str) -> bool {
        let asked_first = self.reading.as_ref().map(|reading| reading.asked_first());
        asked_first.is_some_and(|names| names.iter().any(|name| name == door))
    }

    fn set_stage(&mut self, stage: Stage) {
        if let Phase::Act(act) = &mut self.phase {
            act.stage = stage;
        }
    }

    /// Goes on to the next name of the answer, or to the next page.
    fn next_call(&mut self, arrows: &[Arrow]) {
        if let Phase::Act(act) = &mut self.phase {
            act.next += 1;
            act.stage = Stage::Waiting;
            if act.next == act.calls.len() {
                self.phase = Phase::Assemble;
            }
        }
        self.arrive(arrows);
    }
}
