//! Plays a loop in tests: a table of doors and a way to answer stand in for the world.

use std::collections::VecDeque;
use std::fmt::Write as _;

use super::{
    Answered, Asked, Card, CloseJudged, CloseRefusal, Compacted, EndJudged, Event, HookSaid,
    HookedResult, Hooks, LoopMachine, LoopRead, ModelFailed, NotCompacted, Opened, Opening,
    Outcome, Refusal, Refused, RunStarted, Said, Step, Stop, Stopped,
};
use crate::lock::Unaccepted;
use crate::policy::Marks;
use crate::{Answer, Arrow, Call, Digest, Ended, LoopText, Machine, Usage, notation};

type Mind = Box<dyn FnMut(&str) -> Option<Answer>>;
type Door = Box<dyn FnMut(&Call) -> Result<Outcome, String>>;
type Check = Box<dyn FnMut(&LoopMachine, &str) -> Option<CloseRefusal>>;

/// A world in which a loop can be played to its end.
pub(crate) struct Play {
    pub(crate) machine: LoopMachine,
    /// `loop.txt` as it stands on disk; tests edit it between put-backs.
    pub(crate) loop_txt: String,
    pub(crate) asked_first: Vec<String>,
    pub(crate) events: Vec<Event>,
    pub(crate) arrows: Vec<Arrow>,
    /// The page of each put-back.
    pub(crate) pages: Vec<String>,
    /// What is looked up, compiled or run: every call that got past the list.
    pub(crate) touched: Vec<String>,
    /// What the model says when it is to sum up.
    pub(crate) sums_up: Option<String>,
    pub(crate) mind: Mind,
    /// What the hooks say; where one is `None` there is none.
    pub(crate) before: Option<fn(&str) -> Option<String>>,
    pub(crate) after: Option<fn(&Outcome) -> HookSaid>,
    pub(crate) end: Option<fn(&LoopMachine) -> Option<String>>,
    door: Door,
    check: Check,
    /// What people say: (after this many put-backs, or at the end, and what).
    said: VecDeque<(u32, String)>,
    /// Edits of `loop.txt`: (after this many put-backs, the new text).
    edits: VecDeque<(u32, String)>,
}

impl Play {
    pub(crate) fn of(loop_txt: &str) -> Self {
        Self {
            machine: LoopMachine::new(),
            loop_txt: loop_txt.to_owned(),
            asked_first: Vec::new(),
            events: Vec::new(),
            arrows: Vec::new(),
            pages: Vec::new(),
            touched: Vec::new(),
            sums_up: None,
            mind: Box::new(|_| None),
            before: None,
            after: None,
            end: None,
            door: Box::new(|_| {
                Ok(Outcome::Said {
                    text: String::new(),
                })
            }),
            check: Box::new(|_, _| None),
            said: VecDeque::new(),
            edits: VecDeque::new(),
        }
    }

    /// Answers from a script, in the notation of script files.
    pub(crate) fn script(self, script: &str) -> Self {
        let mut answers = notation::script(script).unwrap().into_iter();
        self.mind(move |_| answers.next())
    }

    pub(crate) fn mind(mut self, mind: impl FnMut(&str) -> Option<Answer> + 'static) -> Self {
        self.mind = Box::new(mind);
        self
    }

    pub(crate) fn door(
        mut self,
        door: impl FnMut(&Call) -> Result<Outcome, String> + 'static,
    ) -> Self {
        self.door = Box::new(door);
        self
    }

    pub(crate) fn check(
        mut self,
        check: impl FnMut(&LoopMachine, &str) -> Option<CloseRefusal> + 'static,
    ) -> Self {
        self.check = Box::new(check);
        self
    }

    pub(crate) fn asked_first(mut self, names: &[&str]) -> Self {
        self.asked_first = names.iter().map(|name| (*name).to_owned()).collect();
        self
    }

    pub(crate) fn say_after(mut self, put_backs: u32, text: &str) -> Self {
        self.said.push_back((put_backs, text.to_owned()));
        self
    }

    fn said(&mut self) -> Option<Event> {
        let (after, _) = self.said.front()?;
        if *after > self.machine.put_backs() || !self.machine.listens() {
            return None;
        }
        let (_, text) = self.said.pop_front()?;
        let id = self.said.len().to_string();
        Some(Event::Said(Said { id, text }))
    }

    pub(crate) fn edit_after(mut self, put_backs: u32, loop_txt: &str) -> Self {
        self.edits.push_back((put_backs, loop_txt.to_owned()));
        self
    }

    /// Plays until the run stands still.
    pub(crate) fn run(mut self) -> Self {
        self.go_on();
        self
    }

    pub(crate) fn go_on(&mut self) -> Stop {
        while self.machine.step().is_some() {
            self.one();
        }
        self.stop().clone()
    }

    /// Plays one step.
    pub(crate) fn one(&mut self) {
        let step = self.machine.step().unwrap();
        let event = self.perform(step);
        self.apply(event);
    }

    /// One event, applied to the machine and to one that is folded from the start.
    pub(crate) fn apply(&mut self, event: Event) {
        self.arrows.extend(self.machine.apply(&event).unwrap());
        self.events.push(event);
    }

    /// Reads `loop.txt` again, as a resumed run does.
    pub(crate) fn read_again(&mut self) {
        let event = self.assemble();
        self.apply(event);
    }

    pub(crate) fn perform(&mut self, step: Step) -> Event {
        match step {
            Step::Start => Event::RunStarted(RunStarted {
                line: "What do we need?".to_owned(),
                doorlist: "test".to_owned(),
                engine: "test".to_owned(),
                model: "test".to_owned(),
            }),
            Step::Assemble => self.assemble(),
            Step::Decide { put_back } => self.decide(put_back),
            Step::Admit { id, call, nodded } => {
                self.touched.push(call.name.clone());
                let arguments = call.canonical_arguments();
                if call.arguments.starts_with("misfit") {
                    let what = "items: expected list<string>, got nothing".to_owned();
                    let refusal = Refusal::Misfit { what, arguments };
                    return Event::Refused(Refused::new(id, refusal));
                }
                if call.arguments.starts_with("\"locked") {
                    let why = Unaccepted::Changed;
                    let refusal = Refusal::Locked { why, arguments };
                    return Event::Refused(Refused::new(id, refusal));
                }
                if let Some(reason) = self.before.and_then(|before| before(&call.name)) {
                    let (call, refusal) = (id, Refusal::Hook { reason, arguments });
                    return Event::Refused(Refused {
                        call,
                        refusal,
                        fuel: 7,
                    });
                }
                let hooked = self.before.map(|_| 7);
                let (component, interface) = (digest(&call.name), digest("interface"));
                let (door, call) = (call.name, id);
                if self.machine.must_be_asked(&door) && !nodded {
                    let tainted_by = self.machine.taints(&door).map(str::to_owned);
                    return Event::Asked(Asked {
                        call,
                        door,
                        component,
                        interface,
                        arguments,
                        tainted_by,
                        hooked,
                        expires: 1,
                    });
                }
                let taints = door.starts_with("web.");
                let (time, seed, fuel, pure) = (0, 0, self.machine.fuel_left().min(1_000), false);
                Event::Opening(Opening {
                    call,
                    door,
                    component,
                    interface,
                    arguments,
                    time,
                    seed,
                    fuel,
                    pure,
                    taints,
                    hooked,
                })
            }
            Step::Ask(asked) => super::stop::event(Stop::WaitingForNod { call: asked.call }),
            Step::Open(openings) => {
                // Doors that are open beside each other end in the other order here.
                let opening = openings.into_iter().next_back().unwrap();
                let call = Call::new(opening.door, opening.arguments);
                let outcome = (self.door)(&call).unwrap_or_else(|text| Outcome::OwnError { text });
                let after = self.after.filter(|_| outcome.has_returned());
                Event::Opened(Opened {
                    ends: call.name.starts_with("end."),
                    hooked: after.map(|after| HookedResult {
                        said: after(&outcome),
                        fuel: 5,
                    }),
                    ..Opened::new(opening.call, outcome, 100)
                })
            }
            Step::Settle(opening) => Event::Opened(Opened::new(opening.call, Outcome::Unknown, 0)),
            Step::Judge { put_back, close } => {
                let refused = (self.check)(&self.machine, &close);
                Event::CloseJudged(CloseJudged {
                    put_back,
                    refused,
                    fuel: 10,
                })
            }
            Step::End { close, judge } => match (self.said(), self.end) {
                (Some(said), _) => said,
                (None, Some(end)) if judge => Event::EndJudged(EndJudged {
                    refused: end(&self.machine),
                    fuel: 3,
                }),
                (None, _) => super::stop::event(Stop::Done { close }),
            },
            Step::Record(event) => event,
        }
    }

    fn assemble(&mut self) -> Event {
        if let Some(said) = self.said() {
            return said;
        }
        while let Some((after, _)) = self.edits.front()
            && *after <= self.machine.put_backs()
        {
            self.loop_txt = self.edits.pop_front().unwrap().1;
        }
        match LoopText::parse(&self.loop_txt) {
            Err(error) => Event::Stopped(Stopped {
                stop: Stop::BadLoop {
                    why: error.to_string(),
                },
            }),
            Ok(text) => {
                let (digest, cards) = (text.digest(), cards(&text));
                let asked_first = self.asked_first.clone();
                if self
                    .machine
                    .reading()
                    .is_some_and(|r| r.is(&digest, &cards, &asked_first, self.hooks()))
                {
                    return self.sum_up().unwrap_or_else(|| self.machine.assembled());
                }
                let text = (!self.machine.knows(&digest)).then(|| self.loop_txt.clone());
                Event::LoopRead(LoopRead {
                    digest,
                    text,
                    cards,
                    asked_first,
                    hooks: self.hooks(),
                })
            }
        }
    }

    fn hooks(&self) -> Hooks {
        Hooks {
            before: self.before.is_some(),
            after: self.after.is_some(),
            end: self.end.is_some(),
        }
    }

    fn sum_up(&self) -> Option<Event> {
        let to_sum_up = self.machine.to_sum_up()?;
        let page = self.machine.page_to_sum_up(&to_sum_up)?.to_string();
        let (fuel, usage) = (0, Usage::default());
        let Some(summary) = &self.sums_up else {
            let why = "the test says nothing".to_owned();
            return Some(Event::NotCompacted(NotCompacted { why, fuel, usage }));
        };
        let summary = match page.contains(summary) {
            true => format!("{summary}, and what was summed up before"),
            false => summary.clone(),
        };
        Some(Event::Compacted(Compacted {
            turns: to_sum_up.turns,
            summary,
            fuel,
            usage,
        }))
    }

    fn decide(&mut self, put_back: u32) -> Event {
        let page = self.machine.page().unwrap().to_string();
        let answer = (self.mind)(&page);
        self.pages.push(page);
        match answer {
            Some(answer) => Event::Answered(Answered {
                put_back,
                answer,
                ended: Ended::Turn,
                fuel: 0,
                usage: Usage::default(),
            }),
            None => {
                let why = "the script has no more answers".to_owned();
                Event::ModelFailed(ModelFailed {
                    put_back,
                    why,
                    answer: None,
                    fuel: 0,
                    usage: Usage::default(),
                })
            }
        }
    }

    pub(crate) fn stop(&self) -> &Stop {
        self.machine.stop().unwrap()
    }

    pub(crate) fn count(&self, kind: &str) -> usize {
        self.events
            .iter()
            .filter(|event| event.kind() == kind)
            .count()
    }

    /// The run as a person reads it: the events with the arrows they walked, then the history.
    pub(crate) fn story(&self) -> String {
        let mut story = String::new();
        let mut machine = LoopMachine::new();
        for event in &self.events {
            let arrows = machine.apply(event).unwrap();
            let nodes: Vec<_> = arrows.iter().map(|arrow| arrow.to.as_str()).collect();
            writeln!(story, "{:<14}{}", event.kind(), nodes.join(" > ")).unwrap();
        }
        write!(story, "\n{}", self.machine.pasted()).unwrap();
        story
    }
}

fn digest(text: &str) -> Digest {
    Digest::of(text)
}

pub(crate) fn cards(text: &LoopText) -> Vec<Card> {
    text.list()
        .iter()
        .map(|name| Card {
            name: name.clone(),
            signature: format!("{name}(items: list<string>)"),
            about: Some(format!("What {name} does.")),
            schema: None,
            component: digest(name),
            interface: digest("interface"),
            pure: false,
            marks: Marks {
                concurrent: name.starts_with("pure."),
                untrusted: name.starts_with("web."),
                outside: name.starts_with("shop."),
                may_end: name.starts_with("end."),
            },
            fuel: 1_000,
        })
        .collect()
}
