//! From bytes to a compiled component.

use super::*;

#[tokio::test]
async fn a_component_is_compiled_once_however_many_ask_at_once() {
    let sandbox = sandbox(None);
    let wat = include_str!("doors/hungry.wat");
    let (a, b, c) = tokio::join!(
        compile(&sandbox, wat),
        compile(&sandbox, wat),
        compile(&sandbox, wat)
    );
    assert!(a.is_ok() && b.is_ok() && c.is_ok());
    assert_eq!(sandbox.counters(), counters(1, 0, 0));
}

#[tokio::test]
async fn what_is_no_component_is_refused() {
    let sandbox = sandbox(None);
    let core = wat::parse_str("(module)").unwrap();
    let cut = wat::parse_str("(component (core module (func)))").unwrap()[..20].to_vec();
    let text = b"(component)".to_vec();
    for bytes in [vec![], b"not wasm".to_vec(), core, cut, text] {
        let error = sandbox.compile(&Artifact::new(bytes)).await.unwrap_err();
        assert!(matches!(error, CompileError::Invalid { .. }), "{error}");
    }
}

#[tokio::test]
async fn a_component_that_is_too_large_is_not_looked_at() {
    let settings = Settings {
        component: 7,
        ..Settings::for_one_loop(None)
    };
    let sandbox = Sandbox::new(settings).unwrap();
    assert_eq!(
        compile(&sandbox, "(component)").await.unwrap_err(),
        CompileError::TooLarge { found: 8, limit: 7 }
    );
}

#[tokio::test]
async fn an_import_that_no_door_is_offered_is_named() {
    let sandbox = sandbox(None);
    let wat = r#"(component (import "shop:pay/pay@1.0.0" (instance (export "pay" (func)))))"#;
    let error = compile(&sandbox, wat).await.unwrap_err();
    assert!(matches!(error, CompileError::Import { .. }));
    assert!(error.to_string().contains("shop:pay/pay@1.0.0"), "{error}");
}

#[tokio::test]
async fn a_memory_that_no_opening_could_have_is_refused() {
    let settings = Settings {
        memory: 1 << 20,
        ..Settings::for_one_loop(None)
    };
    let sandbox = Sandbox::new(settings).unwrap();
    let error = compile(&sandbox, "(component (core module (memory 17)))").await;
    assert!(matches!(error.unwrap_err(), CompileError::Invalid { .. }));
}

#[tokio::test]
async fn a_caller_that_stops_waiting_leaves_no_one_else_waiting() {
    let sandbox = sandbox(None);
    let wat = include_str!("doors/hungry.wat");
    let dropped = one_poll(compile(&sandbox, wat)).await;
    assert!(dropped.is_none(), "it was dropped while it waited");
    assert!(compile(&sandbox, wat).await.is_ok());
}
