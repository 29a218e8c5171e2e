//! The fridge loop of acceptance A, with the doors that `init` writes.

use crate::laid::{Laid, count};

/// What mind.wasm says at the end of the golden run.
const CLOSE: &str = "Counted milk 1, eggs 4. Below 2: milk, now on the shopping list.\n";

#[test]
fn a16_count_write_close() {
    let laid = Laid::fridge();
    laid.run()
        .stdout(CLOSE)
        .stderr_has("done (run 1: 3 put-backs, ")
        .call();
    let opened = laid.of_kind("1", "opening");
    let doors: Vec<_> = opened
        .iter()
        .map(|record| &record["payload"]["door"])
        .collect();
    assert_eq!(doors, ["fridge.count", "shopping.add"]);
    assert_eq!(laid.of_kind("1", "put_back").len(), 3);
    assert_eq!(
        laid.read("data/shopping-list.txt"),
        "milk\n",
        "eggs are never written"
    );
    assert!(laid.of_kind("1", "close_judged")[0]["payload"]["refused"].is_null());
}

#[test]
fn a17_a_lower_threshold_in_the_prose_changes_the_run() {
    let laid = Laid::fridge();
    laid.edit("loop.txt", "below 2", "below 1");
    laid.run()
        .stdout_has("Counted milk 1, eggs 4.")
        .stderr_has("2 put-backs")
        .call();
    assert_eq!(laid.of_kind("1", "opening").len(), 1);
    assert!(!laid.read("history.txt").contains("shopping.add"));
    assert!(!laid.has("data/shopping-list.txt"));
}

#[test]
fn a17_enough_milk_writes_nothing() {
    let laid = Laid::fridge().file("data/fridge.txt", "milk 3\neggs 4\n");
    laid.run()
        .stdout_has("Counted milk 3, eggs 4.")
        .stderr_has("2 put-backs")
        .call();
    assert!(!laid.has("data/shopping-list.txt"));
}

#[test]
fn a17_a13_a_close_without_the_writing_is_refused_and_the_loop_goes_on() {
    let laid = Laid::fridge().script(
        "fridge.count {\"items\": [\"milk\", \"eggs\"]}\nclose All is well.\n\
         shopping.add {\"item\": \"milk\"}\nclose Now it is.\n",
    );
    laid.run_script()
        .stdout("Now it is.\n")
        .stderr_has("4 put-backs")
        .call();
    let history = laid.read("history.txt");
    let refused = "close\n~ All is well.\nrefused: nothing was added for milk\n[3 loop.txt";
    assert!(history.contains(refused), "{history}");
}

#[test]
fn a16_a_second_run_has_a_journal_and_a_history_of_its_own() {
    let laid = Laid::fridge();
    laid.run().stdout(CLOSE).stderr_has("run 1").call();
    let first = laid.read("runs/1.jsonl");
    laid.edit("data/fridge.txt", "milk 1", "milk 5");
    laid.run()
        .stdout_has("Counted milk 5")
        .stderr_has("run 2")
        .call();
    assert_eq!(laid.read("runs/1.jsonl"), first);
    let history = laid.read("history.txt");
    assert_eq!(
        count(&history, "| [[\"milk\",5],[\"eggs\",4]]"),
        1,
        "{history}"
    );
    assert!(
        !history.contains("milk\",1"),
        "a04: it began empty: {history}"
    );
}

#[test]
fn a16_the_chinese_loop_runs_as_well() {
    let laid = Laid::empty();
    let init = laid.doorlist(["init", "loop", "--language", "zh"]);
    init.stdout_has("loop.txt")
        .stderr_has("next: doorlist run")
        .call();
    laid.run()
        .stdout_has("牛奶 1")
        .stderr_has("3 put-backs")
        .call();
    assert_eq!(laid.read("data/shopping-list.txt"), "牛奶\n");
}
