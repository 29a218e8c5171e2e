//! The cache on disk: it saves compiling, and nothing in it is believed that this host did not
//! write.

use std::fs;
use std::path::PathBuf;

use super::*;

const ONE: &str = r#"(component
    (core module $m (func (export "run") (result i32) (i32.const 1)))
    (core instance $i (instantiate $m))
    (func (export "run") (result u32) (canon lift (core func $i "run"))))"#;

/// What a new process does with `dir`: counted, and what the door answers.
async fn start(dir: &Path, wat: &str) -> (Counters, Result<Vec<Val>, Fault>) {
    let sandbox = sandbox(Some(dir));
    let door = compile(&sandbox, wat).await.unwrap();
    let counters = sandbox.counters();
    let run = Export {
        interface: None,
        function: "run",
    };
    let opened = door.open(&run, vec![], Opening::default()).await;
    (counters, opened.outcome)
}

/// Leaves `wat` compiled in `dir`.
async fn fill(dir: &Path, wat: &str) {
    let (counted, _) = start(dir, wat).await;
    assert_eq!(counted, COMPILED);
}

const COMPILED: Counters = Counters {
    compiled: 1,
    loaded: 0,
    instantiated: 0,
};

const LOADED: Counters = Counters {
    compiled: 0,
    loaded: 1,
    instantiated: 0,
};

fn answer(number: u32) -> Result<Vec<Val>, Fault> {
    Ok(vec![Val::U32(number)])
}

fn entries(dir: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some()).collect()
}

#[tokio::test]
async fn a_second_start_loads_what_the_first_compiled() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(start(dir.path(), ONE).await, (COMPILED, answer(1)));
    assert_eq!(start(dir.path(), ONE).await, (LOADED, answer(1)));
}

#[tokio::test]
async fn the_directory_is_made_and_is_the_owners_alone() {
    let parent = tempfile::tempdir().unwrap();
    let dir = parent.path().join("cache/doorlist");
    assert_eq!(start(&dir, ONE).await, (COMPILED, answer(1)));
    assert_eq!(start(&dir, ONE).await, (LOADED, answer(1)));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(&dir).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}

#[tokio::test]
async fn what_is_damaged_cut_or_empty_is_compiled_again_and_replaced() {
    let dir = tempfile::tempdir().unwrap();
    fill(dir.path(), ONE).await;
    let entry = entries(dir.path()).remove(0);
    let whole = fs::read(&entry).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    for bad in [
        flipped,
        whole[..whole.len() - 1].to_vec(),
        whole[..20].to_vec(),
        vec![],
    ] {
        fs::write(&entry, bad).unwrap();
        assert_eq!(start(dir.path(), ONE).await, (COMPILED, answer(1)));
        assert_eq!(start(dir.path(), ONE).await, (LOADED, answer(1)));
    }
}

#[tokio::test]
async fn an_entry_under_another_components_name_is_not_believed() {
    let dir = tempfile::tempdir().unwrap();
    let two = ONE.replace("i32.const 1", "i32.const 2");
    fill(dir.path(), ONE).await;
    let one = entries(dir.path()).remove(0);
    fill(dir.path(), &two).await;
    let other = entries(dir.path()).into_iter().find(|path| *path != one);
    fs::copy(&one, other.unwrap()).unwrap();
    assert_eq!(start(dir.path(), &two).await, (COMPILED, answer(2)));
}

#[tokio::test]
async fn another_hosts_entry_is_not_believed() {
    let (ours, theirs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fill(theirs.path(), ONE).await;
    fill(ours.path(), "(component)").await;
    for entry in entries(theirs.path()) {
        fs::copy(&entry, ours.path().join(entry.file_name().unwrap())).unwrap();
    }
    assert_eq!(start(ours.path(), ONE).await, (COMPILED, answer(1)));
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_in_an_entrys_place_is_not_followed() {
    let dir = tempfile::tempdir().unwrap();
    fill(dir.path(), ONE).await;
    let entry = entries(dir.path()).remove(0);
    let aside = dir.path().join("aside");
    fs::rename(&entry, &aside).unwrap();
    std::os::unix::fs::symlink(&aside, &entry).unwrap();
    assert_eq!(start(dir.path(), ONE).await, (COMPILED, answer(1)));
    assert_eq!(start(dir.path(), ONE).await, (LOADED, answer(1)));
    assert!(fs::symlink_metadata(&entry).unwrap().is_file());
}

#[tokio::test]
async fn a_directory_that_cannot_be_one_is_said_and_does_no_harm() {
    let parent = tempfile::tempdir().unwrap();
    let file = parent.path().join("file");
    fs::write(&file, "").unwrap();
    for dir in [file.clone(), file.join("below")] {
        let fault = sandbox(Some(&dir)).cache_fault().cloned();
        assert!(
            matches!(fault, Some(CacheFault::Unusable { .. })),
            "{fault:?}"
        );
        assert_eq!(start(&dir, ONE).await, (COMPILED, answer(1)));
    }
    assert_eq!(sandbox(None).cache_fault(), None);
}

#[cfg(unix)]
#[tokio::test]
async fn a_directory_that_others_may_write_to_is_not_used() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o770)).unwrap();
    let fault = sandbox(Some(dir.path())).cache_fault().cloned();
    assert!(
        matches!(fault, Some(CacheFault::NotPrivate { .. })),
        "{fault:?}"
    );
    assert_eq!(start(dir.path(), ONE).await, (COMPILED, answer(1)));
    assert_eq!(entries(dir.path()), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn an_entry_that_cannot_be_written_is_compiled_again() {
    let dir = tempfile::tempdir().unwrap();
    fill(dir.path(), ONE).await;
    // A directory in its place: it can be neither read as an entry nor replaced by one, just as on
    // a full disk.
    let entry = entries(dir.path()).remove(0);
    fs::remove_file(&entry).unwrap();
    fs::create_dir(&entry).unwrap();
    assert_eq!(start(dir.path(), ONE).await, (COMPILED, answer(1)));
    assert_eq!(start(dir.path(), ONE).await, (COMPILED, answer(1)));
    assert_eq!(entries(dir.path()).len(), 1, "nothing half written is left");
}

#[tokio::test]
async fn many_writers_of_one_entry_leave_a_whole_one() {
    let dir = tempfile::tempdir().unwrap();
    fill(dir.path(), "(component)").await;
    let writers = (0..8).map(|_| {
        let dir = dir.path().to_owned();
        tokio::spawn(async move { start(&dir, ONE).await.1 })
    });
    for writer in writers.collect::<Vec<_>>() {
        assert_eq!(writer.await.unwrap(), answer(1));
    }
    assert_eq!(start(dir.path(), ONE).await, (LOADED, answer(1)));
    assert_eq!(entries(dir.path()).len(), 2);
}
