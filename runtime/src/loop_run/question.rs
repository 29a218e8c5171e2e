//! The question whether a door may open: what it is bound to, and how long it stands.

use loop_spec::CallId;
use loop_spec::loop_machine::{Asked, Event, LoopMachine, Nod, NodAnswered};

use super::Snapshot;
use crate::ambient::Ambient;
use crate::gate::GuardedDoor;

/// Asks whether `door` may open with these canonical arguments, where its policy or untrusted output
/// on the page of `machine` demands it.
pub(super) fn question(
    machine: &LoopMachine,
    snapshot: &Snapshot,
    door: &GuardedDoor,
    call: CallId,
    arguments: String,
    hooked: Option<u64>,
    ambient: &dyn Ambient,
) -> Event {
    let tainted_by = machine
        .taints(&door.door.name)
        .filter(|_| !door.asked_first);
    Event::Asked(Asked {
        tainted_by: tainted_by.map(str::to_owned),
        hooked,
        ..asked(snapshot, door, call, arguments, ambient)
    })
}

/// The question whether `door` may open with these canonical arguments.
pub(crate) fn asked(
    snapshot: &Snapshot,
    door: &GuardedDoor,
    call: CallId,
    arguments: String,
    ambient: &dyn Ambient,
) -> Asked {
    // Longer than a clock can count is for ever.
    let wait = u64::try_from(snapshot.ask.expires.as_micros()).unwrap_or(u64::MAX);
    Asked {
        call,
        door: door.door.name.clone(),
        component: door.door.component_digest(),
        interface: door.door.interface_digest(),
        arguments,
        tainted_by: None,
        hooked: None,
        expires: ambient.now().saturating_add(wait),
    }
}

/// Whether this is what the person was asked about.
pub(super) fn shows(asked: &Asked, door: &GuardedDoor, arguments: &str) -> bool {
    asked.component == door.door.component_digest()
        && asked.interface == door.door.interface_digest()
        && asked.arguments == arguments
}

/// Whether the question, or a nod that was given to it, stands no more.
pub(crate) fn is_late(asked: &Asked, ambient: &dyn Ambient) -> bool {
    ambient.now() >= asked.expires
}

pub(super) fn answered(call: CallId, nod: Nod) -> Event {
    Event::NodAnswered(NodAnswered { call, nod })
}
