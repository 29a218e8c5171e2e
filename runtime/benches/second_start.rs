//! The second start of a loop: from the start of the process to its first put-back, against a process
//! that only says its version.
//!
//! A first run has compiled the doors, so that the others find them in the cache. What is timed is the
//! whole process, until a line on its standard output: that of the first page put back, and that of
//! the first answer, for which the model's component was loaded and opened.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn main() {
    let place = tempfile::tempdir().unwrap();
    until(&mut doorlist(place.path(), &["init", "fridge"]), None);
    let run = ["run", "fridge", "What do we need?", "--json"];
    let time = |mark| until(&mut doorlist(place.path(), &run), Some(mark));
    let first = time(ANSWERED);
    let (mut empty, mut put_back, mut answered) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        empty.push(until(&mut doorlist(place.path(), &["--version"]), None));
        put_back.push(time(PUT_BACK));
        answered.push(time(ANSWERED));
    }
    let empty = median(empty);
    println!("from the start of the process, medians of {ROUNDS} alternating rounds");
    println!("doorlist --version           {empty:>10.1?}");
    for (what, times) in [("put-back", put_back), ("answer  ", answered)] {
        let time = median(times);
        let ratio = time.as_secs_f64() / empty.as_secs_f64();
        println!("second start, first {what} {time:>10.1?} {ratio:>7.2}x");
    }
    println!("first start, first answer    {first:>10.1?}");
}

fn doorlist(here: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_doorlist"));
    command
        .args(arguments)
        .current_dir(here)
        .env("DOORLIST_CONFIG", here.join("own"))
        .env("DOORLIST_CACHE", here.join("cache"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command
}

/// The time until a line with `mark` comes, or else until the process ends, which it must do well.
fn until(command: &mut Command, mark: Option<&str>) -> Duration {
    let start = Instant::now();
    let mut child = command.spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let marked = mark.map(|mark| {
        let mut lines = out.by_ref().lines().map(Result::unwrap);
        assert!(lines.any(|line| line.contains(mark)), "no line has {mark}");
        start.elapsed()
    });
    out.read_to_end(&mut Vec::new()).unwrap();
    assert!(child.wait().unwrap().success(), "{command:?}");
    marked.unwrap_or_else(|| start.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

const PUT_BACK: &str = r#""kind":"put_back""#;
const ANSWERED: &str = r#""kind":"answered""#;
const ROUNDS: usize = 31;
