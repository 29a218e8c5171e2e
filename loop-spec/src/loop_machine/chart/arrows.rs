//! Every way through a loop, and when a loop has it.

use super::node::{
    AFTER, ANY, ASK, ASSEMBLE, BAD_LOOP, BEFORE, CANCELLED, CLOSE, COMPACT, DECIDE, DONE, END,
    ENDED, FIT, FUEL, LENGTH, LINE, LIST, LOCK, MODEL_ERROR, PASTE, PUT_BACKS, RESUME,
    SAME_FAILURE, SAY, WAITING_FOR_NOD,
};
use crate::Node;

/// When a loop has an arrow. An arrow from or to [`OPEN`] is one for each door that it speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    Always,
    /// A door is listed.
    Listed,
    /// A listed door opens without a person being asked.
    Unasked,
    /// A person must be asked before a listed door opens.
    Asked,
    /// As [`When::Asked`], without a hook in between.
    AskedUnhooked,
    /// A listed door may be open beside others.
    Together,
    /// A hook is asked before doors open.
    Before,
    /// As [`When::Unasked`], behind that hook.
    BeforeUnasked,
    /// As [`When::Asked`], behind that hook.
    BeforeAsked,
    /// A hook is asked after doors have returned.
    After,
    /// A hook is asked before the run ends.
    End,
    /// A listed door may end the run.
    MayEnd,
    /// `close`, `needs` or `numbers` is set, so that a close can be refused.
    Refusable,
    /// `close` is set, so that judging takes fuel.
    CheckDoor,
}

/// Stands for the node of each door.
pub(super) const OPEN: Node = Node::fixed("open:*");

use When::{
    After, Always, Asked, AskedUnhooked, Before, BeforeAsked, BeforeUnasked, CheckDoor, End,
    Listed, MayEnd, Refusable, Together, Unasked,
};

pub(super) const ARROWS: &[(Node, Node, When)] = &[
    (LINE, ASSEMBLE, Always),
    (ASSEMBLE, DECIDE, Always),
    (DECIDE, LIST, Always),
    (LIST, FIT, Listed),
    (FIT, LOCK, Listed),
    (LOCK, OPEN, Unasked),
    (OPEN, PASTE, Listed),
    (OPEN, LIST, Together),
    (PASTE, LIST, Always),
    (PASTE, ASSEMBLE, Always),
    (DECIDE, CLOSE, Always),
    (CLOSE, DONE, Always),
    // Somebody says more.
    (PASTE, SAY, Listed),
    (ASSEMBLE, SAY, Listed),
    (CLOSE, SAY, Always),
    (SAY, SAY, Always),
    (SAY, ASSEMBLE, Always),
    // What came first is summed up.
    (PASTE, COMPACT, Listed),
    (SAY, COMPACT, Listed),
    (ASSEMBLE, COMPACT, Listed),
    (COMPACT, ASSEMBLE, Listed),
    // Refusals.
    (DECIDE, PASTE, Always),
    (LIST, PASTE, Always),
    (FIT, PASTE, Listed),
    (LOCK, PASTE, Listed),
    (CLOSE, PASTE, Refusable),
    // A person is asked first.
    (LOCK, ASK, AskedUnhooked),
    (ASK, OPEN, Asked),
    // The door is other than it was when the person was asked.
    (ASK, ASK, Asked),
    (ASK, PASTE, Asked),
    (ASK, WAITING_FOR_NOD, Asked),
    // Hooks.
    (LOCK, BEFORE, Before),
    (BEFORE, OPEN, BeforeUnasked),
    (BEFORE, ASK, BeforeAsked),
    (BEFORE, PASTE, Before),
    (OPEN, AFTER, After),
    // Of doors that were open beside each other, another has ended.
    (PASTE, AFTER, After),
    (AFTER, PASTE, After),
    (CLOSE, END, End),
    (END, DONE, End),
    (END, PASTE, End),
    (END, SAY, End),
    // A door asked for the end of the run.
    (ASSEMBLE, ENDED, MayEnd),
    // Stops.
    (ASSEMBLE, PUT_BACKS, Always),
    (ASSEMBLE, BAD_LOOP, Always),
    (ASSEMBLE, SAME_FAILURE, Listed),
    (ASSEMBLE, FUEL, Always),
    (ASSEMBLE, LENGTH, Always),
    (CLOSE, FUEL, CheckDoor),
    (DECIDE, MODEL_ERROR, Always),
    (ANY, CANCELLED, Always),
    (ANY, RESUME, Always),
    (RESUME, ANY, Always),
];
