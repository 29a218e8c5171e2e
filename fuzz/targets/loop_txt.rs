//! `loop.txt`: whatever it says, it is read or refused with a reason.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loop_spec::LoopText;
use loop_spec::diagram::Diagram;

fuzz_target!(|text: &str| {
    let _ = Diagram::parse(text);
    match LoopText::parse(text) {
        Ok(read) => {
            let _ = read.doubts(&["fridge.count"]);
        }
        Err(wrong) => assert!(!wrong.to_string().is_empty()),
    }
});
