//! Hooks on the pure machine: before an opening, after it, before the end; and doors that end a run.

use super::play::Play;
use super::{
    Event, HookSaid, LoopMachine, Opened, Outcome, Refusal, Refused, Resumed, Stop, Stopped,
};
use crate::{CallId, Machine, Message};

const LOOP: &str = "+++\nlist = [\"a.b\", \"shop.buy\", \"pure.a\", \"pure.b\", \"end.a\", \"end.b\", \
                    \"history.fetch\"]\nresult = 30\n+++\nGoal.\n";

const ID: CallId = CallId {
    put_back: 1,
    place: 1,
};

fn no_milk(outcome: &Outcome) -> HookSaid {
    match outcome {
        Outcome::Said { text } if text.contains("secret") => HookSaid::Withheld("private".into()),
        Outcome::Said { text } | Outcome::OwnError { text } => {
            HookSaid::Instead(text.replace("milk", "****"))
        }
        _ => HookSaid::Same,
    }
}

fn says(text: &str) -> impl FnMut(&crate::Call) -> Result<Outcome, String> + use<> {
    let text = text.to_owned();
    move |_| Ok(Outcome::Said { text: text.clone() })
}

#[test]
fn c14_a_hook_before_a_door_keeps_it_closed_and_says_why() {
    let mut play = Play::of(LOOP).script("a.b {}\nshop.buy {}\nclose Done.\n");
    play.asked_first = vec!["shop.buy".to_owned()];
    play.before = Some(|door| (door == "shop.buy").then(|| "not\non Sundays".to_owned()));
    let play = play.run();
    assert_eq!(play.stop().name(), "done");
    let pasted = play.machine.pasted();
    assert!(
        pasted.contains("shop.buy {}\nrefused: not\\non Sundays\n"),
        "{pasted}"
    );
    // Nobody is asked about what a hook refuses.
    assert_eq!((play.count("asked"), play.count("opening")), (0, 1));
    // 100 of the door, 7 of each hook.
    assert_eq!(play.machine.fuel_used(), 114);
}

#[test]
fn c14_a_hook_is_asked_before_the_person_is() {
    let mut play = Play::of(LOOP).script("shop.buy {}\n");
    play.asked_first = vec!["shop.buy".to_owned()];
    play.before = Some(|_| None);
    let play = play.run();
    let nodes: Vec<_> = play.arrows.iter().map(|arrow| arrow.to.as_str()).collect();
    let way = ["lock", "hook:before", "ask", "stop:waiting-for-nod"];
    assert!(nodes.ends_with(&way), "{nodes:?}");
}

#[test]
fn c14_no_opening_goes_round_a_hook() {
    let mut play = Play::of(LOOP).script("a.b {}\nclose Done.\n");
    play.before = Some(|_| None);
    play.after = Some(no_milk);
    let play = play.run();
    let mut machine = LoopMachine::new();
    let mut tried = 0;
    for event in &play.events {
        let unhooked = match event.clone() {
            Event::Opening(mut opening) => {
                opening.hooked = None;
                Some(Event::Opening(opening))
            }
            Event::Opened(mut opened) => {
                opened.hooked = None;
                Some(Event::Opened(opened))
            }
            _ => None,
        };
        if let Some(unhooked) = unhooked {
            tried += 1;
            assert!(machine.clone().apply(&unhooked).is_err(), "{unhooked:?}");
        }
        machine.apply(event).unwrap();
    }
    assert_eq!(tried, 2);
    // Where there is no hook, nothing is refused by one.
    let mut play = Play::of(LOOP).script("a.b {}\n");
    while play.count("answered") == 0 {
        play.one();
    }
    let (reason, arguments) = (String::new(), String::new());
    let refusal = Refusal::Hook { reason, arguments };
    let refused = Event::Refused(Refused::new(ID, refusal));
    assert!(play.machine.apply(&refused).is_err());
}

#[test]
fn c14_a_hook_after_a_door_changes_what_is_told_and_makes_no_success() {
    let mut texts = ["milk 1", "a secret", "no milk"].into_iter();
    let mut play = Play::of(LOOP)
        .script("a.b {}\na.b {\"x\":1}\na.b {\"x\":2}\nclose Done.\n")
        .door(move |_| match texts.next().unwrap() {
            "no milk" => Err("no milk".to_owned()),
            text => Ok(Outcome::Said { text: text.into() }),
        });
    play.after = Some(no_milk);
    let play = play.run();
    let pasted = play.machine.pasted();
    for told in ["| **** 1\n", "withheld: private\n", "error: no ****\n"] {
        assert!(pasted.contains(told), "{told}: {pasted}");
    }
    assert!(!pasted.contains("milk") && !pasted.contains("secret"));
    // What is withheld is not to be fetched either.
    let of = |put_back| {
        let call = CallId { put_back, place: 1 };
        play.machine.returned().of(call)
    };
    assert_eq!(
        (of(1), of(2), of(3)),
        (Some("**** 1"), None, Some("no ****"))
    );
    let failed: Vec<_> = messages(&play)
        .iter()
        .filter_map(|message| match message {
            Message::Result { failed, .. } => Some(*failed),
            _ => None,
        })
        .collect();
    assert_eq!(failed, [false, true, true]);
    assert_eq!(play.machine.fuel_used(), 3 * 105);
}

#[test]
fn c14_hooks_are_asked_of_doors_that_are_open_beside_each_other() {
    let mut play = Play::of(LOOP).mind(named(&["pure.a", "pure.b"]));
    play.before = Some(|_| None);
    play.after = Some(no_milk);
    let play = play.door(says("milk")).run();
    assert_eq!(play.machine.pasted().matches("| ****\n").count(), 2);
}

/// These names in one answer, then a close.
fn named(doors: &[&str]) -> impl FnMut(&str) -> Option<crate::Answer> + use<> {
    let calls = doors.iter().map(|door| crate::Call::new(*door, "{}"));
    let calls: Vec<_> = calls.collect();
    let mut names = Some(crate::Answer::Names {
        calls,
        remark: None,
    });
    move |_| {
        Some(
            names
                .take()
                .unwrap_or_else(|| crate::Answer::Close("Done.".to_owned())),
        )
    }
}

#[test]
fn c10_a_hook_before_the_end_says_no_five_times_at_most() {
    let script = "close Done.\n".repeat(6);
    let mut play = Play::of(LOOP).script(&script);
    play.end = Some(|_| Some("not yet".to_owned()));
    let play = play.run();
    assert_eq!(play.stop().name(), "done");
    assert_eq!((play.count("end_judged"), play.machine.put_backs()), (5, 6));
    let pasted = play.machine.pasted();
    assert_eq!(
        pasted.matches("\nrefused: not yet\n").count(),
        5,
        "{pasted}"
    );
}

#[test]
fn c10_what_people_say_comes_before_the_hook() {
    let mut play = Play::of(LOOP)
        .script("close Done.\nclose Done.\n")
        .say_after(1, "And this.");
    play.end = Some(|_| None);
    let play = play.run();
    let kinds: Vec<_> = play.events.iter().map(Event::kind).collect();
    let at = |kind| kinds.iter().position(|found| *found == kind).unwrap();
    assert!(at("said") < at("end_judged"));
    let stopped = Event::Stopped(Stopped {
        stop: Stop::Done {
            close: "Done.".to_owned(),
        },
    });
    // The end that a hook has not judged is none.
    let mut machine = LoopMachine::new();
    for event in &play.events[..at("end_judged")] {
        machine.apply(event).unwrap();
    }
    assert!(machine.apply(&stopped).is_err());
}

#[test]
fn c12_a_batch_ends_the_run_when_all_of_it_asks_for_that() {
    let play = Play::of(LOOP).mind(named(&["end.a", "end.b"])).run();
    assert_eq!(
        *play.stop(),
        Stop::Ended {
            door: "end.a".to_owned()
        }
    );
    assert_eq!(play.machine.put_backs(), 1);
    // Resumed, it goes on.
    let mut play = play;
    play.apply(Event::Resumed(Resumed {}));
    assert_eq!(play.go_on().name(), "done");

    let play = Play::of(LOOP).mind(named(&["end.a", "a.b"])).run();
    assert_eq!((play.stop().name(), play.machine.put_backs()), ("done", 2));
    let play = Play::of(LOOP).mind(named(&["end.a", "nowhere"])).run();
    assert_eq!((play.stop().name(), play.machine.put_backs()), ("done", 2));
}

#[test]
fn c12_only_a_door_that_may_ends_a_run() {
    let mut play = Play::of(LOOP).script("a.b {}\n");
    while play.machine.openings().next().is_none() {
        play.one();
    }
    let said = Outcome::Said { text: "x".into() };
    let opened = Event::Opened(Opened {
        ends: true,
        ..Opened::new(ID, said, 1)
    });
    assert!(play.machine.apply(&opened).is_err());
}

#[test]
fn c17_what_is_cut_points_to_where_it_can_be_read() {
    let text = "0123456789".repeat(10);
    let script = "a.b {}\nclose Done.\n";
    let play = Play::of(LOOP).script(script).door(says(&text)).run();
    let cut = "| 01234567890123456789[… 70 bytes cut; read them with history.fetch \
               {\"call\":\"1.1\",\"from-byte\":20} …]0123456789\n";
    assert!(
        play.machine.pasted().contains(cut),
        "{}",
        play.machine.pasted()
    );
    assert_eq!(play.machine.returned().of(ID), Some(&*text));
    let unlisted = LOOP
        .replace(", \\\n", ", ")
        .replace("\"history.fetch\"", "\"x.y\"");
    let play = Play::of(&unlisted).script(script).door(says(&text)).run();
    let cut = "| 01234567890123456789[… 70 bytes cut …]0123456789\n";
    assert!(
        play.machine.pasted().contains(cut),
        "{}",
        play.machine.pasted()
    );
}

fn messages(play: &Play) -> Vec<Message> {
    play.machine.page().unwrap().messages().to_vec()
}
