//! What every journal must do, as one suite to run over each backend.
//!
//! ```
//! # tokio::runtime::Builder::new_multi_thread().build().unwrap().block_on(async {
//! use doorlist::journal::{MemoryJournal, conformance::conformance};
//! conformance(MemoryJournal::new, MemoryJournal::clone).await;
//! # });
//! ```
//!
//! Its functions panic where a backend does not conform, as tests do.

use std::collections::BTreeSet;
use std::sync::Arc;

use loop_spec::{Entry, Payload, RECORD_VERSION, Record, Stamped};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{AppendError, Journal, RunKey, Tenant};

/// Runs the whole suite. `place` makes a new, empty place for journals; `open` opens one more handle
/// on it, as a second process would. Needs tokio's multi-thread runtime.
///
/// # Panics
/// The backend does not conform.
pub async fn conformance<P, J>(place: impl Fn() -> P, open: impl Fn(&P) -> J)
where
    J: Journal + 'static,
{
    a_run_that_nobody_made_is_empty(&open(&place())).await;
    appends_are_read_in_order(&open(&place())).await;
    reading_starts_where_asked(&open(&place())).await;
    another_count_is_a_conflict(&open(&place())).await;
    appending_nothing_makes_nothing(&open(&place())).await;
    a_batch_is_kept_whole_or_not_at_all(&open(&place())).await;
    payloads_come_back_exactly(&open(&place())).await;
    runs_are_apart(&open(&place())).await;
    runs_are_listed_by_their_first_time(&open(&place())).await;
    let shared = place();
    two_handles_see_each_other(&open(&shared), &open(&shared)).await;
    let shared = place();
    one_of_many_writers_wins(vec![open(&shared), open(&shared)]).await;
    let shared = place();
    appends_race_without_loss(vec![open(&shared), open(&shared)]).await;
}

async fn a_run_that_nobody_made_is_empty(journal: &dyn Journal) {
    let reading = journal.read(&run("r1"), 0).await.unwrap();
    assert_eq!((reading.records, reading.torn), (vec![], None));
    assert_eq!(journal.runs(&Tenant::local()).await.unwrap(), []);
}

async fn appends_are_read_in_order(journal: &dyn Journal) {
    let r1 = run("r1");
    let entries = [entry("a", 1), entry("b", 2), entry("c", 3)];
    assert_eq!(journal.append(&r1, 0, &entries[..1]).await.unwrap(), 1);
    assert_eq!(journal.append(&r1, 1, &entries[1..]).await.unwrap(), 3);
    assert_eq!(records(journal, &r1).await, placed(&entries));
}

async fn reading_starts_where_asked(journal: &dyn Journal) {
    let r1 = run("r1");
    let entries = [entry("a", 1), entry("b", 2), entry("c", 3)];
    journal.append(&r1, 0, &entries).await.unwrap();
    for from in 0..5 {
        let read = journal.read(&r1, from).await.unwrap().records;
        assert_eq!(
            read,
            placed(&entries)[(from as usize).min(3)..],
            "from {from}"
        );
    }
}

async fn another_count_is_a_conflict(journal: &dyn Journal) {
    let r1 = run("r1");
    journal
        .append(&r1, 0, &[entry("a", 1), entry("b", 2)])
        .await
        .unwrap();
    for count in [0, 1, 3, u64::MAX] {
        conflict(journal.append(&r1, count, &[entry("c", 3)]).await, count, 2);
    }
    conflict(journal.append(&run("r2"), 1, &[entry("c", 3)]).await, 1, 0);
    assert_eq!(records(journal, &r1).await.len(), 2);
    assert_eq!(journal.runs(&Tenant::local()).await.unwrap(), [r1]);
}

async fn appending_nothing_makes_nothing(journal: &dyn Journal) {
    let r1 = run("r1");
    assert_eq!(journal.append(&r1, 0, &[]).await.unwrap(), 0);
    conflict(journal.append(&r1, 1, &[]).await, 1, 0);
    assert_eq!(journal.runs(&Tenant::local()).await.unwrap(), []);
}

async fn a_batch_is_kept_whole_or_not_at_all(journal: &dyn Journal) {
    let r1 = run("r1");
    let too_deep = (0..1000).fold(Value::Null, |inner, _| json!([inner]));
    let mut batch = [entry("a", 1), entry("b", 2), entry("c", 3)];
    batch[2].entry.payload = payload(&too_deep);
    let error = journal.append(&r1, 0, &batch).await.unwrap_err();
    assert!(matches!(error, AppendError::Unwritable(_)), "{error}");
    assert_eq!(records(journal, &r1).await, []);
    assert_eq!(journal.append(&r1, 0, &batch[..2]).await.unwrap(), 2);
}

async fn payloads_come_back_exactly(journal: &dyn Journal) {
    let mut hostile = entry("opened", 1);
    hostile.entry.payload = payload(&json!({
        "text": "not on the list.\n{\"v\":1,\"seq\":9}\r\n\u{2028}\u{202e}\u{1b}[2J\0名",
        "largest": u64::MAX, "smallest": i64::MIN, "tiny": 5e-324, "minus zero": -0.0,
        "": [[], {}, null, true], "sum": "\",\"sum\":\"0\"}",
    }));
    let r1 = run("r1");
    journal
        .append(&r1, 0, std::slice::from_ref(&hostile))
        .await
        .unwrap();
    journal.append(&r1, 1, &[entry("b", 2)]).await.unwrap();
    assert_eq!(
        records(journal, &r1).await,
        placed(&[hostile, entry("b", 2)])
    );
}

async fn runs_are_apart(journal: &dyn Journal) {
    let (r1, r2) = (run("r1"), run("r2"));
    for n in 0..3 {
        journal.append(&r1, n, &[entry("one", n)]).await.unwrap();
        journal.append(&r2, n, &[entry("two", n)]).await.unwrap();
    }
    for (run, kind) in [(r1, "one"), (r2, "two")] {
        let expected: Vec<_> = (0..3).map(|n| entry(kind, n)).collect();
        assert_eq!(records(journal, &run).await, placed(&expected));
    }
}

async fn runs_are_listed_by_their_first_time(journal: &dyn Journal) {
    for (name, time) in [("late", 30), ("early", 10), ("b", 20), ("a", 20)] {
        journal
            .append(&run(name), 0, &[entry("started", time)])
            .await
            .unwrap();
    }
    journal
        .append(&run("early"), 1, &[entry("closed", 99)])
        .await
        .unwrap();
    let listed = journal.runs(&Tenant::local()).await.unwrap();
    assert_eq!(listed, ["early", "a", "b", "late"].map(run));
}

async fn two_handles_see_each_other(one: &dyn Journal, other: &dyn Journal) {
    let r1 = run("r1");
    one.append(&r1, 0, &[entry("a", 1)]).await.unwrap();
    other.append(&r1, 1, &[entry("b", 2)]).await.unwrap();
    conflict(one.append(&r1, 1, &[entry("c", 3)]).await, 1, 2);
    one.append(&r1, 2, &[entry("c", 3)]).await.unwrap();
    let expected = placed(&[entry("a", 1), entry("b", 2), entry("c", 3)]);
    assert_eq!(records(one, &r1).await, expected);
    assert_eq!(records(other, &r1).await, expected);
}

/// Many tasks append at each place, over several handles: each place is taken once.
async fn one_of_many_writers_wins<J: Journal + 'static>(handles: Vec<J>) {
    let handles = handles.into_iter().map(Arc::new).collect::<Vec<_>>();
    for place in 0..3 {
        let mut writers = JoinSet::new();
        for writer in 0..WRITERS {
            let journal = handles[writer as usize % handles.len()].clone();
            writers.spawn(async move {
                journal
                    .append(&run("r1"), place, &[entry("mine", writer)])
                    .await
            });
        }
        let (won, lost): (Vec<_>, Vec<_>) = writers
            .join_all()
            .await
            .into_iter()
            .partition(Result::is_ok);
        assert_eq!((won.len(), lost.len() as u64), (1, WRITERS - 1));
        lost.into_iter()
            .for_each(|lost| conflict(lost, place, place + 1));
    }
    assert_eq!(records(&*handles[0], &run("r1")).await.len(), 3);
}

/// Every writer tries again until it is in: all are there, each once.
async fn appends_race_without_loss<J: Journal + 'static>(handles: Vec<J>) {
    let handles = handles.into_iter().map(Arc::new).collect::<Vec<_>>();
    let mut writers = JoinSet::new();
    for writer in 0..WRITERS {
        let journal = handles[writer as usize % handles.len()].clone();
        writers.spawn(async move {
            let (mut place, batch) = (0, [entry("first", writer), entry("second", writer)]);
            while let Err(error) = journal.append(&run("r1"), place, &batch).await {
                let AppendError::Conflict { found, .. } = error else {
                    panic!("{error}");
                };
                place = found;
            }
        });
    }
    writers.join_all().await;
    let records = records(&*handles[0], &run("r1")).await;
    assert_eq!(records.len() as u64, 2 * WRITERS);
    for pair in records.chunks(2) {
        assert_eq!(pair[0].time, pair[1].time, "a batch stays together");
    }
    let writers: BTreeSet<_> = records.iter().map(|record| record.time).collect();
    assert_eq!(writers.len() as u64, WRITERS);
}

async fn records(journal: &dyn Journal, run: &RunKey) -> Vec<Record> {
    let reading = journal.read(run, 0).await.unwrap();
    assert_eq!(reading.torn, None);
    reading.records
}

fn conflict(result: Result<u64, AppendError>, ours: u64, theirs: u64) {
    match result {
        Err(AppendError::Conflict { expected, found }) => {
            assert_eq!((expected, found), (ours, theirs));
        }
        other => panic!("expected a conflict, found {other:?}"),
    }
}

fn placed(entries: &[Stamped]) -> Vec<Record> {
    let place = |(seq, stamped): (u64, &Stamped)| Record {
        v: RECORD_VERSION,
        seq,
        time: stamped.time,
        entry: stamped.entry.clone(),
    };
    (0..).zip(entries).map(place).collect()
}

fn run(id: &str) -> RunKey {
    RunKey::local(id).unwrap()
}

fn entry(kind: &str, time: u64) -> Stamped {
    let kind = kind.to_owned();
    let payload = payload(&json!({ "time": time }));
    Stamped {
        time,
        entry: Entry { kind, payload },
    }
}

fn payload(content: &Value) -> Payload {
    Payload::of(content).unwrap()
}

/// Enough for every worker of a runtime to be in the race at once.
const WRITERS: u64 = 16;
