//! The loop as data: its cells, its arrows, and what decides each. The machine walks these arrows
//! and no others, and the diagram is drawn from them.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Arrow, LoopText, Node};

/// The nodes of a loop.
pub mod node {
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
    /// A person is asked.
    pub const ASK: Node = Node::fixed("ask");
    /// What came of it is pasted.
    pub const PASTE: Node = Node::fixed("paste");
    /// A close is judged.
    pub const CLOSE: Node = Node::fixed("close");
    /// A stopped or crashed run goes on.
    pub const RESUME: Node = Node::fixed("resume");
    /// The close stands.
    pub const DONE: Node = Node::fixed("stop:done");
    /// The cap is reached.
    pub const PUT_BACKS: Node = Node::fixed("stop:put-backs");
    /// One door failed too often with the same arguments.
    pub const SAME_FAILURE: Node = Node::fixed("stop:same-failure");
    /// A person has not answered yet.
    pub const WAITING_FOR_NOD: Node = Node::fixed("stop:waiting-for-nod");
    /// The run's fuel is used up.
    pub const FUEL: Node = Node::fixed("stop:fuel");
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
        Node::named(format!("open:{door}"))
    }
}

/// A cell: a node with what happens there and what decides it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The node.
    pub node: Node,
    /// What happens there, in one sentence.
    pub does: String,
    /// What decides it.
    pub decided_by: Vec<DecidedBy>,
}

/// What decides a cell: the place that a person would change.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecidedBy {
    /// A key of `loop.txt`; no key is the prose.
    Loop(Option<&'static str>),
    /// A key of `policy.toml`.
    Policy(&'static str),
    /// A function that a component in the folder exports.
    Door {
        /// The component's file, e.g. `doors/fridge.wasm`.
        file: String,
        /// The function, e.g. `count`.
        function: String,
    },
    /// The file that is pasted into.
    History,
    /// The argument of the command that starts a run.
    Argument,
    /// A function of Doorlist itself: a source file and a name in it.
    Doorlist {
        /// The source file from the repository's root.
        file: &'static str,
        /// The function.
        function: &'static str,
    },
}

/// The arrows that a loop can walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    doors: BTreeSet<String>,
    asks: bool,
    arrows: BTreeMap<Node, BTreeSet<Node>>,
}

impl Chart {
    /// The chart of a loop that lists nothing.
    #[must_use]
    pub fn new() -> Self {
        let mut chart = Self {
            doors: BTreeSet::new(),
            asks: false,
            arrows: BTreeMap::new(),
        };
        chart.draw();
        chart
    }

    /// The chart of one `loop.txt`, with the listed doors that must be asked first.
    #[must_use]
    pub fn of(text: &LoopText, asked_first: &[String]) -> Self {
        let mut chart = Self::new();
        chart.extend(text, asked_first);
        chart
    }

    /// Adds what another `loop.txt` of the same run brings.
    pub(super) fn extend(&mut self, text: &LoopText, asked_first: &[String]) {
        self.doors.extend(text.list().iter().cloned());
        self.asks |= asked_first.iter().any(|name| text.lists(name));
        self.draw();
    }

    /// Whether the arrow is on the chart.
    #[must_use]
    pub fn has(&self, arrow: &Arrow) -> bool {
        let holds = |from: &Node, to: &Node| self.arrows.get(from).is_some_and(|t| t.contains(to));
        holds(&arrow.from, &arrow.to)
            || holds(&node::ANY, &arrow.to)
            || holds(&arrow.from, &node::ANY)
    }

    /// All arrows, by where they begin. [`node::ANY`] stands for every node.
    pub fn arrows(&self) -> impl Iterator<Item = Arrow> + '_ {
        self.arrows.iter().flat_map(|(from, to)| {
            to.iter().map(|to| Arrow {
                from: from.clone(),
                to: to.clone(),
            })
        })
    }

    /// The nodes that the chart draws, in the order in which a run meets them.
    #[must_use]
    pub fn cells(&self, text: &LoopText) -> Vec<Cell> {
        let drawn = |row: &&Row| self.asks || ![ASK, WAITING_FOR_NOD].contains(&row.node);
        CELLS
            .iter()
            .filter(drawn)
            .flat_map(|row| {
                if row.node == node::ANY {
                    self.door_cells()
                } else {
                    vec![row.cell(text)]
                }
            })
            .collect()
    }

    fn door_cells(&self) -> Vec<Cell> {
        self.doors.iter().map(|door| door_cell(door)).collect()
    }

    fn draw(&mut self) {
        for (from, to, when) in ARROWS {
            if *when == When::Asked && !self.asks {
                continue;
            }
            for from in self.stand_for(from) {
                for to in self.stand_for(to) {
                    self.arrows.entry(from.clone()).or_default().insert(to);
                }
            }
        }
    }

    /// The nodes that a name in [`ARROWS`] stands for: `open:*` is one for each door.
    fn stand_for(&self, name: &Node) -> Vec<Node> {
        if name.as_str() == EACH_DOOR {
            return self.doors.iter().map(|door| node::open(door)).collect();
        }
        vec![name.clone()]
    }
}

impl Default for Chart {
    fn default() -> Self {
        Self::new()
    }
}

/// A fixed row of the chart.
struct Row {
    node: Node,
    does: &'static str,
    decided_by: &'static [DecidedBy],
}

impl Row {
    fn cell(&self, text: &LoopText) -> Cell {
        let mut decided_by = self.decided_by.to_vec();
        if self.node == node::CLOSE {
            if let Some(close) = text.close() {
                decided_by.push(DecidedBy::Door {
                    file: close.to_owned(),
                    function: CLOSE_FUNCTION.to_owned(),
                });
            }
            if !text.needs().is_empty() {
                decided_by.push(DecidedBy::Loop(Some("needs")));
            }
            if text.numbers_from_page() {
                decided_by.push(DecidedBy::Loop(Some("numbers")));
            }
        }
        Cell {
            node: self.node.clone(),
            does: self.does.to_owned(),
            decided_by,
        }
    }
}

fn door_cell(door: &str) -> Cell {
    let stem = door.split('.').next().unwrap_or(door);
    let function = door.rsplit('.').next().unwrap_or(door).to_owned();
    Cell {
        node: node::open(door),
        does: "A fresh instance of the door is opened, with its grants and under its limits."
            .to_owned(),
        decided_by: vec![DecidedBy::Door {
            file: format!("doors/{stem}.wasm"),
            function,
        }],
    }
}

/// When an arrow is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Always,
    /// Only when a listed door must be asked first.
    Asked,
}

/// Stands in [`ARROWS`] for the node of each door.
const EACH_DOOR: &str = "open:*";
/// The function that a check door exports.
pub(crate) const CLOSE_FUNCTION: &str = "stands";

const OPEN: Node = Node::fixed(EACH_DOOR);

use When::{Always, Asked};
use node::{
    ANY, ASK, ASSEMBLE, BAD_LOOP, CANCELLED, CLOSE, DECIDE, DONE, FIT, FUEL, LINE, LIST,
    MODEL_ERROR, PASTE, PUT_BACKS, RESUME, SAME_FAILURE, WAITING_FOR_NOD,
};

/// Every way through a loop.
const ARROWS: &[(Node, Node, When)] = &[
    (LINE, ASSEMBLE, Always),
    (ASSEMBLE, DECIDE, Always),
    (DECIDE, LIST, Always),
    (LIST, FIT, Always),
    (FIT, OPEN, Always),
    (OPEN, PASTE, Always),
    (PASTE, LIST, Always),
    (PASTE, ASSEMBLE, Always),
    (DECIDE, CLOSE, Always),
    (CLOSE, DONE, Always),
    (CLOSE, PASTE, Always),
    // Refusals.
    (DECIDE, PASTE, Always),
    (LIST, PASTE, Always),
    (FIT, PASTE, Always),
    // A person is asked first.
    (FIT, ASK, Asked),
    (ASK, OPEN, Asked),
    (ASK, PASTE, Asked),
    (ASK, WAITING_FOR_NOD, Asked),
    // Stops.
    (ASSEMBLE, PUT_BACKS, Always),
    (ASSEMBLE, BAD_LOOP, Always),
    (ASSEMBLE, SAME_FAILURE, Always),
    (ASSEMBLE, FUEL, Always),
    (LIST, SAME_FAILURE, Always),
    (LIST, FUEL, Always),
    (CLOSE, FUEL, Always),
    (DECIDE, MODEL_ERROR, Always),
    (ANY, CANCELLED, Always),
    (ANY, RESUME, Always),
    (RESUME, ANY, Always),
];

/// Every cell of a loop, in the order in which a run meets them. [`ANY`] is the place of the doors.
const CELLS: &[Row] = &[
    Row {
        node: LINE,
        does: "The user's line comes.",
        decided_by: &[DecidedBy::Argument],
    },
    Row {
        node: ASSEMBLE,
        does: "loop.txt is read again, and the page is put together.",
        decided_by: &[
            DecidedBy::Loop(None),
            DecidedBy::Doorlist {
                file: ASSEMBLE_RS,
                function: "assembled",
            },
        ],
    },
    Row {
        node: DECIDE,
        does: "The model gets the page, and hands over a close or names.",
        decided_by: &[DecidedBy::Doorlist {
            file: DECIDE_RS,
            function: "answered",
        }],
    },
    Row {
        node: LIST,
        does: "The name is looked for on the list.",
        decided_by: &[DecidedBy::Loop(Some("list"))],
    },
    Row {
        node: FIT,
        does: "The arguments are held against the door's interface.",
        decided_by: &[DecidedBy::Doorlist {
            file: "runtime/src/doors/fit.rs",
            function: "fit",
        }],
    },
    Row {
        node: ASK,
        does: "A person is asked first.",
        decided_by: &[DecidedBy::Policy("ask.first")],
    },
    Row {
        node: ANY,
        does: "",
        decided_by: &[],
    },
    Row {
        node: PASTE,
        does: "What came of it is pasted.",
        decided_by: &[
            DecidedBy::History,
            DecidedBy::Doorlist {
                file: "loop-spec/src/frame.rs",
                function: "framed",
            },
        ],
    },
    Row {
        node: CLOSE,
        does: "The close is judged against the history.",
        decided_by: &[DecidedBy::Doorlist {
            file: STOP_RS,
            function: "close_step",
        }],
    },
    Row {
        node: DONE,
        does: "The close is handed out.",
        decided_by: &[DecidedBy::Doorlist {
            file: STOP_RS,
            function: "close_judged",
        }],
    },
    Row {
        node: PUT_BACKS,
        does: "The model was put back as often as it may be.",
        decided_by: &[DecidedBy::Loop(Some("put-backs"))],
    },
    Row {
        node: SAME_FAILURE,
        does: "One door failed too often with the same arguments.",
        decided_by: &[DecidedBy::Loop(Some("same-failure"))],
    },
    Row {
        node: FUEL,
        does: "The run's fuel is used up.",
        decided_by: &[DecidedBy::Loop(Some("fuel"))],
    },
    Row {
        node: WAITING_FOR_NOD,
        does: "The run waits for a person.",
        decided_by: &[DecidedBy::Policy("ask.first")],
    },
    Row {
        node: MODEL_ERROR,
        does: "The model gave no answer.",
        decided_by: &[DecidedBy::Doorlist {
            file: DECIDE_RS,
            function: "model_failed",
        }],
    },
    Row {
        node: BAD_LOOP,
        does: "loop.txt, or a door that it lists, cannot be read.",
        decided_by: &[DecidedBy::Doorlist {
            file: "loop-spec/src/loop_text/mod.rs",
            function: "parse",
        }],
    },
    Row {
        node: CANCELLED,
        does: "Somebody cancelled the run.",
        decided_by: &[DecidedBy::Doorlist {
            file: STOP_RS,
            function: "stopped",
        }],
    },
    Row {
        node: RESUME,
        does: "A run that stopped or crashed goes on where it was.",
        decided_by: &[DecidedBy::Doorlist {
            file: STOP_RS,
            function: "resumed",
        }],
    },
];

const ASSEMBLE_RS: &str = "loop-spec/src/loop_machine/assemble.rs";
const DECIDE_RS: &str = "loop-spec/src/loop_machine/decide.rs";
const STOP_RS: &str = "loop-spec/src/loop_machine/stop.rs";
