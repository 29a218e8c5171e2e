//! The doors that are opened, and what they are asked.

use std::path::Path;
use std::sync::Arc;

use doorlist::build::Build;
use wasmtime::component::Val;

/// A component, and a call of it.
pub struct Door {
    pub name: &'static str,
    pub bytes: Arc<[u8]>,
    pub interface: Option<&'static str>,
    pub function: &'static str,
    pub arguments: Vec<Val>,
    /// The same, as a model hands them over.
    pub json: &'static str,
}

/// Builds the Rust doors from their sources.
pub fn all() -> Vec<Door> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../doors");
    let out = tempfile::tempdir().unwrap();
    let paths = ["settled", "fridge"].map(|name| sources.join(name));
    Build::default()
        .run(&paths, out.path(), &mut |_| {})
        .unwrap();
    let built = |name: &str| std::fs::read(out.path().join(name).with_extension("wasm")).unwrap();
    let items = Val::List(ITEMS.map(|item| Val::String(item.into())).into());
    vec![
        Door {
            name: "min",
            bytes: wat::parse_str(include_str!("min.wat")).unwrap().into(),
            interface: None,
            function: "count",
            arguments: vec![items.clone()],
            json: ITEMS_JSON,
        },
        Door {
            name: "settled",
            bytes: built("settled").into(),
            interface: Some("doorlist:close/close@0.1.0"),
            function: "stands",
            arguments: PAGE.map(|part| Val::String(part.into())).into(),
            json: PAGE_JSON,
        },
        Door {
            name: "fridge",
            bytes: built("fridge").into(),
            interface: None,
            function: "count",
            arguments: vec![items],
            json: ITEMS_JSON,
        },
    ]
}

pub const ITEMS: [&str; 2] = ["milk", "eggs"];

/// Top, line, history and close of a page.
pub const PAGE: [&str; 4] = [
    "Keep the fridge full: nothing below 2.",
    "What do we need?",
    "",
    "Milk.",
];

const ITEMS_JSON: &str = r#"{"items": ["milk", "eggs"]}"#;

const PAGE_JSON: &str = r#"{
    "top": "Keep the fridge full: nothing below 2.", "line": "What do we need?",
    "history": "", "close": "Milk."
}"#;
