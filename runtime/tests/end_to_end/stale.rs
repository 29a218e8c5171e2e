//! What makes a diagram stale, and what does not.

use crate::command::Ended;
use crate::hand::HAND;
use crate::laid::{LOOP, Laid, shown};

#[test]
fn a18_a_threshold_edited_in_the_diagram_alone_changes_nothing_and_is_stale() {
    let laid = Laid::drawn();
    laid.edit("diagram.txt", "below 2", "below 1");
    laid.run()
        .stdout_has("Below 2: milk")
        .stderr_has("3 put-backs")
        .call();
    assert_eq!(laid.read("data/shopping-list.txt"), "milk\n");
    let check = stale(&laid);
    assert!(
        check.stdout.contains("stale: goal: diagram.txt says `"),
        "{check}"
    );
    assert!(check.stdout.contains("open loop.txt, the prose"), "{check}");
    assert_eq!(check.stdout.matches("stale: ").count(), 1, "{check}");
}

#[test]
fn a18_a_threshold_edited_in_loop_txt_makes_the_old_diagram_stale() {
    let laid = Laid::drawn();
    laid.edit("loop.txt", "below 2", "below 1");
    let check = stale(&laid);
    assert!(check.stdout.contains("stale: goal: "), "{check}");
    laid.redraw();
    laid.fresh();
}

#[test]
fn a19_a_cell_drawn_by_hand_changes_nothing_but_makes_the_diagram_stale() {
    let laid = Laid::drawn();
    let cell =
        "[open:shopping.checkout]\n  by doors/shopping.wasm, checkout\n  -> paste\n\n[paste]";
    laid.edit("diagram.txt", "[paste]", cell);
    let script = laid.script("shopping.checkout\nclose\n");
    script.edit("loop.txt", "put-backs = 8", "put-backs = 2");
    let run = script.run_script().exit(10);
    run.stderr_has("shopping.checkout {}\nnot on the list.")
        .call();
    script.edit("loop.txt", "put-backs = 2", "put-backs = 8");
    let check = stale(&script);
    let says = "stale: open:shopping.checkout: diagram.txt says `";
    assert!(check.stdout.contains(says), "{check}");
    assert!(
        check.stdout.contains("which nothing draws; open "),
        "{check}"
    );
    script.redraw();
    assert!(!script.read("diagram.txt").contains("shopping.checkout"));
}

#[test]
fn a24_a_door_added_to_the_list_is_stale() {
    let laid = Laid::drawn();
    laid.edit(
        "loop.txt",
        "\"shopping.add\"]",
        "\"shopping.add\", \"shopping.checkout\"]",
    );
    let check = stale(&laid);
    for says in [
        "stale: list: diagram.txt says `",
        "open loop.txt, list",
        "stale: open:shopping.checkout: diagram.txt lacks `",
        "stale: ask: diagram.txt lacks `",
        "open policy.toml, ask.first",
    ] {
        assert!(check.stdout.contains(says), "{says}: {check}");
    }
}

#[test]
fn a24_a_stop_changed_is_stale() {
    let laid = Laid::drawn();
    laid.edit("loop.txt", "put-backs = 8", "put-backs = 9");
    let check = stale(&laid);
    let says = "stale: stop:put-backs: diagram.txt says `by loop.txt, put-backs: 8`, but it is `by \
                loop.txt, put-backs: 9`; open loop.txt, put-backs";
    assert!(check.stdout.contains(says), "{check}");
    assert_eq!(check.stdout.lines().count(), 1, "{check}");
}

#[test]
fn a24_a_policy_changed_is_stale() {
    let laid = Laid::drawn();
    laid.edit("policy.toml", "first = [", "first = [\"shopping.add\", ");
    let check = stale(&laid);
    for says in [
        "stale: ask: diagram.txt lacks `",
        "stale: stop:waiting-for-nod: ",
    ] {
        assert!(check.stdout.contains(says), "{says}: {check}");
    }
    let laid = Laid::drawn();
    let (count, add) = (
        "[door.\"fridge.count\"]\ndirs = [{ host = \"data\", guest = \"/data\" }]",
        "",
    );
    laid.edit("policy.toml", count, add);
    let check = stale(&laid);
    assert!(
        check.stdout.contains("stale: open:fridge.count: "),
        "{check}"
    );
    assert!(
        check
            .stdout
            .contains("open policy.toml, door.\"fridge.count\".dirs"),
        "{check}"
    );
}

#[test]
fn a24_an_interface_changed_is_stale() {
    let laid = Laid::by_hand("");
    laid.redraw();
    laid.fresh();
    laid.write(
        "doors/hand.wat",
        HAND.replace("\"count\" u32", "\"number\" u32"),
    );
    let check = stale(&laid);
    assert!(
        check
            .stdout
            .contains("stale: open:hand.take: diagram.txt says `"),
        "{check}"
    );
    assert!(
        check.stdout.contains("open doors/hand.wat, take"),
        "{check}"
    );
}

/// `check` ends with the code for a stale diagram, and every finding names the diagram.
#[track_caller]
fn stale(laid: &Laid) -> Ended {
    let check = laid
        .doorlist(["check", LOOP])
        .exit(30)
        .stdout_has("stale: ");
    let check = check.call();
    let begin = format!("error: {}: stale: ", shown("diagram.txt"));
    assert!(
        check.stdout.lines().all(|line| line.starts_with(&begin)),
        "{check}"
    );
    check
}
