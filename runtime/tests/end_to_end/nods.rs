//! Doors that must be asked first: the run stops in front of them, and a nod is for one call.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use doorlist::ambient::{Ambient, System};
use doorlist::driver::{DriveError, Driver, HostError, Unwatched};
use doorlist::gate::Gate;
use doorlist::journal::{AppendError, Journal as _, MemoryJournal};
use doorlist::loop_folder::FolderSource;
use doorlist::loop_run::{Doorkeeper, LoopHands, LoopRun};
use doorlist::models::ScriptModel;
use loop_spec::loop_machine::{Asked, Event, LoopMachine, Nod, NodAnswered, Stop};
use tokio_util::sync::CancellationToken;

use crate::driven::{gate, run_one};
use crate::hand::{HAND, say};
use crate::laid::{LINE, LOOP, Laid, count};

/// Every door is asked first; `hand.say` is called, then the run is closed.
fn asking() -> Laid {
    Laid::by_hand("")
        .file("policy.toml", "[ask]\nfirst = [\"hand.say\"]\n")
        .script(&format!("{}\nclose Said.\n", say("hello")))
}

/// Runs until it waits for a nod.
fn waiting() -> Laid {
    let laid = asking();
    laid.run_script()
        .exit(12)
        .stderr_has(
            "hand.say must be asked first. It would be opened with\n  {\"text\":\"hello\"}\n",
        )
        .stderr_has("`doorlist nod 1 -C loop` or `doorlist deny 1 -C loop`")
        .call();
    laid
}

#[test]
fn a20_a_nod_opens_the_door_once() {
    let laid = waiting();
    assert_eq!(laid.of_kind("1", "opening").len(), 0);
    laid.doorlist(["nod", "-C", LOOP])
        .stderr_has("{\"text\":\"hello\"}")
        .stderr_has("it may open, this once. `doorlist resume 1 -C loop` goes on.")
        .call();
    laid.doorlist(["nod", "-C", LOOP])
        .exit(1)
        .stderr_has("expected a call that waits for a nod, found none")
        .call();
    laid.resume_script()
        .stdout("Said.\n")
        .stderr_has("done")
        .call();
    assert_eq!(laid.of_kind("1", "opening").len(), 1);
    assert_eq!(count(&laid.read("history.txt"), "| hello"), 1);
    laid.doorlist(["trace", "-C", LOOP, "--against", "diagram"])
        .stdout_has("Every step is an arrow on the diagram.")
        .call();
}

#[test]
fn a20_a_denial_is_told_and_nothing_opens() {
    let laid = waiting();
    laid.doorlist(["deny", "1", "-C", LOOP])
        .stderr_has("denied.")
        .call();
    let history = laid.read("history.txt");
    assert!(
        history.ends_with("denied: a person was asked first and said no.\n"),
        "{history}"
    );
    laid.resume_script()
        .stdout("Said.\n")
        .stderr_has("done")
        .call();
    assert_eq!(laid.of_kind("1", "opening").len(), 0);
    assert!(laid.read("history.txt").starts_with(&history));
}

#[test]
fn a20_a_question_that_is_taken_back_is_no_denial() {
    let laid = waiting();
    laid.doorlist(["withdraw", "-C", LOOP])
        .stderr_has("withdrawn. `doorlist resume 1 -C loop` goes on.")
        .call();
    laid.resume_script()
        .stdout("Said.\n")
        .stderr_has("done")
        .call();
    let history = laid.read("history.txt");
    assert!(history.contains("\nwithdrawn: "), "{history}");
    assert_eq!(laid.of_kind("1", "opening").len(), 0);
}

#[test]
fn a20_where_nobody_is_waited_for_the_model_is_told_so() {
    let laid = asking();
    laid.run_script()
        .arg("--unattended")
        .stdout("Said.\n")
        .stderr_has("unanswered: a person must be asked first and nobody was there")
        .call();
    assert_eq!(laid.of_kind("1", "opening").len(), 0);
}

#[test]
fn a20_of_several_names_those_before_the_one_that_waits_have_run_and_those_behind_it_wait() {
    let laid = asking();
    let take = |count: u32| format!("hand.take {{\"count\": {count}}}");
    let names = [take(1), say("hello"), take(2)].join("\n& ");
    let laid = laid.script(&format!("{names}\nclose Said.\n"));
    laid.run_script()
        .exit(12)
        .stderr_has("must be asked first")
        .call();
    let opened = || laid.of_kind("1", "opened").len();
    assert_eq!(opened(), 1);
    laid.doorlist(["nod", "-C", LOOP])
        .stderr_has("it may open")
        .call();
    laid.resume_script()
        .stdout("Said.\n")
        .stderr_has("done")
        .call();
    assert_eq!(opened(), 3);
}

#[tokio::test]
async fn a20_of_two_people_who_answer_at_once_one_is_heard() {
    let (laid, journal) = (asking(), MemoryJournal::new());
    drive(&laid, &journal, &Clock(1), vec![]).await;
    let resumed = || Driver::resume(&journal, &System, run_one(), LoopMachine::new());
    let (mut one, mut other) = (resumed().await.unwrap(), resumed().await.unwrap());
    let call = one.machine().asked().unwrap().call;
    let answer = |nod| Event::NodAnswered(NodAnswered { call, nod });
    one.record(answer(Nod::Denied), &mut Unwatched)
        .await
        .unwrap();
    let late = other.record(answer(Nod::Given), &mut Unwatched).await;
    assert!(
        matches!(late, Err(DriveError::Append(AppendError::Conflict { .. }))),
        "{late:?}"
    );
    let (stop, asked) = drive(&laid, &journal, &Clock(1), vec![Nod::Given]).await;
    assert_eq!((stop.name(), asked.len()), ("done", 0));
    let records = journal.read(&run_one(), 0).await.unwrap().records;
    assert!(records.iter().all(|record| record.entry.kind != "opening"));
}

#[test]
fn a20_a_door_that_was_swapped_is_asked_about_again() {
    let laid = waiting();
    // Before the nod: it is refused, since it would be for other bytes than were shown.
    let other = HAND.replace("unreachable", "(unreachable)(nop)");
    laid.write("doors/hand.wat", other);
    laid.doorlist(["nod", "-C", LOOP])
        .exit(1)
        .stderr_has("it was changed since you were asked about hand.say")
        .call();
    laid.resume_script()
        .exit(12)
        .stderr_has("must be asked first")
        .call();
    assert_eq!(laid.of_kind("1", "asked").len(), 2);
    // Between nod and opening: the nod opens nothing.
    laid.doorlist(["nod", "-C", LOOP])
        .stderr_has("it may open")
        .call();
    laid.write("doors/hand.wat", HAND);
    laid.resume_script()
        .exit(12)
        .stderr_has("must be asked first")
        .call();
    assert_eq!(laid.of_kind("1", "asked").len(), 3);
    assert_eq!(laid.of_kind("1", "opening").len(), 0);
    laid.doorlist(["nod", "-C", LOOP])
        .stderr_has("it may open")
        .call();
    laid.resume_script()
        .stdout("Said.\n")
        .stderr_has("done")
        .call();
    laid.doorlist(["trace", "-C", LOOP, "--against", "diagram"])
        .stdout_has("Every step is an arrow on the diagram.")
        .call();
}

#[test]
fn a20_only_who_policy_names_may_answer() {
    let laid = waiting();
    laid.write(
        "policy.toml",
        "[ask]\nfirst = [\"hand.say\"]\nby = [\"page\"]\n",
    );
    for command in ["nod", "deny"] {
        laid.doorlist([command, "-C", LOOP])
            .exit(1)
            .stderr_has("loop/policy.toml: `by` in [ask] does not let the terminal answer")
            .call();
    }
}

#[test]
fn a20_answering_is_told_to_programs() {
    let laid = waiting();
    let ended = laid
        .doorlist(["nod", "-C", LOOP, "--json"])
        .stdout_has("{")
        .call();
    let said: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(said["nod"], "given");
    assert_eq!(said["asked"]["door"], "hand.say");
    assert_eq!(said["asked"]["arguments"], "{\"text\":\"hello\"}");
}

#[test]
fn a20_a_typed_yes_that_comes_through_a_pipe_is_no_nod() {
    let laid = asking();
    laid.run_script()
        .stdin("y\ny\ny\n")
        .exit(12)
        .stderr_has("must be asked first")
        .call();
}

/// Answers from a list, and counts what is compiled when it is asked.
struct Keeper<'a> {
    answers: Vec<Nod>,
    gate: &'a Gate,
    asked: Arc<Mutex<Vec<(Asked, u64)>>>,
}

#[async_trait]
impl Doorkeeper for Keeper<'_> {
    async fn nod(&mut self, asked: &Asked) -> Result<Option<Nod>, HostError> {
        let counters = self.gate.sandbox().counters();
        let touched = counters.compiled + counters.loaded + counters.instantiated;
        self.asked.lock().unwrap().push((asked.clone(), touched));
        Ok(self.answers.pop())
    }
}

/// A clock that stands at `now`.
struct Clock(u64);

impl Ambient for Clock {
    fn now(&self) -> u64 {
        self.0
    }

    fn seed(&self) -> u64 {
        System.seed()
    }
}

/// Drives run 1, asking in place; its stop, and who was asked.
async fn drive(
    laid: &Laid,
    journal: &MemoryJournal,
    clock: &Clock,
    answers: Vec<Nod>,
) -> (Stop, Vec<(Asked, u64)>) {
    let gate = gate();
    let asked = Arc::default();
    let keeper = Keeper {
        answers,
        gate: &gate,
        asked: Arc::clone(&asked),
    };
    let script = ScriptModel::new("script", &laid.read("answers.txt")).unwrap();
    let (source, _) = FolderSource::open(laid.folder()).unwrap();
    let source = Box::new(source);
    let hands =
        LoopHands::new(&gate, source, Box::new(script), LINE.to_owned()).asking(Box::new(keeper));
    let (cancel, fresh) = (
        CancellationToken::new(),
        journal
            .read(&run_one(), 0)
            .await
            .unwrap()
            .records
            .is_empty(),
    );
    let stop = if fresh {
        let mut run = LoopRun::new(journal, clock, run_one(), hands);
        run.drive(&mut Unwatched, &cancel).await.unwrap()
    } else {
        let run = LoopRun::from_journal(journal, clock, run_one(), hands).await;
        run.unwrap().go_on(&mut Unwatched, &cancel).await.unwrap()
    };
    drop(cancel);
    let asked = asked.lock().unwrap().clone();
    (stop, asked)
}

#[tokio::test]
async fn a20_nothing_is_compiled_or_instantiated_before_the_nod() {
    let (laid, journal) = (asking(), MemoryJournal::new());
    let (stop, asked) = drive(&laid, &journal, &Clock(1), vec![Nod::Given]).await;
    assert_eq!(stop.name(), "done");
    let touched: Vec<_> = asked.iter().map(|(_, touched)| *touched).collect();
    assert_eq!(touched, [0]);
}

#[tokio::test]
async fn a20_a_nod_that_comes_too_late_opens_nothing() {
    let (laid, journal) = (asking(), MemoryJournal::new());
    let (stop, asked) = drive(&laid, &journal, &Clock(1), vec![]).await;
    assert_eq!(stop.name(), "waiting-for-nod");
    let day = Duration::from_secs(24 * 60 * 60).as_micros() as u64;
    assert_eq!(asked[0].0.expires, 1 + day);
    let (stop, asked) = drive(&laid, &journal, &Clock(1 + day), vec![Nod::Given]).await;
    assert_eq!(
        (stop.name(), asked.len()),
        ("done", 0),
        "nobody is asked any more"
    );
    let records = journal.read(&run_one(), 0).await.unwrap().records;
    assert!(records.iter().all(|record| record.entry.kind != "opening"));
}

#[tokio::test]
async fn a20_a_clock_that_is_set_back_makes_no_question_younger() {
    let (laid, journal) = (asking(), MemoryJournal::new());
    drive(&laid, &journal, &Clock(1_000_000), vec![]).await;
    let (stop, _) = drive(&laid, &journal, &Clock(5), vec![Nod::Given]).await;
    assert_eq!(stop.name(), "done");
    let records = journal.read(&run_one(), 0).await.unwrap().records;
    assert!(records.iter().map(|record| record.time).is_sorted());
    let opening = records
        .iter()
        .find(|record| record.entry.kind == "opening")
        .unwrap();
    assert_eq!(opening.entry.payload.value()["time"], 1_000_000);
}
