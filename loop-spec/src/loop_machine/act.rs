//! Act: the names of an answer, one after the other, or with their doors open beside each other.

use super::history::Paste;
use super::phase::{Act, Came, Phase, Stage};
use super::{
    Asked, Event, Hooks, LoopMachine, Nod, NodAnswered, Opened, Opening, Outcome, Reading, Refusal,
    Refused, Step, node,
};
use crate::policy::Marks;
use crate::words::HISTORY_FETCH;
use crate::{Arrow, Call, CallId, LoopText, Misapplied, Node};

impl LoopMachine {
    /// Whether the doors that an answer names may be open beside each other: each that is listed
    /// says so, and none is asked first. What is not listed opens nothing (acceptance C13).
    pub(super) fn opens_together(&self, calls: &[Call]) -> bool {
        let Some(reading) = &self.reading else {
            return false;
        };
        let listed: Vec<_> = calls
            .iter()
            .filter_map(|call| reading.card(&call.name))
            .collect();
        let any = |mark: fn(&Marks) -> bool| listed.iter().any(|card| mark(&card.marks));
        listed.len() > 1
            && listed
                .iter()
                .all(|card| card.marks.concurrent && !self.must_be_asked(&card.name))
            // What the one returns decides whether the other is asked first.
            && !(any(|marks| marks.untrusted) && any(|marks| marks.outside))
    }

    pub(super) fn act_step(&self, act: &Act) -> Step {
        if let Some(opening) = act.uncertain() {
            return Step::Settle(opening.clone());
        }
        let next = act.next();
        let (id, call, stage) = (act.id(next), &act.calls[next], &act.stages[next]);
        let admit = |nodded| {
            let call = call.clone();
            Step::Admit { id, call, nodded }
        };
        let refused = |refusal| Step::Record(Event::Refused(Refused::new(id, refusal)));
        if *stage == Stage::Waiting {
            if let Some(refusal) = &act.refused[next] {
                return refused(refusal.clone());
            }
            // The run stops at its next page; every name has a result before.
            if self.due().is_some() {
                return refused(Refusal::Stopped);
            }
        }
        if act.together && *stage == Stage::Waiting && self.waits_for_fuel(&call.name) {
            return Step::Open(self.phase.openings().cloned().collect());
        }
        match stage {
            Stage::Opening { .. } | Stage::Answered(_) => {
                Step::Open(self.phase.openings().cloned().collect())
            }
            // `loop.txt` may have been edited since the person was asked.
            _ if !self.is_listed(&call.name) => refused(Refusal::OffList),
            Stage::Waiting => admit(false),
            Stage::Asked(asked) => Step::Ask(asked.clone()),
            Stage::Nodded(_) => admit(true),
        }
    }

    /// Whether a door cannot have all the fuel that it may use before another is closed.
    fn waits_for_fuel(&self, door: &str) -> bool {
        let card = self.reading.as_ref().and_then(|reading| reading.card(door));
        card.is_some_and(|card| card.fuel > self.fuel_left())
            && self.phase.openings().next().is_some()
    }

    pub(super) fn refused(
        &mut self,
        event: &Event,
        refused: &Refused,
    ) -> Result<Vec<Arrow>, Misapplied> {
        let (act, index) = self.expect_call(event, refused.call)?;
        let known = act.refused[index].as_ref();
        if known.is_some_and(|known| *known != refused.refusal) {
            return Err(self.misapplied(event, "something else is known against it"));
        }
        let nodes = match refused.refusal {
            Refusal::Misfit { .. } => vec![node::LIST, node::FIT, node::PASTE],
            Refusal::Locked { .. } => vec![node::LIST, node::FIT, node::LOCK, node::PASTE],
            Refusal::Hook { .. } if !self.hooks().before => {
                return Err(self.misapplied(event, "no hook is asked before a door opens"));
            }
            Refusal::Hook { .. } => {
                vec![node::LIST, node::FIT, node::LOCK, node::BEFORE, node::PASTE]
            }
            _ => vec![node::LIST, node::PASTE],
        };
        let name = act.calls[index].name.clone();
        let arrows = self.path(event, self.ahead(&nodes))?;
        self.fuel = self.fuel.saturating_add(refused.fuel);
        if let Some(arguments) = refused.refusal.arguments() {
            self.failures.count(&name, arguments);
        }
        self.came(index, Came::Refused(refused.refusal.clone()), &arrows);
        Ok(arrows)
    }

    pub(super) fn asked_about(
        &mut self,
        event: &Event,
        asked: &Asked,
    ) -> Result<Vec<Arrow>, Misapplied> {
        let (act, index) = self.expect_call(event, asked.call)?;
        self.expect_door(event, &act.calls[index], &asked.door)?;
        // Asked again, the door is other than it was.
        if act.stages[index] == Stage::Waiting && !self.must_be_asked(&asked.door) {
            return Err(self.misapplied(event, "nobody must be asked about this door"));
        }
        self.expect_hooked(event, asked.hooked.is_some())?;
        let nodes = self.up_to(node::ASK);
        let arrows = self.path(event, self.ahead(&nodes))?;
        self.fuel = self.fuel.saturating_add(asked.hooked.unwrap_or(0));
        self.set_stage(index, Stage::Asked(asked.clone()));
        self.arrive(&arrows);
        Ok(arrows)
    }

    pub(super) fn nod_answered(
        &mut self,
        event: &Event,
        answered: &NodAnswered,
    ) -> Result<Vec<Arrow>, Misapplied> {
        let (act, index) = self.expect_call(event, answered.call)?;
        let asked = match act.stages[index].clone() {
            Stage::Asked(asked) => asked,
            Stage::Nodded(asked) if answered.nod == Nod::Expired => asked,
            _ => return Err(self.misapplied(event, "no person is asked about this call")),
        };
        if answered.nod == Nod::Given {
            self.set_stage(index, Stage::Nodded(asked));
            return Ok(Vec::new());
        }
        // The run may stand still; then the next arrow is walked when it is resumed.
        let stands = self.stop.is_some();
        let arrows = if stands {
            Vec::new()
        } else {
            self.path(event, &[node::PASTE])?
        };
        if answered.nod == Nod::Denied {
            self.failures.count(&asked.door, &asked.arguments);
        }
        self.came(index, Came::NoNod(answered.nod), &arrows);
        Ok(arrows)
    }

    pub(super) fn open(
        &mut self,
        event: &Event,
        opening: &Opening,
    ) -> Result<Vec<Arrow>, Misapplied> {
        let (act, index) = self.expect_call(event, opening.call)?;
        self.expect_door(event, &act.calls[index], &opening.door)?;
        if act.refused[index].is_some() {
            return Err(self.misapplied(event, "it is refused"));
        }
        let mut hooked = opening.hooked.is_some();
        let asked_first = match &act.stages[index] {
            Stage::Nodded(asked) if asked.is_for(opening) => {
                hooked |= asked.hooked.is_some();
                true
            }
            Stage::Nodded(_) => {
                return Err(self.misapplied(event, "the nod is for another opening"));
            }
            Stage::Asked(_) => return Err(self.misapplied(event, "a person has not answered yet")),
            _ => false,
        };
        if !asked_first && self.must_be_asked(&opening.door) {
            return Err(self.misapplied(event, "a person must be asked about this door first"));
        }
        self.expect_hooked(event, hooked)?;
        let nodes = self.up_to(node::open(&opening.door));
        let arrows = self.path(event, self.ahead(&nodes))?;
        self.fuel = self.fuel.saturating_add(opening.hooked.unwrap_or(0));
        let stage = Stage::Opening {
            opening: opening.clone(),
            uncertain: false,
        };
        self.set_stage(index, stage);
        self.arrive(&arrows);
        Ok(arrows)
    }

    pub(super) fn opened(
        &mut self,
        event: &Event,
        opened: &Opened,
    ) -> Result<Vec<Arrow>, Misapplied> {
        let act = self.expect_act(event)?;
        let index = act.index(opened.call);
        let open = index.and_then(|index| match &act.stages[index] {
            Stage::Opening { opening, .. } => Some((index, opening.clone())),
            _ => None,
        });
        let Some((index, opening)) = open else {
            return Err(self.misapplied(event, "the door is not open"));
        };
        let is_hooked = self.hooks().after && opened.outcome.has_returned();
        if opened.hooked.is_some() != is_hooked {
            return Err(self.misapplied(event, "the hook after a door was asked, or was not"));
        }
        if opened.ends && !self.may_end(&opening.door) {
            return Err(self.misapplied(event, "the door may not end the run"));
        }
        let nodes = [node::AFTER, node::PASTE];
        // Of doors that are open beside each other, the first that ends leads to where all are pasted.
        let ahead = match (is_hooked, self.at == node::PASTE) {
            (true, _) => &nodes[..],
            (false, false) => &nodes[1..],
            (false, true) => &[],
        };
        let arrows = self.path(event, ahead)?;
        let kept = opened.keep(&opening.door, &mut self.kept);
        kept.map_err(|why| self.misapplied(event, why))?;
        let told = opened.told();
        if told.is_failure() {
            self.failures.count(&opening.door, &opening.arguments);
        }
        self.returned.keep(opened.call, &told);
        // What it used is not known, so that a crash could refill the budget: count all of it.
        let used = if opened.outcome == Outcome::Unknown {
            opening.fuel
        } else {
            opened.all_fuel()
        };
        self.fuel = self.fuel.saturating_add(used);
        if opening.taints && opened.outcome.has_returned() {
            self.tainted_by.get_or_insert(opening.door);
        }
        let ends = opened.ends;
        self.came(index, Came::Opened { told, ends }, &arrows);
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

    /// The nodes of a call that nothing stands against, up to this one.
    fn up_to(&self, last: Node) -> Vec<Node> {
        let mut nodes = vec![node::LIST, node::FIT, node::LOCK];
        nodes.extend(self.hooks().before.then_some(node::BEFORE));
        nodes.push(last);
        nodes
    }

    fn expect_hooked(&self, event: &Event, hooked: bool) -> Result<(), Misapplied> {
        if hooked || !self.hooks().before {
            return Ok(());
        }
        Err(self.misapplied(event, "the hook before it was not asked"))
    }

    fn hooks(&self) -> Hooks {
        let reading = self.reading.as_ref();
        reading.map_or_else(Hooks::default, |reading| reading.hooks())
    }

    fn may_end(&self, door: &str) -> bool {
        let card = self.reading.as_ref().and_then(|it| it.card(door));
        card.is_some_and(|card| card.marks.may_end)
    }

    fn expect_act(&self, event: &Event) -> Result<&Act, Misapplied> {
        match &self.phase {
            Phase::Act(act) => Ok(act),
            _ => Err(self.misapplied(event, "no call is under way")),
        }
    }

    /// The call that is looked at next, which must be this one.
    fn expect_call(&self, event: &Event, id: CallId) -> Result<(&Act, usize), Misapplied> {
        let act = self.expect_act(event)?;
        let next = act.next();
        if act.id(next) != id {
            let why = format!("call {} is under way, not {id}", act.id(next));
            return Err(self.misapplied(event, why));
        }
        if matches!(act.stages[next], Stage::Opening { .. }) {
            return Err(self.misapplied(event, "the door is open"));
        }
        Ok((act, next))
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

    /// Whether a person must be asked about this door first: its policy says so, or its effect is
    /// outside and output that is not trusted is on the page.
    #[must_use]
    pub fn must_be_asked(&self, door: &str) -> bool {
        let Some(reading) = &self.reading else {
            return false;
        };
        reading.asked_first().iter().any(|name| name == door) || self.taints(door).is_some()
    }

    /// The door whose output makes this one asked first.
    #[must_use]
    pub fn taints(&self, door: &str) -> Option<&str> {
        let card = self.reading.as_ref()?.card(door)?;
        self.tainted_by.as_deref().filter(|_| card.marks.outside)
    }

    /// How results are pasted.
    fn paste(&self) -> Paste {
        let text = self.reading.as_ref().map(Reading::text);
        Paste {
            most: text.map_or(usize::MAX, LoopText::result),
            kept: text.is_some_and(|text| text.lists(HISTORY_FETCH)),
        }
    }

    fn set_stage(&mut self, index: usize, stage: Stage) {
        if let Phase::Act(act) = &mut self.phase {
            act.stages[index] = stage;
        }
    }

    /// A call has its result. What has one is pasted in the order of the calls; after the last comes
    /// the next page.
    fn came(&mut self, index: usize, came: Came, arrows: &[Arrow]) {
        self.set_stage(index, Stage::Answered(came));
        let language = self.language();
        let paste = self.paste();
        if let Phase::Act(act) = &mut self.phase {
            while let Some(Stage::Answered(came)) = act.stages.get(act.pasted) {
                let (id, call) = (act.id(act.pasted), &act.calls[act.pasted]);
                match came {
                    Came::Refused(refusal) => self.history.refused(id, call, refusal, language),
                    Came::NoNod(nod) => {
                        let line = language.no_nod(*nod).unwrap_or_default();
                        self.history.answered(id, call, line);
                    }
                    Came::Opened { told, .. } => {
                        self.history.opened(id, call, told, paste, language);
                    }
                }
                act.pasted += 1;
            }
            if act.pasted == act.calls.len() {
                self.ended = act.ends().then(|| act.calls[0].name.clone());
                self.phase = Phase::Assemble;
            }
        }
        self.arrive(arrows);
    }
}
