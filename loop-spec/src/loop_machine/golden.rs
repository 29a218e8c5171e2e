//! Acceptance A on the pure machine, without any WebAssembly.

use expect_test::expect_file;

use super::fridge::{FRIDGE, fridge, golden, mind, played, settled};
use super::play::{Play, cards};
use super::{Event, LoopMachine, Outcome, Resumed, Stop, Stopped};
use crate::{Answer, LoopText, Page};

#[test]
fn a01_the_line_is_an_argument_of_the_call() {
    let play = played(1, FRIDGE);
    assert!(matches!(&play.events[0], Event::RunStarted(run) if run.line == "What do we need?"));
    assert!(play.pages[0].contains("\n| What do we need?\n"));
}

#[test]
fn a02_the_top_is_the_prose_and_lines_from_header_and_interfaces() {
    let text = LoopText::parse(FRIDGE).unwrap();
    let top = Page::top(&text, &cards(&text));
    expect_file![concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/golden/top-en.txt"
    )]
    .assert_eq(&top);
    let zh = FRIDGE.replace("\n+++\nKeep", "\nlanguage = \"zh\"\n+++\nKeep");
    let text = LoopText::parse(&zh).unwrap();
    let top = Page::top(&text, &cards(&text));
    expect_file![concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/golden/top-zh.txt"
    )]
    .assert_eq(&top);
}

#[test]
fn a03_the_page_is_top_line_and_history_and_nothing_else() {
    let play = played(1, FRIDGE);
    let text = LoopText::parse(FRIDGE).unwrap();
    let top = Page::top(&text, &cards(&text));
    let expected = format!(
        "{top}\nThe user's line:\n| What do we need?\n\nWhat happened so far:\n{}",
        "[1 loop.txt ".to_owned()
            + &text.digest().short()
            + "]\nfridge.count {\"items\":[\"milk\"]}\n| milk 1\n| eggs 4\n"
    );
    assert_eq!(play.pages[1], expected);
}

#[test]
fn a04_the_history_is_empty_at_first_and_each_page_is_the_last_and_more() {
    assert_eq!(LoopMachine::new().pasted(), "");
    let play = played(1, FRIDGE);
    assert!(play.pages.len() == 3 && play.pages.windows(2).all(|two| two[1].starts_with(&two[0])));
}

#[test]
fn a05_an_edit_between_two_rounds_is_on_the_next_page_and_in_the_history() {
    let edited = FRIDGE.replace("below 2", "below 1");
    let play = Play::of(FRIDGE)
        .mind(mind)
        .door(fridge(1))
        .check(settled)
        .edit_after(1, &edited)
        .run();
    assert!(play.pages[0].contains("below 2") && play.pages[1].contains("below 1"));
    let digests = [FRIDGE, &edited].map(|text| LoopText::parse(text).unwrap().digest());
    for (put_back, digest) in (1..).zip(digests) {
        let line = format!("[{put_back} loop.txt {}]\n", digest.short());
        assert!(play.machine.pasted().contains(&line), "{line}");
    }
    let used: Vec<_> = play
        .events
        .iter()
        .filter_map(|event| match event {
            Event::PutBack(put_back) => Some(put_back.loop_text),
            _ => None,
        })
        .collect();
    assert_eq!(used, digests);
    assert_eq!(
        play.count("opening"),
        1,
        "the edit holds from the next put-back on"
    );
}

#[test]
fn a06_the_cap_counts_put_backs_and_not_openings() {
    let two = FRIDGE.replace("\n+++\nKeep", "\nput-backs = 2\n+++\nKeep");
    let play = Play::of(&two)
        .script("fridge.count {\"items\":[]}\n& fridge.count {\"items\":[\"x\"]}\n& shopping.add {}\nfridge.count\n")
        .run();
    assert_eq!(
        (play.stop(), play.count("opened")),
        (&Stop::PutBacks { cap: 2 }, 4)
    );
    assert_eq!(play.machine.put_backs(), 2);
}

#[test]
fn a07_a_remark_is_kept_and_an_empty_answer_is_told() {
    let empty = Answer::Names {
        calls: vec![],
        remark: Some("hm".to_owned()),
    };
    let mut answers = vec![Answer::Close("Nothing.".to_owned()), empty];
    let play = Play::of(FRIDGE).mind(move |_| answers.pop()).run();
    golden(&play, "a07-empty-answer");
    let play = Play::of(FRIDGE)
        .script("~ First I look.\nfridge.count {\"items\":[\"milk\"]}\nclose")
        .door(fridge(3))
        .run();
    golden(&play, "a07-remark");
}

#[test]
fn a08_off_list_name_is_pasted_not_run() {
    let play = Play::of(FRIDGE)
        .script("shopping.checkout\nnobody.knows {}\nclose Done.")
        .run();
    golden(&play, "a08-off-list");
    assert_eq!(
        play.touched, [""; 0],
        "nothing was looked up, compiled or run"
    );
    assert!(play.pages[1].ends_with("shopping.checkout {}\nnot on the list.\n"));
    assert!(play.pages[2].ends_with("nobody.knows {}\nnot on the list.\n"));
}

#[test]
fn a08_off_list_in_chinese() {
    let zh = FRIDGE.replace("\n+++\nKeep", "\nlanguage = \"zh\"\n+++\nKeep");
    let play = Play::of(&zh)
        .script("shopping.checkout\nclose 好了。")
        .run();
    assert!(play.pages[1].ends_with("shopping.checkout {}\n不在名单上。\n"));
}

#[test]
fn a09_what_a_listed_door_returns_is_pasted() {
    let play = Play::of(FRIDGE)
        .script("fridge.count\nclose x")
        .door(fridge(1))
        .run();
    assert!(play.pages[1].ends_with("fridge.count {}\n| milk 1\n| eggs 4\n"));
}

#[test]
fn a10_each_error_is_one_line_that_says_which() {
    use super::Limit;
    let outcomes = [
        Outcome::OwnError {
            text: "no\nmilk".to_owned(),
        },
        Outcome::Trap {
            what: "unreachable".to_owned(),
        },
        Outcome::Limit {
            limit: Limit::Fuel,
            amount: 5,
        },
        Outcome::Limit {
            limit: Limit::Memory,
            amount: 5,
        },
        Outcome::Limit {
            limit: Limit::Time,
            amount: 5,
        },
        Outcome::Exit { code: 1 },
        Outcome::Unsayable {
            what: "NaN".to_owned(),
        },
    ];
    let mut left = outcomes.clone().into_iter();
    let mut script: String = (0..outcomes.len())
        .map(|i| format!("fridge.count {{\"items\":[{i}]}}\n"))
        .collect();
    script += "fridge.count misfit\nfridge.count \"locked\"\nclose x";
    let eight = FRIDGE.replace("\n+++\nKeep", "\nput-backs = 10\n+++\nKeep");
    let play = Play::of(&eight)
        .script(&script)
        .door(move |_| Ok(left.next().unwrap()))
        .run();
    golden(&play, "a10-errors");
}

#[test]
fn a12_a_close_that_passes_is_handed_out_and_the_model_is_not_put_back_again() {
    let play = played(3, FRIDGE);
    assert_eq!(
        play.stop(),
        &Stop::Done {
            close: "Milk was 3.".to_owned()
        }
    );
    assert_eq!(play.pages.len(), 2);
}

#[test]
fn a12_needs_and_numbers_check_a_close() {
    let strict = FRIDGE.replace(
        "\n+++\nKeep",
        "\nneeds = [\"fridge.count\"]\nnumbers = \"from page\"\n+++\nKeep",
    );
    let play = Play::of(&strict)
        .script("close Done.\nfridge.count\nclose Milk is 7, below 2.\nclose Milk is 3, below 2.")
        .door(fridge(3))
        .run();
    golden(&play, "a12-needs-and-numbers");
}

#[test]
fn a13_a_refused_close_is_pasted_with_its_reason_and_the_loop_goes_on() {
    let play = Play::of(FRIDGE)
        .script("fridge.count\nclose All is well.\nshopping.add\nclose Now it is.")
        .door(fridge(1))
        .check(settled)
        .run();
    golden(&play, "a13-refused-close");
}

#[test]
fn a14_a_close_on_the_last_put_back_is_done() {
    let one = FRIDGE.replace("\n+++\nKeep", "\nput-backs = 1\n+++\nKeep");
    let play = Play::of(&one).script("close Done.").run();
    assert_eq!(
        play.stop(),
        &Stop::Done {
            close: "Done.".to_owned()
        }
    );
    let play = Play::of(&one).script("fridge.count").door(fridge(1)).run();
    assert_eq!(play.stop(), &Stop::PutBacks { cap: 1 });
    assert!(
        play.machine.pasted().ends_with("| eggs 4\n"),
        "the last names are still opened"
    );
}

#[test]
fn a14_an_edit_that_breaks_the_header_stops_the_run_which_can_be_resumed() {
    let mut play = Play::of(FRIDGE)
        .mind(mind)
        .door(fridge(1))
        .edit_after(1, "broken")
        .run();
    assert!(matches!(play.stop(), Stop::BadLoop { why } if why.contains("loop.txt, line 1")));
    play.loop_txt = FRIDGE.to_owned();
    play.apply(Event::Resumed(Resumed {}));
    assert!(matches!(play.go_on(), Stop::Done { .. }));
    golden(&play, "a14-bad-loop");
}

#[test]
fn a14_the_same_failure_three_times_stops_the_run() {
    let play = Play::of(FRIDGE)
        .script("fridge.count {\"items\":[\"x\"],\"a\":1.0}\nfridge.count\nfridge.count {\"a\":1, \"items\" : [\"x\"]}\nshopping.add\nfridge.count { \"a\": 1, \"items\": [\"x\"] }\n& shopping.add\nclose x")
        .door(|call| {
            if call.arguments.contains('x') { Err("no x".to_owned()) } else { fridge(1)(call) }
        })
        .run();
    golden(&play, "a14-same-failure");
}

#[test]
fn a14_what_is_no_failure_does_not_stop_the_run() {
    let kinds = [
        Outcome::Aborted,
        Outcome::Unknown,
        Outcome::HostFault {
            what: "x".to_owned(),
        },
    ];
    for kind in kinds {
        let play = Play::of(FRIDGE)
            .script("fridge.count\nfridge.count\nfridge.count\nfridge.count\nclose x")
            .door(move |_| Ok(kind.clone()))
            .run();
        assert_eq!(play.stop().name(), "done");
    }
    let play = Play::of(FRIDGE).script("a.b\na.b\na.b\na.b\nclose x").run();
    assert_eq!(
        play.stop().name(),
        "done",
        "off-list names cost a put-back only"
    );
}

#[test]
fn a15_every_stop_is_named() {
    let fuel = FRIDGE.replace("\n+++\nKeep", "\nfuel = 150\n+++\nKeep");
    let play = Play::of(&fuel)
        .script("fridge.count\nfridge.count\nfridge.count")
        .run();
    assert_eq!(
        play.stop(),
        &Stop::Fuel {
            used: 200,
            budget: 150
        }
    );
    let play = Play::of(FRIDGE).script("fridge.count").run();
    assert!(matches!(play.stop(), Stop::ModelError { why } if why.contains("no more answers")));
    let mut play = Play::of(FRIDGE)
        .script("shopping.add\nclose x")
        .asked_first(&["shopping.add"])
        .run();
    assert_eq!(play.stop().name(), "waiting-for-nod");
    assert_eq!(play.count("opening"), 0);
    play.apply(Event::Resumed(Resumed {}));
    play.apply(Event::Stopped(Stopped {
        stop: Stop::Cancelled,
    }));
    assert_eq!(play.stop().name(), "cancelled");
}

#[test]
fn a16_the_golden_run() {
    let play = played(1, FRIDGE);
    golden(&play, "a16-golden-run");
    assert_eq!((play.pages.len(), play.count("opened")), (3, 2));
    assert!(
        !play.machine.pasted().contains("\"eggs\""),
        "eggs are never written"
    );
}

#[test]
fn a17_the_threshold_is_what_loop_txt_says() {
    let below_1 = FRIDGE.replace("below 2", "below 1");
    let play = played(1, &below_1);
    assert_eq!(
        (play.pages.len(), play.count("opened"), play.stop().name()),
        (2, 1, "done")
    );
    let play = played(3, FRIDGE);
    assert_eq!(
        (play.pages.len(), play.count("opened"), play.stop().name()),
        (2, 1, "done")
    );
    let play = Play::of(FRIDGE)
        .script("fridge.count\nclose Fine.")
        .door(fridge(1))
        .check(settled)
        .run();
    assert!(
        play.machine
            .pasted()
            .ends_with("refused: milk is low and was not written\n")
    );
}
