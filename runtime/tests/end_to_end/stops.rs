//! Every stop of a run, with its exit code, and that it can be gone on from.

use crate::hand::say;
use crate::laid::{LOOP, Laid, count};
use crate::talk::Talk;

#[test]
fn a15_done_is_0() {
    let laid = Laid::by_hand("").script("close Done.\n");
    laid.run_script()
        .stdout("Done.\n")
        .stderr_has("done (run 1: 1 put-back, 0 fuel)")
        .call();
    let again = laid
        .resume_script()
        .exit(1)
        .stderr_has("found one that is done: Done.");
    again.call();
}

#[test]
fn a15_done_with_answers_left_over_is_1() {
    let laid = Laid::by_hand("").script("close Done.\nclose Never.\n");
    laid.run_script()
        .exit(1)
        .stdout("Done.\n")
        .stderr_has("the run is over, but: loop/answers.txt: 1 of 2 answers were not used")
        .call();
}

#[test]
fn a15_put_backs_is_10_and_a_raised_cap_goes_on() {
    let laid = Laid::by_hand("put-backs = 1").script(&format!("{}\nclose Done.\n", say("x")));
    let stopped = laid.run_script().exit(10).stderr_has("stopped: put-backs");
    stopped.stderr_has("1 of 2 answers were not used").call();
    laid.edit("loop.txt", "put-backs = 1", "put-backs = 2");
    laid.resume_script()
        .stdout("Done.\n")
        .stderr_has("2 put-backs")
        .call();
    assert_eq!(count(&laid.read("history.txt"), "| x"), 1);
}

#[test]
fn a14_a15_same_failure_is_11_and_a_success_between_does_not_reset_it() {
    let fails = [
        r#"hand.fail {"text": "no"}"#,
        r#"hand.fail { "text":"n\u006f" }"#,
    ];
    let answers = [
        fails[0],
        &say("x"),
        fails[1],
        "hand.fail {\"text\": \"else\"}",
        fails[0],
    ];
    let laid = Laid::by_hand("").script(&answers.join("\n"));
    let stopped = laid
        .run_script()
        .exit(11)
        .stderr_has("stopped: same-failure");
    stopped
        .stderr_has(r#"hand.fail failed 3 times with the arguments {"text":"no"}"#)
        .call();
    assert_eq!(laid.of_kind("1", "put_back").len(), 5);
}

#[test]
fn a14_off_list_names_are_no_failures() {
    let laid = Laid::by_hand("").script("no.such\nno.such\nno.such\nno.such\nclose\n");
    laid.run_script()
        .stdout("\n")
        .stderr_has("5 put-backs")
        .call();
}

#[test]
fn a14_on_the_last_put_back_doors_still_open_and_a_close_is_done() {
    let laid = Laid::by_hand("put-backs = 1").script(&say("last"));
    laid.run_script().exit(10).stderr_has("| last").call();
    laid.write("answers.txt", "close Done.\n");
    laid.run_script()
        .stdout("Done.\n")
        .stderr_has("done")
        .call();
}

#[test]
fn a20_a15_waiting_for_a_nod_is_12_and_nothing_is_opened() {
    let laid = Laid::by_hand("").script(&format!("{}\nclose\n", say("x")));
    laid.write("policy.toml", "[ask]\nfirst = [\"hand.say\"]\n");
    laid.run_script()
        .exit(12)
        .stderr_has("stopped: waiting-for-nod")
        .stderr_has("hand.say must be asked first")
        .call();
    assert_eq!(laid.of_kind("1", "asked").len(), 1);
    assert!(laid.of_kind("1", "opening").is_empty());
    laid.resume_script()
        .exit(12)
        .stderr_has("stopped: waiting-for-nod")
        .call();
    assert!(
        laid.of_kind("1", "opening").is_empty(),
        "to resume is no nod"
    );
}

#[test]
fn a19_an_asked_first_name_that_is_off_the_list_asks_nobody() {
    let laid = Laid::fridge().script("shopping.checkout {}\nclose\n");
    laid.edit("loop.txt", "put-backs = 8", "put-backs = 2");
    laid.run_script()
        .exit(10)
        .stderr_has("not on the list.")
        .call();
    assert!(laid.of_kind("1", "asked").is_empty());
}

#[test]
fn a15_fuel_is_13_and_a_resume_cannot_refill_it() {
    let laid = Laid::by_hand("fuel = 5_000").script("hand.spin\nclose Done.\n");
    laid.run_script()
        .exit(13)
        .stderr_has("stopped: fuel")
        .stderr_has("1 of 2 answers were not used")
        .call();
    laid.resume_script()
        .exit(13)
        .stderr_has("stopped: fuel")
        .call();
    assert_eq!(laid.of_kind("1", "opening").len(), 1);
    laid.edit("loop.txt", "fuel = 5_000", "fuel = 50_000");
    laid.resume_script()
        .stdout("Done.\n")
        .stderr_has("done")
        .call();
}

#[cfg(unix)]
#[test]
fn a15_cancelled_is_14_and_can_be_resumed() {
    let laid = Laid::by_hand("model = \"person\"");
    let mut talk = Talk::with(laid.run());
    talk.until("1> ");
    talk.interrupt();
    // Only then is its standard input closed, which would be an answer of its own.
    talk.until("stopped: cancelled");
    let (code, printed, said) = talk.ended_with();
    assert_eq!((code, printed.as_str()), (Some(14), ""), "{said}");
    let resumed = laid
        .resume()
        .stdin("close Done.\n")
        .stdout("Done.\n")
        .stderr_has("resumed");
    resumed.call();
    assert_eq!(
        laid.of_kind("1", "put_back").len(),
        1,
        "the same put-back is asked again"
    );
}

#[test]
fn a15_model_error_is_15() {
    let laid = Laid::by_hand("").script(&say("x"));
    let stopped = laid
        .run_script()
        .exit(15)
        .stderr_has("stopped: model-error");
    stopped
        .stderr_has("expected an answer for put-back 2, found 1 in the script")
        .call();
    // The call that failed was a put-back too (A06): the next answer is the third.
    laid.write(
        "answers.txt",
        format!("{}\nclose Never.\nclose Done.\n", say("x")),
    );
    laid.resume_script()
        .stdout("Done.\n")
        .stderr_has("resumed")
        .stderr_has("3 put-backs")
        .call();
    assert_eq!(count(&laid.read("history.txt"), "| x"), 1);
}

#[test]
fn a14_a15_bad_loop_txt_is_16_and_a_mended_one_goes_on() {
    let laid = Laid::by_hand("model = \"person\"");
    let mut talk = Talk::with(laid.run());
    talk.until("1> ");
    laid.edit("loop.txt", "list = ", "lost = ");
    talk.type_line(&say("x"));
    let (code, printed, said) = talk.ended_with();
    assert_eq!((code, printed.as_str()), (Some(16), ""), "{said}");
    assert!(
        said.contains("unknown key `lost`; did you mean `list`?"),
        "{said}"
    );
    let refused = laid.resume().exit(16).stderr_has("unknown key `lost`");
    refused.call();
    laid.edit("loop.txt", "lost = ", "list = ");
    laid.resume()
        .stdin("close Done.\n")
        .stdout("Done.\n")
        .stderr_has("2> ")
        .call();
    assert_eq!(count(&laid.read("history.txt"), "| x"), 1);
}

#[test]
fn a15_runs_names_the_stop_of_each_run() {
    let laid = Laid::by_hand("put-backs = 1").script("close Done.\n");
    laid.run_script()
        .stdout("Done.\n")
        .stderr_has("done")
        .call();
    laid.write("answers.txt", say("x"));
    laid.run_script().exit(10).stderr_has("put-backs").call();
    let runs = laid
        .doorlist(["runs", LOOP])
        .stdout_has("done")
        .stdout_has("put-backs")
        .call();
    assert_eq!(runs.stdout.lines().count(), 2, "{runs}");
}
