//! `allow`: a grant beyond data/ is a request until a person has seen it.

use serde_json::Value;

use crate::laid::{LOOP, Laid};

/// A loop whose door asks for a folder beside its own.
fn asking() -> Laid {
    let laid = Laid::by_hand("").script("hand.take {\"count\": 1}\nclose One.\n");
    laid.file(
        "policy.toml",
        "[door.\"hand.take\"]\nenv = { LANG = \"en\" }\ndirs = [{ host = \"..\", guest = \"/up\" }]\n",
    )
}

#[test]
fn a_request_is_nothing_until_it_is_allowed_and_an_edit_asks_again() {
    let laid = asking();
    let refused = || laid.run_script().exit(16).stderr_has("doorlist allow");
    refused()
        .stderr_has("hand.take sees the variable LANG = en")
        .call();
    assert!(!laid.has("runs/1.jsonl"), "nothing ran");
    laid.doorlist(["allow", LOOP])
        .exit(30)
        .stdout_has("hand.take may read ")
        .stderr_has("expected a person at a terminal")
        .call();
    refused().call();
    laid.doorlist(["allow", LOOP, "--yes"])
        .stdout_has("hand.take may read ")
        .stdout_has("hand.take sees the variable LANG = en")
        .stderr_has("loop: allowed\n")
        .call();
    laid.run_script().stdout("One.\n").stderr_has("done").call();
    laid.edit("policy.toml", "\"en\"", "\"de\"");
    refused().stderr_has("LANG = de").call();
}

#[test]
fn what_was_allowed_is_taken_back() {
    let laid = asking();
    laid.doorlist(["allow", LOOP, "--yes"])
        .stdout_has("hand.take")
        .stderr_has("allowed")
        .call();
    laid.doorlist(["allow", LOOP, "--revoke"])
        .stderr("loop: taken back\n")
        .call();
    laid.run_script()
        .exit(16)
        .stderr_has("doorlist allow")
        .call();
    laid.doorlist(["allow", LOOP, "--revoke"])
        .stderr("loop: nothing was allowed\n")
        .call();
}

#[test]
fn a_loop_that_stays_in_its_data_needs_nothing() {
    let laid = Laid::fridge();
    laid.doorlist(["allow", LOOP])
        .stderr("loop: it asks for nothing beyond its data/\n")
        .call();
    let ended = laid
        .doorlist(["allow", LOOP, "--json"])
        .stdout_has("{")
        .call();
    let said: Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(
        (&said["requests"], &said["allowed"]),
        (&Value::Array(vec![]), &true.into())
    );
}

#[test]
fn the_host_wide_policy_bounds_every_loop() {
    let laid = asking();
    laid.doorlist(["allow", LOOP, "--yes"])
        .stdout_has("hand.take")
        .stderr_has("allowed")
        .call();
    let host_wide = |policy: &str| laid.host_wide(policy);
    host_wide("[door.\"hand.*\"]\nenv = { LANG = \"en\" }\n");
    laid.run_script()
        .exit(16)
        .stderr_has("policy.toml, line 1, column 7: hand.take may read ")
        .stderr_has(", which the host-wide policy does not offer it\n")
        .call();
    host_wide("[limits]\nfuel = 1\n");
    let take = ["call", "hand.take", "{\"count\": 1}", "-C", LOOP];
    laid.doorlist(take)
        .exit(21)
        .stdout("limit: the door used up its fuel of 1.\n")
        .stderr_has("1 fuel")
        .call();
    host_wide("[ask]\nfirst = [\"hand.take\"]\n");
    laid.run_script().exit(12).stderr_has("nod").call();
    assert!(!laid.has("runs/2.jsonl"), "the ones before ran nothing");
    host_wide("[limits]\nfule = 1\n");
    laid.doorlist(["check", LOOP])
        .exit(30)
        .stdout_has("config/policy.toml, line 2, column 1: unknown key `fule`")
        .stderr_has("")
        .call();
}
