//! What a diagram shows beyond `loop.txt`.

use super::super::Hooks;
use super::Ways;
use crate::policy::Marks;

/// What a diagram shows beyond what stands in `loop.txt`; whoever read the folder fills it in, by
/// [`Drawing::of`] and [`Drawing::under`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// The version of Doorlist.
    pub doorlist: String,
    /// The listed doors, in any order; others are not drawn.
    pub doors: Vec<DoorSketch>,
    /// What must be asked first. What is not on the list draws nothing (acceptance A19).
    pub asked_first: Vec<AskedFirst>,
    /// How a person is asked, where anybody is.
    pub ask: Vec<PolicyLine>,
    /// Where hooks are asked.
    pub hooks: Hooks,
}

/// One door as a diagram shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DoorSketch {
    /// Its name, e.g. `fridge.count`.
    pub name: String,
    /// Its component, as a path in the loop's folder: `doors/fridge.wasm`, `doors/fridge.wat`.
    pub file: String,
    /// Its signature, as on the page.
    pub signature: String,
    /// What it is like; a pure door may be open beside others whatever its policy says.
    pub marks: Marks,
    /// Its grants and limits, as far as a policy says any. [`Drawing::under`] adds them.
    pub policy: Vec<PolicyLine>,
}

/// One thing that a policy says of a door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyLine {
    /// The policy's file, e.g. `policy.toml`.
    pub file: String,
    /// The key, e.g. `door."shopping.add".dirs`.
    pub key: String,
    /// What it says, on one line, e.g. `data as /data, may write`.
    pub value: String,
}

/// A door that a person must be asked about first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedFirst {
    /// The door.
    pub door: String,
    /// The policy's file that says so.
    pub file: String,
}

impl Drawing {
    /// The drawing of these doors under no policy: nothing is granted, nobody is asked.
    #[must_use]
    pub fn of(doorlist: &str, doors: Vec<DoorSketch>) -> Self {
        Self {
            doorlist: doorlist.to_owned(),
            doors,
            ..Self::default()
        }
    }

    /// The ways in which these doors open.
    pub(crate) fn ways(&self) -> Ways {
        let asked = self.asked_first.iter().map(|asked| asked.door.clone());
        let marked = self.doors.iter().map(|door| (&door.name, door.marks));
        Ways::new(asked.collect(), marked).hooked(self.hooks)
    }
}
