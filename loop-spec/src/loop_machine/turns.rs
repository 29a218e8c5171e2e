//! Acceptance C on the pure machine: answers that end badly, batches, taint.

use super::play::Play;
use super::{
    Answered, Event, LoopMachine, ModelFailed, Opened, Outcome, Refusal, Resumed, Step, Stop,
};
use crate::{Answer, Call, CallId, Ended, Machine, Message, Usage};

const LOOP: &str =
    "+++\nlist = [\"pure.a\", \"pure.b\", \"web.get\", \"shop.buy\"]\nput-backs = 6\n+++\nGoal.\n";

fn call(name: &str, id: Option<&str>) -> Call {
    Call {
        id: id.map(str::to_owned),
        ..Call::new(name, "{}")
    }
}

/// A machine to which the model has answered with these names.
fn answered(calls: Vec<Call>, ended: Ended) -> Play {
    let mut play = Play::of(LOOP);
    while !matches!(play.machine.step(), Some(Step::Decide { .. })) {
        play.one();
    }
    play.apply(Event::Answered(Answered {
        put_back: 1,
        answer: Answer::Names {
            calls,
            remark: None,
        },
        ended,
        fuel: 0,
        usage: Usage::default(),
    }));
    play
}

/// The calls that have a result on the page, in order, with it.
fn results(machine: &LoopMachine) -> Vec<(CallId, String)> {
    let messages = machine.page().unwrap().messages().to_vec();
    let result = |message| match message {
        Message::Result { call, text, .. } => Some((call, text)),
        _ => None,
    };
    messages.into_iter().filter_map(result).collect()
}

fn act(play: &mut Play) {
    while !matches!(play.machine.step(), None | Some(Step::Decide { .. })) {
        play.one();
    }
}

#[test]
fn c09_a_cut_short_answer_opens_nothing_and_three_in_a_row_stop() {
    let mut play = answered(vec![call("pure.a", None), call("x", None)], Ended::Length);
    for put_back in 2..=3 {
        act(&mut play);
        play.apply(Event::Answered(Answered {
            put_back,
            answer: Answer::Names {
                calls: vec![call("pure.a", None)],
                remark: None,
            },
            ended: Ended::Length,
            fuel: 0,
            usage: Usage::default(),
        }));
    }
    act(&mut play);
    assert_eq!(play.stop(), &Stop::Length { times: 3 });
    assert_eq!(play.count("opening"), 0);
    let results = results(&play.machine);
    assert_eq!(results.len(), 4, "every name has a result");
    assert!(results.iter().all(|(_, text)| text.contains("cut short")));
    assert_eq!(play.machine.put_backs(), 3, "each turn is counted");
}

#[test]
fn c08_an_answer_that_broke_off_gives_each_of_its_names_a_result() {
    let mut play = Play::of(LOOP);
    while !matches!(play.machine.step(), Some(Step::Decide { .. })) {
        play.one();
    }
    play.apply(Event::ModelFailed(ModelFailed {
        put_back: 1,
        why: "the stream broke off".to_owned(),
        answer: Some(Answer::Names {
            calls: vec![call("pure.a", None), call("pure.b", None)],
            remark: Some("I look".to_owned()),
        }),
        fuel: 0,
        usage: Usage::default(),
    }));
    assert_eq!(play.go_on().name(), "model-error");
    let broke_off = results(&play.machine);
    assert_eq!(broke_off.len(), 2);
    assert!(broke_off.iter().all(|(_, text)| text.contains("broke off")));
    assert_eq!(play.count("opening"), 0);
}

#[test]
fn c18_calls_of_one_id_and_without_a_name_are_told_so_and_open_nothing() {
    let calls = vec![
        call("pure.a", Some("1")),
        call("pure.b", Some("1")),
        call("", Some("2")),
        call("pure.a", Some("3")),
    ];
    let mut play = answered(calls, Ended::Doors);
    act(&mut play);
    assert_eq!(play.touched, ["pure.a"], "only the last");
    let texts: Vec<_> = results(&play.machine)
        .into_iter()
        .map(|(_, text)| text)
        .collect();
    assert!(texts[0].contains("two calls have the id 1") && texts[1] == texts[0]);
    assert!(texts[2].contains("the name is empty"));
    // An id of an earlier turn is known as well.
    play.apply(Event::Answered(Answered {
        put_back: 2,
        answer: Answer::Names {
            calls: vec![call("pure.a", Some("3"))],
            remark: None,
        },
        ended: Ended::Doors,
        fuel: 0,
        usage: Usage::default(),
    }));
    act(&mut play);
    assert_eq!(play.touched, ["pure.a"]);
}

#[test]
fn c13_too_many_names_open_nothing() {
    let mut play = answered(vec![call("pure.a", None); 65], Ended::Doors);
    act(&mut play);
    assert_eq!(play.touched.len(), 0);
    assert_eq!(results(&play.machine).len(), 65);
}

#[test]
fn c11_doors_that_are_open_beside_each_other_are_pasted_in_the_order_of_their_calls() {
    let calls = ["pure.a", "nowhere", "pure.b", "pure.a"].map(|name| call(name, None));
    let mut play = answered(calls.to_vec(), Ended::Doors);
    while !matches!(play.machine.step(), Some(Step::Open(_))) {
        play.one();
    }
    assert_eq!(play.machine.openings().count(), 3, "all are open at once");
    assert_eq!(results(&play.machine).len(), 0);
    // The world of the tests ends the last first.
    act(&mut play);
    let places: Vec<_> = results(&play.machine)
        .iter()
        .map(|(id, _)| id.place)
        .collect();
    assert_eq!(places, [1, 2, 3, 4]);
}

#[test]
fn c13_one_door_that_is_not_concurrent_makes_the_batch_serial() {
    let calls = ["pure.a", "shop.buy", "pure.b"].map(|name| call(name, None));
    let mut play = answered(calls.to_vec(), Ended::Doors);
    while !matches!(play.machine.step(), Some(Step::Decide { .. })) {
        assert!(play.machine.openings().count() <= 1);
        play.one();
    }
    // What is not on the list opens nothing, and forces nothing.
    let mut play = answered(
        vec![call("pure.a", None), call("x", None), call("pure.b", None)],
        Ended::Doors,
    );
    while !matches!(play.machine.step(), Some(Step::Open(_))) {
        play.one();
    }
    assert_eq!(play.machine.openings().count(), 2);
}

#[test]
fn c15_cancelled_in_a_batch_every_name_has_a_result_and_the_run_goes_on() {
    for names in [
        ["shop.buy", "pure.a", "nowhere"],
        ["pure.a", "pure.b", "pure.a"],
    ] {
        let calls = names.map(|name| call(name, None)).to_vec();
        let whole = {
            let mut play = answered(calls.clone(), Ended::Doors);
            act(&mut play);
            play.events.len()
        };
        for events in 3..whole {
            let mut play = answered(calls.clone(), Ended::Doors);
            while play.events.len() < events {
                play.one();
            }
            for event in play.machine.cancelled() {
                play.apply(event);
            }
            assert_eq!(play.stop(), &Stop::Cancelled);
            let named = usize::from(events > 3) * 3;
            assert!(results(&play.machine).len() >= named, "{names:?} {events}");
            assert_eq!(play.machine.openings().count(), 0);
            play.apply(Event::Resumed(Resumed {}));
            act(&mut play);
            assert_eq!(results(&play.machine).len(), 3, "{names:?} {events}");
        }
    }
}

#[test]
fn c13_a_killed_batch_settles_each_of_its_doors_once() {
    let calls = ["pure.a", "pure.b"].map(|name| call(name, None)).to_vec();
    let mut play = answered(calls, Ended::Doors);
    while !matches!(play.machine.step(), Some(Step::Open(_))) {
        play.one();
    }
    play.one();
    play.apply(Event::Resumed(Resumed {}));
    let Some(Step::Settle(opening)) = play.machine.step() else {
        panic!("{:?}", play.machine.step());
    };
    assert_eq!(opening.call.place, 1, "the other has its outcome");
    act(&mut play);
    assert_eq!(results(&play.machine).len(), 2);
}

#[test]
fn fuel_of_doors_that_are_open_is_not_given_away_twice() {
    let calls = ["pure.a", "pure.b"].map(|name| call(name, None)).to_vec();
    let mut play = answered(calls, Ended::Doors);
    let before = play.machine.fuel_left();
    while !matches!(play.machine.step(), Some(Step::Open(_))) {
        play.one();
    }
    assert_eq!(play.machine.fuel_left(), before - 2_000);
    act(&mut play);
    assert_eq!(play.machine.fuel_left(), before - 200);
}

#[test]
fn c13_doors_wait_until_there_is_fuel_for_them() {
    let mut play = Play::of(&LOOP.replace("put-backs", "fuel = 2_500\nput-backs"));
    while !matches!(play.machine.step(), Some(Step::Decide { .. })) {
        play.one();
    }
    play.apply(Event::Answered(Answered {
        put_back: 1,
        answer: Answer::Names {
            calls: vec![call("pure.a", None); 6],
            remark: None,
        },
        ended: Ended::Doors,
        fuel: 0,
        usage: Usage::default(),
    }));
    let mut most = 0;
    while !matches!(play.machine.step(), Some(Step::Decide { .. })) {
        play.one();
        most = most.max(play.machine.openings().count());
    }
    assert_eq!(most, 2, "each may use a thousand");
    assert_eq!(results(&play.machine).len(), 6);
    assert_eq!(play.machine.fuel_used(), 600);
}

#[test]
fn taint_what_is_outside_is_asked_first_once_untrusted_output_is_on_the_page() {
    let buys = |play: &mut Play, put_back| {
        act(play);
        play.apply(Event::Answered(Answered {
            put_back,
            answer: Answer::Names {
                calls: vec![call("shop.buy", None)],
                remark: None,
            },
            ended: Ended::Doors,
            fuel: 0,
            usage: Usage::default(),
        }));
        act(play);
    };
    let mut play = answered(vec![call("pure.a", None)], Ended::Doors);
    buys(&mut play, 2);
    assert_eq!(play.count("asked"), 0, "nothing untrusted is on the page");
    let mut play = answered(vec![call("web.get", None)], Ended::Doors);
    buys(&mut play, 2);
    assert_eq!(play.stop().name(), "waiting-for-nod");
    let asked = play.machine.asked().unwrap();
    assert_eq!(asked.tainted_by.as_deref(), Some("web.get"));
    assert!(
        asked.shown().contains("What web.get returned"),
        "{}",
        asked.shown()
    );
    assert_eq!(play.touched, ["web.get", "shop.buy"]);
    assert_eq!(
        play.count("opening"),
        1,
        "what is asked about is not opened"
    );
    // In one answer the order decides, so that nothing is open beside what taints it.
    let mut play = answered(
        vec![call("web.get", None), call("shop.buy", None)],
        Ended::Doors,
    );
    act(&mut play);
    assert_eq!(play.stop().name(), "waiting-for-nod");
}

#[test]
fn a_refusal_that_is_known_cannot_be_another() {
    let mut play = answered(vec![call("", None)], Ended::Doors);
    let id = CallId {
        put_back: 1,
        place: 1,
    };
    let other = Event::Refused(super::Refused::new(id, Refusal::OffList));
    assert!(play.machine.clone().apply(&other).is_err());
    let opened = Event::Opened(Opened::new(id, Outcome::Unknown, 0));
    assert!(play.machine.apply(&opened).is_err());
}

/// The kinds of events that acceptance C names, in its words.
fn sequence(play: &Play) -> Vec<&'static str> {
    let kind = |event: &Event| match event {
        Event::RunStarted(_) => Some("run_start"),
        Event::PutBack(_) => Some("turn_start"),
        Event::Answered(_) => Some("message_end"),
        Event::Opening(_) => Some("door_start"),
        Event::Opened(_) => Some("door_end"),
        Event::Said(_) => Some("said"),
        Event::Stopped(_) => Some("run_end"),
        _ => None,
    };
    play.events.iter().filter_map(kind).collect()
}

#[test]
fn c03_a_run_without_a_door() {
    let play = Play::of(LOOP).script("close Done.").run();
    assert_eq!(
        sequence(&play),
        ["run_start", "turn_start", "message_end", "run_end"]
    );
}

#[test]
fn c04_text_door_text_with_one_follow_up() {
    let play = Play::of(LOOP)
        .script("pure.a\nclose First.\nclose Second.")
        .say_after(2, "And then?")
        .run();
    assert_eq!(play.stop().name(), "done");
    assert_eq!(
        sequence(&play),
        [
            "run_start",
            "turn_start",
            "message_end",
            "door_start",
            "door_end",
            "turn_start",
            "message_end",
            "said",
            "turn_start",
            "message_end",
            "run_end"
        ]
    );
    assert_eq!(play.machine.put_backs(), 3);
    let page = play.machine.page().unwrap();
    assert_eq!(page.messages().len(), 5, "{:?}", page.messages());
    assert!(page.pasted().contains("the user says:\n| And then?\n"));
}

#[test]
fn c10_a_follow_up_comes_behind_a_close_that_stands_and_resets_no_cap() {
    let play = Play::of(&LOOP.replace("put-backs = 6", "put-backs = 2"))
        .script("close One.\nclose Two.")
        .say_after(1, "More.")
        .say_after(2, "Even more.")
        .run();
    assert_eq!(play.stop(), &Stop::PutBacks { cap: 2 });
    assert_eq!(play.count("said"), 2);
}

#[test]
fn c19_steering_comes_after_a_turn_in_which_doors_were_named() {
    // The second answer is empty, so what is said then waits for the end.
    let mut answers = vec![
        Answer::Close("Done.".to_owned()),
        Answer::Names {
            calls: Vec::new(),
            remark: None,
        },
        Answer::Names {
            calls: vec![call("pure.a", None)],
            remark: None,
        },
    ];
    answers.insert(0, Answer::Close("Done again.".to_owned()));
    let mut play = Play::of(LOOP)
        .mind(move |_| answers.pop())
        .say_after(1, "First.")
        .say_after(2, "Second.")
        .run();
    assert_eq!(play.go_on().name(), "done");
    let story = play.machine.pasted().to_owned();
    let places =
        ["First.", "answer was empty", "close", "Second."].map(|text| story.find(text).unwrap());
    assert!(places.is_sorted(), "{story}");
}

#[test]
fn c21_what_was_said_is_heard_once() {
    let mut play = answered(vec![call("pure.a", None)], Ended::Doors);
    while !play.machine.listens() {
        play.one();
    }
    let said = |id: &str| {
        Event::Said(super::Said {
            id: id.to_owned(),
            text: "x\nnot on the list.".to_owned(),
        })
    };
    play.apply(said("1"));
    assert!(play.machine.heard("1"));
    assert!(play.machine.clone().apply(&said("1")).is_err());
    play.apply(said("2"));
    let pasted = play.machine.pasted();
    assert!(pasted.contains("| x\n| not on the list.\n"), "{pasted}");
}

/// A run whose pages outgrow their window; each turn brings 400 bytes.
fn long() -> Play {
    let text = LOOP.replace(
        "put-backs = 6",
        "put-backs = 40\nwindow = 1_000\nreserve = 300\nkeep = 200",
    );
    let mut play = Play::of(&text).door(|_| {
        Ok(Outcome::Said {
            text: "x".repeat(400),
        })
    });
    play.mind = Box::new(|_| {
        Some(Answer::Names {
            calls: vec![call("pure.a", None), call("pure.b", None)],
            remark: None,
        })
    });
    play
}

#[test]
fn c20_what_comes_first_is_summed_up_in_whole_turns() {
    let mut play = long();
    play.sums_up = Some("We looked".to_owned());
    play.go_on();
    let compactions = play.machine.compactions();
    assert!(compactions > 3, "{compactions}");
    let page = play.machine.page().unwrap();
    assert!(page.len() / 4 < 1_000, "{}", page.len());
    assert!(
        page.pasted()
            .contains("~ We looked, and what was summed up before"),
        "{page}"
    );
    // No name is parted from its result, and none is there twice.
    let mut named = Vec::new();
    for message in page.messages() {
        match message {
            Message::Model { calls, .. } => named.extend(calls.iter().map(|call| call.call)),
            Message::Result { call, .. } => assert_eq!(named.remove(0), *call),
            _ => {}
        }
    }
    assert!(named.is_empty(), "{named:?}");
    assert_eq!(play.count("answered"), 40, "the journal keeps everything");
}

#[test]
fn c20_a_failure_to_sum_up_stops_nothing_and_is_not_tried_for_ever() {
    let mut play = long();
    play.go_on();
    assert_eq!(play.stop(), &Stop::PutBacks { cap: 40 });
    assert_eq!(play.count("not_compacted"), 3);
}
