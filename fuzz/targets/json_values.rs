//! Arguments from JSON to the values of an interface and back: nothing changes on the way.
#![no_main]

use std::sync::LazyLock;

use doorlist::doors::{DoorFile, Function, parse_arguments};
use libfuzzer_sys::fuzz_target;

static FUNCTION: LazyLock<Function> = LazyLock::new(|| {
    let bytes = wat::parse_str(include_str!("every_type.wat")).expect("it is a component");
    let file = DoorFile::from_bytes("every", bytes).expect("it is a door");
    let (_, function) = file.functions().next().expect("it has a function");
    function.clone()
});

fuzz_target!(|text: &str| {
    let Ok(json) = parse_arguments(text) else {
        return;
    };
    let Ok(values) = FUNCTION.fit(&json) else {
        return;
    };
    let canonical = FUNCTION
        .canonical(&values)
        .expect("what fits can be written");
    let again = parse_arguments(&canonical).expect("what was written is JSON");
    let again = FUNCTION.fit(&again).expect("what was written fits");
    // By their text: a number that is none is not itself.
    assert_eq!(FUNCTION.canonical(&again).as_ref(), Ok(&canonical));
});
