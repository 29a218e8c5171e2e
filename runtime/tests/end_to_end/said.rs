//! What people say to a run while it goes on (acceptance C10, C19, C21).

use crate::hand::say;
use crate::laid::{LOOP, Laid};
use crate::talk::Talk;

#[test]
fn c21_what_is_said_to_a_stopped_run_is_heard_when_it_goes_on() {
    let laid = Laid::by_hand("put-backs = 1\n")
        .script(&format!("{}\nclose First.\nclose Second.\n", say("hello")));
    laid.run_script().exit(10).stderr_has("put-backs").call();
    laid.doorlist(["say", "Eggs as well.", "-C", LOOP])
        .stderr_has("run 1 -C loop hears it when `doorlist resume 1 -C loop` goes on.")
        .call();
    laid.doorlist(["say", "And then?", "--at-the-end", "-C", LOOP])
        .stderr_has("hears it")
        .call();
    laid.edit("loop.txt", "put-backs = 1", "put-backs = 4");
    laid.resume_script()
        .stdout("Second.\n")
        .stderr_has("done")
        .call();
    let history = laid.read("history.txt");
    let places = [
        "| hello",
        "the user says:\n| Eggs as well.",
        "~ First.",
        "| And then?",
        "~ Second.",
    ]
    .map(|text| {
        history
            .find(text)
            .unwrap_or_else(|| panic!("{text}: {history}"))
    });
    assert!(places.is_sorted(), "{history}");
    assert_eq!(laid.of_kind("1", "said").len(), 2);
    assert!(!laid.has("runs/1.said"), "nothing is left behind");
    laid.doorlist(["say", "More.", "-C", LOOP])
        .exit(1)
        .stderr_has("found one that is done")
        .call();
    laid.doorlist(["say", " ", "-C", LOOP])
        .exit(1)
        .stderr_has("found nothing")
        .call();
}

#[test]
fn c21_what_is_said_to_a_running_run_is_on_its_next_page() {
    let laid = Laid::by_hand("");
    let mut run = Talk::with(laid.doorlist(["run", LOOP, "Go.", "--model", "person"]));
    run.until("1> ");
    laid.doorlist(["say", "Stop after this.", "-C", LOOP])
        .stderr_has("hears it when it comes to its next page.")
        .call();
    run.type_line(&say("hello"));
    let page = run.until("2> ");
    assert!(
        page.contains("the user says:\n| Stop after this.\n"),
        "{page}"
    );
    run.type_line("close Done.");
    let (code, printed) = run.ended();
    assert_eq!((code, printed.as_str()), (Some(0), "Done.\n"));
}
