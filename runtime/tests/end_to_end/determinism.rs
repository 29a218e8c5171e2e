//! The same component with the same arguments, time and seed: the same bytes and the same fuel.
//!
//! A journal that is cut behind the intent of an opening is that of a killed process. To resume it is
//! to open the same pure door again, in a fresh process, at the recorded time with the recorded seed.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::laid::Laid;

#[test]
fn a_fresh_process_opens_a_pure_door_to_the_same_bytes_and_the_same_fuel() {
    let laid = curious();
    laid.run_script()
        .stdout("Done.\n")
        .stderr_has("done")
        .call();
    let journal = laid.read("runs/1.jsonl");
    let firsts = opened(&laid, "1");
    assert_eq!(firsts.len(), CALLS.len());
    let cold = tempfile::tempdir().unwrap();
    for (index, first) in firsts.iter().enumerate() {
        let said = first["payload"]["outcome"]["said"].is_object();
        assert!(said, "{}: {first}", CALLS[index]);
        for cache in [None, Some(cold.path()), Some(cold.path())] {
            laid.write("runs/1.jsonl", upto(&journal, "opening", index));
            fs::remove_file(laid.path("history.txt")).unwrap();
            let resumed = laid.resume_script().stdout("Done.\n");
            let resumed = match cache {
                Some(cache) => resumed.env("DOORLIST_CACHE", cache.to_str().unwrap()),
                None => resumed,
            };
            resumed.stderr_has("resumed").call();
            let again = &opened(&laid, "1")[index];
            assert_eq!(again["payload"], first["payload"], "{}", CALLS[index]);
        }
        empty(cold.path());
    }
}

#[test]
fn the_inert_world_has_nothing_in_it_but_a_time_and_a_seed() {
    let laid = curious();
    laid.run_script()
        .stdout("Done.\n")
        .stderr_has("done")
        .call();
    let said = |call: &str| {
        let index = CALLS.iter().position(|named| *named == call).unwrap();
        let opening = laid.of_kind("1", "opening")[index]["payload"].clone();
        let opened = opened(&laid, "1")[index]["payload"].clone();
        let text = opened["outcome"]["said"]["text"].as_str().unwrap();
        (text.parse::<u64>().ok(), opening, opened)
    };
    for empty in [
        "curious.environment",
        "curious.arguments",
        "curious.directories",
    ] {
        assert_eq!(said(empty).0, Some(0), "{empty}");
    }
    let (seconds, opening, _) = said("curious.seconds");
    let time = opening["time"].as_u64().unwrap();
    assert_eq!(seconds, Some(time / 1_000_000), "the recorded time");
    let (slept, ..) = said(SLEEP);
    assert!(
        slept >= Some(3_600_000_000_000),
        "an hour went by: {slept:?}"
    );
    let (_, _, printed) = said(PRINT);
    assert_eq!(printed["printed"], "to the trace");
    assert!(!laid.read("history.txt").contains("\n| to the trace"));
}

#[test]
fn another_seed_gives_other_numbers() {
    let laid = curious();
    laid.run_script()
        .stdout("Done.\n")
        .stderr_has("done")
        .call();
    let (once, twice) = (drawn(&laid, "1", 0), drawn(&laid, "1", 1));
    assert_ne!(once, twice, "two openings, two seeds");
    laid.run_script()
        .stdout("Done.\n")
        .stderr_has("run 2")
        .call();
    assert!(![once, twice].contains(&drawn(&laid, "2", 0)));
}

/// The model and the check of a close get no time and no chance at all.
#[test]
fn model_and_check_use_the_same_fuel_in_every_run() {
    let fuels = |cache: Option<&Path>| {
        let laid = Laid::fridge();
        let run = match cache {
            Some(cache) => laid.run().env("DOORLIST_CACHE", cache.to_str().unwrap()),
            None => laid.run(),
        };
        run.stdout_has("milk 1").stderr_has("done").call();
        let of_kind = |kind| laid.of_kind("1", kind).into_iter();
        let fuel = |record: Value| record["payload"]["fuel"].as_u64().unwrap();
        let fuels: Vec<_> = of_kind("answered")
            .chain(of_kind("close_judged"))
            .map(fuel)
            .collect();
        fuels
    };
    let cold = tempfile::tempdir().unwrap();
    let first = fuels(None);
    assert!(first.len() == 4 && !first.contains(&0), "{first:?}");
    assert_eq!(fuels(Some(cold.path())), first, "compiled anew");
    assert_eq!(fuels(Some(cold.path())), first, "from the cache");
}

/// What came of a run's openings, in the order of these: doors that are open beside each other end in
/// any other.
fn opened(laid: &Laid, run: &str) -> Vec<Value> {
    let all = laid.of_kind(run, "opened");
    let of = |opening: &Value| {
        let call = &opening["payload"]["call"];
        let opened = all.iter().find(|it| it["payload"]["call"] == *call);
        opened.expect("it was opened").clone()
    };
    laid.of_kind(run, "opening").iter().map(of).collect()
}

/// A run of all calls, one answer.
fn curious() -> Laid {
    let answers = format!("{}\nclose Done.\n", CALLS.join("\n& "));
    let laid = Laid::by_hand("").script(&answers);
    laid.write("doors/curious.wat", CURIOUS);
    let mut names: Vec<_> = CALLS
        .iter()
        .map(|call| format!("\"{}\"", call.split(' ').next().unwrap()))
        .collect();
    names.dedup();
    laid.write(
        "loop.txt",
        format!("+++\nlist = [{}]\n+++\nLook around.\n", names.join(", ")),
    );
    laid
}

/// The journal up to and with its n-th entry of this kind.
fn upto(journal: &str, kind: &str, n: usize) -> String {
    let is_it = |line: &str| serde_json::from_str::<Value>(line).unwrap()["kind"] == kind;
    let mut seen = 0;
    let mut kept = String::new();
    for line in journal.lines() {
        kept += &format!("{line}\n");
        seen += usize::from(is_it(line));
        if seen > n {
            break;
        }
    }
    kept
}

fn drawn(laid: &Laid, run: &str, n: usize) -> String {
    opened(laid, run)[n]["payload"]["outcome"].to_string()
}

fn empty(dir: &Path) {
    fs::remove_dir_all(dir).unwrap();
    fs::create_dir(dir).unwrap();
}

/// Asks WASI for all that an opening's world consists of.
pub(crate) const CURIOUS: &str = include_str!("../../src/sandbox/tests/doors/curious.wat");

const SLEEP: &str = "curious.sleep {\"nanoseconds\": 3600000000000}";
const PRINT: &str = "curious.print {\"text\": \"to the trace\"}";
const CALLS: [&str; 11] = [
    "curious.draw",
    "curious.draw",
    "curious.draw-all",
    "curious.draw-bytes {\"len\": 64}",
    "curious.seconds",
    "curious.instant",
    SLEEP,
    "curious.environment",
    "curious.arguments",
    "curious.directories",
    PRINT,
];
