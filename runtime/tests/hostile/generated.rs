//! Hostile components that are too large for a file.

use std::fmt::Write as _;
use std::time::Instant;

use doorlist::doors::DoorFile;
use loop_spec::loop_machine::Outcome;

use crate::{Friend, answer, door, gate, open};

/// What comes of a component's text; the next opening must be unharmed.
async fn told(component: &str) -> String {
    let gate = gate();
    let file = match wat::parse_str(component) {
        Ok(bytes) => DoorFile::from_bytes("door", bytes),
        Err(error) => panic!("{error}"),
    };
    let answer = answer(&gate, file, "{}").await;
    Friend::new().open(&gate).await;
    answer.unwrap_or_else(|refused| refused)
}

#[tokio::test]
async fn a_type_that_is_nested_a_thousand_deep() {
    let mut types = String::new();
    for depth in 0..1000 {
        let inner = if depth == 0 {
            "u8".to_owned()
        } else {
            format!("$t{}", depth - 1)
        };
        let _ = writeln!(types, "  (type $t{depth} (list {inner}))");
    }
    let component = format!(
        "(component
{types}
  (core module $m
    (memory (export \"memory\") 1)
    (func (export \"go\") (result i32) (i32.const 8)))
  (core instance $i (instantiate $m))
  (func (export \"go\") (result $t999)
    (canon lift (core func $i \"go\") (memory $i \"memory\"))))"
    );
    let told = told(&component).await;
    assert!(told.starts_with("refused: "), "{told}");
    assert!(told.contains("nest"), "{told}");
}

#[tokio::test]
async fn a_function_of_a_thousand_parameters() {
    let parameters: String = (0..1000)
        .map(|n| format!(" (param \"p{n}\" u32)"))
        .collect();
    let component = format!(
        "(component
  (core module $m
    (memory (export \"memory\") 1)
    (func (export \"realloc\") (param i32 i32 i32 i32) (result i32) (i32.const 8))
    (func (export \"go\") (param i32)))
  (core instance $i (instantiate $m))
  (func (export \"go\"){parameters}
    (canon lift (core func $i \"go\") (memory $i \"memory\") (realloc (func $i \"realloc\")))))"
    );
    let gate = gate();
    let bytes = wat::parse_str(&component).unwrap();
    let file = DoorFile::from_bytes("door", bytes);
    let all: serde_json::Map<_, _> = (0..1000).map(|n| (format!("p{n}"), n.into())).collect();
    let all = serde_json::Value::Object(all).to_string();
    assert_eq!(answer(&gate, file, &all).await, Ok("ok".to_owned()));
    Friend::new().open(&gate).await;
}

#[tokio::test]
async fn fifty_thousand_functions() {
    assert_eq!(told(&functions(50_000)).await, "ok");
}

/// The clock of an opening starts when the compiled code is in hand.
#[tokio::test]
async fn what_takes_longer_to_compile_than_a_door_has_time_runs_all_the_same() {
    let bytes = wat::parse_str(functions(10_000)).unwrap();
    let mut slow = door(DoorFile::from_bytes("door", bytes).unwrap()).unwrap();
    let started = Instant::now();
    open(&gate(), &slow, "{}").await;
    slow.limits.time = started.elapsed() / 2;
    let outcome = open(&gate(), &slow, "{}").await.outcome;
    assert!(matches!(outcome, Outcome::Said { .. }), "{outcome:?}");
}

fn functions(number: usize) -> String {
    let functions = "    (func (drop (i32.const 1)))\n".repeat(number);
    format!(
        "(component
  (core module $m
{functions}    (func (export \"go\")))
  (core instance $i (instantiate $m))
  (func (export \"go\") (canon lift (core func $i \"go\"))))"
    )
}

#[tokio::test]
async fn ten_thousand_exports() {
    let exports: String = (0..10_000)
        .map(|n| format!("  (func (export \"f{n}\") (canon lift (core func $i \"go\")))\n"))
        .collect();
    let component = format!(
        "(component
  (core module $m (func (export \"go\")))
  (core instance $i (instantiate $m))
{exports})"
    );
    assert_eq!(told(&component).await, "ok");
}
