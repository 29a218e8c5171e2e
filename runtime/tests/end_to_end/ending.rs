//! Doors that ask for the end of the run (acceptance C12).

use crate::hand::{HAND, say};
use crate::laid::{LOOP, Laid};

/// The doors of `ending.wat` beside the hand's `say`; `may` says whether they may end a run.
fn ending(may: bool) -> Laid {
    let text = "+++\nlist = [\"ending.enough\", \"ending.almost\", \"hand.say\"]\n+++\nEnd it.\n";
    let policy =
        ["enough", "almost"].map(|name| format!("[door.\"ending.{name}\"]\nmay-end = {may}\n"));
    let policy = policy.concat();
    Laid::empty()
        .file("loop.txt", text)
        .file("policy.toml", policy)
        .file("doors/ending.wat", include_str!("ending.wat"))
        .file("doors/hand.wat", HAND)
}

#[test]
fn c12_a_door_that_may_ends_the_run() {
    let laid = ending(true).script("ending.enough\nclose Never said.\n");
    laid.redraw();
    laid.run_script()
        .exit(18)
        .stdout("")
        .stderr_has("ending.enough")
        .call();
    assert!(
        laid.read("history.txt")
            .ends_with("ending.enough {}\n| 7\n")
    );
    laid.doorlist(["trace", "-C", LOOP, "--against", "diagram"])
        .stdout_has("Every step is an arrow on the diagram.")
        .call();
    // Whoever resumes it wants more of it.
    laid.resume_script()
        .stdout("Never said.\n")
        .stderr_has("done")
        .call();
}

#[test]
fn c12_a_door_that_may_not_is_not_heard() {
    let laid = ending(false).script("ending.enough\nclose Done.\n");
    laid.run_script()
        .stdout("Done.\n")
        .stderr_has("2 put-backs")
        .call();
}

#[test]
fn c12_a_call_that_does_not_ask_keeps_the_run_going_and_so_does_one_that_fails() {
    for script in [
        format!("ending.enough\n& {}\nclose Done.\n", say("more")),
        "ending.almost\nclose Done.\n".to_owned(),
        "ending.enough\n& nowhere.at-all\nclose Done.\n".to_owned(),
    ] {
        let laid = ending(true).script(&script);
        laid.run_script()
            .stdout("Done.\n")
            .stderr_has("2 put-backs")
            .call();
    }
}
