//! Hostile doors: each does one thing that a host must survive, and each is answered exactly as the
//! second comment of its file says, through the library and through the binary.
//!
//! They lie in `tests/hostile/`, one file one behaviour. This is a test binary of its own, so that the
//! memory of its process is that of the suite.

mod at_once;
mod generated;
mod suite;

use doorlist::doors::{Catalogue, DoorFile, DoorFileError};
use doorlist::gate::{Admission, Came, Conditions, Gate, GuardedDoor};
use doorlist::sandbox::{Sandbox, Settings};
use loop_spec::loop_machine::Outcome;
use loop_spec::{Language, frame};

/// Far more than any door here needs that ends by itself, and a moment of one that does not.
const FUEL: u64 = 20_000_000;

#[tokio::test(flavor = "multi_thread")]
async fn each_is_answered_as_its_file_says_and_the_next_opening_is_unharmed() {
    let gate = gate();
    let friend = Friend::new();
    let before = friend.open(&gate).await;
    let started = memory();
    let mut wrong = Vec::new();
    for hostile in suite::all() {
        // Twice: what the first opening left behind would show in the second.
        let answers = [hostile.answer(&gate).await, hostile.answer(&gate).await];
        if answers.iter().any(|answer| *answer != hostile.expect) {
            wrong.push(format!(
                "{}\n  expected {}\n  found    {answers:?}",
                hostile.name, hostile.expect
            ));
        }
        assert_eq!(friend.open(&gate).await, before, "after {}", hostile.name);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Each may take 64 MiB for a moment, and nothing of it afterwards.
    if let (Some(started), Some(ended)) = (started, memory()) {
        let grown = ended.saturating_sub(started);
        assert!(grown < MOST_GROWTH, "the process grew by {grown} KiB");
    }
}

#[test]
fn the_binary_answers_the_same() {
    let place = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for hostile in suite::all() {
        let answer = hostile.tried(place.path());
        if answer != hostile.expect {
            let expect = &hostile.expect;
            let name = &hostile.name;
            wrong.push(format!("{name}\n  expected {expect}\n  found    {answer}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_suite_is_large_and_each_file_says_what_it_stands_for() {
    let all = suite::all();
    assert!(all.len() >= 60, "{}", all.len());
    let classes: std::collections::BTreeSet<_> = all.iter().map(|door| &door.class).collect();
    assert_eq!(classes.len(), all.len(), "one file, one behaviour");
    assert!(all.iter().all(|door| door.class.len() > 10));
}

/// A gate whose doors have little fuel and the default of everything else.
fn gate() -> Gate {
    Gate::new(Sandbox::new(Settings::default()).unwrap())
}

fn conditions() -> Conditions {
    Conditions {
        fuel: FUEL,
        ..Conditions::default()
    }
}

/// The only door of a component.
fn door(file: DoorFile) -> Result<GuardedDoor, doorlist::doors::CatalogueError> {
    let catalogue = Catalogue::of([file])?;
    let door = catalogue.doors().next().expect("it exports a function");
    Ok(GuardedDoor::pure(door.clone()))
}

/// What a model would be told of a call, on one line; what is refused at load says so.
async fn answer(
    gate: &Gate,
    file: Result<DoorFile, DoorFileError>,
    arguments: &str,
) -> Result<String, String> {
    let refused = |error: String| {
        let said = error
            .split_once(": ")
            .map_or(error.as_str(), |(_, said)| said);
        format!("refused: {said}")
    };
    let file = file.map_err(|error| refused(error.to_string()))?;
    let door = door(file).map_err(|error| refused(error.to_string()))?;
    Ok(frame::one_line(
        &Language::En.observation(&open(gate, &door, arguments).await.outcome),
    ))
}

async fn open(gate: &Gate, door: &GuardedDoor, arguments: &str) -> Came {
    match gate.admit(door, arguments, false) {
        Admission::Open { values, .. } => gate.open(door, values, conditions()).await,
        other => panic!("{other:?}"),
    }
}

/// A door that always answers the same, for the same fuel.
struct Friend(GuardedDoor);

impl Friend {
    fn new() -> Self {
        let component = wat::parse_str(include_str!("friend.wat")).unwrap();
        Self(door(DoorFile::from_bytes("friend", component).unwrap()).unwrap())
    }

    async fn open(&self, gate: &Gate) -> Came {
        let came = open(gate, &self.0, "{\"number\":20}").await;
        let said = Outcome::Said {
            text: "6765".to_owned(),
        };
        assert_eq!(came.outcome, said);
        came
    }
}

/// KiB of memory that this process holds, where the system says so.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// KiB: some memories and stacks of the pool stay resident, and a hundred compiled components.
const MOST_GROWTH: u64 = 400 << 10;
