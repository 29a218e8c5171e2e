//! The errors of a door: each is one line of its own kind on the page.

use crate::hand::say;
use crate::laid::{Laid, count};

/// The pasted line below the call of one door under this policy.
#[track_caller]
fn pasted(policy: &str, call: &str) -> String {
    let laid = Laid::by_hand("").script(&format!("{call}\nclose\n"));
    laid.write("policy.toml", policy);
    laid.run_script()
        .stdout("\n")
        .stderr_has("2 put-backs")
        .call();
    let history = laid.read("history.txt");
    assert_eq!(
        history.lines().count(),
        6,
        "one line for the error: {history}"
    );
    history.lines().nth(2).unwrap().to_owned()
}

#[test]
fn a10_the_doors_own_error() {
    let line = pasted("", r#"hand.fail {"text": "no\nmilk"}"#);
    assert_eq!(line, r"error: no\nmilk");
}

#[test]
fn a10_a_trap() {
    let line = pasted("", "hand.trap");
    assert!(
        line.starts_with("trap: ") && line.contains("unreachable"),
        "{line}"
    );
}

#[test]
fn a10_the_fuel_of_an_opening() {
    let line = pasted("[limits]\nfuel = 2_000_000", "hand.spin");
    assert_eq!(line, "limit: the door used up its fuel of 2000000.");
}

#[test]
fn a10_the_memory_of_an_opening() {
    let line = pasted("[limits]\nmemory = \"2 MiB\"", "hand.grow");
    assert_eq!(
        line,
        "limit: the door asked for more than 2097152 bytes of memory."
    );
}

#[test]
fn a10_the_time_of_an_opening() {
    let policy = "[limits]\nfuel = 1_000_000_000_000_000\ntime = \"20 ms\"";
    let laid = Laid::by_hand("fuel = 1_000_000_000_000_000").script("hand.spin\nclose\n");
    laid.write("policy.toml", policy);
    laid.run_script()
        .stdout("\n")
        .stderr_has("limit: the door took longer than 20 ms.")
        .call();
}

#[test]
fn a10_what_it_returns_is_clipped() {
    let laid = Laid::by_hand("").script(&format!("{}\nclose\n", say(&"é".repeat(1_000))));
    laid.write("policy.toml", "[limits]\noutput = \"100 B\"");
    laid.run_script()
        .stdout("\n")
        .stderr_has("2 put-backs")
        .call();
    let history = laid.read("history.txt");
    assert!(
        history.contains("| é") && !history.contains('\u{fffd}'),
        "{history}"
    );
    let longest = history
        .lines()
        .filter(|line| line.starts_with('|'))
        .map(str::len)
        .sum::<usize>();
    assert!(longest < 300, "{history}");
}

#[test]
fn a10_arguments_that_do_not_fit() {
    let count = "`count`: expected u32 (a whole number from 0 to 4294967295), found";
    for (arguments, expected) in [
        ("{}", format!("{count} nothing")),
        (r#"{"count": "x"}"#, format!("{count} \"x\"")),
        (r#"{"count": -1}"#, format!("{count} -1")),
        (r#"{"count": 4294967296}"#, format!("{count} 4294967296")),
        (
            r#"{"count": 1, "more": 2}"#,
            "there is no parameter \"more\"; expected one of count".to_owned(),
        ),
        (
            "[1]",
            "expected an object keyed by the parameters' names, found a list of 1".to_owned(),
        ),
        (
            r#"{"count": 1"#,
            "expected arguments as JSON; line 1, column 11: EOF while parsing an object".to_owned(),
        ),
    ] {
        let line = pasted("", &format!("hand.take {arguments}"));
        assert_eq!(line, format!("arguments: {expected}"));
    }
}

#[test]
fn a10_arguments_nested_100_000_deep() {
    for (open, close) in [("[", "]"), ("{\"count\":", "}")] {
        let deep = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
        let laid = Laid::by_hand("").script(&format!("hand.take {{\"count\": {deep}}}\nclose\n"));
        laid.run_script()
            .stdout("\n")
            .stderr_has("arguments: ")
            .call();
        let history = laid.read("history.txt");
        assert!(
            history.len() < 20_000,
            "what is pasted is clipped: {}",
            history.len()
        );
        assert_eq!(count(&history, "close"), 1);
        laid.doorlist(["runs", "loop"]).stdout_has("done").call();
    }
}
