//! The fridge loop, decided by a real language model twenty times.
//!
//! Only where `DOORLIST_REAL_MODEL` names the endpoint of a server that speaks like OpenAI's, as
//! `tools/real-model` starts one. Whatever the model says, each run must come to one of its stops with all
//! of it in the journal. `tests/real-model.md` has what came of it once.

use std::collections::BTreeMap;

use crate::laid::{LOOP, Laid};

const RUNS: usize = 20;

/// The codes of the stops that a model can bring about: done, put-backs, the same failure, a nod, fuel,
/// no answer of the model, and one answer after another cut short.
const STOPS: [i32; 7] = [0, 10, 11, 12, 13, 15, 17];

#[test]
fn whatever_a_real_model_says_each_run_comes_to_a_stop() {
    let Ok(endpoint) = std::env::var("DOORLIST_REAL_MODEL") else {
        println!("DOORLIST_REAL_MODEL names no endpoint: nothing is asked");
        return;
    };
    let mut ends = BTreeMap::new();
    for run in 1..=RUNS {
        let laid = Laid::drawn();
        let ended = laid
            .run()
            .args(["--model", "openai:smollm2", "--endpoint", &endpoint])
            .args(["--no-stream", "--max-tokens", "256"])
            .into_command()
            .output()
            .expect("it can be started");
        let code = ended.status.code().expect("nobody ended it");
        let said = String::from_utf8(ended.stderr).expect("it says text");
        assert!(STOPS.contains(&code), "{code}: {said}");
        let kinds = laid.kinds("1");
        assert_eq!(kinds.first().unwrap(), "run_started");
        assert_eq!(kinds.last().unwrap(), "stopped");
        let of = |kind: &str| kinds.iter().filter(|found| *found == kind).count();
        assert_eq!(of("opening"), of("opened"), "{kinds:?}");
        let named: usize = laid.of_kind("1", "answered").iter().map(names).sum();
        let answered = of("opened") + of("refused") + of("asked");
        match code {
            0 | 10 => assert_eq!(named, answered, "each name has one result: {kinds:?}"),
            // Where it stopped in the middle of an answer, a resume gives the rest theirs.
            _ => assert!(named >= answered, "{kinds:?}"),
        }
        laid.doorlist(["trace", "-C", LOOP, "--against", "diagram"])
            .stdout_has("Every step is an arrow on the diagram.")
            .call();
        let stop = said
            .lines()
            .rfind(|line| line.starts_with("done (") || line.starts_with("stopped: "));
        let stop = stop.expect("it says how it ended").to_owned();
        println!("run {run}: {stop}");
        if run == 1 {
            println!("{said}");
        }
        let name = stop.split(" (").next().unwrap().to_owned();
        *ends.entry(name).or_insert(0) += 1;
    }
    println!("{ends:?}");
}

/// How many names an answer hands over.
fn names(answered: &serde_json::Value) -> usize {
    let calls = &answered["payload"]["answer"]["names"]["calls"];
    calls.as_array().map_or(0, Vec::len)
}
