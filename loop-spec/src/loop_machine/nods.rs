//! Acceptance A20 on the pure machine: a nod is for one opening, and there is no way round it.

use super::fridge::{FRIDGE, fridge, golden};
use super::play::Play;
use super::{Asked, Event, Nod, NodAnswered, Opening, Resumed, Step};
use crate::{CallId, Digest, Machine};

#[test]
fn a20_a_door_that_must_be_asked_first_parks_the_run() {
    let asks = || {
        Play::of(FRIDGE)
            .script("shopping.add {\"item\":\"milk\"}\nclose x")
            .door(fridge(1))
            .asked_first(&["shopping.add", "shopping.checkout"])
            .run()
    };
    let mut given = asks();
    let call = given.machine.asked().unwrap().call;
    given.apply(Event::NodAnswered(NodAnswered {
        call,
        nod: Nod::Given,
    }));
    given.apply(Event::Resumed(Resumed {}));
    assert_eq!(given.go_on().name(), "done");
    golden(&given, "a20-nod-given");
    let mut denied = asks();
    denied.apply(Event::NodAnswered(NodAnswered {
        call,
        nod: Nod::Denied,
    }));
    denied.apply(Event::Resumed(Resumed {}));
    assert_eq!(denied.go_on().name(), "done");
    assert_eq!(denied.count("opening"), 0);
    golden(&denied, "a20-nod-denied");
}

#[test]
fn a20_every_answer_but_a_nod_is_told_and_opens_nothing() {
    for (nod, told, failures) in [
        (Nod::Denied, "denied: ", 1),
        (Nod::Expired, "expired: ", 0),
        (Nod::Withdrawn, "withdrawn: ", 0),
        (Nod::Unanswered, "unanswered: ", 0),
    ] {
        let mut play = asks_about_milk();
        let call = play.machine.asked().unwrap().call;
        play.apply(Event::NodAnswered(NodAnswered { call, nod }));
        let told = format!("shopping.add {{\"item\":\"milk\"}}\n{told}");
        assert!(
            play.machine.pasted().contains(&told),
            "{}",
            play.machine.pasted()
        );
        let counted = play
            .machine
            .failures
            .worst
            .as_ref()
            .map_or(0, |worst| worst.2);
        assert_eq!(
            counted, failures,
            "{told} (A14: only a denial is a failure)"
        );
        play.apply(Event::Resumed(Resumed {}));
        assert_eq!(play.go_on().name(), "done");
        assert_eq!(play.count("opening"), 0);
    }
}

/// What the machine says to an event that somebody made up.
fn refused(play: &Play, event: Event) -> String {
    play.machine.clone().apply(&event).unwrap_err().why
}

#[test]
fn a20_there_is_no_way_round_a_nod() {
    let mut play = asks_about_milk();
    play.apply(Event::Resumed(Resumed {}));
    let asked = play.machine.asked().unwrap().clone();
    let opening = |of: &Asked| {
        Event::Opening(Opening {
            call: of.call,
            door: of.door.clone(),
            component: of.component,
            interface: of.interface,
            arguments: of.arguments.clone(),
            time: 0,
            seed: 0,
            fuel: 1,
            pure: false,
            taints: false,
            hooked: None,
        })
    };
    let answered = |call| {
        Event::NodAnswered(NodAnswered {
            call,
            nod: Nod::Given,
        })
    };
    assert_eq!(
        refused(&play, opening(&asked)),
        "a person has not answered yet"
    );
    let other_call = CallId {
        place: 2,
        ..asked.call
    };
    assert_eq!(
        refused(&play, answered(other_call)),
        "call 1.1 is under way, not 1.2"
    );
    play.apply(answered(asked.call));
    assert_eq!(
        refused(&play, answered(asked.call)),
        "no person is asked about this call"
    );
    let other = |change: fn(&mut Asked)| {
        let mut other = asked.clone();
        change(&mut other);
        refused(&play, opening(&other))
    };
    let bound = "the nod is for another opening";
    assert_eq!(
        other(|asked| asked.arguments = "{\"item\":\"eggs\"}".to_owned()),
        bound
    );
    assert_eq!(other(|asked| asked.arguments = "{}".to_owned()), bound);
    assert_eq!(
        other(|asked| asked.component = Digest::of("swapped")),
        bound
    );
    assert_eq!(
        other(|asked| asked.interface = Digest::of("swapped")),
        bound
    );
    let door = other(|asked| asked.door = "fridge.count".to_owned());
    assert_eq!(door, "`fridge.count` was not named, or is not listed");
    assert_eq!(
        other(|asked| asked.call.place = 2),
        "call 1.1 is under way, not 1.2"
    );
    // Used once.
    play.apply(opening(&asked));
    assert_eq!(refused(&play, opening(&asked)), "the door is open");
    assert_eq!(refused(&play, answered(asked.call)), "the door is open");
    play.one();
    assert_eq!(refused(&play, opening(&asked)), "no call is under way");
}

fn asks_about_milk() -> Play {
    Play::of(FRIDGE)
        .script("shopping.add {\"item\":\"milk\"}\nclose x")
        .asked_first(&["shopping.add"])
        .run()
}

/// The call of an `Asked` that is like the first, but for these bytes.
fn asked_about(play: &Play, component: &str) -> Asked {
    Asked {
        component: Digest::of(component),
        ..play.machine.asked().unwrap().clone()
    }
}

#[test]
fn a20_a_door_that_changed_is_asked_about_again_and_an_old_nod_opens_nothing() {
    let mut play = asks_about_milk();
    let (call, nod) = (play.machine.asked().unwrap().call, Nod::Given);
    let changed = asked_about(&play, "other bytes");
    play.apply(Event::NodAnswered(NodAnswered { call, nod }));
    play.apply(Event::Resumed(Resumed {}));
    play.apply(Event::Asked(changed.clone()));
    assert_eq!(play.machine.asked(), Some(&changed));
    assert!(matches!(play.machine.step(), Some(Step::Ask(asked)) if asked == changed));
    play.apply(Event::NodAnswered(NodAnswered { call, nod }));
    // The bytes that the first nod was for are back: it was for that ask, and is used up.
    let step = play.machine.step().unwrap();
    let event = play.perform(step);
    let misapplied = play.machine.apply(&event).unwrap_err();
    assert_eq!(misapplied.why, "the nod is for another opening");
}

#[test]
fn a20_a_name_that_left_the_list_while_a_person_was_asked_is_off_it() {
    let off = FRIDGE.replace(", \"shopping.add\"", "");
    let mut play = asks_about_milk();
    play.apply(Event::Resumed(Resumed {}));
    play.loop_txt = off;
    play.read_again();
    assert_eq!(play.go_on().name(), "done");
    assert!(play.machine.pasted().contains("not on the list.\n"));
}

#[test]
fn a20_a_nod_that_was_not_used_in_time_is_told_as_expired() {
    let mut play = asks_about_milk();
    let call = play.machine.asked().unwrap().call;
    for nod in [Nod::Given, Nod::Expired] {
        play.apply(Event::NodAnswered(NodAnswered { call, nod }));
    }
    play.apply(Event::Resumed(Resumed {}));
    assert_eq!(play.go_on().name(), "done");
    assert_eq!(play.count("opening"), 0);
    assert!(
        play.machine
            .pasted()
            .contains("expired: a person was asked first")
    );
}
