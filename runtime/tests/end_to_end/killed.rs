//! Processes that are killed while something of a run is under way.

use crate::hand::say;
use crate::laid::Laid;
use crate::talk::Talk;
use crate::tally::{ran, tally};

#[test]
fn a_process_killed_while_a_door_is_open_may_have_run_it() {
    let policy = "[limits]\nfuel = 1_000_000_000_000_000\ntime = \"1 h\"";
    let laid = tally("fuel = 2_000_000_000_000_000", policy);
    let laid = laid.script("tally.hold\nclose Done.\n");
    let mut talk = Talk::with(laid.run_script());
    talk.while_it_runs_until(|| ran(&laid) == 1);
    talk.kill();
    assert_eq!(laid.kinds("1").last().unwrap(), "opening");
    // Were it run again, it would soon come to an end.
    laid.edit("policy.toml", "1_000_000_000_000_000", "1_000_000");
    let resumed = laid.resume_script().stdout("Done.\n");
    resumed
        .stderr_has("tally.hold {}\nunknown: it may have run.\n")
        .call();
    assert_eq!(ran(&laid), 1, "it is not run again");
    assert_eq!(laid.of_kind("1", "opening").len(), 1);
    // What it used is not known: all that it was given counts.
    laid.doorlist(["runs", "loop"])
        .stdout_has("fuel 1,000,000,000,000,000")
        .call();
}

#[test]
fn a_pure_door_that_was_open_is_run_again_as_it_was() {
    let policy = "[limits]\nfuel = 1_000_000_000_000_000\ntime = \"1 h\"";
    let laid = Laid::by_hand("fuel = 2_000_000_000_000_000")
        .script("hand.spin\nclose Done.\n")
        .file("policy.toml", policy);
    let mut talk = Talk::with(laid.run_script().arg("--json"));
    talk.until_printed("\"kind\":\"opening\"");
    talk.kill();
    laid.edit("policy.toml", "1_000_000_000_000_000", "1_000");
    let resumed = laid.resume_script().stdout("Done.\n");
    resumed
        .stderr_has("hand.spin {}\nlimit: the door used up its fuel of 1000.\n")
        .call();
    assert_eq!(laid.of_kind("1", "opening").len(), 1);
}

#[test]
fn a_process_killed_while_a_person_decides_asks_again() {
    let laid = Laid::by_hand("model = \"person\"");
    let mut talk = Talk::with(laid.run());
    talk.until("1> ");
    talk.type_line(&say("x"));
    talk.until("2> ");
    talk.kill();
    let before = laid.read("history.txt");
    let resumed = laid.resume().stdin("close Done.\n").stdout("Done.\n");
    resumed.stderr_has("2> ").call();
    assert!(laid.read("history.txt").starts_with(&before));
    assert_eq!(laid.of_kind("1", "put_back").len(), 2);
    assert_eq!(laid.of_kind("1", "opening").len(), 1);
}
