//! Which file to open, and where in it, to change what a cell says.

use super::section::{Heading, Line, Section, place};
use crate::Node;
use crate::loop_machine::{DecidedBy, node};

/// The place to open for one line of a cell.
pub(super) fn opens(line: &Line, section: &Section) -> String {
    match line {
        Line::By(by) => place(by).to_owned(),
        Line::Quote(_) => DecidedBy::Loop(None).to_string(),
        Line::Arrow(to) => arrow_place(section, to),
        Line::Beside(text) => in_brackets(text).unwrap_or_else(|| first_place(section)),
        Line::Says(text) if section.heading == Heading::NotThisTime => {
            in_brackets(text).unwrap_or_else(|| DIAGRAM.to_owned())
        }
        Line::Says(_) => first_place(section),
    }
}

/// The place that decides whether an arrow is there.
fn arrow_place(section: &Section, to: &Node) -> String {
    let leaves_close = section.node() == Some(&node::CLOSE);
    if leaves_close && [node::PASTE, node::FUEL].contains(to) {
        return loop_key("close");
    }
    node_place(to).unwrap_or_else(|| first_place(section))
}

/// The place that decides whether a cell is there. Where a policy asks first, the cell itself says
/// which policy.
pub(super) fn cell_place(section: &Section) -> String {
    let asks = section
        .places()
        .find(|place| place.ends_with(", ask.first"));
    let of_node = || section.node().and_then(node_place);
    let place = asks.map(str::to_owned).or_else(of_node);
    place.unwrap_or_else(|| first_place(section))
}

/// The first place that decides a cell; without any, only the diagram itself speaks of it.
fn first_place(section: &Section) -> String {
    section.places().next().unwrap_or(DIAGRAM).to_owned()
}

/// The place that decides whether a loop has a node at all.
fn node_place(node: &Node) -> Option<String> {
    if node::opened_door(node).is_some()
        || [node::FIT, node::LOCK, node::SAME_FAILURE].contains(node)
    {
        return Some(loop_key("list"));
    }
    [node::ASK, node::WAITING_FOR_NOD]
        .contains(node)
        .then(|| ASK.to_owned())
}

fn loop_key(key: &'static str) -> String {
    DecidedBy::Loop(Some(key)).to_string()
}

/// `loop.txt, model` of `the model, person (loop.txt, model)`.
fn in_brackets(text: &str) -> Option<String> {
    let (_, place) = text.strip_suffix(')')?.rsplit_once('(')?;
    Some(place.to_owned())
}

/// Where nothing but the diagram itself speaks of a thing.
pub(super) const DIAGRAM: &str = "diagram.txt";
/// Where the folder says what must be asked first.
const ASK: &str = "policy.toml, ask.first";
