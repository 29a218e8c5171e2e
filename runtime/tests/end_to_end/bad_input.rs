//! Every error that a person can cause: a message with what was expected, what was found and which
//! file to open, a code that is not 0, and nothing lost.

use std::fs;

use crate::broken::{answers_refused, refuses, stopped};
use crate::command::Doorlist;
use crate::laid::{LOOP, Laid, shown};

#[test]
fn no_folder() {
    let laid = Laid::empty();
    for command in ABOUT_A_LOOP {
        about(&laid, command, "nowhere")
            .exit(1)
            .stderr_has("nowhere: expected a loop's folder, found nothing")
            .call();
    }
}

#[test]
fn a_file_in_the_place_of_the_folder() {
    let laid = Laid::by_hand("");
    let file = shown("loop.txt");
    for command in ABOUT_A_LOOP {
        about(&laid, command, &file)
            .exit(1)
            .stderr_has(format!("{file}: expected a loop's folder, found a file"))
            .call();
    }
}

#[test]
fn no_loop_txt() {
    let laid = Laid::empty();
    for command in ABOUT_A_LOOP {
        about(&laid, command, LOOP)
            .exit(1)
            .stderr_has(format!("{LOOP}: expected a loop.txt"))
            .call();
    }
}

#[test]
fn a_header_that_is_not_understood() {
    let header = |key: &'static str| move |laid: &Laid| laid.edit("loop.txt", "put-backs = 1", key);
    let unknown = "loop.txt, line 3, column 1: unknown key `put-bakcs`; did you mean `put-backs`?";
    refuses(header("put-bakcs = 1"), &["loop/", unknown]);
    refuses(
        header("put-backs = \"many\""),
        &["loop/loop.txt, line 3, column 13: "],
    );
    refuses(
        header("put-backs = -1"),
        &["loop/loop.txt, line 3, column 13: "],
    );
    refuses(header("put-backs = "), &["loop/loop.txt, line 3, column "]);
    let deep = |laid: &Laid| {
        let deep = format!("needs = {}{}", "[".repeat(100_000), "]".repeat(100_000));
        laid.edit("loop.txt", "put-backs = 1", &deep);
    };
    refuses(deep, &["loop/loop.txt, line 3, "]);
    let no_header = |laid: &Laid| laid.write("loop.txt", "Look after the fridge.\n");
    refuses(
        no_header,
        &["loop/loop.txt, line 1: ", "found `Look after the fridge.`"],
    );
    refuses(
        |laid| laid.write("loop.txt", ""),
        &["loop/loop.txt, line 1: "],
    );
}

#[test]
fn a_policy_that_is_not_understood() {
    let policy = |text: &'static str| move |laid: &Laid| laid.write("policy.toml", text);
    refuses(
        policy("[ask]\nfrist = []\n"),
        &[
            "loop/policy.toml, line 2, column 1: unknown key `",
            "did you mean `",
        ],
    );
    refuses(
        policy("[limits]\nmemory = \"much\"\n"),
        &["loop/policy.toml, line 2, column 10: "],
    );
    refuses(policy("[ask\n"), &["loop/policy.toml, line 1, column "]);
    refuses(
        policy("[door.\"hand.say\"]\ndirs = [{ host = \"attic\", guest = \"/attic\" }]\n"),
        &["policy.toml", "attic"],
    );
}

#[test]
fn what_cannot_be_written() {
    let laid = Laid::by_hand("")
        .script("close Done.\n")
        .file("runs", "no folder");
    laid.run_script()
        .exit(1)
        .stderr_has(format!(
            "{}: expected a folder, found a file",
            shown("runs")
        ))
        .call();
    fs::remove_file(laid.path("runs")).unwrap();
    fs::create_dir(laid.path("history.txt")).unwrap();
    let refused = laid.run_script().exit(1);
    let folder = format!(
        "{}: expected a text file, found a folder",
        shown("history.txt")
    );
    refused.stderr_has(folder).call();
    assert!(!laid.has("runs"), "no run was made");
    fs::remove_dir(laid.path("history.txt")).unwrap();
    laid.run_script()
        .stdout("Done.\n")
        .stderr_has("run 1")
        .call();
    fs::create_dir(laid.path("diagram.txt")).unwrap();
    let refused = laid.doorlist(["diagram", LOOP]).exit(1);
    refused.stderr_has(shown("diagram.txt")).call();
}

#[test]
fn a_script_that_is_no_script() {
    let script = |text: &'static str| move |laid: &Laid| laid.write("answers.txt", text);
    answers_refused(
        script("close\n{}\n"),
        &["answers.txt, line 2: ", "found `{}`"],
    );
    let gone = |laid: &Laid| fs::remove_file(laid.path("answers.txt")).unwrap();
    answers_refused(
        gone,
        &["loop/answers.txt: expected a text file, found nothing"],
    );
}

#[test]
fn a_model_that_is_none() {
    let laid = Laid::by_hand("");
    laid.run()
        .exit(1)
        .stderr_has("expected a model, found none")
        .stderr_has(shown("loop.txt"))
        .call();
    for (model, says) in [
        ("oracle", "found `oracle`"),
        ("loop/doors/hand.wat", "doorlist:model/decide"),
        ("loop/doors/none.wasm", "loop/doors/none.wasm: "),
    ] {
        let refused = laid.run().args(["--model", model]).exit(1);
        refused.stderr_has(says).call();
    }
    assert!(!laid.has("runs") && !laid.has("history.txt"));
}

#[test]
fn a_run_that_is_none() {
    let laid = Laid::by_hand("");
    for command in ["resume", "page", "history", "trace"] {
        let refused = laid.doorlist([command, "-C", LOOP]).exit(1);
        refused
            .stderr_has(format!("expected a run in {}, found none", shown("runs")))
            .call();
        let refused = laid.doorlist([command, "7", "-C", LOOP]).exit(1);
        refused.stderr_has("expected a run 7").call();
        let refused = laid.doorlist([command, "../7", "-C", LOOP]).exit(1);
        refused.stderr_has("found `../7`").call();
    }
    let laid = stopped();
    let refused = laid
        .doorlist(["page", "-C", LOOP, "--put-back", "9"])
        .exit(1);
    refused.stderr_has("expected put-back 9, found 1").call();
}

/// A call of `command` for the loop at `dir`.
fn about(laid: &Laid, command: &str, dir: &str) -> Doorlist {
    match command {
        "run" | "check" | "diagram" | "runs" => laid.doorlist([command, dir]),
        _ => laid.doorlist([command, "-C", dir]),
    }
}

const ABOUT_A_LOOP: [&str; 8] = [
    "run", "check", "diagram", "runs", "resume", "page", "history", "trace",
];
