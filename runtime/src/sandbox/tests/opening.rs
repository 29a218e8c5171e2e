//! One opening is one fresh instance, gone whatever becomes of it.

use std::future::Future;
use std::num::NonZeroU32;
use std::pin::pin;
use std::task::{Context, Waker};

use super::*;

#[tokio::test]
async fn nothing_of_one_opening_is_visible_in_another() {
    let door = Door::hungry().await;
    for _ in 0..3 {
        assert_eq!(door.number("count", &[]).await, 1);
    }
}

#[tokio::test]
async fn the_same_opening_uses_the_same_fuel() {
    let door = Door::hungry().await;
    let first = door.call("add", &[Val::U32(2), Val::U32(3)]).await;
    assert_eq!(first.outcome, Ok(vec![Val::U32(5)]));
    assert!(first.fuel > 0);
    assert_eq!(door.call("add", &[Val::U32(2), Val::U32(3)]).await, first);
}

#[tokio::test]
async fn what_is_not_exported_or_not_given_its_arguments_is_not_instantiated() {
    let door = Door::hungry().await;
    let missing = door.fault("open-safe", &[]).await;
    assert!(missing.to_string().contains("`open-safe`"), "{missing}");
    let misfit = door.fault("add", &[Val::U32(1)]).await;
    assert!(
        misfit.to_string().contains("takes 2 arguments, 1"),
        "{misfit}"
    );
    assert_eq!(door.sandbox.counters(), counters(1, 0, 0));
}

#[tokio::test]
async fn an_opening_that_is_dropped_after_any_number_of_polls_frees_its_place() {
    let door = Door::hungry()
        .await
        .limited(|limits| limits.fuel = u64::MAX);
    for polls in 0..60 {
        let mut spinning = pin!(door.call("spin", &[]));
        let mut context = Context::from_waker(Waker::noop());
        for _ in 0..polls % 7 {
            assert!(spinning.as_mut().poll(&mut context).is_pending());
        }
    }
    assert_eq!(door.number("count", &[]).await, 1);
}

#[tokio::test]
async fn more_openings_than_there_is_room_for_take_turns() {
    let door = Arc::new(Door::hungry().await);
    let openings = (0..200).map(|_| {
        let door = Arc::clone(&door);
        tokio::spawn(async move { door.number("count", &[]).await })
    });
    for opening in openings.collect::<Vec<_>>() {
        assert_eq!(opening.await.unwrap(), 1);
    }
    assert_eq!(door.sandbox.counters().instantiated, 200);
}

#[tokio::test]
async fn what_would_wait_behind_a_full_queue_is_refused_and_the_queue_goes_on() {
    let mut settings = Settings::for_one_loop(None);
    settings.openings = NonZeroU32::MIN;
    settings.waiting = NonZeroU32::MIN;
    let sandbox = Sandbox::new(settings).unwrap();
    let door = Door::within(sandbox, include_str!("doors/hungry.wat")).await;
    let door = door.limited(|limits| limits.fuel = u64::MAX);
    let mut live = Box::pin(door.call("spin", &[]));
    assert!(one_poll(&mut live).await.is_none());
    let mut waits = Box::pin(door.number("count", &[]));
    assert!(one_poll(&mut waits).await.is_none());
    let refused = door.fault("count", &[]).await;
    assert!(
        refused.to_string().contains("1 openings wait already"),
        "{refused}"
    );
    drop(live);
    assert_eq!(waits.await, 1);
    assert_eq!(door.number("count", &[]).await, 1);
}

#[tokio::test]
async fn a_function_of_an_interface_is_told_from_one_of_the_component() {
    let both = r#"(component
        (core module $m (func (export "one") (result i32) (i32.const 1))
            (func (export "two") (result i32) (i32.const 2)))
        (core instance $i (instantiate $m))
        (func $one (result u32) (canon lift (core func $i "one")))
        (func $two (result u32) (canon lift (core func $i "two")))
        (instance $inner (export "count" (func $two)))
        (export "count" (func $one))
        (export "shop:fridge/door@1.0.0" (instance $inner)))"#;
    let door = Door::of(both).await;
    assert_eq!(door.number("count", &[]).await, 1);
    let export = Export {
        interface: Some("shop:fridge/door@1.0.0"),
        function: "count",
    };
    let opened = door
        .compiled
        .open(&export, vec![], Opening::default())
        .await;
    assert_eq!(opened.outcome, Ok(vec![Val::U32(2)]));
}
