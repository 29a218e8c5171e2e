use std::fs;
use std::path::PathBuf;

use loop_spec::{Entry, Payload, Stamped};
use serde_json::json;
use tempfile::TempDir;

use super::FolderJournal;
use crate::journal::conformance::conformance;
use crate::journal::{AppendError, Journal, ReadError, RunKey, Tenant};

#[tokio::test(flavor = "multi_thread")]
async fn the_folder_conforms() {
    conformance(|| TempDir::new().unwrap(), open).await;
}

#[tokio::test]
async fn a_tail_cut_at_any_byte_is_a_notice_and_cut_off_by_the_next_append() {
    let (dir, run) = (TempDir::new().unwrap(), run());
    let journal = open(&dir);
    journal.append(&run, 0, &[entry("a")]).await.unwrap();
    let kept = fs::read(file(&dir)).unwrap();
    journal
        .append(&run, 1, &[entry("b"), entry("c")])
        .await
        .unwrap();
    let whole = fs::read(file(&dir)).unwrap();
    for cut in kept.len() + 1..whole.len() {
        fs::write(file(&dir), &whole[..cut]).unwrap();
        let journal = open(&dir);
        let reading = journal.read(&run, 0).await.unwrap();
        assert_eq!(reading.records.len(), 1, "cut at {cut}");
        assert_eq!(reading.torn.unwrap().bytes as usize, cut - kept.len());
        assert_eq!(
            fs::read(file(&dir)).unwrap(),
            &whole[..cut],
            "reading changes nothing"
        );
        let error = journal.append(&run, 3, &[entry("d")]).await.unwrap_err();
        assert!(
            matches!(error, AppendError::Conflict { found: 1, .. }),
            "{error}"
        );
        assert_eq!(
            fs::read(file(&dir)).unwrap(),
            &whole[..cut],
            "nor does a conflict"
        );
        journal
            .append(&run, 1, &[entry("b"), entry("c")])
            .await
            .unwrap();
        assert_eq!(fs::read(file(&dir)).unwrap(), whole);
    }
}

#[tokio::test]
async fn nothing_of_a_long_torn_tail_is_left_behind_a_short_append() {
    let (dir, run) = (TempDir::new().unwrap(), run());
    open(&dir).append(&run, 0, &[entry("a")]).await.unwrap();
    let mut text = fs::read(file(&dir)).unwrap();
    text.extend([b'x'; 10_000]);
    fs::write(file(&dir), text).unwrap();
    open(&dir).append(&run, 1, &[entry("b")]).await.unwrap();
    let reading = open(&dir).read(&run, 0).await.unwrap();
    assert_eq!((reading.records.len(), reading.torn), (2, None));
}

#[tokio::test]
async fn a_cut_first_line_is_no_run_yet() {
    let (dir, run) = (TempDir::new().unwrap(), run());
    open(&dir)
        .append(&run, 0, &[entry("a"), entry("b")])
        .await
        .unwrap();
    let whole = fs::read(file(&dir)).unwrap();
    for cut in [0, 10, whole.len() - 1] {
        fs::write(file(&dir), &whole[..cut]).unwrap();
        assert_eq!(open(&dir).runs(&Tenant::local()).await.unwrap(), []);
        assert_eq!(
            open(&dir)
                .append(&run, 0, &[entry("a"), entry("b")])
                .await
                .unwrap(),
            2
        );
        assert_eq!(fs::read(file(&dir)).unwrap(), whole);
    }
}

#[tokio::test]
async fn an_edited_line_is_named_and_nothing_is_appended() {
    let (dir, run) = (TempDir::new().unwrap(), run());
    open(&dir)
        .append(&run, 0, &[entry("a"), entry("b"), entry("c")])
        .await
        .unwrap();
    let edited = fs::read_to_string(file(&dir))
        .unwrap()
        .replace("\"b\"", "\"x\"");
    fs::write(file(&dir), &edited).unwrap();
    let journal = open(&dir);
    let message = journal.read(&run, 0).await.unwrap_err().to_string();
    assert!(
        message.contains("r1.jsonl is damaged: line 2 "),
        "{message}"
    );
    let error = journal.append(&run, 3, &[entry("d")]).await.unwrap_err();
    assert!(
        matches!(error, AppendError::Unreadable(ReadError::Damaged { .. })),
        "{error}"
    );
    assert_eq!(fs::read_to_string(file(&dir)).unwrap(), edited);
    assert_eq!(journal.runs(&Tenant::local()).await.unwrap(), [run]);
}

#[tokio::test]
async fn a_handle_notices_what_others_did_to_the_file() {
    let (dir, run) = (TempDir::new().unwrap(), run());
    let journal = open(&dir);
    journal.append(&run, 0, &[entry("a")]).await.unwrap();
    let first = fs::read(file(&dir)).unwrap();
    journal.append(&run, 1, &[entry("b")]).await.unwrap();

    fs::write(file(&dir), &first).unwrap();
    let error = journal.append(&run, 2, &[entry("c")]).await.unwrap_err();
    assert!(
        matches!(error, AppendError::Conflict { found: 1, .. }),
        "shorter: {error}"
    );

    fs::remove_file(file(&dir)).unwrap();
    let error = journal.append(&run, 2, &[entry("c")]).await.unwrap_err();
    assert!(
        matches!(error, AppendError::Conflict { found: 0, .. }),
        "gone: {error}"
    );

    open(&dir)
        .append(&run, 0, &[entry("a"), entry("x")])
        .await
        .unwrap();
    journal.append(&run, 2, &[entry("c")]).await.unwrap();
    let length = fs::metadata(file(&dir)).unwrap().len();
    fs::remove_file(file(&dir)).unwrap();
    open(&dir)
        .append(&run, 0, &[entry("a"), entry("y")])
        .await
        .unwrap();
    open(&dir).append(&run, 2, &[entry("d")]).await.unwrap();
    assert_eq!(
        fs::metadata(file(&dir)).unwrap().len(),
        length,
        "replaced by one as long"
    );
    journal.append(&run, 3, &[entry("e")]).await.unwrap();
    let records = journal.read(&run, 0).await.unwrap().records;
    let kinds: Vec<_> = records
        .iter()
        .map(|record| record.entry.kind.as_str())
        .collect();
    assert_eq!(kinds, ["a", "y", "d", "e"]);
}

#[tokio::test]
async fn a_run_under_another_name_is_damaged() {
    let dir = TempDir::new().unwrap();
    open(&dir).append(&run(), 0, &[entry("a")]).await.unwrap();
    fs::rename(file(&dir), dir.path().join("runs/r2.jsonl")).unwrap();
    let error = open(&dir)
        .read(&RunKey::local("r2").unwrap(), 0)
        .await
        .unwrap_err();
    assert!(matches!(error, ReadError::Damaged { .. }), "{error}");
}

#[tokio::test]
async fn what_is_no_run_file_is_refused_with_its_name() {
    let dir = TempDir::new().unwrap();
    fs::create_dir_all(file(&dir)).unwrap();
    let found = refused(&dir).await;
    assert!(
        found.ends_with("r1.jsonl: expected a file, found a folder"),
        "{found}"
    );

    fs::remove_dir(file(&dir)).unwrap();
    fs::write(file(&dir), b"\xff\xfe not text\n").unwrap();
    let found = refused(&dir).await;
    assert!(found.contains(r"found `\xff\xfe not text`"), "{found}");
}

#[tokio::test]
async fn files_that_are_no_runs_are_not_listed() {
    let dir = TempDir::new().unwrap();
    open(&dir).append(&run(), 0, &[entry("a")]).await.unwrap();
    for name in ["notes.txt", "My Run.jsonl", "r1.jsonl.bak", ".jsonl"] {
        fs::write(dir.path().join("runs").join(name), "x").unwrap();
    }
    assert_eq!(open(&dir).runs(&Tenant::local()).await.unwrap(), [run()]);
}

#[tokio::test]
async fn a_missing_folder_is_named() {
    let dir = TempDir::new().unwrap();
    let error = FolderJournal::open(&dir.path().join("nowhere"))
        .unwrap_err()
        .to_string();
    assert!(error.contains("nowhere cannot be opened"), "{error}");
}

#[tokio::test]
async fn a_file_in_the_place_of_runs_is_refused() {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join("runs"), "x").unwrap();
    let found = refused(&dir).await;
    assert!(
        found.ends_with("runs: expected a folder, found a file"),
        "{found}"
    );
}

#[tokio::test]
async fn another_tenant_is_refused() {
    let dir = TempDir::new().unwrap();
    let error = open(&dir)
        .runs(&"acme".parse().unwrap())
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("of the tenant `local` only, not of `acme`"),
        "{error}"
    );
}

#[cfg(unix)]
#[tokio::test]
async fn symbolic_links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let (dir, elsewhere) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let target = elsewhere.path().join("target");
    fs::write(&target, "").unwrap();
    fs::create_dir(dir.path().join("runs")).unwrap();
    symlink(&target, file(&dir)).unwrap();
    let found = refused(&dir).await;
    assert!(
        found.ends_with("expected a file, found a symbolic link"),
        "{found}"
    );

    fs::remove_file(file(&dir)).unwrap();
    fs::remove_dir(dir.path().join("runs")).unwrap();
    symlink(elsewhere.path(), dir.path().join("runs")).unwrap();
    let found = refused(&dir).await;
    assert!(
        found.ends_with("expected a folder, found a symbolic link"),
        "{found}"
    );
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1);
    assert_eq!(fs::read(&target).unwrap(), b"");
}

#[cfg(unix)]
#[tokio::test]
async fn a_pipe_is_refused_and_not_waited_for() {
    let dir = TempDir::new().unwrap();
    fs::create_dir(dir.path().join("runs")).unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(file(&dir))
        .status()
        .unwrap();
    assert!(made.success());
    let found = refused(&dir).await;
    assert!(found.ends_with("found a pipe, socket or device"), "{found}");
}

async fn refused(dir: &TempDir) -> String {
    let journal = open(dir);
    journal.append(&run(), 0, &[entry("a")]).await.unwrap_err();
    journal.read(&run(), 0).await.unwrap_err().to_string()
}

fn open(dir: &TempDir) -> FolderJournal {
    FolderJournal::open(dir.path()).unwrap()
}

fn file(dir: &TempDir) -> PathBuf {
    dir.path().join("runs/r1.jsonl")
}

fn run() -> RunKey {
    RunKey::local("r1").unwrap()
}

fn entry(kind: &str) -> Stamped {
    let kind = kind.to_owned();
    let payload = Payload::of(&json!({"text": "milk 1, eggs 4"})).unwrap();
    Stamped {
        time: 1,
        entry: Entry { kind, payload },
    }
}
