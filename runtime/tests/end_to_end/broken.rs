//! A loop that ran well once and is then broken.

use std::collections::BTreeMap;
use std::fs;

use crate::command::Doorlist;
use crate::hand::say;
use crate::laid::{LOOP, Laid};

/// A loop that stopped well and is then broken: neither `run` nor `resume` nor `check` takes it, each
/// says all of this, and nothing that was there is lost.
#[track_caller]
pub(crate) fn refuses(break_it: impl Fn(&Laid), says: &[&str]) {
    let laid = stopped();
    break_it(&laid);
    let kept = kept(&laid);
    let all = |call: Doorlist| says.iter().fold(call, |call, part| call.stderr_has(*part));
    all(laid.run_script().exit(16)).call();
    all(laid.resume_script().exit(16)).call();
    let check = laid.doorlist(["check", LOOP]).exit(30);
    let check = says.iter().fold(check, |call, part| call.stdout_has(*part));
    check.stderr_has("").call();
    all(laid.doorlist(["diagram", LOOP]).exit(1)).call();
    assert_eq!(self::kept(&laid), kept, "nothing is lost");
}

/// The same for a component in the place of a door.
#[track_caller]
pub(crate) fn component_refused(bytes: &[u8], says: &[&str]) {
    let break_it = |laid: &Laid| {
        fs::remove_file(laid.path("doors/hand.wat")).unwrap();
        laid.write("doors/hand.wasm", bytes);
    };
    let says = [&["loop/doors/hand.wasm: "], says].concat();
    refuses(break_it, &says);
}

/// The same for the answers of a script, of which `check` knows nothing.
#[track_caller]
pub(crate) fn answers_refused(break_it: impl Fn(&Laid), says: &[&str]) {
    let laid = stopped();
    break_it(&laid);
    let kept = kept(&laid);
    for call in [laid.run_script(), laid.resume_script()] {
        let call = says
            .iter()
            .fold(call.exit(1), |call, part| call.stderr_has(*part));
        call.call();
    }
    assert_eq!(self::kept(&laid), kept, "nothing is lost");
}

/// A loop whose run 1 stopped at its cap.
pub(crate) fn stopped() -> Laid {
    let laid = Laid::by_hand("put-backs = 1").script(&say("x"));
    laid.run_script().exit(10).stderr_has("run 1").call();
    laid
}

/// What a run leaves in its folder.
fn kept(laid: &Laid) -> BTreeMap<String, String> {
    let runs = fs::read_dir(laid.path("runs")).unwrap();
    let runs = runs.map(|entry| format!("runs/{}", entry.unwrap().file_name().to_string_lossy()));
    let files = runs.chain(["history.txt".to_owned()]);
    files.map(|file| (file.clone(), laid.read(&file))).collect()
}
