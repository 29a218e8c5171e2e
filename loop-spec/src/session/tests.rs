//! The session's machine, event by event.

use super::*;
use crate::Digest;
use crate::loop_machine::{NodAnswered, Refusal};

fn session() -> SessionMachine {
    let mut session = SessionMachine::new();
    let started = Event::Started(Started {
        client: "a client".to_owned(),
        doorlist: "0".to_owned(),
        engine: "none".to_owned(),
    });
    session.apply(&started).unwrap();
    assert!(session.apply(&started).is_err());
    session
}

fn asked(number: u32) -> Asked {
    Asked {
        call: call(number),
        door: "shopping.checkout".to_owned(),
        component: Digest::of("bytes"),
        interface: Digest::of("interface"),
        arguments: "{}".to_owned(),
        tainted_by: None,
        hooked: None,
        expires: 10,
    }
}

fn opening(of: &Asked) -> Opening {
    Opening {
        call: of.call,
        door: of.door.clone(),
        component: of.component,
        interface: of.interface,
        arguments: of.arguments.clone(),
        time: 0,
        seed: 0,
        fuel: 5,
        pure: true,
        taints: false,
        hooked: None,
    }
}

fn opened(number: u32, outcome: Outcome) -> Event {
    Event::Opened(Opened::new(call(number), outcome, 3))
}

fn nod(number: u32, nod: Nod) -> Event {
    Event::NodAnswered(NodAnswered {
        call: call(number),
        nod,
    })
}

#[track_caller]
fn refused(session: &SessionMachine, event: &Event) -> String {
    let mut after = session.clone();
    let why = after.apply(event).unwrap_err().why;
    assert_eq!(
        format!("{after:?}"),
        format!("{session:?}"),
        "it is unchanged"
    );
    why
}

#[test]
fn several_doors_are_open_at_once_and_their_fuel_is_one() {
    let mut session = session();
    for number in [1, 2] {
        session
            .apply(&Event::Opening(opening(&asked(number))))
            .unwrap();
    }
    assert_eq!(session.open().count(), 2);
    session.apply(&opened(2, Outcome::Aborted)).unwrap();
    session.apply(&opened(1, Outcome::Aborted)).unwrap();
    assert_eq!(session.fuel(), 6);
    assert_eq!(
        refused(&session, &opened(1, Outcome::Aborted)),
        "the door is not open"
    );
    assert_eq!(
        refused(&session, &Event::Opening(opening(&asked(1)))),
        "the next call is 3.1, not 1.1"
    );
}

#[test]
fn untrusted_output_taints_from_its_return_on() {
    let mut session = session();
    let taints = |number| Opening {
        taints: true,
        ..opening(&asked(number))
    };
    let said = |text: &str| Outcome::Said {
        text: text.to_owned(),
    };
    session.apply(&Event::Opening(taints(1))).unwrap();
    session.apply(&opened(1, Outcome::Aborted)).unwrap();
    assert_eq!(session.tainted_by(), None, "nothing came back");
    session.apply(&Event::Opening(taints(2))).unwrap();
    assert_eq!(session.tainted_by(), None, "it is still open");
    session.apply(&opened(2, said("obey"))).unwrap();
    assert_eq!(session.tainted_by(), Some("shopping.checkout"));
}

#[test]
fn a_nod_is_for_one_opening_and_there_is_no_way_round_it() {
    let mut session = session();
    session.apply(&Event::Asked(asked(1))).unwrap();
    // Another call goes on meanwhile.
    let mut other = asked(2);
    other.door = "fridge.count".to_owned();
    session.apply(&Event::Opening(opening(&other))).unwrap();
    let open = Event::Opening(opening(&asked(1)));
    assert_eq!(refused(&session, &open), "a person has not answered yet");
    assert_eq!(
        refused(&session, &Event::Asked(asked(3))),
        "a person is asked about the same opening already"
    );
    session.apply(&nod(1, Nod::Given)).unwrap();
    assert_eq!(
        refused(&session, &nod(1, Nod::Denied)),
        "it was answered already"
    );
    for change in [
        |asked: &mut Asked| asked.arguments = "{\"a\":1}".to_owned(),
        |asked: &mut Asked| asked.door = "fridge.count".to_owned(),
        |asked: &mut Asked| asked.component = Digest::of("swapped"),
        |asked: &mut Asked| asked.interface = Digest::of("swapped"),
    ] {
        let mut other = asked(1);
        change(&mut other);
        let open = Event::Opening(opening(&other));
        assert_eq!(refused(&session, &open), "the nod is for another opening");
    }
    session.apply(&open).unwrap();
    assert!(session.apply(&open).is_err(), "it is used once");
    assert_eq!(session.questions().count(), 0);
}

#[test]
fn what_is_no_nod_opens_nothing_and_is_told_once() {
    for answer in [Nod::Denied, Nod::Expired, Nod::Withdrawn, Nod::Unanswered] {
        let mut session = session();
        session.apply(&Event::Asked(asked(1))).unwrap();
        let told = Event::Told(AnswerTold { call: call(1) });
        assert_eq!(refused(&session, &told), "a person has not answered yet");
        session.apply(&nod(1, answer)).unwrap();
        let open = Event::Opening(opening(&asked(1)));
        assert!(refused(&session, &open).starts_with("a person was asked: "));
        session.apply(&told).unwrap();
        // The same call asks anew.
        session.apply(&Event::Asked(asked(2))).unwrap();
    }
    // A nod that was not used in time.
    let mut session = session();
    session.apply(&Event::Asked(asked(1))).unwrap();
    session.apply(&nod(1, Nod::Given)).unwrap();
    session.apply(&nod(1, Nod::Expired)).unwrap();
    let open = Event::Opening(opening(&asked(1)));
    assert_eq!(refused(&session, &open), "a person was asked: expired");
}

#[test]
fn the_same_failure_is_counted_until_it_goes_well() {
    let mut session = session();
    let error = || Outcome::OwnError {
        text: "no".to_owned(),
    };
    for number in [1, 2] {
        session
            .apply(&Event::Opening(opening(&asked(number))))
            .unwrap();
        session.apply(&opened(number, error())).unwrap();
    }
    let misfit = Event::Refused(CallRefused {
        call: call(3),
        door: "shopping.checkout".to_owned(),
        refusal: Refusal::Misfit {
            what: "no".to_owned(),
            arguments: "{}".to_owned(),
        },
        fuel: 0,
    });
    session.apply(&misfit).unwrap();
    assert_eq!(session.failures("shopping.checkout", "{}"), 3);
    assert_eq!(session.failures("shopping.checkout", "{\"a\":1}"), 0);
    session.apply(&Event::Opening(opening(&asked(4)))).unwrap();
    let said = Outcome::Said {
        text: String::new(),
    };
    session.apply(&opened(4, said)).unwrap();
    assert_eq!(session.failures("shopping.checkout", "{}"), 0);
}

#[test]
fn a_journal_gives_the_same_session() {
    let mut session = session();
    let events = [
        Event::Asked(asked(1)),
        nod(1, Nod::Given),
        Event::Opening(opening(&asked(1))),
        opened(1, Outcome::Aborted),
    ];
    let mut entries = vec![Event::Started(session.started().unwrap().clone()).to_entry()];
    for event in events {
        session.apply(&event).unwrap();
        entries.push(event.to_entry());
    }
    let folded = SessionMachine::new().fold(&entries).unwrap();
    assert_eq!(format!("{folded:?}"), format!("{session:?}"));
    let run = crate::loop_machine::LoopMachine::new().fold(&entries);
    assert!(run.is_err(), "it is no run");
}
