//! Every cell of a loop, in the order in which a run meets them.

use super::arrows::OPEN;
use super::node::{
    AFTER, ANY, ASK, ASSEMBLE, BAD_LOOP, BEFORE, CANCELLED, CLOSE, COMPACT, DECIDE, DONE, END,
    ENDED, FIT, FUEL, LENGTH, LINE, LIST, LOCK, MODEL_ERROR, PASTE, PUT_BACKS, RESUME,
    SAME_FAILURE, SAY, WAITING_FOR_NOD,
};
use super::{Cell, DecidedBy, Decision, Drawing, PolicyLine, node};
use crate::frame::one_line;
use crate::numbers::grouped_for_toml;
use crate::{LoopText, Node};

/// One cell, before the files of a loop say what stands there.
pub(super) struct Row {
    pub(super) node: Node,
    does: &'static str,
    decided_by: &'static [By],
}

/// What decides a row.
enum By {
    /// The goal's words.
    Prose,
    /// A key of `loop.txt` that always has a value.
    Key(&'static str),
    /// `close`, `needs` and `numbers`, each where it is set.
    CloseKeys,
    /// `hooks`, and this function of the component that it names.
    Hook(&'static str),
    /// `may-end` of the policies.
    MayEnd,
    /// `ask.first` of the policies.
    Ask,
    History,
    /// What was built or accepted.
    Lock,
    /// A source file of Doorlist and a function in it.
    Code(&'static str, &'static str),
}

impl Row {
    pub(super) fn cell(&self, text: &LoopText, drawing: &Drawing) -> Cell {
        let decisions = |by: &By| by.decisions(text, drawing);
        Cell {
            node: self.node.clone(),
            does: self.does,
            decided_by: self.decided_by.iter().flat_map(decisions).collect(),
        }
    }
}

impl By {
    fn decisions(&self, text: &LoopText, drawing: &Drawing) -> Vec<Decision> {
        match self {
            Self::Prose => vec![decision(DecidedBy::Loop(None), None)],
            Self::Key(key) => vec![decision(DecidedBy::Loop(Some(key)), value(text, key))],
            Self::CloseKeys => close_keys(text),
            Self::Hook(function) => hook(text, function),
            Self::MayEnd => may_end(drawing),
            Self::Ask => ask(text, drawing),
            Self::History => vec![decision(DecidedBy::History, None)],
            Self::Lock => vec![decision(DecidedBy::Lock, None)],
            Self::Code(file, function) => {
                let version = drawing.doorlist.clone();
                let by = DecidedBy::Doorlist {
                    version,
                    file,
                    function,
                };
                vec![decision(by, None)]
            }
        }
    }
}

/// The cell of one door.
pub(super) fn door_cell(door: &str, drawing: &Drawing) -> Cell {
    let sketch = drawing.doors.iter().find(|sketch| sketch.name == door);
    let file = sketch.map_or_else(|| looked_for(door), |sketch| sketch.file.clone());
    let function = door.rsplit('.').next().unwrap_or(door).to_owned();
    let signature = sketch.map(|sketch| one_line(&sketch.signature));
    let mut decided_by = vec![decision(DecidedBy::Door { file, function }, signature)];
    let lines = sketch.into_iter().flat_map(|sketch| &sketch.policy);
    decided_by.extend(lines.map(policy));
    Cell {
        node: node::open(door),
        does: "A fresh instance of the door is opened, with the grants that stand here, and no others.",
        decided_by,
    }
}

fn policy(line: &PolicyLine) -> Decision {
    let (file, key) = (line.file.clone(), line.key.clone());
    decision(DecidedBy::Policy { file, key }, Some(one_line(&line.value)))
}

fn decision(by: DecidedBy, value: Option<String>) -> Decision {
    Decision { by, value }
}

/// Where the component of a door that is not there would be.
fn looked_for(door: &str) -> String {
    format!("doors/{}.wasm", door.split('.').next().unwrap_or(door))
}

/// What `loop.txt` says at a key, or the default that stands for it.
fn value(text: &LoopText, key: &str) -> Option<String> {
    match key {
        "list" => Some(names(text.list())),
        "put-backs" => Some(text.put_backs().to_string()),
        "same-failure" => Some(text.same_failure().to_string()),
        "fuel" => Some(grouped_for_toml(text.fuel().get())),
        "window" => Some(grouped_for_toml(text.window().window.get().into())),
        "close" => text.close().map(str::to_owned),
        "hooks" => text.hooks().map(str::to_owned),
        "result" => Some(grouped_for_toml(text.result() as u64)),
        "needs" => (!text.needs().is_empty()).then(|| names(text.needs())),
        "numbers" => text.numbers_from_page().then(|| "from page".to_owned()),
        _ => None,
    }
}

fn close_keys(text: &LoopText) -> Vec<Decision> {
    let mut decided_by = Vec::new();
    for key in ["close", "needs", "numbers"] {
        if let Some(value) = value(text, key) {
            decided_by.push(decision(DecidedBy::Loop(Some(key)), Some(value)));
        }
    }
    if let Some(file) = text.close() {
        let (file, function) = (file.to_owned(), CLOSE_FUNCTION.to_owned());
        decided_by.push(decision(DecidedBy::Door { file, function }, None));
    }
    decided_by
}

fn hook(text: &LoopText, function: &str) -> Vec<Decision> {
    let by_key = decision(DecidedBy::Loop(Some("hooks")), value(text, "hooks"));
    let by_door = text.hooks().map(|file| {
        let (file, function) = (file.to_owned(), function.to_owned());
        decision(DecidedBy::Door { file, function }, None)
    });
    std::iter::once(by_key).chain(by_door).collect()
}

/// One decision for each policy that lets a listed door end the run.
fn may_end(drawing: &Drawing) -> Vec<Decision> {
    let lines = drawing.doors.iter().flat_map(|door| &door.policy);
    let lines = lines.filter(|line| line.key.ends_with(".may-end"));
    lines.map(policy).collect()
}

/// One decision for each policy that asks first about a listed door, then how it asks.
fn ask(text: &LoopText, drawing: &Drawing) -> Vec<Decision> {
    let listed = |file: &str| -> Vec<String> {
        let asks = |door: &&String| {
            let mut asked = drawing.asked_first.iter();
            asked.any(|asked| asked.file == file && asked.door == **door)
        };
        text.list().iter().filter(asks).cloned().collect()
    };
    let mut files: Vec<&str> = drawing
        .asked_first
        .iter()
        .map(|a| a.file.as_str())
        .collect();
    files.sort_unstable();
    files.dedup();
    let doors = files.into_iter().map(|file| (file, listed(file)));
    let asks = doors
        .filter(|(_, doors)| !doors.is_empty())
        .map(|(file, doors)| PolicyLine {
            file: file.to_owned(),
            key: "ask.first".to_owned(),
            value: names(&doors),
        });
    asks.chain(drawing.ask.iter().cloned())
        .map(|line| policy(&line))
        .collect()
}

fn names(names: &[String]) -> String {
    if names.is_empty() {
        return "nothing".to_owned();
    }
    names.join(", ")
}

/// The function that a check door exports.
const CLOSE_FUNCTION: &str = "stands";

const ASSEMBLE_RS: &str = "loop-spec/src/loop_machine/assemble.rs";
const COMPACT_RS: &str = "loop-spec/src/loop_machine/compact.rs";
const ACT_RS: &str = "loop-spec/src/loop_machine/act.rs";
const DECIDE_RS: &str = "loop-spec/src/loop_machine/decide.rs";
const FIT_RS: &str = "runtime/src/doors/fit.rs";
const FRAME_RS: &str = "loop-spec/src/frame.rs";
const LOCK_RS: &str = "loop-spec/src/lock/mod.rs";
const PARSE_RS: &str = "loop-spec/src/loop_text/mod.rs";
const STOP_RS: &str = "loop-spec/src/loop_machine/stop.rs";

/// [`OPEN`] is the place of the doors.
pub(super) const ROWS: &[Row] = &[
    Row {
        node: LINE,
        does: "The user's line comes, as an argument of `run`.",
        decided_by: &[By::Code(ASSEMBLE_RS, "run_started")],
    },
    Row {
        node: ASSEMBLE,
        does: "loop.txt is read again, and the page is put together.",
        decided_by: &[By::Prose, By::Code(ASSEMBLE_RS, "assembled")],
    },
    Row {
        node: DECIDE,
        does: "The model gets the page, and hands over a close or names.",
        decided_by: &[By::Code(DECIDE_RS, "answered")],
    },
    Row {
        node: LIST,
        does: "The name is looked for on the list.",
        decided_by: &[By::Key("list")],
    },
    Row {
        node: FIT,
        does: "The arguments are held against the door's interface.",
        decided_by: &[By::Code(FIT_RS, "fit")],
    },
    Row {
        node: LOCK,
        does: "The door's bytes are held against what was built or accepted here.",
        decided_by: &[By::Lock, By::Code(LOCK_RS, "refusal")],
    },
    Row {
        node: BEFORE,
        does: "A hook is asked whether the door may be opened.",
        decided_by: &[By::Hook("may-open")],
    },
    Row {
        node: ASK,
        does: "A person is asked first.",
        decided_by: &[By::Ask],
    },
    Row {
        node: OPEN,
        does: "",
        decided_by: &[],
    },
    Row {
        node: AFTER,
        does: "A hook is asked what is told of it.",
        decided_by: &[By::Hook("tell")],
    },
    Row {
        node: PASTE,
        does: "What came of it is pasted.",
        decided_by: &[By::History, By::Key("result"), By::Code(FRAME_RS, "framed")],
    },
    Row {
        node: SAY,
        does: "Somebody says more to the run, by `doorlist say`.",
        decided_by: &[By::Code(ASSEMBLE_RS, "said")],
    },
    Row {
        node: COMPACT,
        does: "A model over a network sums up what came first, once the page nearly fills its window.",
        decided_by: &[By::Key("window"), By::Code(COMPACT_RS, "to_sum_up")],
    },
    Row {
        node: CLOSE,
        does: "The close is judged against the history.",
        decided_by: &[By::CloseKeys, By::Code(STOP_RS, "close_step")],
    },
    Row {
        node: END,
        does: "A hook is asked whether the run may end; it can say no five times.",
        decided_by: &[By::Hook("may-end")],
    },
    Row {
        node: DONE,
        does: "The close is handed out.",
        decided_by: &[By::Code(STOP_RS, "close_judged")],
    },
    Row {
        node: ENDED,
        does: "Every door of an answer asked for the end of the run, and may.",
        decided_by: &[By::MayEnd, By::Code(ACT_RS, "opened")],
    },
    Row {
        node: PUT_BACKS,
        does: "The model was put back as often as it may be.",
        decided_by: &[By::Key("put-backs")],
    },
    Row {
        node: SAME_FAILURE,
        does: "One door failed too often with the same arguments.",
        decided_by: &[By::Key("same-failure")],
    },
    Row {
        node: FUEL,
        does: "The run's fuel is used up.",
        decided_by: &[By::Key("fuel")],
    },
    Row {
        node: LENGTH,
        does: "The model's answers were cut short by their length, one after another.",
        decided_by: &[By::Code(STOP_RS, "due")],
    },
    Row {
        node: WAITING_FOR_NOD,
        does: "The run waits for a person.",
        decided_by: &[By::Ask],
    },
    Row {
        node: MODEL_ERROR,
        does: "The model gave no answer.",
        decided_by: &[By::Code(DECIDE_RS, "model_failed")],
    },
    Row {
        node: BAD_LOOP,
        does: "loop.txt, or a door that it lists, cannot be read.",
        decided_by: &[By::Code(PARSE_RS, "parse")],
    },
    Row {
        node: CANCELLED,
        does: "Somebody cancelled the run.",
        decided_by: &[By::Code(STOP_RS, "stopped")],
    },
    Row {
        node: RESUME,
        does: "A run that stopped or crashed goes on where it was.",
        decided_by: &[By::Code(STOP_RS, "resumed")],
    },
    Row {
        node: ANY,
        does: "Every cell: a run can be cancelled anywhere, and go on anywhere.",
        decided_by: &[By::Code(STOP_RS, "stopped"), By::Code(STOP_RS, "resumed")],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LOOP_KEYS;

    /// Every key that a row names is a key of `loop.txt`, and has a value there.
    #[test]
    fn a22_every_key_that_a_cell_names_exists() {
        let text = LoopText::parse(
            "+++\nlist = [\"a.b\"]\nclose = \"doors/c.wasm\"\nhooks = \"doors/h.wasm\"\nneeds = [\"a.b\"]\n\
             numbers = \"from page\"\n+++\nGoal.\n",
        )
        .unwrap();
        let drawing = Drawing::default();
        for row in ROWS {
            for decision in row.cell(&text, &drawing).decided_by {
                if let DecidedBy::Loop(Some(key)) = decision.by {
                    assert!(LOOP_KEYS.contains(&key), "{key}");
                    assert!(decision.value.is_some(), "{key}");
                }
            }
        }
    }

    /// What Doorlist itself decides is a function in a file of this repository.
    #[test]
    fn a22_every_function_that_a_cell_names_exists() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for row in ROWS {
            for by in row.decided_by {
                let By::Code(file, function) = by else {
                    continue;
                };
                let source = std::fs::read_to_string(root.join(file))
                    .unwrap_or_else(|error| panic!("cell {}: {file}: {error}", row.node));
                let named = ["(", "<"].map(|next| format!("fn {function}{next}"));
                assert!(
                    named.iter().any(|named| source.contains(named)),
                    "cell {}: {file} has no `fn {function}`",
                    row.node
                );
            }
        }
    }
}
