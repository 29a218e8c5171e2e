//! What holds whatever a model answers, whatever comes of its names, and wherever the run is cut off.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::play::Play;
use super::{Answered, Event, HookSaid, LoopMachine, ModelFailed, Outcome, Resumed, Step};
use crate::{Answer, Call, CallId, Ended, Entry, Machine, Message, Recorded, Usage};

const LOOP: &str = "+++\nlist = [\"pure.a\", \"pure.b\", \"web.get\", \"shop.buy\", \"end.a\"]\nput-backs = 5\n\
                    fuel = 6_000\nwindow = 600\nreserve = 100\nkeep = 60\n+++\nGoal.\n";
const NAMES: [&str; 8] = [
    "pure.a", "pure.b", "web.get", "shop.buy", "nowhere", "", "pure.a", "end.a",
];

/// What a world does at the next chance that it has.
#[derive(Clone, Debug)]
struct World {
    answers: Vec<Handed>,
    outcomes: Vec<u8>,
    said: Vec<u32>,
    sums_up: bool,
    /// Which hooks there are: before, after, at the end.
    hooks: [bool; 3],
    /// After how many events the run is cancelled, or killed and resumed.
    cut: Option<(usize, bool)>,
}

#[derive(Clone, Debug)]
enum Handed {
    Close,
    Names(Vec<(usize, Option<u8>)>, Ended),
    Broken(Vec<usize>),
}

fn handed() -> impl Strategy<Value = Handed> {
    let ended = prop_oneof![
        6 => Just(Ended::Doors),
        2 => Just(Ended::Turn),
        1 => Just(Ended::Length),
    ];
    let name = (0..NAMES.len(), proptest::option::weighted(0.3, 0_u8..4));
    prop_oneof![
        2 => Just(Handed::Close),
        6 => (proptest::collection::vec(name, 0..6), ended)
            .prop_map(|(names, ended)| Handed::Names(names, ended)),
        1 => proptest::collection::vec(0..NAMES.len(), 0..3).prop_map(Handed::Broken),
    ]
}

fn world() -> impl Strategy<Value = World> {
    (
        proptest::collection::vec(handed(), 1..8),
        proptest::collection::vec(0_u8..6, 0..40),
        proptest::collection::vec(0_u32..5, 0..3),
        any::<bool>(),
        any::<[bool; 3]>(),
        proptest::option::of((1_usize..60, any::<bool>())),
    )
        .prop_map(|(answers, outcomes, said, sums_up, hooks, cut)| World {
            answers,
            outcomes,
            said,
            sums_up,
            hooks,
            cut,
        })
}

fn calls(names: impl IntoIterator<Item = (usize, Option<u8>)>) -> Vec<Call> {
    let call = |(name, id): (usize, Option<u8>)| Call {
        id: id.map(|id| id.to_string()),
        ..Call::new(NAMES[name], "{}")
    };
    names.into_iter().map(call).collect()
}

fn answer(handed: Option<&Handed>, put_back: u32) -> Event {
    let (fuel, usage) = (0, Usage::default());
    let (answer, ended) = match handed {
        Some(Handed::Names(names, ended)) => {
            let calls = calls(names.iter().copied());
            let remark = None;
            (Answer::Names { calls, remark }, *ended)
        }
        Some(Handed::Broken(names)) => {
            let calls = calls(names.iter().map(|name| (*name, None)));
            return Event::ModelFailed(ModelFailed {
                put_back,
                why: "broken off".to_owned(),
                answer: Some(Answer::Names {
                    calls,
                    remark: None,
                }),
                fuel,
                usage,
            });
        }
        Some(Handed::Close) | None => (Answer::Close("Done.".to_owned()), Ended::Turn),
    };
    Event::Answered(Answered {
        put_back,
        answer,
        ended,
        fuel,
        usage,
    })
}

/// Plays the run to its stop, cut off once.
fn played(world: &World) -> Play {
    let mut outcomes = world.outcomes.clone().into_iter().cycle();
    let mut play = Play::of(LOOP).door(move |_| {
        let text = "x".repeat(150);
        match outcomes.next() {
            Some(0) => Err(text),
            Some(1) => Ok(Outcome::Trap { what: text }),
            Some(2) => Ok(Outcome::HostFault { what: text }),
            _ => Ok(Outcome::Said { text }),
        }
    });
    for after in &world.said {
        play = play.say_after(*after, "And this.");
    }
    play.sums_up = world.sums_up.then(|| "Sum.".to_owned());
    let [before, after, end] = world.hooks;
    play.before = before.then_some(|door| (door == "pure.b").then(|| "no".to_owned()));
    play.after = after.then_some(|outcome| match outcome {
        Outcome::Said { .. } => HookSaid::Instead("short".to_owned()),
        _ => HookSaid::Withheld("an error".to_owned()),
    });
    play.end = end.then_some(|machine| (machine.put_backs() < 4).then(|| "not yet".to_owned()));
    let mut cut = world.cut;
    while let Some(step) = play.machine.step() {
        if let Some((after, killed)) = cut
            && play.events.len() >= after
        {
            cut = None;
            if !killed {
                for event in play.machine.cancelled() {
                    play.apply(event);
                }
            }
            play.apply(Event::Resumed(Resumed {}));
            continue;
        }
        match step {
            Step::Decide { put_back } => {
                let handed = world.answers.get(put_back as usize - 1);
                play.apply(answer(handed, put_back));
            }
            _ => play.one(),
        }
    }
    play
}

/// Which calls were named, and which have a result, from the messages of the page at each point.
fn results(play: &Play) -> (Vec<CallId>, Vec<CallId>) {
    let (mut named, mut answered) = (Vec::new(), Vec::new());
    for message in play.machine.page().unwrap().messages() {
        match message {
            Message::Model { calls, .. } => named.extend(calls.iter().map(|call| call.call)),
            Message::Result { call, .. } => answered.push(*call),
            _ => {}
        }
    }
    (named, answered)
}

proptest! {
    /// Acceptance C1, C2, C11: every start has its end, every call exactly one result, in order.
    #[test]
    fn c02_every_start_has_its_end_and_every_call_one_result(world in world()) {
        let play = played(&world);
        let kinds: Vec<_> = play.events.iter().map(Event::kind).collect();
        prop_assert_eq!(kinds[0], "run_started");
        prop_assert_eq!(kinds.iter().filter(|kind| **kind == "run_started").count(), 1);
        prop_assert_eq!(kinds[kinds.len() - 1], "stopped");
        let count = |kind: &str| kinds.iter().filter(|found| **found == kind).count();
        // A turn whose model was cut off while it thought is asked for again.
        prop_assert!(count("put_back") >= count("answered") + count("model_failed"));
        let mut open = BTreeMap::new();
        for event in &play.events {
            match event {
                Event::Opening(opening) => {
                    prop_assert!(open.insert(opening.call, ()).is_none());
                }
                Event::Opened(opened) => prop_assert!(open.remove(&opened.call).is_some()),
                _ => {}
            }
        }
        prop_assert!(open.is_empty(), "{open:?}");
        let (named, answered) = results(&play);
        if play.stop().name() == "waiting-for-nod" {
            prop_assert!(named.starts_with(&answered), "{named:?} {answered:?}");
        } else {
            prop_assert_eq!(named, answered);
        }
    }

    /// Folding the journal is the live machine, at every prefix; and every prefix can be resumed.
    #[test]
    fn c02_every_prefix_folds_to_the_live_machine_and_can_be_resumed(world in world()) {
        let play = played(&world);
        let mut live = LoopMachine::new();
        for (n, event) in play.events.iter().enumerate() {
            live.apply(event).unwrap();
            let entries: Vec<Entry> = play.events[..=n].iter().map(Recorded::to_entry).collect();
            let folded = LoopMachine::new().fold(&entries).unwrap();
            prop_assert_eq!(format!("{folded:?}"), format!("{live:?}"));
            let mut resumed = folded;
            let done = resumed.stop().is_some_and(|stop| stop.name() == "done");
            prop_assert_eq!(resumed.apply(&Event::Resumed(Resumed {})).is_ok(), !done);
        }
    }

    /// No budget grows: put-backs and fuel only ever add up, and what is spent is never given twice.
    #[test]
    fn c02_no_budget_is_refilled(world in world()) {
        let play = played(&world);
        let mut machine = LoopMachine::new();
        let (mut put_backs, mut fuel) = (0, 0);
        for event in &play.events {
            machine.apply(event).unwrap();
            prop_assert!(machine.put_backs() >= put_backs && machine.fuel_used() >= fuel);
            (put_backs, fuel) = (machine.put_backs(), machine.fuel_used());
            prop_assert!(put_backs <= 5);
        }
    }
}
