//! The whole path of one opening, as a run walks it.

use doorlist::doors::{Catalogue, DoorFile};
use doorlist::gate::{Admission, Conditions, Gate, GuardedDoor};
use doorlist::journal::{Journal as _, MemoryJournal, RunKey};
use doorlist::sandbox::Sandbox;
use loop_spec::loop_machine::{Event, Opened, Opening, Outcome};
use loop_spec::{CallId, Recorded as _, Stamped};

use crate::doors::Door;

pub struct Whole {
    gate: Gate,
    door: GuardedDoor,
    arguments: &'static str,
}

/// A journal, and how many records are in it.
pub struct Run {
    journal: MemoryJournal,
    key: RunKey,
    next: u64,
}

impl Whole {
    pub fn new(door: &Door, sandbox: &Sandbox) -> Self {
        let file = DoorFile::from_bytes(door.name, door.bytes.clone()).unwrap();
        let catalogue = Catalogue::of([file]).unwrap();
        let is_it = |listed: &&doorlist::doors::Door| listed.function.name == door.function;
        let found = catalogue.doors().find(is_it).unwrap().clone();
        Self {
            gate: Gate::new(sandbox.clone()),
            door: GuardedDoor::pure(found),
            arguments: door.json,
        }
    }

    pub fn run(&self) -> Run {
        Run {
            journal: MemoryJournal::new(),
            key: RunKey::local("1").unwrap(),
            next: 0,
        }
    }

    pub async fn open(&self, run: &mut Run) {
        let admission = self.gate.admit(&self.door, self.arguments, false);
        let Admission::Open { arguments, values } = admission else {
            panic!("{admission:?}");
        };
        let conditions = Conditions {
            fuel: self.door.limits.fuel,
            ..Conditions::default()
        };
        run.keep(&Event::Opening(self.opening(arguments, conditions.clone())))
            .await;
        let came = self.gate.open(&self.door, values, conditions).await;
        let answers = matches!(
            came.outcome,
            Outcome::Said { .. } | Outcome::OwnError { .. }
        );
        assert!(answers, "{came:?}");
        run.keep(&Event::Opened(Opened {
            printed: came.printed,
            kept: came.kept,
            ..Opened::new(CALL, came.outcome, came.fuel)
        }))
        .await;
    }

    fn opening(&self, arguments: String, conditions: Conditions) -> Opening {
        Opening {
            call: CALL,
            door: self.door.door.name.clone(),
            component: self.door.door.component_digest(),
            interface: self.door.door.interface_digest(),
            arguments,
            time: conditions.time,
            seed: conditions.seed,
            fuel: conditions.fuel,
            pure: self.door.is_pure(),
            taints: false,
            hooked: None,
        }
    }
}

impl Run {
    async fn keep(&mut self, event: &Event) {
        let stamped = Stamped {
            time: 0,
            entry: event.to_entry(),
        };
        let batch = std::slice::from_ref(&stamped);
        self.next = self
            .journal
            .append(&self.key, self.next, batch)
            .await
            .unwrap();
    }
}

const CALL: CallId = CallId {
    put_back: 1,
    place: 1,
};
