//! What a door finds that is granted nothing, and what each grant changes.

use std::fs;

use loop_spec::policy::Source;

use super::*;
use crate::grants::GrantedDir;

/// Where `Door`s stand in time.
const SECONDS: u64 = 1_750_000_000;

#[tokio::test]
async fn the_clocks_stand_at_the_recorded_time() {
    let door = Door::curious().await;
    assert_eq!(door.number("seconds", &[]).await, SECONDS);
    assert_eq!(door.number("instant", &[]).await, SECONDS * 1_000_000_000);
}

#[tokio::test]
async fn a_sleep_of_a_century_moves_the_clock_and_takes_no_time() {
    let door = Door::curious().await;
    let century = 100 * 365 * 86_400 * 1_000_000_000;
    assert_eq!(
        door.number("sleep", &[Val::U64(century)]).await,
        SECONDS * 1_000_000_000 + century
    );
    assert_eq!(
        door.number("seconds", &[]).await,
        SECONDS,
        "of its opening alone"
    );
}

#[tokio::test]
async fn random_numbers_come_from_the_recorded_seed() {
    let mut door = Door::curious().await;
    let first = door.call("draw-all", &[]).await;
    assert_eq!(door.call("draw-all", &[]).await, first);
    door.opening.seed = 1;
    assert_ne!(door.call("draw-all", &[]).await.outcome, first.outcome);
}

#[tokio::test]
async fn there_are_no_variables_arguments_or_directories() {
    let door = Door::curious().await;
    for function in ["environment", "arguments", "directories"] {
        assert_eq!(door.number(function, &[]).await, 0, "{function}");
    }
}

#[tokio::test]
async fn a_socket_is_not_given_and_kept_as_reached_for() {
    let door = Door::of(include_str!("doors/connecting.wat")).await;
    let opened = door.call("connect", &[]).await;
    assert_eq!(opened.outcome, Ok(vec![]));
    assert!(opened.reached.sockets);
    let other = Door::curious().await.call("environment", &[]).await;
    assert!(!other.reached.sockets);
}

#[tokio::test]
async fn what_is_printed_goes_to_the_trace() {
    let door = Door::curious().await;
    let opened = door.call("print", &[Val::String("milk".into())]).await;
    assert_eq!(opened.outcome, Ok(vec![]));
    assert_eq!(opened.printed.to_string(), "milk");
}

#[tokio::test]
async fn a_flood_is_cut_and_does_not_trap() {
    let door = Door::curious().await.limited(|limits| limits.output = 5000);
    let opened = door.call("flood", &[Val::U32(1000)]).await;
    assert_eq!(opened.outcome, Ok(vec![]));
    let printed = opened.printed.to_string();
    assert!(printed.len() < 5100, "{} bytes kept", printed.len());
    assert!(
        printed.contains(&(4_096_000 - 5000).to_string()),
        "says how much was cut"
    );
}

#[tokio::test]
async fn what_a_door_printed_before_its_fault_is_kept() {
    let door = Door::curious().await.limited(|limits| limits.fuel = 20_000);
    let opened = door.call("flood", &[Val::U32(100_000)]).await;
    assert_eq!(opened.outcome, Err(Fault::Fuel { limit: 20_000 }));
    assert!(!opened.printed.to_string().is_empty());
}

#[tokio::test]
async fn a_real_clock_changes_the_clocks_alone() {
    let door = Door::curious().await;
    let drawn = door.number("draw-all", &[]).await;
    let door = door.granted(Grants {
        clock: Source::Real,
        ..Grants::default()
    });
    assert_ne!(door.number("seconds", &[]).await, SECONDS);
    assert_eq!(door.number("draw-all", &[]).await, drawn);
}

#[tokio::test]
async fn real_random_numbers_change_the_random_numbers_alone() {
    let door = Door::curious().await.granted(Grants {
        random: Source::Real,
        ..Grants::default()
    });
    let first = door.number("draw", &[]).await;
    assert_ne!(door.number("draw", &[]).await, first);
    assert_eq!(door.number("seconds", &[]).await, SECONDS);
}

#[tokio::test]
async fn variables_that_are_granted_are_the_only_ones() {
    let door = Door::curious().await.granted(Grants {
        env: [("LANG".to_owned(), "en".to_owned())].into(),
        ..Grants::default()
    });
    assert_eq!(door.number("environment", &[]).await, 1);
    assert_eq!(door.number("directories", &[]).await, 0);
}

#[tokio::test]
async fn a_directory_is_written_only_where_the_grant_says_so() {
    let data = tempfile::tempdir().unwrap();
    let host = data.path().canonicalize().unwrap();
    let grant = |write| Grants {
        dirs: vec![GrantedDir {
            host: host.clone(),
            guest: "/data".to_owned(),
            write,
        }],
        ..Grants::default()
    };
    let door = Door::curious().await.granted(grant(false));
    assert_eq!(door.number("directories", &[]).await, 1);
    assert_eq!(door.number("make", &[]).await, 1);
    assert!(!host.join("new").exists());

    let door = door.granted(grant(true));
    assert_eq!(door.number("make", &[]).await, 0);
    assert!(host.join("new").is_dir());
    assert_eq!(
        door.number("seconds", &[]).await,
        SECONDS,
        "the clock stands still"
    );
}

#[tokio::test]
async fn a_directory_that_is_gone_is_the_hosts_fault_and_nothing_is_called() {
    let data = tempfile::tempdir().unwrap();
    let host = data.path().canonicalize().unwrap().join("gone");
    fs::create_dir(&host).unwrap();
    fs::remove_dir(&host).unwrap();
    let door = Door::curious().await.granted(Grants {
        dirs: vec![GrantedDir {
            host,
            guest: "/data".to_owned(),
            write: false,
        }],
        ..Grants::default()
    });
    let fault = door.fault("directories", &[]).await;
    assert!(
        matches!(&fault, Fault::Host { what } if what.contains("gone")),
        "{fault}"
    );
    assert_eq!(door.sandbox.counters().instantiated, 0);
}
