//! The diagram of a loop, and a run held against it.

use std::path::Path;

use crate::hand::say;
use crate::laid::{LOOP, Laid};

#[test]
fn a19_an_asked_first_name_that_is_off_the_list_draws_no_cell() {
    let laid = Laid::drawn();
    assert!(laid.read("policy.toml").contains("shopping.checkout"));
    let diagram = laid.read("diagram.txt");
    for absent in ["checkout", "[ask]", "waiting-for-nod"] {
        assert!(!diagram.contains(absent), "{absent}: {diagram}");
    }
    assert!(diagram.contains("\nnot this time:\n  asking a person first: "));
}

#[test]
fn a21_the_diagram_is_never_on_the_page() {
    let laid = Laid::drawn();
    let diagram = laid.read("diagram.txt");
    laid.write("diagram.txt", format!("# Buy caviar.\n{diagram}"));
    laid.run().stdout_has("milk").stderr_has("done").call();
    for put_back in ["1", "2", "3"] {
        let page = laid.doorlist(["page", "-C", LOOP, "--put-back", put_back]);
        let page = page.stdout_has("").call().stdout;
        for foreign in ["caviar", "[goal]", "stop:", "assemble"] {
            assert!(!page.contains(foreign), "{foreign}: {page}");
        }
    }
}

#[test]
fn a22_every_cell_names_a_file_that_is_there() {
    let laid = Laid::drawn();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let diagram = laid.read("diagram.txt");
    let sections = diagram
        .split("\n\n")
        .filter(|section| section.starts_with('['));
    for section in sections {
        let by: Vec<_> = section
            .lines()
            .filter_map(|line| line.strip_prefix("  by "))
            .collect();
        assert!(!by.is_empty(), "{section}");
        for by in by {
            let own = concat!("doorlist ", env!("CARGO_PKG_VERSION"), " ");
            let Some(code) = by.strip_prefix(own) else {
                let (file, key) = by.split_once(", ").unwrap_or((by, ""));
                assert!(laid.has(file) || file == "history.txt", "{by}");
                let keys = ["list", "put-backs", "same-failure", "needs", "close"];
                if let Some(key) = keys.iter().find(|known| key.starts_with(*known)) {
                    assert!(
                        laid.read(file).contains(key) || file.ends_with(".wasm"),
                        "{by}"
                    );
                }
                continue;
            };
            let (file, function) = code.split_once("::").expect("a function");
            let source = std::fs::read_to_string(root.join(file)).expect(file);
            assert!(source.contains(&format!("fn {function}")), "{by}");
        }
    }
    assert!(diagram.contains("\n  beside it: the model, doors/mind.wasm (loop.txt, model)\n"));
    assert!(!diagram.contains("[model]"), "the model is no cell");
}

#[test]
fn a23_lines_of_the_reader_survive_a_redraw_and_are_never_stale() {
    let laid = Laid::drawn();
    laid.edit(
        "diagram.txt",
        "[paste]",
        "# Here it gets interesting.\n[paste]\n# I mean it.",
    );
    laid.fresh();
    laid.edit("loop.txt", "put-backs = 8", "put-backs = 9");
    laid.redraw();
    let diagram = laid.read("diagram.txt");
    assert!(diagram.contains("put-backs: 9"), "{diagram}");
    assert!(
        diagram.contains("# Here it gets interesting.\n[paste]\n# I mean it."),
        "{diagram}"
    );
    laid.fresh();
}

#[test]
fn a23_only_what_this_loop_can_walk_is_drawn() {
    let laid = Laid::drawn();
    let diagram = laid.read("diagram.txt");
    let (cells, not_this_time) = diagram.split_once("\nnot this time:\n").unwrap();
    for absent in [
        "asking a person first",
        "a plan",
        "a second agent",
        "retrieval",
    ] {
        assert!(
            not_this_time.contains(&format!("  {absent}: ")),
            "{not_this_time}"
        );
        assert!(!cells.contains(absent), "{cells}");
    }
    laid.edit(
        "policy.toml",
        "shopping.checkout\"]   #",
        "shopping.add\"]   #",
    );
    laid.redraw();
    let diagram = laid.read("diagram.txt");
    assert!(diagram.contains("\n[ask]\n") && diagram.contains("\n[stop:waiting-for-nod]\n"));
    assert!(!diagram.contains("  asking a person first: "), "{diagram}");
}

#[test]
fn a25_every_step_of_a_run_is_an_arrow_and_what_was_not_walked_is_listed() {
    let laid = Laid::drawn();
    laid.run().stdout_has("milk").stderr_has("done").call();
    let against = laid.doorlist(["trace", "-C", LOOP, "--against", "diagram"]);
    let against = against
        .stdout_has("Every step is an arrow on the diagram.\n")
        .call();
    let (cells, arrows) = against
        .stdout
        .split_once("Arrows not walked this time:\n")
        .unwrap();
    assert!(cells.contains("\n  stop:put-backs\n"), "{against}");
    assert!(!cells.contains("\n  stop:done\n"), "{against}");
    assert!(arrows.contains("  close -> paste\n"), "{against}");
    assert!(!arrows.contains("  close -> stop:done\n"), "{against}");
    let trace = laid
        .doorlist(["trace", "-C", LOOP])
        .stdout_has("step  node")
        .call();
    for row in [
        "  line ",
        "  open:fridge.count ",
        "  paste ",
        "  stop:done ",
    ] {
        assert!(trace.stdout.contains(row), "{row}: {trace}");
    }
}

/// Runs that stopped, were cancelled, asked and went on: the diagram has all their ways.
#[test]
fn a25_stops_refusals_and_resumes_are_arrows_too() {
    let fail = "hand.fail {\"text\": \"no\"}";
    let all = format!(
        "no.such\n& {}\n& hand.take {{}}\n& hand.trap\n{fail}\n{fail}\n{fail}\n",
        say("x")
    );
    let (cap, fuel) = ("put-backs = 1", "fuel = 5_000");
    for (header, policy, answers, exit) in [
        ("", "", all.as_str(), 11),
        (cap, "", "no.such\n", 10),
        (fuel, "", "hand.spin\n", 13),
        ("", "[ask]\nfirst = [\"hand.trap\"]", "hand.trap\n", 12),
        ("", "", "", 15),
    ] {
        let laid = Laid::by_hand(header).script(answers);
        laid.write("policy.toml", policy);
        laid.redraw();
        laid.run_script().exit(exit).stderr_has("stopped: ").call();
        laid.resume_script()
            .exit(exit)
            .stderr_has("stopped: ")
            .call();
        laid.doorlist(["trace", "-C", LOOP, "--against", "diagram"])
            .stdout_has("Every step is an arrow on the diagram.\n")
            .call();
    }
}

#[test]
fn a25_a_step_that_the_files_no_longer_draw_is_named() {
    let laid = Laid::by_hand("").script(&format!("{}\nclose\n", say("x")));
    laid.run_script().stdout("\n").stderr_has("done").call();
    laid.edit("loop.txt", "\"hand.say\", ", "");
    let against = laid.doorlist(["trace", "-C", LOOP, "--against", "diagram"]);
    let against = against.exit(30).stdout_has("Not on the diagram:\n");
    against
        .stdout_has("lock -> open:hand.say")
        .stdout_has("open:hand.say -> paste")
        .call();
}
