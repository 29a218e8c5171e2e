//! Each limit ends an opening in its own way, and the next opening is as good as new.

use std::time::Duration;

use super::*;

#[tokio::test]
async fn an_endless_loop_ends_when_the_fuel_does() {
    let door = Door::hungry()
        .await
        .limited(|limits| limits.fuel = 3_000_000);
    let opened = door.call("spin", &[]).await;
    assert_eq!(opened.outcome, Err(Fault::Fuel { limit: 3_000_000 }));
    assert_eq!(opened.fuel, 3_000_000);
}

#[tokio::test]
async fn bulk_operations_are_charged_by_the_byte() {
    let door = Door::hungry().await;
    let fuel = door.call("fill", &[Val::U32(10)]).await.fuel;
    assert!((327_680..330_000).contains(&fuel), "{fuel}");
    let door = door.limited(|limits| limits.fuel = 327_680);
    assert_eq!(
        door.fault("fill", &[Val::U32(10)]).await,
        Fault::Fuel { limit: 327_680 }
    );
}

#[tokio::test]
async fn growing_costs_fuel_by_the_page() {
    let door = Door::hungry().await;
    let none = door.call("grow", &[Val::U32(0)]).await.fuel;
    let ten = door.call("grow", &[Val::U32(10)]).await.fuel;
    assert_eq!(ten - none, 10 * u64::from(MEMORY_PAGE_FUEL));
}

#[tokio::test]
async fn an_endless_loop_ends_when_its_time_does() {
    let door = Door::hungry().await.limited(|limits| {
        limits.fuel = u64::MAX;
        limits.time = Duration::from_millis(20);
    });
    let limit = Duration::from_millis(20);
    let opened = door.call("spin", &[]).await;
    assert_eq!(opened.outcome, Err(Fault::Time { limit }));
    assert!(opened.fuel > 0);
}

/// The clock runs from instantiation on.
#[tokio::test]
async fn an_endless_start_function_ends_when_its_time_does() {
    let starts = r#"(component
        (core module $m
            (func $spin (loop (br 0)))
            (start $spin)
            (func (export "run")))
        (core instance $i (instantiate $m))
        (func (export "run") (canon lift (core func $i "run"))))"#;
    let limit = Duration::from_millis(20);
    let door = Door::of(starts).await.limited(|limits| {
        limits.fuel = u64::MAX;
        limits.time = limit;
    });
    assert_eq!(door.fault("run", &[]).await, Fault::Time { limit });
}

#[tokio::test]
async fn waiting_in_a_call_of_the_host_counts_as_time() {
    let limit = Duration::from_millis(20);
    let door = Door::curious()
        .await
        .limited(|limits| limits.time = limit)
        .granted(Grants {
            clock: loop_spec::policy::Source::Real,
            ..Grants::default()
        });
    let day = Val::U64(86_400_000_000_000);
    assert_eq!(door.fault("sleep", &[day]).await, Fault::Time { limit });
}

#[tokio::test]
async fn memory_that_grows_past_its_limit_is_told_from_a_trap() {
    let door = Door::hungry()
        .await
        .limited(|limits| limits.memory = 3 << 16);
    assert_eq!(
        door.call("grow", &[Val::U32(2)]).await.outcome,
        Ok(vec![Val::S32(1)])
    );
    assert_eq!(
        door.fault("grow", &[Val::U32(3)]).await,
        Fault::Memory { limit: 3 << 16 }
    );
}

#[tokio::test]
async fn memory_that_starts_past_its_limit_is_told_too() {
    let door = Door::hungry().await.limited(|limits| limits.memory = 1000);
    assert_eq!(
        door.fault("add", &[Val::U32(1), Val::U32(1)]).await,
        Fault::Memory { limit: 1000 }
    );
}

#[tokio::test]
async fn all_memories_of_a_door_share_one_limit() {
    let two = r#"(component
        (core module $m (memory 10) (func (export "run")))
        (core instance $a (instantiate $m))
        (core instance $b (instantiate $m))
        (func (export "run") (canon lift (core func $b "run"))))"#;
    let door = Door::of(two)
        .await
        .limited(|limits| limits.memory = 20 << 16);
    assert_eq!(door.call("run", &[]).await.outcome, Ok(vec![]));
    let door = door.limited(|limits| limits.memory = 19 << 16);
    assert_eq!(
        door.fault("run", &[]).await,
        Fault::Memory { limit: 19 << 16 }
    );
}

#[tokio::test]
async fn a_growth_that_the_door_itself_forbids_answers_minus_one() {
    let small = r#"(component
        (core module $m (memory 1 2)
            (func (export "grow") (result i32) (memory.grow (i32.const 5))))
        (core instance $i (instantiate $m))
        (func (export "grow") (result s32) (canon lift (core func $i "grow"))))"#;
    let door = Door::of(small)
        .await
        .limited(|limits| limits.memory = 3 << 16);
    assert_eq!(door.call("grow", &[]).await.outcome, Ok(vec![Val::S32(-1)]));
}

#[tokio::test]
async fn tables_have_a_limit() {
    let door = Door::hungry()
        .await
        .limited(|limits| limits.table_elements = 100);
    assert_eq!(
        door.call("widen", &[Val::U32(99)]).await.outcome,
        Ok(vec![Val::S32(1)])
    );
    assert_eq!(
        door.fault("widen", &[Val::U32(100)]).await,
        Fault::Table { limit: 100 }
    );
}

#[tokio::test]
async fn nested_calls_have_a_limit() {
    let door = Door::hungry().await;
    assert_eq!(
        door.fault("recurse", &[Val::U32(1)]).await,
        Fault::Stack { limit: STACK }
    );
}

#[tokio::test]
async fn a_result_out_of_proportion_is_refused_before_it_is_copied() {
    let door = Door::hungry()
        .await
        .limited(|limits| limits.memory = 1 << 30);
    let limit = door.opening.limits.transfer();
    assert_eq!(
        door.fault("aliases", &[]).await,
        Fault::Output { limit },
        "1,000 times the same 40,000 bytes"
    );
    let opened = door.call("bytes", &[Val::U32(60_000)]).await;
    let Ok([Val::List(bytes)]) = opened.outcome.as_deref() else {
        panic!("expected a list, found {opened:?}")
    };
    assert_eq!(bytes.len(), 60_000);
}

#[tokio::test]
async fn random_bytes_have_a_limit_that_is_met_before_they_are_made() {
    let door = Door::curious().await.limited(|limits| limits.random = 1000);
    assert_eq!(door.number("draw-bytes", &[Val::U64(1000)]).await, 1000);
    for much in [1001, u64::MAX] {
        assert_eq!(
            door.fault("draw-bytes", &[Val::U64(much)]).await,
            Fault::Random { limit: 1000 }
        );
    }
}

#[tokio::test]
async fn resources_have_a_limit() {
    let door = Door::curious().await.limited(|limits| limits.handles = 500);
    assert_eq!(
        door.fault("hoard", &[]).await,
        Fault::Handles { limit: 500 }
    );
}

#[tokio::test]
async fn resources_of_the_doors_own_have_the_same_limit() {
    let own = r#"(component
        (type $r (resource (rep i32)))
        (core func $new (canon resource.new $r))
        (core module $m (import "" "new" (func $new (param i32) (result i32)))
            (func (export "hoard")
                (loop $again (drop (call $new (i32.const 1))) (br $again))))
        (core instance $i
            (instantiate $m (with "" (instance (export "new" (func $new))))))
        (func (export "hoard") (canon lift (core func $i "hoard"))))"#;
    let door = Door::of(own).await.limited(|limits| limits.handles = 500);
    assert_eq!(
        door.fault("hoard", &[]).await,
        Fault::Handles { limit: 500 }
    );
}

#[tokio::test]
async fn a_trap_says_its_kind_and_its_fuel_is_the_same_every_time() {
    let door = Door::hungry().await;
    let traps = [
        ("crash", vec![], "wasm `unreachable` instruction executed"),
        (
            "divide",
            vec![Val::U32(1), Val::U32(0)],
            "integer divide by zero",
        ),
        ("outside", vec![], "out of bounds memory access"),
    ];
    for (function, params, what) in traps {
        let first = door.call(function, &params).await;
        let what = what.to_owned();
        assert_eq!(first.outcome, Err(Fault::Trap { what }));
        assert_eq!(door.call(function, &params).await, first);
    }
}

#[tokio::test]
async fn ending_the_program_is_no_trap() {
    let door = Door::curious().await;
    assert_eq!(
        door.fault("exit", &[Val::U32(0)]).await,
        Fault::Exit { code: 0 }
    );
    assert_eq!(
        door.fault("exit", &[Val::U32(1)]).await,
        Fault::Exit { code: 1 }
    );
}

#[tokio::test]
async fn after_any_fault_the_next_opening_is_unharmed() {
    let door = Door::hungry().await.limited(|limits| {
        limits.fuel = 2_000_000;
        limits.memory = 2 << 16;
    });
    let before = door.call("count", &[]).await;
    assert_eq!(before.outcome, Ok(vec![Val::U32(1)]));
    for (function, params) in [
        ("spin", vec![]),
        ("grow", vec![Val::U32(9)]),
        ("crash", vec![]),
        ("recurse", vec![Val::U32(1)]),
        ("widen", vec![Val::U32(19_999)]),
        ("aliases", vec![]),
    ] {
        for _ in 0..20 {
            door.call(function, &params).await;
        }
        assert_eq!(door.call("count", &[]).await, before, "after `{function}`");
    }
}
