//! Every error that a person can cause: a message with what was expected, what was found and which
//! file to open, a code that is not 0, and nothing lost.

use std::collections::BTreeMap;
use std::fs;

use crate::command::Doorlist;
use crate::hand::{HAND, say};
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
fn a_door_that_is_not_there() {
    let gone = |laid: &Laid| fs::remove_file(laid.path("doors/hand.wat")).unwrap();
    refuses(
        gone,
        &[
            "loop/doors/hand.wasm",
            "loop/doors/hand.wat",
            "found neither",
        ],
    );
    let no_doors = |laid: &Laid| fs::remove_dir_all(laid.path("doors")).unwrap();
    refuses(no_doors, &["loop/doors", "expected "]);
    let renamed = |laid: &Laid| {
        let (say, tell) = (
            "(func (export \"say\") (param \"",
            "(func (export \"tell\") (param \"",
        );
        laid.edit("doors/hand.wat", say, tell);
    };
    refuses(
        renamed,
        &[
            "loop/doors/hand.wat: expected a door `hand.say`",
            "hand.tell",
        ],
    );
}

#[test]
fn what_is_no_webassembly() {
    binary(b"MZ\x90\0 no component", &["expected ", "found "]);
    binary(b"", &["expected ", "found "]);
    binary(b"\0asm\x0d\0\x01\0\xff\xff\xff\xff\x0f", &["expected "]);
    let text = |text: &'static [u8]| move |laid: &Laid| laid.write("doors/hand.wat", text);
    let wat = "loop/doors/hand.wat: expected WebAssembly text; ";
    refuses(text(b"(component (func"), &[wat]);
    refuses(text(b"(component \xff)"), &[wat, "UTF-8"]);
    let deep = |laid: &Laid| {
        let deep = format!("{}{}", "(component ".repeat(100_000), ")".repeat(100_000));
        laid.write("doors/hand.wat", deep);
    };
    refuses(deep, &["loop/doors/hand.wat: expected WebAssembly text; "]);
}

#[test]
fn a_truncated_component() {
    let whole = wat::parse_str(HAND).unwrap();
    for cut in [
        4,
        8,
        9,
        20,
        whole.len() / 3,
        whole.len() / 2,
        whole.len() - 1,
    ] {
        binary(&whole[..cut], &["expected "]);
    }
}

#[test]
fn a_module_with_strange_imports() {
    let module = wat::parse_str("(module (import \"env\" \"launch\" (func)))").unwrap();
    binary(&module, &["expected a component", "found a core module"]);
    let strange =
        "(component (import \"acme:rockets/pad@1.0.0\" (instance (export \"launch\" (func)))))";
    let strange = move |laid: &Laid| {
        let doors = HAND.trim_end().strip_suffix(')').unwrap();
        let import = strange.strip_prefix("(component").unwrap();
        let import = import.strip_suffix(')').unwrap();
        let doors = doors.replacen("(component", &format!("(component {import}"), 1);
        laid.write("doors/hand.wat", format!("{doors})"));
    };
    refuses(
        strange,
        &[
            "loop/doors/hand.wat: ",
            "acme:rockets/pad@1.0.0",
            "is neither WASI 0.2 nor",
        ],
    );
}

#[test]
fn files_of_200_mb() {
    let huge = |path: &'static str| {
        move |laid: &Laid| {
            fs::remove_file(laid.path(path)).ok();
            let file = fs::File::create(laid.path(path)).unwrap();
            file.set_len(200_000_000).unwrap();
        }
    };
    for path in ["loop.txt", "policy.toml", "doors/hand.wat"] {
        refuses(
            huge(path),
            &[&shown(path), "expected ", "at most 1", "found 200000000"],
        );
    }
    answers_refused(
        huge("answers.txt"),
        &["answers.txt", "at most 1", "found 200000000"],
    );
}

#[test]
fn folders_in_the_place_of_files() {
    let folder = |path: &'static str| {
        move |laid: &Laid| {
            fs::remove_file(laid.path(path)).ok();
            fs::create_dir(laid.path(path)).unwrap();
        }
    };
    for path in ["loop.txt", "policy.toml", "doors/hand.wat"] {
        refuses(folder(path), &[&shown(path), "expected ", "found "]);
    }
    answers_refused(
        folder("answers.txt"),
        &["answers.txt", "expected a text file"],
    );
}

/// To open a pipe would wait for its other end for ever.
#[cfg(unix)]
#[test]
fn pipes_in_the_place_of_files() {
    let pipe = |path: &'static str| {
        move |laid: &Laid| {
            fs::remove_file(laid.path(path)).ok();
            let made = std::process::Command::new("mkfifo")
                .arg(laid.path(path))
                .status()
                .unwrap();
            assert!(made.success());
        }
    };
    for path in ["loop.txt", "policy.toml", "doors/hand.wat"] {
        refuses(pipe(path), &[&shown(path), "expected ", "found "]);
    }
    answers_refused(
        pipe("answers.txt"),
        &["answers.txt", "expected a text file"],
    );
}

#[test]
fn text_that_is_not_utf_8() {
    let not_text =
        |path: &'static str| move |laid: &Laid| laid.write(path, b"+++\nlist = [\"\xff\"]\n");
    let found = "expected text in UTF-8, found byte 0xff at offset 13";
    for path in ["loop.txt", "policy.toml"] {
        refuses(not_text(path), &[&format!("{}: {found}", shown(path))]);
    }
    answers_refused(not_text("answers.txt"), &["answers.txt", found]);
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
    refused.stderr_has(shown("history.txt")).call();
    fs::remove_dir(laid.path("history.txt")).unwrap();
    laid.resume_script()
        .stdout("Done.\n")
        .stderr_has("resumed")
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
    answers_refused(gone, &["loop/answers.txt: "]);
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

/// A loop that stopped well and is then broken: neither `run` nor `resume` nor `check` takes it, each
/// says all of this, and nothing that was there is lost.
#[track_caller]
fn refuses(break_it: impl Fn(&Laid), says: &[&str]) {
    let laid = stopped();
    break_it(&laid);
    let kept = kept(&laid);
    let all = |call: Doorlist| says.iter().fold(call, |call, part| call.stderr_has(*part));
    all(laid.run_script().exit(1)).call();
    all(laid.resume_script().exit(1)).call();
    let check = laid.doorlist(["check", LOOP]).exit(30);
    let check = says.iter().fold(check, |call, part| call.stdout_has(*part));
    check.stderr_has("").call();
    all(laid.doorlist(["diagram", LOOP]).exit(1)).call();
    assert_eq!(self::kept(&laid), kept, "nothing is lost");
}

/// The same for a component in the place of a door.
#[track_caller]
fn binary(bytes: &[u8], says: &[&str]) {
    let break_it = |laid: &Laid| {
        fs::remove_file(laid.path("doors/hand.wat")).unwrap();
        laid.write("doors/hand.wasm", bytes);
    };
    let says = [&["loop/doors/hand.wasm: "], says].concat();
    refuses(break_it, &says);
}

/// The same for the answers of a script, of which `check` knows nothing.
#[track_caller]
fn answers_refused(break_it: impl Fn(&Laid), says: &[&str]) {
    let laid = stopped();
    break_it(&laid);
    let kept = kept(&laid);
    for call in [laid.run_script(), laid.resume_script()] {
        let call = says
            .iter()
            .fold(call.exit(1), |call, part| call.stderr_has(*part));
        call.call();
    }
    assert_eq!(self::kept(&laid), kept, "nothing is lost");
}

/// A loop whose run 1 stopped at its cap.
fn stopped() -> Laid {
    let laid = Laid::by_hand("put-backs = 1").script(&say("x"));
    laid.run_script().exit(10).stderr_has("run 1").call();
    laid
}

/// What a run leaves in its folder.
fn kept(laid: &Laid) -> BTreeMap<String, String> {
    let runs = fs::read_dir(laid.path("runs")).unwrap();
    let runs = runs.map(|entry| format!("runs/{}", entry.unwrap().file_name().to_string_lossy()));
    let files = runs.chain(["history.txt".to_owned()]);
    files.map(|file| (file.clone(), laid.read(&file))).collect()
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
