//! `doors.lock`: what is read is written and read again as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loop_spec::lock::Lock;

fuzz_target!(|text: &str| {
    if let Ok(lock) = text.parse::<Lock>() {
        assert_eq!(lock.to_string().parse().as_ref(), Ok(&lock));
    }
});
