//! What a person types slightly otherwise than meant.

use crate::hand::say;
use crate::laid::{LOOP, Laid};

#[test]
fn a_run_that_goes_on_is_typed_with_the_model_it_was_begun_with() {
    let laid = Laid::by_hand("put-backs = 1").script(&format!("{}\nclose Done.\n", say("x")));
    laid.run_script()
        .exit(10)
        .stderr_has("`doorlist resume 1 -C loop --model script:loop/answers.txt` goes on.")
        .call();
    let here = laid.doorlist(["run", "-C", LOOP, "x", "--model"]);
    laid.write("the answers.txt", say("x"));
    here.arg("script:loop/the answers.txt")
        .exit(10)
        .stderr_has("`doorlist resume 2 -C loop --model 'script:loop/the answers.txt'` goes on.")
        .call();
}

#[test]
fn a_loop_that_cannot_be_read_has_its_own_code() {
    let laid = Laid::by_hand("").script("close Done.\n");
    laid.edit("loop.txt", "list = [", "lst = [");
    laid.run_script()
        .exit(16)
        .stderr_has("unknown key `lst`")
        .call();
}

#[test]
fn a_line_for_the_loop_here_needs_no_folder_before_it() {
    let laid = Laid::by_hand("").script("close Done.\n");
    let config = laid.dir().parent().unwrap().join("config");
    let run = crate::command::Doorlist::new(&laid.dir(), &config);
    run.args(["run", "What do we need?", "--model", "script:answers.txt"])
        .stdout("Done.\n")
        .stderr_has("run 1")
        .call();
    assert!(laid.read("runs/1.jsonl").contains("What do we need?"));
}

#[test]
fn a_loop_is_not_written_into_a_folder_called_loop_txt() {
    let laid = Laid::empty();
    laid.doorlist(["init", "other/loop.txt"])
        .exit(1)
        .stderr_has("other/loop.txt: expected the folder that loop.txt is to be in")
        .call();
    assert!(!laid.has("../other"));
}

#[test]
fn a_server_beyond_this_machine_is_refused_before_it_says_where_it_is() {
    let laid = Laid::by_hand("");
    laid.doorlist(["mcp", LOOP, "--http", "0.0.0.0:0"])
        .exit(1)
        .stderr(
            "doorlist: 0.0.0.0:0: expected a token where others than this machine can reach the \
             server, found none\n",
        )
        .call();
}

#[test]
fn only_the_door_whose_secret_is_missing_stays_closed() {
    let laid = Laid::by_hand("").file(
        "policy.toml",
        "[door.\"hand.take\"]\nhosts = [\"https://a.b\"]\nsecrets = [{ host = \"https://a.b\", \
         header = \"x-key\", from = \"env:KEY\" }]\n",
    );
    laid.doorlist(["allow", LOOP, "--yes"])
        .stdout_has("")
        .stderr_has("allowed")
        .call();
    laid.doorlist(["call", "hand.say", "{\"text\": \"hi\"}", "-C", LOOP])
        .stdout("hi\n")
        .stderr_has("fuel")
        .call();
    let missing = "the environment variable KEY: expected a secret, found nothing";
    laid.doorlist(["call", "hand.take", "{\"count\": 1}", "-C", LOOP])
        .exit(1)
        .stdout_has(missing)
        .stderr_has("")
        .call();
    laid.doorlist(["check", LOOP])
        .stdout_has(format!("warning: policy.toml, line 3, column 12: `from` in secrets of [door.\"hand.take\"]: {missing}"))
        .stderr_has("")
        .call();
}

#[test]
fn what_is_accepted_already_is_not_called_changed() {
    let laid = Laid::empty();
    laid.write_unaccepted("stranger.wat", crate::hand::HAND);
    let add = || laid.doorlist(["add", "loop/stranger.wat", "-C", LOOP, "--yes"]);
    add()
        .stdout_has("doors/stranger.wasm is new")
        .stderr_has("accepted")
        .call();
    let lock = laid.read("doors.lock");
    add()
        .stdout_has("doors/stranger.wasm is accepted already: ")
        .stderr_has("")
        .call();
    assert_eq!(laid.read("doors.lock"), lock);
}

#[test]
fn a_description_without_words_is_told_of_where_it_is() {
    let laid = Laid::empty()
        .file("doors/greet.wat", include_str!("greet.wat"))
        .file("doors/greet.schema.json", "{\"type\": \"object\"}");
    laid.doorlist(["check", "loop/doors/greet.wat"])
        .stdout_has("loop/doors/greet.schema.json: greet has no description")
        .call();
}

#[test]
fn everything_that_is_wrong_with_a_file_is_told_at_once() {
    let laid = Laid::by_hand("").file("policy.toml", "[limits]\nfule = 1\ntime = \"soon\"\n");
    laid.edit(
        "loop.txt",
        "list = [",
        "list = [\"none.such\", \"hand.sya\", ",
    );
    let check = laid.doorlist(["check", LOOP]).exit(30);
    check
        .stdout_has("policy.toml, line 2, column 1: unknown key `fule`")
        .stdout_has("policy.toml, line 3, column 8: `time`")
        .stdout_has("found neither loop/doors/none.wasm")
        .stdout_has("expected a door `hand.sya`")
        .stderr_has("")
        .call();
}
