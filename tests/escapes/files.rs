//! A door with granted folders reaches nothing else, and changes nothing that it may only read.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use doorlist::grants::GrantedDir;

use super::world::{Came, SECRET, World};

#[tokio::test]
async fn what_is_granted_can_be_used() {
    let world = World::new();
    let own = || fs::read_to_string(world.at("write/own.txt")).unwrap();
    let read = world.call("read", ["/read", "note.txt"]).await;
    assert_eq!(read, Ok("a note".to_owned()));
    let folders = world.call("folders", []).await;
    assert_eq!(folders, Ok(r#"["/read","/write","/other"]"#.to_owned()));
    // Each of what is refused elsewhere, where it is granted.
    world
        .call("write", ["/write", "own.txt", "THE"])
        .await
        .unwrap();
    assert_eq!(own(), "THE door's own");
    world
        .call("date", ["/write", "own.txt", "1"])
        .await
        .unwrap();
    world
        .call("resize", ["/write", "own.txt", "3"])
        .await
        .unwrap();
    world
        .call("link", ["/write", "own.txt", "/other", "linked"])
        .await
        .unwrap();
    world
        .call("rename", ["/other", "linked", "/write", "moved"])
        .await
        .unwrap();
    world
        .call("point", ["/write", "link", "moved"])
        .await
        .unwrap();
    let through = world.call("read", ["/write", "link"]).await;
    assert_eq!(through, Ok("THE".to_owned()));
    world.call("cut", ["/write", "moved"]).await.unwrap();
    assert_eq!(own(), "", "it is the same file");
    world.call("remove", ["/write", "moved"]).await.unwrap();
    world.unharmed();
}

#[tokio::test]
async fn no_path_leads_out_of_a_grant() {
    let world = World::new();
    fs::create_dir(world.at("write/sub")).unwrap();
    let absolute = world.at("outside/secret.txt").display().to_string();
    for path in [
        "../outside/secret.txt",
        "../outside/secret.txt/",
        "./../outside/secret.txt",
        "sub/../../outside/secret.txt",
        "sub/../../outside/./secret.txt",
        "sub//..//..//outside//secret.txt",
        "..",
        "../",
        "../.",
        "/",
        "//",
        "/outside/secret.txt",
        "/proc/self/environ",
        "/dev/zero",
        "",
        "../outside/secret.txt\0",
        "own.txt\0../../outside/secret.txt",
        &absolute,
    ] {
        for (what, came) in every_use(&world, path).await {
            assert!(came.is_err(), "{what} {path:?}: {came:?}");
        }
        for function in ["rename", "link"] {
            let came = world
                .call(function, ["/write", "own.txt", "/other", path])
                .await;
            assert!(came.is_err(), "{function} to {path:?}: {came:?}");
        }
    }
    world.unharmed();
}

#[tokio::test]
async fn no_symbolic_link_of_the_host_leads_out_of_a_grant() {
    let world = World::new();
    for (link, target) in [
        ("up", "../outside".into()),
        ("away", world.at("outside")),
        ("file", "../outside/secret.txt".into()),
        ("straight", world.at("outside/secret.txt")),
        ("chain", "up/secret.txt".into()),
        ("slash", "../outside/secret.txt/".into()),
        ("self", "self".into()),
        ("zero", "/dev/zero".into()),
    ] {
        symlink(target, world.at("write").join(link)).unwrap();
    }
    for path in [
        "up/secret.txt",
        "up/secret.txt/",
        "up/./secret.txt",
        "up/new.txt",
        "away/secret.txt",
        "away/../outside/secret.txt",
        "file",
        "file/",
        "straight",
        "straight/",
        "chain",
        "chain/",
        "slash",
        "slash/",
        "self",
        "self/",
        "zero",
        "up/",
        "up/.",
        "up/..",
        "away/",
    ] {
        for (what, came) in through(&world, "/write", path).await {
            assert!(came.is_err(), "{what} {path}: {came:?}");
        }
    }
    world.unharmed();
}

#[tokio::test]
async fn no_symbolic_link_of_the_doors_own_leads_out_of_a_grant() {
    let world = World::new();
    let absolute = world.at("outside").display().to_string();
    for (link, target) in [("straight", &*absolute), ("root", "/")] {
        let made = world.call("point", ["/write", link, target]).await;
        assert!(made.is_err(), "{target}: {made:?}");
    }
    for (link, target) in [
        ("up", "../outside"),
        ("slash", "../outside/"),
        ("dot", "../outside/."),
        ("top", "../../../../../../.."),
    ] {
        // It may make the link, which is a text; it may not go through it.
        world.call("point", ["/write", link, target]).await.unwrap();
        for path in ["secret.txt", "new.txt", ""] {
            let path = format!("{link}/{path}");
            for (what, came) in through(&world, "/write", &path).await {
                assert!(came.is_err(), "{what} {path} to {target}: {came:?}");
            }
        }
    }
    world.unharmed();
}

#[tokio::test]
async fn what_may_only_be_read_is_not_changed() {
    let world = World::new();
    for (what, came) in every_use(&world, "../read/note.txt").await {
        assert!(came.is_err(), "{what}: {came:?}");
    }
    let refused = |what: &'static str, came: Came| {
        assert!(came.is_err(), "{what}: {came:?}");
    };
    refused(
        "write",
        world.call("write", ["/read", "note.txt", "harm"]).await,
    );
    refused(
        "make",
        world.call("write", ["/read", "new.txt", "harm"]).await,
    );
    refused("cut", world.call("cut", ["/read", "note.txt"]).await);
    refused(
        "resize",
        world.call("resize", ["/read", "note.txt", "0"]).await,
    );
    refused("remove", world.call("remove", ["/read", "note.txt"]).await);
    refused("date", world.call("date", ["/read", "note.txt", "1"]).await);
    refused(
        "point",
        world.call("point", ["/read", "link", "note.txt"]).await,
    );
    for function in ["rename", "link"] {
        for [folder, path, other, to] in [
            ["/read", "note.txt", "/read", "new"],
            ["/read", "note.txt", "/write", "new"],
            ["/write", "own.txt", "/read", "new"],
            ["/write", "own.txt", "/read", "note.txt"],
        ] {
            refused(
                function,
                world.call(function, [folder, path, other, to]).await,
            );
        }
    }
    assert!(!world.at("write/new").exists());
    world.unharmed();
}

/// A folder that was opened is a grant of its own, as narrow as the one that it lies in.
#[tokio::test]
async fn a_folder_below_a_grant_leads_no_further_up_and_allows_no_more() {
    let world = World::new();
    for folder in ["write/sub", "read/sub"] {
        fs::create_dir(world.at(folder)).unwrap();
        fs::write(world.at(folder).join("deep.txt"), "deep").unwrap();
    }
    let read = world.call("read", ["/write/sub", "deep.txt"]).await;
    assert_eq!(read, Ok("deep".to_owned()));
    for path in [
        "..",
        "../own.txt",
        "../sub/deep.txt",
        "../../outside/secret.txt",
    ] {
        for (what, came) in through(&world, "/write/sub", path).await {
            assert!(came.is_err(), "{what} {path}: {came:?}");
        }
    }
    for (what, came) in through(&world, "/read/sub", "deep.txt").await {
        assert_eq!(came.is_ok(), what == "read", "{what}: {came:?}");
    }
    let moved = ["/read/sub", "deep.txt", "/write/sub", "taken.txt"];
    for function in ["rename", "link"] {
        let came = world.call(function, moved).await;
        assert!(came.is_err(), "{function}: {came:?}");
    }
    assert_eq!(fs::read(world.at("read/sub/deep.txt")).unwrap(), b"deep");
    fs::remove_dir_all(world.at("read/sub")).unwrap();
    world.unharmed();
}

#[tokio::test]
async fn a_date_that_no_clock_shows_is_an_error() {
    let world = World::new();
    let date = async |seconds: u64| {
        let seconds = seconds.to_string();
        world.call("date", ["/write", "own.txt", &seconds]).await
    };
    for seconds in [u64::MAX, 1 << 63] {
        let came = date(seconds).await;
        assert!(came.is_err(), "{seconds}: {came:?}");
    }
    // The last that the system takes: whoever looks at the file then meets it.
    date((1 << 63) - 1).await.unwrap();
    let read = world.call("read", ["/write", "own.txt"]).await;
    assert_eq!(read, Ok("the door's own".to_owned()));
}

#[tokio::test]
async fn a_link_that_is_swapped_while_it_is_looked_at_leads_nowhere() {
    let world = World::new();
    let [inside, outside, name] = ["in", "out", "x"].map(|name| world.at("write").join(name));
    fs::create_dir(&inside).unwrap();
    fs::write(inside.join("secret.txt"), "nothing").unwrap();
    symlink("../outside", &outside).unwrap();
    fs::rename(&inside, &name).unwrap();
    let ended = Arc::new(AtomicBool::new(false));
    let swapping = std::thread::spawn({
        let ended = ended.clone();
        move || {
            while !ended.load(Ordering::Relaxed) {
                fs::rename(&name, &inside).unwrap();
                fs::rename(&outside, &name).unwrap();
                fs::rename(&name, &outside).unwrap();
                fs::rename(&inside, &name).unwrap();
            }
        }
    });
    let mut came = Vec::new();
    for _ in 0..400 {
        came.push(world.call("read", ["/write", "x/secret.txt"]).await);
    }
    ended.store(true, Ordering::Relaxed);
    swapping.join().unwrap();
    let found = |text: &str| came.contains(&Ok(text.to_owned()));
    assert!(found("nothing"), "it was never there");
    assert!(!found(SECRET));
}

/// Opening a pipe waits for somebody who writes to it, and the process could not even end.
#[tokio::test]
async fn what_is_neither_a_file_nor_a_folder_stays_closed() {
    let world = World::new();
    pipe(&world.at("write/pipe"));
    symlink("pipe", world.at("write/link")).unwrap();
    let _socket = UnixListener::bind(world.at("write/socket")).unwrap();
    for path in ["pipe", "./pipe", "link", "socket"] {
        for (what, came) in through(&world, "/write", path).await {
            assert_eq!(came, Err("not-permitted".to_owned()), "{what} {path}");
        }
    }
}

/// The system's own, and one made in a granted folder where that is allowed.
#[tokio::test]
async fn devices_stay_closed() {
    let system = GrantedDir {
        host: "/dev".into(),
        guest: "/dev".to_owned(),
        write: true,
    };
    let world = World::with(vec![system]);
    let mut devices = vec![
        ("/dev", "null"),
        ("/dev", "zero"),
        ("/dev", "./random"),
        ("/dev", "tty"),
    ];
    if device(&world.at("write/null")) {
        symlink("null", world.at("write/link")).unwrap();
        devices.extend([("/write", "null"), ("/write", "link")]);
    }
    for (folder, path) in devices {
        for (what, came) in through(&world, folder, path).await {
            assert_eq!(
                came,
                Err("not-permitted".to_owned()),
                "{what} {folder} {path}"
            );
        }
    }
    // Links into the process itself.
    for path in ["stdin", "fd/0", "fd/../../proc/self/environ"] {
        for (what, came) in through(&world, "/dev", path).await {
            assert!(came.is_err(), "{what} {path}: {came:?}");
        }
    }
}

/// A door that may rename can do so itself, in another opening.
#[tokio::test]
async fn a_pipe_or_device_that_takes_a_files_place_while_it_is_looked_at_stays_closed() {
    let world = World::new();
    pipe(&world.at("write/pipe"));
    let mut others = vec!["pipe"];
    if device(&world.at("write/null")) {
        others.push("null");
    }
    for other in others {
        fs::write(world.at("write/x"), "a file").unwrap();
        let swapping = Swapping::start(world.at("write"), other);
        let mut came = Vec::new();
        for _ in 0..100 {
            came.extend(through(&world, "/write", "x").await);
        }
        swapping.end();
        let closed = Err("not-permitted".to_owned());
        assert!(
            came.iter().any(|(_, came)| *came == closed),
            "{other}: it was never there"
        );
        for (what, came) in came {
            assert!(came.is_ok() || came == closed, "{what} {other}: {came:?}");
        }
    }
}

/// Somebody who puts a file and something else at `x` in turn.
struct Swapping {
    ended: Arc<AtomicBool>,
    thread: std::thread::JoinHandle<()>,
}

impl Swapping {
    /// The file is at `x`; what is at `other` takes its place, and there is always one of them.
    fn start(folder: PathBuf, other: &str) -> Self {
        let ended = Arc::new(AtomicBool::new(false));
        let until = ended.clone();
        let [file, other, swap] = ["x", other, "swap"].map(|name| folder.join(name));
        let thread = std::thread::spawn(move || {
            while !until.load(Ordering::Relaxed) {
                fs::hard_link(&file, &swap).unwrap();
                fs::hard_link(&other, folder.join("over")).unwrap();
                fs::rename(folder.join("over"), &file).unwrap();
                fs::rename(&swap, &file).unwrap();
            }
        });
        Self { ended, thread }
    }

    fn end(self) {
        self.ended.store(true, Ordering::Relaxed);
        self.thread.join().unwrap();
    }
}

fn pipe(at: &Path) {
    let made = Command::new("mkfifo").arg(at).status();
    assert!(made.unwrap().success());
}

/// A second `/dev/null`, which root alone may make, and not on every file system.
fn device(at: &Path) -> bool {
    let made = Command::new("mknod").arg(at).args(["c", "1", "3"]).output();
    made.unwrap().status.success()
}

/// All that opens what `path` leads to, through a symbolic link at its end.
async fn through(world: &World, folder: &str, path: &str) -> Vec<(&'static str, Came)> {
    vec![
        ("read", world.call("read", [folder, path]).await),
        ("cut", world.call("cut", [folder, path]).await),
        ("write", world.call("write", [folder, path, "harm"]).await),
        ("date", world.call("date", [folder, path, "1"]).await),
    ]
}

/// All that can be done with `path`.
async fn every_use(world: &World, path: &str) -> Vec<(&'static str, Came)> {
    let mut came = through(world, "/write", path).await;
    came.extend([
        ("remove", world.call("remove", ["/write", path]).await),
        (
            "rename",
            world
                .call("rename", ["/write", path, "/write", "taken"])
                .await,
        ),
        (
            "link",
            world
                .call("link", ["/write", path, "/write", "taken"])
                .await,
        ),
    ]);
    came
}
