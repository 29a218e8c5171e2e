//! A run as a person sees it at a terminal, and what they type while it goes on (acceptance C21, C22).

mod screen;

use std::fs;
use std::process::Command;

use screen::{CTRL_C, Screen};

use crate::hand::say;
use crate::laid::{LOOP, Laid};
use crate::provider::server::{Answer, Server, recorded};

const WIDE: &str = "[limits]\nfuel = 1_000_000_000_000_000\ntime = \"1 h\"";

/// How every question about a nod ends.
const LATER: &str = "Enter to leave it for later: ";

/// A run of the fridge loop by a model that says nothing.
fn waiting(laid: &Laid, server: &Server) -> crate::command::Doorlist {
    let endpoint = server.endpoint();
    laid.run()
        .args(["--model", "openai:m", "--endpoint", &endpoint])
}

#[test]
fn c22_the_bottom_row_says_what_is_waited_for_and_is_gone_at_the_end() {
    let server = Server::with([Answer::Silence]);
    let laid = Laid::fridge();
    let screen = Screen::with(waiting(&laid, &server));
    let shown = screen.until("(waiting for openai:m, ");
    assert!(
        shown.contains("s | put-back 1 of 8 | fuel 0 of 2,000,000,000)"),
        "{shown}"
    );
    screen.press(CTRL_C);
    let shown = screen.until("goes on where it was.");
    assert!(shown.contains("stopped: cancelled"), "{shown}");
    assert!(shown.contains("doorlist resume 1 -C loop"), "{shown}");
    assert!(!shown.contains("(waiting"), "{shown}");
    assert_eq!(screen.ended(), Some(14));
}

#[test]
fn the_words_of_a_model_stand_there_while_it_speaks() {
    let server = Server::with([Answer::BeginningOf(recorded("openai-ends-early"))]);
    let laid = Laid::fridge();
    let screen = Screen::with(waiting(&laid, &server));
    screen.until("~ Counted milk");
    screen.press(CTRL_C);
    let shown = screen.until("stopped: cancelled");
    assert!(!shown.contains("~ Counted milk"), "{shown}");
    assert_eq!(screen.ended(), Some(14));
}

#[test]
fn nothing_is_drawn_where_the_cursor_cannot_move() {
    let server = Server::with([Answer::BeginningOf(recorded("openai-ends-early"))]);
    let laid = Laid::fridge();
    let screen = Screen::dumb(waiting(&laid, &server));
    screen.until("run 1, decided by openai:m");
    screen.press("Eggs too.\n");
    // A tick of what would be drawn has passed by then.
    screen.until("said, for the next page: Eggs too.");
    screen.press(CTRL_C);
    let shown = screen.until("stopped: cancelled");
    assert!(!shown.contains("(waiting"), "{shown}");
    assert_eq!(screen.ended(), Some(14));
}

#[test]
fn c21_a_line_typed_while_a_run_goes_on_is_said_to_it() {
    let server = Server::with([Answer::Silence]);
    let laid = Laid::by_hand("").script("close First.\nclose Second.\n");
    let screen = Screen::with(waiting(&laid, &server));
    screen.until("(waiting for");
    screen.press("牛奶 too.\n");
    screen.until("said, for the next page: 牛奶 too.");
    screen.press(CTRL_C);
    assert_eq!(screen.ended(), Some(14));
    laid.resume_script()
        .stdout("Second.\n")
        .stderr_has("the user says:\n| 牛奶 too.\n")
        .call();
    let said = laid.of_kind("1", "said");
    assert_eq!(said.len(), 1);
    assert_eq!(said[0]["payload"]["text"], "牛奶 too.");
}

#[test]
fn c22_a_door_is_shown_when_it_opens_and_cancelled_while_it_is_open() {
    let laid = Laid::by_hand("fuel = 2_000_000_000_000_000")
        .script("hand.spin\nclose Done.\n")
        .file("policy.toml", WIDE);
    let screen = Screen::with(laid.run_script());
    let shown = screen.until("(hand.spin open, ");
    assert!(shown.contains("\nhand.spin {}\n"), "{shown}");
    screen.press(CTRL_C);
    screen.until("stopped: cancelled");
    assert_eq!(screen.ended(), Some(14));
    laid.edit("policy.toml", "1_000_000_000_000_000", "1_000_000");
    laid.resume_script()
        .stdout("Done.\n")
        .stderr_has("resumed")
        .call();
}

#[test]
fn c22_a_second_ctrl_c_ends_what_does_not_let_itself_be_cancelled() {
    let laid = Laid::by_hand("").script(&format!("{}\nclose Done.\n", say("x")));
    // What was said can be read only once somebody writes it: the run stands still there.
    let said = laid.path("runs/1.said");
    fs::create_dir_all(&said).unwrap();
    let pipe = said.join("0.json");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let screen = Screen::with(laid.run_script());
    screen.until("putting the page together");
    screen.press(CTRL_C);
    screen.until("cancelling; Ctrl-C again ends it at once");
    screen.press(CTRL_C);
    assert_eq!(screen.ended(), Some(130));
    fs::remove_file(&pipe).unwrap();
    laid.resume_script()
        .stdout("Done.\n")
        .stderr_has("resumed")
        .call();
    assert_eq!(laid.of_kind("1", "opening").len(), 1);
}

fn asked_first() -> Laid {
    Laid::by_hand("")
        .script(&format!("{}\nclose Done.\n", say("hello")))
        .file("policy.toml", "[ask]\nfirst = [\"hand.say\"]\n")
}

#[test]
fn c21_what_was_typed_before_a_question_is_never_its_answer() {
    let laid = asked_first();
    let screen = Screen::typed_before(laid.run_script(), "y\ny");
    screen.until(LATER);
    screen.press("n\n");
    screen.until("denied: a person was asked first and said no.");
    assert_eq!(screen.ended(), Some(0));
    assert!(laid.of_kind("1", "opening").is_empty());
}

#[test]
fn what_a_person_who_decides_typed_ahead_is_never_a_nod() {
    let laid = asked_first();
    let ahead = format!("{}\ny\ny", say("hello"));
    let screen = Screen::typed_before(laid.run().args(["--model", "person"]), &ahead);
    screen.until(LATER);
    screen.press("n\n");
    screen.until("denied: a person was asked first and said no.");
    screen.until("2> ");
    screen.press("close Done.\n");
    assert_eq!(screen.ended(), Some(0));
    assert!(laid.of_kind("1", "opening").is_empty());
}

#[test]
fn what_was_typed_ahead_of_a_call_is_never_a_nod() {
    let laid = asked_first();
    let call = laid.doorlist(["call", "hand.say", "{\"text\": \"hello\"}", "-C", LOOP]);
    let screen = Screen::typed_before(call, "y\ny");
    screen.until(LATER);
    screen.press("n\n");
    assert_eq!(screen.ended(), Some(21));
}

#[test]
fn c21_the_answer_of_a_question_is_no_word_to_the_run() {
    let laid = asked_first();
    let screen = Screen::with(laid.run_script());
    screen.until(LATER);
    screen.press("perhaps\n");
    screen.until_times(2, LATER);
    screen.press("y\n");
    screen.until("| hello");
    assert_eq!(screen.ended(), Some(0));
    assert!(laid.of_kind("1", "said").is_empty());
    assert!(!laid.has("runs/1.said"));
}

#[test]
fn c22_a_question_is_cancelled_and_can_be_answered_later() {
    let laid = asked_first();
    let screen = Screen::with(laid.run_script());
    let shown = screen.until(LATER);
    assert!(!shown.contains("put-back 1 of"), "{shown}");
    screen.press(CTRL_C);
    screen.until("stopped: cancelled");
    assert_eq!(screen.ended(), Some(14));
    let screen = Screen::with(laid.resume_script());
    screen.until(LATER);
    screen.press("y\n");
    screen.until("| hello");
    assert_eq!(screen.ended(), Some(0));
}
