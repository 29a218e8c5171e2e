//! The nodes of a loop.

use crate::Node;

/// The user's line came.
pub const LINE: Node = Node::fixed("line");
/// A page is put together.
pub const ASSEMBLE: Node = Node::fixed("assemble");
/// The model has the page.
pub const DECIDE: Node = Node::fixed("decide");
/// A name is looked for on the list.
pub const LIST: Node = Node::fixed("list");
/// Arguments are held against the interface.
pub const FIT: Node = Node::fixed("fit");
/// The component's bytes are held against `doors.lock`.
pub const LOCK: Node = Node::fixed("lock");
/// The hook before an opening is asked.
pub const BEFORE: Node = Node::fixed("hook:before");
/// The hook after an opening is asked.
pub const AFTER: Node = Node::fixed("hook:after");
/// The hook before the end of the run is asked.
pub const END: Node = Node::fixed("hook:end");
/// A person is asked.
pub const ASK: Node = Node::fixed("ask");
/// What came of it is pasted.
pub const PASTE: Node = Node::fixed("paste");
/// Somebody says more to the run.
pub const SAY: Node = Node::fixed("say");
/// What came first is summed up.
pub const COMPACT: Node = Node::fixed("compact");
/// A close is judged.
pub const CLOSE: Node = Node::fixed("close");
/// A stopped or crashed run goes on.
pub const RESUME: Node = Node::fixed("resume");
/// The close stands.
pub const DONE: Node = Node::fixed("stop:done");
/// A door asked for the end of the run.
pub const ENDED: Node = Node::fixed("stop:ended");
/// The cap is reached.
pub const PUT_BACKS: Node = Node::fixed("stop:put-backs");
/// One door failed too often with the same arguments.
pub const SAME_FAILURE: Node = Node::fixed("stop:same-failure");
/// A person has not answered yet.
pub const WAITING_FOR_NOD: Node = Node::fixed("stop:waiting-for-nod");
/// The run's fuel is used up.
pub const FUEL: Node = Node::fixed("stop:fuel");
/// One answer after another was cut short.
pub const LENGTH: Node = Node::fixed("stop:length");
/// Somebody cancelled the run.
pub const CANCELLED: Node = Node::fixed("stop:cancelled");
/// The model gave no answer.
pub const MODEL_ERROR: Node = Node::fixed("stop:model-error");
/// `loop.txt` cannot be read.
pub const BAD_LOOP: Node = Node::fixed("stop:bad-loop");
/// Stands in an arrow for every node: a run can be cancelled, killed and resumed anywhere.
pub const ANY: Node = Node::fixed("*");

/// A door is open.
#[must_use]
pub fn open(door: &str) -> Node {
    Node::named(format!("{OPEN_PREFIX}{door}"))
}

/// The door of an `open:` node.
#[must_use]
pub fn opened_door(node: &Node) -> Option<&str> {
    node.as_str().strip_prefix(OPEN_PREFIX)
}

const OPEN_PREFIX: &str = "open:";
