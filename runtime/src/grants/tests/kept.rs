//! What no door may change, whatever a person allows.

use super::*;

#[test]
fn a_loops_own_files_are_never_granted_for_writing() {
    let bench = Bench::new();
    fs::create_dir(bench.path("loop/doors/fridge")).unwrap();
    fs::create_dir(bench.path("loop/sessions")).unwrap();
    for host in [
        ".",
        "doors",
        "doors/fridge",
        "runs",
        "sessions",
        "..",
        "/",
        "data/../doors",
    ] {
        fs::create_dir_all(bench.path("loop/data")).unwrap();
        let message = bench.refused(host);
        assert!(message.contains("because no door may change"), "{message}");
    }
    bench.dir("lists", true).unwrap();
    bench.dir(".", false).unwrap();
}

#[test]
fn another_loops_files_are_never_granted_for_writing() {
    let bench = Bench::new();
    let other = bench.path("elsewhere");
    fs::write(other.join("loop.txt"), "").unwrap();
    fs::create_dir(other.join("doors")).unwrap();
    fs::create_dir(other.join("data")).unwrap();
    bench.refused("../elsewhere");
    bench.refused("../elsewhere/doors");
    bench.dir("../elsewhere/data", true).unwrap();
}

#[test]
fn doorlists_own_folders_are_never_granted_for_writing() {
    let bench = Bench::new();
    fs::create_dir(bench.path("cache/compiled")).unwrap();
    for host in ["../cache", "../cache/compiled", "../config"] {
        bench.refused(host);
    }
    fs::remove_dir(bench.path("config")).unwrap();
    let above = bench.path("");
    let moved = TempDir::new().unwrap();
    let requests = |own: &Path| {
        let policy = Policy::parse(&dirs(moved.path().to_str().unwrap(), true)).unwrap();
        Requests::of(&bench.path("loop"), &policy, &[own])
    };
    requests(&above.join("config")).unwrap();
    let error = requests(&moved.path().join("not/there/yet")).unwrap_err();
    assert!(matches!(error, GrantError::Kept { .. }), "{error}");
}

#[cfg(unix)]
#[test]
fn links_do_not_get_around_what_is_kept() {
    use std::os::unix::fs::symlink;
    let bench = Bench::new();
    symlink("../doors", bench.path("loop/lists/doors")).unwrap();
    bench.refused("lists/doors");

    fs::remove_dir(bench.path("loop/doors")).unwrap();
    symlink("../elsewhere", bench.path("loop/doors")).unwrap();
    bench.refused("../elsewhere");

    fs::create_dir(bench.path("loop/data")).unwrap();
    fs::rename(
        bench.path("loop/loop.txt"),
        bench.path("loop/data/loop.txt"),
    )
    .unwrap();
    symlink("data/loop.txt", bench.path("loop/loop.txt")).unwrap();
    bench.refused("data");
}

#[cfg(unix)]
#[test]
fn hard_links_do_not_get_around_what_is_kept() {
    let bench = Bench::new();
    fs::create_dir_all(bench.path("loop/lists/deep")).unwrap();
    fs::write(bench.path("loop/doors/fridge.wasm"), "").unwrap();
    fs::write(bench.path("config/policy.toml"), "").unwrap();
    let other = bench.path("loop/lists/deep/other");
    for kept in [
        "loop/policy.toml",
        "loop/doors/fridge.wasm",
        "config/policy.toml",
    ] {
        fs::hard_link(bench.path(kept), &other).unwrap();
        let error = bench.dir("lists", true).unwrap_err();
        let named = format!(
            "{} is another name of {}, which no door may change",
            other.display(),
            bench.path(kept).display()
        );
        assert!(error.to_string().contains(&named), "{error}");
        bench.dir("lists", false).unwrap();
        fs::remove_file(&other).unwrap();
    }
    // Two names that are both the door's own, or that lie elsewhere, are nobody's concern.
    fs::write(&other, "").unwrap();
    fs::hard_link(&other, bench.path("loop/lists/more")).unwrap();
    fs::hard_link(bench.path("loop/run"), bench.path("elsewhere/run")).unwrap();
    bench.dir("lists", true).unwrap();
}

#[cfg(unix)]
#[test]
fn a_folder_replaced_by_a_link_is_noticed() {
    use std::os::unix::fs::symlink;
    let bench = Bench::new();
    fs::create_dir_all(bench.path("loop/data/lists")).unwrap();
    let requests = bench.dir("data/lists", false).unwrap();
    let dir = requests
        .grant(&bench.allowances(), nothing)
        .unwrap()
        .of("a")
        .dirs
        .remove(0);
    dir.check().unwrap();
    fs::remove_dir(bench.path("loop/data/lists")).unwrap();
    symlink("../../elsewhere", bench.path("loop/data/lists")).unwrap();
    assert!(matches!(dir.check(), Err(GrantError::Moved { .. })));
}
