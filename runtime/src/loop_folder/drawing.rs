//! What a diagram shows of a folder's doors and policy.

use loop_spec::diagram::{DoorSketch, Drawing};

use super::{FolderError, LoopFolder};
use crate::gate::GuardedDoor;
use crate::loop_run::Snapshot;

impl LoopFolder {
    pub(super) fn drawing(&self, snapshot: &Snapshot) -> Result<Drawing, FolderError> {
        let doors = snapshot
            .doors
            .values()
            .map(|door| self.sketch(door))
            .collect();
        let mut drawing = Drawing::of(env!("CARGO_PKG_VERSION"), doors);
        drawing.hooks = snapshot.hooks.there();
        Ok(drawing.under("policy.toml", &self.policy()?))
    }

    fn sketch(&self, guarded: &GuardedDoor) -> DoorSketch {
        let door = &guarded.door;
        let file = door.file.path.as_deref().and_then(|path| path.file_name());
        let file = file.map_or(door.file.stem.clone().into(), |name| name.to_string_lossy());
        DoorSketch {
            name: door.name.clone(),
            file: format!("doors/{file}"),
            signature: door.signature(),
            marks: guarded.marks(),
            policy: Vec::new(),
        }
    }
}
