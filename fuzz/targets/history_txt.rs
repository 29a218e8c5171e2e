//! `history.txt`, as models and checks read it; and foreign text, which never leaves its frame.
#![no_main]

use doors_sdk::{History, Page};
use libfuzzer_sys::fuzz_target;
use loop_spec::frame::{deceives, framed, one_line};

fuzz_target!(|text: &str| {
    let _ = Page::read(text);
    let _ = History::read(text);
    let framed = framed(text, '|');
    assert!(framed.lines().all(|line| line.starts_with('|')));
    assert!(!framed.contains(|c| c != '\n' && deceives(c)));
    assert_eq!(one_line(text).lines().count().max(1), 1);
});
