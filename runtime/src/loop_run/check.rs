//! The check of a close by a pure door.

use loop_spec::lock::Unaccepted;
use loop_spec::loop_machine::{CloseJudged, CloseRefusal, Event, LoopMachine, Outcome};

use super::Snapshot;
use super::hands::missing;
use crate::driver::HostError;
use crate::gate::{Admission, Conditions, Gate};

/// The interface that a check door exports, without its version.
pub const CLOSE_INTERFACE: &str = "doorlist:close/close";

/// Asks the check door of `snapshot` whether `close` stands.
pub(super) async fn judge(
    gate: &Gate,
    snapshot: &Snapshot,
    machine: &LoopMachine,
    put_back: u32,
    close: &str,
) -> Result<Event, HostError> {
    let door = snapshot
        .close
        .as_ref()
        .ok_or_else(|| missing("no check door was read"))?;
    let page = machine
        .page()
        .ok_or_else(|| missing("a close before loop.txt was read"))?;
    let arguments = serde_json::json!({
        "top": page.top_text(),
        "line": page.line(),
        "history": page.pasted(),
        "close": close,
    });
    // Its time and seed follow from the put-back, so that the same close is judged the same again.
    let conditions = Conditions {
        time: 0,
        seed: u64::from(put_back),
        fuel: machine.fuel_left(),
        ..Conditions::default()
    };
    let (refused, fuel) = match gate.admit(door, &arguments.to_string(), true) {
        Admission::Open { values, .. } => {
            let came = gate.open(door, values, conditions).await;
            (verdict(came.outcome), came.fuel)
        }
        Admission::Locked { why, .. } => (Some(locked(why)), 0),
        Admission::Misfit { what } => return Err(missing(&what)),
        Admission::Ask { .. } => return Err(missing("a check door is never asked first")),
    };
    Ok(Event::CloseJudged(CloseJudged {
        put_back,
        refused,
        fuel,
    }))
}

/// Nothing is known of the close: what would judge it is not opened.
fn locked(why: Unaccepted) -> CloseRefusal {
    let what = format!("the component that judges a close is {why}");
    let outcome = Outcome::HostFault { what };
    CloseRefusal::CheckFailed { outcome }
}

fn verdict(outcome: Outcome) -> Option<CloseRefusal> {
    match outcome {
        Outcome::Said { .. } => None,
        Outcome::OwnError { text } => Some(CloseRefusal::Check { reason: text }),
        outcome => Some(CloseRefusal::CheckFailed { outcome }),
    }
}
