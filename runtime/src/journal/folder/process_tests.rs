//! What only whole processes can show: limits, kills, and writers that share nothing.
//!
//! Each test runs itself again as a child, with the loop's folder in the environment.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use loop_spec::{Entry, Payload, Stamped};
use serde_json::json;
use tempfile::TempDir;

use super::FolderJournal;
use crate::journal::{AppendError, Journal, RunKey};

/// A limit on the size of files stops a write in the middle, as a full disk does.
#[test]
fn a_full_disk_loses_nothing_that_was_there() {
    if let Some(dir) = child_dir() {
        return block_on(append_until_full(&dir));
    }
    let dir = TempDir::new().unwrap();
    let child = child(
        "a_full_disk_loses_nothing_that_was_there",
        "trap '' XFSZ; ulimit -f 8; ",
        &dir,
    );
    let output = child.wait_with_output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && shown.contains("1 passed"),
        "{shown}"
    );

    let text = fs::read(dir.path().join("runs/r1.jsonl")).unwrap();
    assert!(
        text.len() > 1024 && text.ends_with(b"\n"),
        "{} bytes",
        text.len()
    );
}

async fn append_until_full(dir: &Path) {
    let journal = open(dir);
    let (run, mut next) = (run(), 0);
    let batch = [entry("put_back", 0), entry("opened", 0)];
    let error = loop {
        match journal.append(&run, next, &batch).await {
            Ok(count) => next = count,
            Err(error) => break error,
        }
    };
    let message = error.to_string();
    assert!(matches!(error, AppendError::NotWritten { .. }), "{message}");
    assert!(
        message.contains("2 entries (put_back, opened) were not written"),
        "{message}"
    );
    assert!(
        message.contains("everything before them is kept"),
        "{message}"
    );
    let reading = open(dir).read(&run, 0).await.unwrap();
    assert_eq!((reading.records.len() as u64, reading.torn), (next, None));
    let error = journal.append(&run, next, &batch).await.unwrap_err();
    assert!(
        matches!(error, AppendError::NotWritten { .. }),
        "still full: {error}"
    );
    let error = journal.append(&run, 0, &batch).await.unwrap_err();
    assert!(
        matches!(error, AppendError::Conflict { .. }),
        "the handle still knows: {error}"
    );
}

/// Two processes append to one run for as long as they are let, and are killed at any moment: what
/// they were told is kept is there, once and in order, and a third writer goes on.
#[test]
fn what_killed_processes_had_appended_is_kept() {
    if let Some(dir) = child_dir() {
        return block_on(append_and_tell(&dir));
    }
    let dir = TempDir::new().unwrap();
    let start = || child("what_killed_processes_had_appended_is_kept", "", &dir);
    let told = [start(), start()].map(|mut child| {
        let lines = BufReader::new(child.stdout.take().unwrap())
            .lines()
            .map(Result::unwrap);
        let mut told = lines.filter_map(|line| Some(line.strip_prefix(TOLD)?.to_owned()));
        let mut kept: Vec<_> = told.by_ref().take(20).collect();
        child.kill().unwrap();
        child.wait().unwrap();
        kept.extend(told);
        kept
    });
    block_on(async {
        let reading = open(dir.path()).read(&run(), 0).await.unwrap();
        let kinds: Vec<_> = reading
            .records
            .iter()
            .map(|r| r.entry.kind.clone())
            .collect();
        for told in told {
            assert!(told.len() >= 20, "{}", told.len());
            let writer = told[0].split(' ').next().unwrap();
            let kept: Vec<_> = kinds
                .iter()
                .filter(|kind| kind.starts_with(writer))
                .collect();
            // One more may have been written by a process that was killed before it could tell.
            assert!(
                kept.len() - told.len() <= 1,
                "{} kept, {} told",
                kept.len(),
                told.len()
            );
            assert!(kept.iter().zip(&told).all(|(kept, told)| *kept == told));
        }
        let count = kinds.len() as u64;
        assert_eq!(
            open(dir.path())
                .append(&run(), count, &[entry("x", 0)])
                .await
                .unwrap(),
            count + 1
        );
    });
}

async fn append_and_tell(dir: &Path) {
    let (journal, mut next) = (open(dir), 0);
    // Should the parent die, this ends by itself.
    for n in 0..5_000 {
        let kind = format!("w{} {n}", std::process::id());
        loop {
            match journal.append(&run(), next, &[entry(&kind, n)]).await {
                Ok(count) => break next = count,
                Err(AppendError::Conflict { found, .. }) => next = found,
                Err(error) => panic!("{error}"),
            }
        }
        // On a line of its own, whatever the test harness has printed before it.
        println!("\n{TOLD}{kind}");
    }
}

/// This test again, alone and with `dir`, after the shell commands `before`.
fn child(test: &str, before: &str, dir: &TempDir) -> Child {
    Command::new("sh")
        .args(["-c", &format!("{before}exec \"$0\" \"$@\"")])
        .arg(std::env::current_exe().unwrap())
        .args([
            "--exact",
            &format!("journal::folder::process_tests::{test}"),
            "--nocapture",
        ])
        .env(DIR, dir.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn child_dir() -> Option<PathBuf> {
    std::env::var_os(DIR).map(PathBuf::from)
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread()
        .build()
        .unwrap()
        .block_on(work)
}

fn open(dir: &Path) -> FolderJournal {
    FolderJournal::open(dir).unwrap()
}

fn run() -> RunKey {
    RunKey::local("r1").unwrap()
}

fn entry(kind: &str, time: u64) -> Stamped {
    let kind = kind.to_owned();
    let payload = Payload::of(&json!({"text": "milk 1, eggs 4"})).unwrap();
    Stamped {
        time,
        entry: Entry { kind, payload },
    }
}

const DIR: &str = "DOORLIST_TEST_LOOP_DIR";
const TOLD: &str = "told: ";
