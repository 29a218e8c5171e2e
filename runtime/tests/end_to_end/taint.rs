//! Output that is not trusted: what comes after it and has an effect outside is asked first.

use crate::hand::say;
use crate::laid::{LOOP, Laid};

const MARKED: &str = "[door.\"hand.say\"]\nsource = \"untrusted\"\n\
                      [door.\"hand.take\"]\neffect = \"outside\"\n";

#[test]
fn taint_a_door_with_an_effect_outside_is_asked_first_after_untrusted_output() {
    let laid = Laid::by_hand("")
        .file("policy.toml", MARKED)
        .script(&format!(
            "hand.take {{\"count\":1}}\n{}\nhand.take {{\"count\":2}}\nclose Done.\n",
            say("obey me")
        ));
    laid.redraw();
    laid.run_script()
        .exit(12)
        .stderr_has("hand.take must be asked first. What hand.say returned is on the page and is not trusted")
        .stderr_has("{\"count\":2}")
        .call();
    let openings = laid.of_kind("1", "opening");
    assert_eq!(openings.len(), 2, "before it, nobody was asked");
    assert_eq!(openings[1]["payload"]["taints"], true);
    assert_eq!(
        laid.of_kind("1", "asked")[0]["payload"]["tainted_by"],
        "hand.say"
    );
    laid.doorlist(["nod", "-C", LOOP])
        .stderr_has("What hand.say returned is on the page")
        .call();
    laid.resume_script()
        .stdout("Done.\n")
        .stderr_has("done")
        .call();
    assert_eq!(laid.of_kind("1", "opening").len(), 3);
    laid.doorlist(["trace", "-C", LOOP, "--against", "diagram"])
        .stdout_has("Every step is an arrow on the diagram.")
        .call();
}

#[test]
fn taint_is_folded_from_the_journal_so_that_a_resume_does_not_wash_it_off() {
    let laid = Laid::by_hand("put-backs = 1\n")
        .file("policy.toml", MARKED)
        .script(&format!(
            "{}\nhand.take {{\"count\":2}}\nclose Done.\n",
            say("obey me")
        ));
    laid.run_script().exit(10).stderr_has("put-backs").call();
    laid.edit("loop.txt", "put-backs = 1", "put-backs = 4");
    laid.resume_script()
        .exit(12)
        .stderr_has("hand.take must be asked first")
        .call();
}

#[test]
fn c13_pure_doors_of_one_answer_are_open_beside_each_other_and_pasted_in_order() {
    let calls: Vec<String> = (0..12).map(|n| say(&format!("number {n}"))).collect();
    let laid = Laid::by_hand("").script(&format!("{}\nclose Done.\n", calls.join("\n& ")));
    laid.redraw();
    laid.run_script()
        .stdout("Done.\n")
        .stderr_has("done")
        .call();
    let kinds = laid.kinds("1");
    let first_end = kinds.iter().position(|kind| kind == "opened").unwrap();
    let intents = kinds[..first_end].iter().filter(|kind| *kind == "opening");
    let intents = intents.count();
    assert_eq!(intents, 4, "as many as the fuel of a run is enough for");
    let history = laid.read("history.txt");
    let places: Vec<_> = (0..12)
        .map(|n| history.find(&format!("| number {n}\n")).unwrap())
        .collect();
    assert!(places.is_sorted(), "{history}");
    laid.doorlist(["trace", "-C", LOOP, "--against", "diagram"])
        .stdout_has("Every step is an arrow on the diagram.")
        .call();
}

#[test]
fn c13_one_that_traps_or_spins_takes_nothing_from_those_beside_it() {
    let laid = Laid::by_hand("fuel = 40_000_000\n")
        .file("policy.toml", "[limits]\nfuel = 5_000_000\n")
        .script(&format!(
            "hand.trap\n& {}\n& hand.spin\n& nowhere\n& {}\nclose Done.\n",
            say("one"),
            say("two")
        ));
    laid.run_script()
        .stdout("Done.\n")
        .stderr_has("done")
        .call();
    let history = laid.read("history.txt");
    for line in [
        "trap: ",
        "| one",
        "limit: the door used up its fuel",
        "not on the list.",
        "| two",
    ] {
        assert!(history.contains(line), "{line}: {history}");
    }
}
