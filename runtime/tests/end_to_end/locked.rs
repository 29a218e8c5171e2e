//! `doors.lock`: other bytes than those that were built or accepted are not opened.

use std::path::PathBuf;

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use doorlist::journal::MemoryJournal;
use doorlist::models::{Decision, Listener, Model, ModelError, ScriptModel};
use ed25519_dalek::{Signer as _, SigningKey};
use loop_spec::{Digest, Page};
use serde_json::Value;

use crate::command::Doorlist;
use crate::driven;
use crate::hand::{HAND, say};
use crate::laid::{LOOP, Laid};

/// The same doors in other bytes.
fn changed() -> String {
    HAND.replacen("(component", "(component (core module)", 1)
}

fn laid() -> Laid {
    Laid::by_hand("").script(&format!("{}\nclose Done.\n", say("x")))
}

#[test]
fn what_was_neither_built_nor_accepted_is_refused_before_anything_runs() {
    let laid = laid();
    std::fs::remove_file(laid.path("doors.lock")).unwrap();
    let refused = |call: Doorlist, exit| {
        call.exit(exit)
            .stdout_has("")
            .stderr_has("hand.wat: neither built nor accepted here")
            .call();
    };
    refused(laid.run_script(), 1);
    refused(
        laid.doorlist(["call", "hand.take", "{\"count\":1}", "-C", LOOP]),
        21,
    );
    assert!(!laid.has("runs/1.jsonl"), "the run never was");
    laid.doorlist(["check", LOOP])
        .exit(30)
        .stdout_has("neither built nor accepted here; `doorlist lock loop` shows and accepts it")
        .stderr_has("")
        .call();
    laid.doorlist(["lock", LOOP])
        .exit(30)
        .stdout_has("doors/hand.wat is new")
        .stderr_has("--yes accepts what is shown")
        .call();
    assert!(!laid.has("doors.lock"), "nobody accepted it");
    laid.doorlist(["lock", LOOP, "--yes"])
        .stdout_has("hand.take(count: u32) -> u32")
        .stdout_has("imports nothing")
        .stdout_has("not signed")
        .stderr("accepted\n")
        .call();
    laid.run_script()
        .stdout("Done.\n")
        .stderr_has("done")
        .call();
}

#[test]
fn a_change_is_shown_as_old_and_new_and_refused_until_it_is_accepted() {
    let laid = laid();
    laid.write_unaccepted("doors/hand.wat", HAND.replace("\"count\"", "\"amount\""));
    laid.run_script()
        .exit(1)
        .stderr_has("hand.wat: other than what was built or accepted here")
        .call();
    laid.doorlist(["lock", LOOP, "--yes"])
        .stdout_has("doors/hand.wat is changed")
        .stdout_has("- hand.take(count: u32) -> u32")
        .stdout_has("+ hand.take(amount: u32) -> u32")
        .stderr("accepted\n")
        .call();
    laid.run_script()
        .stdout("Done.\n")
        .stderr_has("done")
        .call();
    let again = laid
        .doorlist(["lock", LOOP, "--json"])
        .stdout_has("")
        .call();
    let again: Value = serde_json::from_str(&again.stdout).unwrap();
    assert_eq!(again["changes"], Value::Array(Vec::new()));
}

/// Answers from a script, and puts other bytes in the place of the doors when it is put back first.
struct Swapping {
    script: ScriptModel,
    file: PathBuf,
}

#[async_trait]
impl Model for Swapping {
    fn name(&self) -> &str {
        "swapping"
    }

    async fn decide(
        &mut self,
        put_back: u32,
        page: &Page<'_>,
        listener: &mut dyn Listener,
    ) -> Result<Decision, ModelError> {
        if put_back == 1 {
            std::fs::write(&self.file, changed()).unwrap();
        }
        self.script.decide(put_back, page, listener).await
    }
}

#[tokio::test]
async fn bytes_that_are_swapped_under_a_run_are_refused_to_the_model() {
    let laid = laid();
    let answers = format!("{}\n{}\nclose Done.\n", say("first"), say("second"));
    let (gate, journal) = (driven::gate(), MemoryJournal::new());
    let model = Swapping {
        script: ScriptModel::new("answers", &answers).unwrap(),
        file: laid.path("doors/hand.wat"),
    };
    let stop = driven::start(&laid, &journal, &gate, Box::new(model))
        .await
        .unwrap();
    assert_eq!(stop.name(), "done");
    let machine = driven::folded(&journal).await;
    let pasted = machine.pasted();
    assert!(
        pasted.contains("hand.say {\"text\":\"first\"}\n| first\n"),
        "{pasted}"
    );
    assert!(
        pasted.contains(
            "hand.say {\"text\":\"second\"}\n\
             locked: this door is other than what was accepted here; nothing was opened.\n"
        ),
        "{pasted}"
    );
    assert_eq!(gate.sandbox().counters().instantiated, 1);
}

#[test]
fn a_revoked_component_is_refused_although_it_was_accepted() {
    let laid = laid();
    let hand = Digest::of(wat::parse_str(HAND).unwrap()).to_string();
    laid.doorlist(["revoke", &hand, "--why", "it lies"])
        .stderr_has("revoked")
        .call();
    let told = format!(
        "hand.wat: revoked on this machine: it lies; `doorlist revoke {hand} --undo` takes it back\n"
    );
    laid.run_script().exit(1).stderr_has(&told).call();
    let refused = |args: [&str; 4]| {
        let call = laid.doorlist(args).exit(21).stderr_has(&told);
        call.stdout_has("locked: this door was revoked; nothing was opened.")
    };
    let take = "{\"count\":1}";
    refused(["call", "hand.take", take, "-C=loop"]).call();
    let file = "loop/doors/hand.wat";
    refused(["try", file, take, "--function=take"]).call();
    laid.doorlist(["try", file, take, "--function=take", "--although-revoked"])
        .stdout_has("")
        .stderr_has("fuel")
        .call();
    let add = laid.doorlist(["add", file, "--name", "other", "-C", LOOP, "--yes"]);
    add.exit(1)
        .stderr_has(told.replace("takes it back\n", "takes it back; nothing was added\n"))
        .call();
    assert!(!laid.has("doors/other.wasm") && !laid.read("doors.lock").contains("doors/other"));
    laid.doorlist(["check", LOOP])
        .exit(30)
        .stdout_has(&told)
        .stderr_has("")
        .call();
    laid.doorlist(["doors", LOOP])
        .stdout_has("    refused: revoked on this machine: it lies; ")
        .call();
    laid.doorlist(["revoke"])
        .stdout(format!("{hand}  it lies\n"))
        .call();
    laid.doorlist(["revoke", &hand, "--undo"])
        .stderr_has("taken back")
        .call();
    laid.run_script()
        .stdout("Done.\n")
        .stderr_has("done")
        .call();
    laid.doorlist(["revoke", &hand, "--undo"])
        .exit(1)
        .stderr_has("expected a component that is revoked, found none")
        .call();
    laid.doorlist(["revoke", "hand"])
        .exit(1)
        .stderr_has("expected `sha256:` and 64 hexadecimal digits, found `hand`")
        .call();
}

#[test]
fn a_component_is_added_once_it_was_shown_and_only_with_the_digest_that_was_said() {
    let laid = Laid::by_hand("");
    let bytes = wat::parse_str(changed()).unwrap();
    laid.write_unaccepted("elsewhere/stranger.wasm", &bytes);
    let (file, digits) = (
        format!("{LOOP}/elsewhere/stranger.wasm"),
        Digest::of(&bytes).to_string().replace("sha256:", ""),
    );
    let add = |file: &str| laid.doorlist(["add", file, "-C", LOOP, "--yes"]);
    let wrong = format!("{file}#sha256={}", "0".repeat(64));
    add(&wrong).exit(1).stderr_has("nothing was added").call();
    assert!(!laid.has("doors/stranger.wasm"));
    add(&format!("{file}#sha256={digits}"))
        .stdout_has("doors/stranger.wasm is new")
        .stdout_has("stranger.say(text: string)")
        .stderr_has("accepted")
        .call();
    assert_eq!(
        std::fs::read(laid.path("doors/stranger.wasm")).unwrap(),
        bytes
    );
    let lock = laid.read("doors.lock");
    assert!(lock.contains("came = \"accepted\""), "{lock}");
    assert!(lock.contains("elsewhere/stranger.wasm"), "{lock}");
    laid.edit("loop.txt", "\"hand.say\"", "\"stranger.say\"");
    laid.doorlist(["call", "stranger.say", "{\"text\":\"hi\"}", "-C", LOOP])
        .stdout("hi\n")
        .stderr_has("fuel")
        .call();
}

#[test]
fn a_signature_is_demanded_where_the_policy_names_a_key() {
    let laid = laid();
    let (ada, eve) = (
        SigningKey::from_bytes(&[1; 32]),
        SigningKey::from_bytes(&[2; 32]),
    );
    let key = STANDARD.encode(ada.verifying_key().as_bytes());
    laid.write(
        "policy.toml",
        format!("[lock]\nkeys = [\"ed25519:{key}\"]\n"),
    );
    let refused = || {
        laid.run_script()
            .exit(1)
            .stderr_has("hand.wat: not signed by a key that the policy names")
            .call();
    };
    refused();
    let bytes = wat::parse_str(HAND).unwrap();
    let sign = |key: &SigningKey| STANDARD.encode(key.sign(&bytes).to_bytes());
    laid.write("doors/hand.sig", sign(&eve));
    refused();
    laid.write("doors/hand.sig", sign(&ada));
    laid.run_script()
        .stdout("Done.\n")
        .stderr_has("done")
        .call();
    let beside = laid.dir().parent().unwrap().join("other.wasm");
    std::fs::write(&beside, &bytes).unwrap();
    std::fs::write(beside.with_extension("sig"), sign(&ada)).unwrap();
    let add = || laid.doorlist(["add", beside.to_str().unwrap(), "-C", LOOP, "--yes"]);
    add()
        .stdout_has(format!("signed by ed25519:{key}\n"))
        .stderr_has("")
        .call();
    assert_eq!(laid.read("doors/other.sig"), sign(&ada), "it comes along");
    std::fs::write(beside.with_extension("sig"), sign(&eve)).unwrap();
    add()
        .stdout_has("signed by no key that the policy names\n")
        .stderr_has("")
        .call();
    // A signature is no acceptance: it says who made the bytes, not that they are wanted.
    std::fs::remove_file(laid.path("doors.lock")).unwrap();
    laid.run_script()
        .exit(1)
        .stderr_has("neither built nor accepted here")
        .call();
    laid.write("policy.toml", "[lock]\nkeys = [\"ed25519:AAAA\"]\n");
    laid.run_script()
        .exit(16)
        .stderr_has("policy.toml, line 2, column 9: `keys`: expected `ed25519:` and a key of 32")
        .call();
}

#[test]
fn a_lock_that_is_not_understood_refuses_the_run_and_stays_as_it_is() {
    let laid = laid();
    for (text, message) in [
        ("<<<<<<< ours\n", "doors.lock, line 1, column "),
        (
            "version = 7\n",
            "doors.lock: expected version 1, found version 7",
        ),
    ] {
        laid.write("doors.lock", text);
        laid.run_script().exit(16).stderr_has(message).call();
        laid.doorlist(["lock", LOOP, "--yes"])
            .exit(1)
            .stderr_has(message)
            .call();
        assert_eq!(laid.read("doors.lock"), text);
    }
}

#[test]
fn the_check_and_the_model_are_held_against_the_lock_too() {
    for file in ["doors/settled.wasm", "doors/mind.wasm"] {
        let laid = Laid::fridge();
        let mut bytes = std::fs::read(laid.path(file)).unwrap();
        // An empty custom section: other bytes that do the same.
        bytes.extend([0, 2, 1, b'x']);
        laid.write_unaccepted(file, bytes);
        laid.run()
            .exit(1)
            .stderr_has("other than what was built or accepted here")
            .call();
        laid.doorlist(["check", LOOP])
            .exit(30)
            .stdout_has("other than what was built or accepted here")
            .stderr_has("")
            .call();
    }
}
