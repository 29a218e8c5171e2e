//! What holds of every run: it folds, it resumes, it can be cancelled, wherever it is.

use std::collections::BTreeSet;

use super::fridge::{FRIDGE, fridge, mind, played, settled};
use super::play::Play;
use super::{Event, LoopMachine, Resumed, Stop};
use crate::{Entry, Machine, Recorded};

#[test]
fn every_prefix_of_a_run_folds_to_the_machine_that_lived_it() {
    let play = played(1, FRIDGE);
    let entries: Vec<Entry> = play.events.iter().map(Recorded::to_entry).collect();
    let mut live = LoopMachine::new();
    for (n, event) in play.events.iter().enumerate() {
        live.apply(event).unwrap();
        let folded = LoopMachine::new().fold(&entries[..=n]).unwrap();
        assert_eq!(folded.step(), live.step());
        assert_eq!(folded.pasted(), live.pasted());
    }
}

#[test]
fn a_resume_at_any_event_goes_on_without_opening_a_door_twice() {
    let whole = played(1, FRIDGE);
    for n in 1..whole.events.len() - 1 {
        let mut play = Play::of(FRIDGE).mind(mind).door(fridge(1)).check(settled);
        for event in &whole.events[..n] {
            play.apply(event.clone());
        }
        play.apply(Event::Resumed(Resumed {}));
        let stop = play.go_on();
        let budget_gone = matches!(stop, Stop::Fuel { .. });
        assert!(
            matches!(stop, Stop::Done { .. }) || budget_gone,
            "{n}: {stop:?}"
        );
        let calls = play.events.iter().filter_map(|event| match event {
            Event::Opening(opening) => Some(opening.call),
            _ => None,
        });
        let all = calls.clone().count();
        assert_eq!(
            calls.collect::<BTreeSet<_>>().len(),
            all,
            "each intent once"
        );
    }
}

#[test]
fn an_event_at_the_wrong_place_changes_nothing() {
    let play = played(1, FRIDGE);
    let mut refused = 0;
    for n in 0..play.events.len() {
        let mut machine = LoopMachine::new();
        for event in &play.events[..n] {
            machine.apply(event).unwrap();
        }
        for (other, event) in play
            .events
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != n)
        {
            let (before, step) = (machine.pasted().to_owned(), machine.step());
            if machine.clone().apply(event).is_err() {
                refused += 1;
                machine.apply(event).unwrap_err();
                assert_eq!(
                    (machine.pasted(), machine.step()),
                    (&*before, step),
                    "{n} {other}"
                );
            }
        }
    }
    assert!(refused > play.events.len(), "{refused}");
}

#[test]
fn c22_a_run_can_be_cancelled_at_any_event_and_resumed() {
    let whole = played(1, FRIDGE);
    for n in 1..whole.events.len() - 1 {
        let mut play = Play::of(FRIDGE).mind(mind).door(fridge(1)).check(settled);
        for event in &whole.events[..n] {
            play.apply(event.clone());
        }
        for event in play.machine.cancelled() {
            play.apply(event);
        }
        assert_eq!(play.stop(), &Stop::Cancelled);
        play.apply(Event::Resumed(Resumed {}));
        assert_eq!(play.go_on().name(), "done", "{n}");
    }
}
