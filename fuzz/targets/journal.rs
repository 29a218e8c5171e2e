//! A journal that came with a folder.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loop_spec::journal::Reading;

fuzz_target!(|bytes: &[u8]| {
    if let Err(damage) = Reading::of("1", bytes) {
        let lines = bytes.split(|byte| *byte == b'\n').count() as u64;
        assert!((1..=lines).contains(&damage.line()), "{damage}");
    }
});
