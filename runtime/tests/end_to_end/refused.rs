//! What does not open: names that are not listed, lists without doors, closes that do not stand.

use doorlist::models::ScriptModel;

use crate::driven::{gate, start};
use crate::hand::say;
use crate::laid::{Laid, count, shown};

#[test]
fn a08_off_list_name_is_pasted_not_run() {
    let answers = "nobody.knows {}\nunlisted.go {\"x\": 1}\nshopping.checkout {}\nclose\n";
    let laid = Laid::fridge().script(answers);
    laid.edit("loop.txt", "close = ", "# close = ");
    laid.edit("loop.txt", "needs = ", "# needs = ");
    // A door that is there and not listed, and one that nothing could load.
    let component = std::fs::read(laid.path("doors/shopping.wasm")).unwrap();
    laid.write("doors/unlisted.wasm", component);
    laid.write("doors/broken.wasm", b"\0asm and then nothing");
    laid.run_script()
        .stdout("\n")
        .stderr_has("4 put-backs")
        .call();
    let history = laid.read("history.txt");
    for name in [
        "nobody.knows {}",
        "unlisted.go {\"x\":1}",
        "shopping.checkout {}",
    ] {
        assert!(
            history.contains(&format!("\n{name}\nnot on the list.\n")),
            "{history}"
        );
    }
    assert!(laid.of_kind("1", "opening").is_empty());
    assert!(!laid.has("data/shopping-list.txt"));
}

#[tokio::test]
async fn a08_a19_nothing_is_compiled_or_instantiated_for_an_off_list_name() {
    let laid = Laid::fridge();
    laid.edit("loop.txt", "close = ", "# close = ");
    laid.edit("loop.txt", "needs = ", "# needs = ");
    let script = ScriptModel::new("script", "shopping.checkout {}\nnobody.knows\nclose").unwrap();
    let (gate, journal) = (gate(), laid.folder().journal().unwrap());
    start(&laid, &journal, &gate, Box::new(script))
        .await
        .unwrap();
    let counters = gate.sandbox().counters();
    assert_eq!(
        (counters.compiled, counters.loaded, counters.instantiated),
        (0, 0, 0)
    );
    assert_eq!(count(&laid.read("history.txt"), "not on the list."), 2);
}

#[test]
fn a09_a_listed_door_runs_and_what_it_returns_is_pasted() {
    let laid = Laid::by_hand("").script(&format!("{}\nclose\n", say("milk 1\neggs 4")));
    laid.run_script()
        .stdout("\n")
        .stderr_has("| milk 1\n| eggs 4\n")
        .call();
    assert!(
        laid.read("history.txt")
            .contains("\n| milk 1\n| eggs 4\n[2 loop.txt")
    );
}

#[test]
fn a11_a_listed_name_without_a_door_refuses_the_run_before_the_first_put_back() {
    let laid = Laid::by_hand("").script("close\n");
    laid.edit("loop.txt", "list = [", "list = [\"attic.look\", ");
    let refused = laid
        .run_script()
        .exit(16)
        .stderr_has(shown("doors/attic.wasm"));
    refused.stderr_has("found neither").call();
    assert!(
        !laid.has("runs") && !laid.has("history.txt"),
        "nothing of a run is there"
    );
    laid.edit("loop.txt", "attic.look", "hand.look");
    let refused = laid
        .run_script()
        .exit(16)
        .stderr_has(shown("doors/hand.wat"));
    refused
        .stderr_has("expected a door `hand.look`")
        .stderr_has("hand.say")
        .call();
}

#[test]
fn a12_needs_a_door_that_was_opened_well() {
    let fail = "hand.take {\"count\": -1}";
    let answers =
        format!("close Now.\n{fail}\nclose Now.\nhand.take {{\"count\": 1}}\nclose Then.");
    let laid = Laid::by_hand("needs = [\"hand.take\"]").script(&answers);
    laid.run_script()
        .stdout("Then.\n")
        .stderr_has("5 put-backs")
        .call();
    let refused =
        "refused: hand.take has not been opened well in this run, and every close needs it.";
    assert_eq!(count(&laid.read("history.txt"), refused), 2);
}

#[test]
fn a12_numbers_come_from_the_page() {
    let answers = format!(
        "{}\nclose There are 5.\nclose There are 4.\n",
        say("eggs 4")
    );
    let laid = Laid::by_hand("numbers = \"from page\"").script(&answers);
    laid.run_script()
        .stdout("There are 4.\n")
        .stderr_has("refused: the number 5")
        .call();
}

#[test]
fn a12_a_check_door_that_cannot_answer_refuses_the_close() {
    let laid = Laid::fridge().script("close\n");
    laid.edit("loop.txt", "doors/settled.wasm", "doors/mind.wasm");
    let refused = laid
        .run_script()
        .exit(16)
        .stderr_has(shown("doors/mind.wasm"));
    refused.stderr_has("doorlist:close/close").call();
}
