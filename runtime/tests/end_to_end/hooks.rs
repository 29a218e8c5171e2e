//! Hooks of a loop: a component that is asked before and after an opening, and before the run ends.

use serde_json::json;

use crate::hand::say;
use crate::laid::{LOOP, Laid};
use crate::mcp::client::{Person, called, client};

const HOOKS: &str = include_str!("hooks.wat");

/// The hand's doors, with [`HOOKS`] around them.
fn hooked(header: &str) -> Laid {
    let header = format!("hooks = \"doors/hooks.wat\"\n{header}");
    let limits = "[limits]\nfuel = 1_000_000\n";
    Laid::by_hand(&header)
        .file("policy.toml", limits)
        .file("doors/hooks.wat", HOOKS)
}

/// The history of a run with these calls and a close.
#[track_caller]
fn history(laid: &Laid, calls: &[String]) -> String {
    laid.write(
        "answers.txt",
        format!("{}\nclose Done.\n", calls.join("\n")),
    );
    laid.run_script()
        .stdout("Done.\n")
        .stderr_has("done")
        .call();
    laid.read("history.txt")
}

#[test]
fn c14_a_hook_keeps_a_door_closed_before_anything_of_it_is_instantiated() {
    let laid = hooked("");
    let calls = [say("no"), say("yes"), say("trap"), say("spin")];
    let history = history(&laid, &calls);
    for told in [
        "hand.say {\"text\":\"no\"}\nrefused: not this one\n",
        "hand.say {\"text\":\"yes\"}\n| yes\n",
        // A hook that fails has not said yes.
        "hand.say {\"text\":\"trap\"}\nrefused: trap: ",
        "hand.say {\"text\":\"spin\"}\nrefused: limit: the door used up its fuel",
    ] {
        assert!(history.contains(told), "{told}: {history}");
    }
    assert_eq!(laid.of_kind("1", "opening").len(), 1);
    laid.redraw();
    laid.doorlist(["trace", "-C", LOOP, "--against", "diagram"])
        .stdout_has("Every step is an arrow on the diagram.")
        .call();
}

#[test]
fn c14_a_person_is_not_asked_about_what_a_hook_refuses() {
    let laid = hooked("");
    laid.edit(
        "policy.toml",
        "[limits]",
        "[ask]\nfirst = [\"hand.say\"]\n[limits]",
    );
    laid.write(
        "answers.txt",
        format!("{}\n{}\nclose Done.\n", say("no"), say("yes")),
    );
    laid.run_script()
        .exit(12)
        .stderr_has("{\"text\":\"yes\"}")
        .call();
    assert_eq!(laid.of_kind("1", "asked").len(), 1);
    laid.doorlist(["nod", "-C", LOOP]).stderr_has("").call();
    laid.resume_script()
        .stdout("Done.\n")
        .stderr_has("done")
        .call();
    assert!(laid.read("history.txt").contains("\n| yes\n"));
}

#[test]
fn c14_a_hook_tells_another_text_or_withholds_one_and_no_failure_becomes_a_success() {
    let laid = hooked("");
    let fail = |text: &str| format!("hand.fail {}", json!({ "text": text }));
    let calls = [
        say("Is it so?"),
        say("Whatever"),
        say("That"),
        say("Stay"),
        fail("It failed"),
        fail("as ever"),
    ];
    let history = history(&laid, &calls);
    for told in [
        "hand.say {\"text\":\"Is it so?\"}\n| hidden\n",
        "hand.say {\"text\":\"Whatever\"}\nwithheld: not for you\n",
        // What a hook has failed to look at is not told.
        "hand.say {\"text\":\"That\"}\nwithheld: trap: ",
        "hand.say {\"text\":\"Stay\"}\nwithheld: limit: the door used up its fuel",
        "hand.fail {\"text\":\"It failed\"}\nerror: hidden\n",
        "hand.fail {\"text\":\"as ever\"}\nerror: as ever\n",
    ] {
        assert!(history.contains(told), "{told}: {history}");
    }
    // What it was is in the journal all the same.
    let opened = laid.of_kind("1", "opened");
    assert_eq!(opened.len(), calls.len());
    assert!(opened[1].to_string().contains("Whatever"));
    laid.redraw();
    laid.doorlist(["trace", "-C", LOOP, "--against", "diagram"])
        .stdout_has("Every step is an arrow on the diagram.")
        .call();
}

#[test]
fn c10_a_hook_before_the_end_has_the_run_go_on() {
    let laid = hooked("").script("close Now.\nclose Done.\n");
    laid.run_script()
        .stdout("Done.\n")
        .stderr_has("done (run 1: 2 put-backs")
        .call();
    assert!(
        laid.read("history.txt")
            .contains("~ Now.\nrefused: not yet\n")
    );
}

#[test]
fn c14_hooks_are_locked_like_any_other_component() {
    let laid = hooked("").script(&format!("{}\nclose Done.\n", say("no")));
    // Hooks that say yes to everything, slipped in.
    let tame = HOOKS.replace(
        "(then (return (call $refuse",
        "(then (nop) (drop (call $refuse",
    );
    assert_ne!(tame, HOOKS);
    laid.write_unaccepted("doors/hooks.wat", &tame);
    laid.doorlist(["check", LOOP])
        .exit(30)
        .stdout_has("doors/hooks.wat")
        .stderr_has("")
        .call();
    laid.run_script()
        .exit(1)
        .stderr_has("doors/hooks.wat: other than what was built or accepted here")
        .call();
    assert!(!laid.has("runs/1.jsonl"));
}

#[test]
fn c14_a_component_without_a_hook_is_none() {
    let laid = hooked("").script("close Done.\n");
    laid.write("doors/hooks.wat", crate::hand::HAND);
    let wrong = "doors/hooks.wat: expected a component that exports `doorlist:hooks/before`, \
                 `doorlist:hooks/after` or `doorlist:hooks/end`";
    laid.doorlist(["check", LOOP])
        .exit(30)
        .stdout_has(wrong)
        .stderr_has("")
        .call();
    laid.run_script().exit(16).stderr_has(wrong).call();
}

#[tokio::test(flavor = "multi_thread")]
async fn c14_hooks_stand_around_the_tools_of_a_client() {
    let laid = hooked("");
    let client = client(&laid, Person::mute()).await;
    let tell = async |text: &str| called(&client, "hand__say", json!({ "text": text })).await;
    assert_eq!(
        tell("no").await,
        (false, "refused: not this one".to_owned())
    );
    assert_eq!(tell("yes").await, (true, "yes".to_owned()));
    assert_eq!(tell("Is it so?").await, (true, "hidden".to_owned()));
    assert_eq!(
        tell("Whatever").await,
        (false, "withheld: not for you".to_owned())
    );
}

#[test]
fn c14_by_hand_the_hooks_are_asked_as_well() {
    let laid = hooked("");
    let call = |text: &str| {
        let arguments = json!({ "text": text }).to_string();
        laid.doorlist(["call", "hand.say", &arguments, "-C", LOOP])
    };
    call("no")
        .exit(21)
        .stdout_has("not this one")
        .stderr_has("")
        .call();
    call("Is it so?")
        .stdout("hidden\n")
        .stderr_has(" fuel, ")
        .call();
}
