//! Hostile openings beside each other, and openings that are given up.

use std::future::Future;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use doorlist::doors::DoorFile;
use doorlist::gate::{Came, Conditions, Gate, GuardedDoor};
use loop_spec::loop_machine::{Limit, Outcome};

use crate::{Friend, conditions, door, gate};

fn spinning() -> GuardedDoor {
    let text = include_str!("../../../tests/hostile/spin.wat");
    let component = wat::parse_str(text).unwrap();
    door(DoorFile::from_bytes("spin", component).unwrap()).unwrap()
}

async fn spin(gate: &Gate, door: &GuardedDoor, fuel: u64) -> Came {
    let conditions = Conditions {
        fuel,
        ..conditions()
    };
    gate.open(door, Vec::new(), conditions).await
}

fn limit(came: &Came) -> Limit {
    match came.outcome {
        Outcome::Limit { limit, .. } => limit,
        ref other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sixty_four_spinning_doors_each_end_by_their_own_limit() {
    let (gate, door, friend) = (gate(), spinning(), Friend::new());
    let spinning: Vec<_> = (1..=64)
        .map(|n| {
            let (gate, door) = (gate.clone(), door.clone());
            tokio::spawn(async move { spin(&gate, &door, n * 100_000).await })
        })
        .collect();
    // Among them all, a door that does its work is not harmed.
    friend.open(&gate).await;
    for (n, spinning) in (1..=64).zip(spinning) {
        let came = spinning.await.unwrap();
        let (limit, amount) = (Limit::Fuel, n * 100_000);
        assert_eq!(came.outcome, Outcome::Limit { limit, amount });
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deadline_that_passes_ends_its_own_opening_and_no_other() {
    let gate = gate();
    let (mut short, mut long) = (spinning(), spinning());
    short.limits.time = Duration::from_millis(20);
    short.limits.fuel = u64::MAX;
    long.limits.time = Duration::from_secs(3600);
    let (short, long) = tokio::join!(
        spin(&gate, &short, u64::MAX),
        spin(&gate, &long, 200_000_000)
    );
    assert_eq!((limit(&short), limit(&long)), (Limit::Time, Limit::Fuel));
}

#[tokio::test]
async fn an_opening_can_be_dropped_wherever_it_waits() {
    let (gate, door, friend) = (gate(), spinning(), Friend::new());
    let before = friend.open(&gate).await;
    // Compiled, so that each poll is one of the guest's own.
    spin(&gate, &door, 1).await;
    for polls in 0..20 {
        let mut opening = Box::pin(spin(&gate, &door, u64::MAX));
        let mut context = Context::from_waker(Waker::noop());
        for _ in 0..polls {
            assert_eq!(opening.as_mut().poll(&mut context), Poll::Pending);
        }
        drop(opening);
        assert_eq!(friend.open(&gate).await, before, "after {polls} polls");
    }
}
