//! A door with granted folders reaches nothing else, and changes nothing that it may only read.

mod world;

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;
use world::{SECRET, World};

#[tokio::test]
async fn what_is_granted_can_be_used() {
    let world = World::new();
    let read = world
        .call("read", json!({"folder": "/read", "path": "note.txt"}))
        .await;
    assert_eq!(read, Ok("a note".to_owned()));
    let write = json!({"folder": "/write", "path": "own.txt", "text": "THE"});
    world.call("write", write).await.unwrap();
    assert_eq!(
        fs::read_to_string(world.at("write/own.txt")).unwrap(),
        "THE door's own"
    );
    let folders = world.call("folders", json!({})).await;
    assert_eq!(folders, Ok(r#"["/read","/write","/other"]"#.to_owned()));
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
        "..\\outside\\secret.txt",
        &absolute,
    ] {
        let at = |more: serde_json::Value| {
            let mut arguments = json!({"folder": "/write", "path": path});
            let more = more.as_object().unwrap().clone();
            arguments.as_object_mut().unwrap().extend(more);
            arguments
        };
        for (function, more) in [
            ("read", json!({})),
            ("cut", json!({})),
            ("remove", json!({})),
            ("date", json!({"seconds": 1})),
            ("rename", json!({"other": "/write", "to": "taken"})),
            ("link", json!({"other": "/write", "to": "taken"})),
        ] {
            let came = world.call(function, at(more)).await;
            assert!(came.is_err(), "{function} {path:?}: {came:?}");
        }
        if !path.contains('\\') {
            let came = world.call("write", at(json!({"text": "harm"}))).await;
            assert!(came.is_err(), "write {path:?}: {came:?}");
        }
        for function in ["rename", "link"] {
            let into =
                json!({"folder": "/write", "path": "own.txt", "other": "/other", "to": path});
            if !path.contains('\\') {
                let came = world.call(function, into).await;
                assert!(came.is_err(), "{function} to {path:?}: {came:?}");
            }
        }
    }
    world.unharmed();
}

#[tokio::test]
async fn no_symbolic_link_of_the_host_leads_out_of_a_grant() {
    let world = World::new();
    let secret = world.at("outside/secret.txt");
    symlink("../outside", world.at("write/up")).unwrap();
    symlink(world.at("outside"), world.at("write/away")).unwrap();
    symlink("../outside/secret.txt", world.at("write/file")).unwrap();
    symlink(&secret, world.at("write/straight")).unwrap();
    symlink("up/secret.txt", world.at("write/chain")).unwrap();
    symlink("../outside/secret.txt/", world.at("write/slash")).unwrap();
    symlink("self", world.at("write/self")).unwrap();
    symlink("/dev/zero", world.at("write/zero")).unwrap();
    for path in [
        "up/secret.txt",
        "up/secret.txt/",
        "up/./secret.txt",
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
        for function in ["read", "cut", "write", "date"] {
            let mut arguments = json!({"folder": "/write", "path": path});
            match function {
                "write" => arguments["text"] = json!("harm"),
                "date" => arguments["seconds"] = json!(1),
                _ => {}
            }
            let came = world.call(function, arguments).await;
            assert!(came.is_err(), "{function} {path}: {came:?}");
        }
    }
    world.unharmed();
}

#[tokio::test]
async fn no_symbolic_link_of_the_doors_own_leads_out_of_a_grant() {
    let world = World::new();
    let absolute = world.at("outside").display().to_string();
    for (n, target) in [
        "../outside",
        "../outside/",
        "../outside/.",
        "../../../../../../..",
        &absolute,
        "/",
    ]
    .iter()
    .enumerate()
    {
        let link = format!("link{n}");
        // It may make the link, which is a text; it may not go through it.
        let _ = world
            .call(
                "point",
                json!({"folder": "/write", "path": link, "target": target}),
            )
            .await;
        for path in [
            format!("{link}/secret.txt"),
            format!("{link}/"),
            link.clone(),
        ] {
            let came = world
                .call("read", json!({"folder": "/write", "path": path}))
                .await;
            assert!(came.is_err(), "{target} {path}: {came:?}");
        }
        let write = json!({"folder": "/write", "path": format!("{link}/new.txt"), "text": "harm"});
        let came = world.call("write", write).await;
        assert!(came.is_err(), "{target}: {came:?}");
    }
    world.unharmed();
}

#[tokio::test]
async fn what_may_only_be_read_is_not_changed() {
    let world = World::new();
    for (function, arguments) in [
        (
            "write",
            json!({"folder": "/read", "path": "note.txt", "text": "harm"}),
        ),
        (
            "write",
            json!({"folder": "/read", "path": "new.txt", "text": "harm"}),
        ),
        ("cut", json!({"folder": "/read", "path": "note.txt"})),
        (
            "resize",
            json!({"folder": "/read", "path": "note.txt", "size": 0}),
        ),
        ("remove", json!({"folder": "/read", "path": "note.txt"})),
        (
            "date",
            json!({"folder": "/read", "path": "note.txt", "seconds": 1}),
        ),
        (
            "point",
            json!({"folder": "/read", "path": "link", "target": "note.txt"}),
        ),
        (
            "rename",
            json!({"folder": "/read", "path": "note.txt", "other": "/read", "to": "moved"}),
        ),
        (
            "rename",
            json!({"folder": "/read", "path": "note.txt", "other": "/write", "to": "moved"}),
        ),
        (
            "rename",
            json!({"folder": "/write", "path": "own.txt", "other": "/read", "to": "moved"}),
        ),
        (
            "rename",
            json!({"folder": "/write", "path": "own.txt", "other": "/read", "to": "note.txt"}),
        ),
        (
            "link",
            json!({"folder": "/read", "path": "note.txt", "other": "/write", "to": "linked"}),
        ),
        (
            "link",
            json!({"folder": "/write", "path": "own.txt", "other": "/read", "to": "linked"}),
        ),
        (
            "link",
            json!({"folder": "/read", "path": "note.txt", "other": "/read", "to": "linked"}),
        ),
    ] {
        let came = world.call(function, arguments.clone()).await;
        assert!(came.is_err(), "{function} {arguments}: {came:?}");
    }
    assert!(!world.at("write/linked").exists());
    world.unharmed();
}

#[tokio::test]
async fn a_date_that_no_clock_shows_is_an_error() {
    let world = World::new();
    for seconds in [u64::MAX, u64::MAX / 2, i64::MAX as u64, 1 << 60] {
        let date = json!({"folder": "/write", "path": "own.txt", "seconds": seconds});
        // An error or not, the host goes on.
        let _ = world.call("date", date).await;
    }
    let read = world
        .call("read", json!({"folder": "/write", "path": "own.txt"}))
        .await;
    assert_eq!(read, Ok("the door's own".to_owned()));
}

#[tokio::test]
async fn a_link_that_is_swapped_while_it_is_looked_at_leads_nowhere() {
    let world = World::new();
    let (inside, outside, name) = (
        world.at("write/in"),
        world.at("write/out"),
        world.at("write/x"),
    );
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
        let path = json!({"folder": "/write", "path": "x/secret.txt"});
        came.push(world.call("read", path).await);
    }
    ended.store(true, Ordering::Relaxed);
    swapping.join().unwrap();
    assert!(
        came.contains(&Ok("nothing".to_owned())),
        "it was never there"
    );
    assert!(!came.contains(&Ok(SECRET.to_owned())));
}

/// Opening a pipe waits for somebody who writes to it, and the process could not even end.
#[tokio::test]
async fn what_is_neither_a_file_nor_a_folder_stays_closed() {
    let world = World::new();
    let made = Command::new("mkfifo").arg(world.at("write/pipe")).status();
    assert!(made.unwrap().success());
    symlink("pipe", world.at("write/link")).unwrap();
    let _socket = UnixListener::bind(world.at("write/socket")).unwrap();
    for path in ["pipe", "./pipe", "link", "socket"] {
        for function in ["read", "cut", "write"] {
            let mut arguments = json!({"folder": "/write", "path": path});
            if function == "write" {
                arguments["text"] = json!("harm");
            }
            let came = world.call(function, arguments).await;
            assert_eq!(came, Err("not-permitted".to_owned()), "{function} {path}");
        }
    }
}
