//! Which loop's folder a command is about, however a person names it.

use crate::command::Doorlist;
use crate::laid::{LOOP, Laid};

#[test]
fn every_command_takes_the_folder_behind_c() {
    let laid = Laid::fridge();
    for command in ["diagram", "check", "doors", "runs", "allow"] {
        let said = |call: Doorlist| call.stdout_has("").stderr_has("").call().stdout;
        let behind = said(laid.doorlist([command, "-C", LOOP, "--json"]));
        assert_eq!(behind, said(laid.doorlist([command, LOOP, "--json"])));
    }
    laid.doorlist(["run", "-C", LOOP, "What do we need?"])
        .stdout_has("milk, now on the shopping list")
        .stderr_has("done (run 1: ")
        .call();
    assert!(laid.read("runs/1.jsonl").contains("What do we need?"));
}

#[test]
fn a_folder_in_the_place_of_a_run_is_told_where_it_goes() {
    let laid = Laid::fridge();
    for command in [
        "page", "history", "trace", "resume", "nod", "deny", "withdraw",
    ] {
        laid.doorlist([command, LOOP])
            .exit(1)
            .stderr_has(format!("`-C {LOOP}`"))
            .call();
    }
}

#[test]
fn a_line_in_the_place_of_the_folder_is_told_where_it_goes() {
    let laid = Laid::fridge();
    let folder = laid.folder();
    Doorlist::new(&laid.dir(), &folder.own().config)
        .args(["run", "milk"])
        .exit(1)
        .stderr_has("`doorlist run . \"milk\"`")
        .call();
}

#[test]
fn an_off_list_name_near_a_listed_one_is_told_so() {
    let laid = Laid::fridge();
    laid.doorlist(["call", "fridge.cuont", "-C", LOOP])
        .exit(20)
        .stdout("not on the list.\n")
        .stderr_has("\"fridge.count\" is on it")
        .call();
}
