//! A diagram of the files of a loop.

use super::section::{Heading, Line, Section};
use super::{Diagram, Drawing, GOAL};
use crate::frame::{one_line, visible};
use crate::loop_machine::{Cell, Chart, DecidedBy, Decision, node};
use crate::{Arrow, LoopText};

impl Diagram {
    /// Draws what this loop can walk, and nothing else.
    #[must_use]
    pub fn draw(text: &LoopText, drawing: &Drawing) -> Self {
        let chart = Chart::of(text, &drawing.ways());
        let cells = chart.cells(text, drawing);
        let mut sections = vec![top(), goal(text)];
        for cell in &cells {
            sections.push(section(cell, &ways(&chart, &cells, cell), text));
        }
        sections.push(not_this_time(text, drawing));
        Self { sections }
    }
}

fn top() -> Section {
    Section {
        heading: Heading::Top,
        lines: TOP.iter().map(|line| Line::of(line)).collect(),
    }
}

fn goal(text: &LoopText) -> Section {
    let quote = |line: &str| Line::Quote(visible(line.trim_end()).into_owned());
    let mut lines: Vec<_> = text.prose().lines().map(quote).collect();
    lines.push(Line::By(DecidedBy::Loop(None).to_string()));
    Section {
        heading: Heading::Cell(GOAL),
        lines,
    }
}

/// The arrows that leave `cell`, in the order of the cells to which they lead.
fn ways(chart: &Chart, cells: &[Cell], cell: &Cell) -> Vec<Line> {
    let mut arrows: Vec<Arrow> = chart
        .arrows()
        .filter(|arrow| arrow.from == cell.node)
        .collect();
    arrows.sort_by_key(|arrow| cells.iter().position(|cell| cell.node == arrow.to));
    arrows
        .into_iter()
        .map(|arrow| Line::Arrow(arrow.to))
        .collect()
}

fn section(cell: &Cell, ways: &[Line], text: &LoopText) -> Section {
    let mut lines = vec![Line::Says(cell.does.to_owned())];
    if cell.node == node::DECIDE {
        lines.push(Line::Beside(model(text)));
    }
    lines.extend(cell.decided_by.iter().map(by));
    lines.extend_from_slice(ways);
    Section {
        heading: Heading::Cell(cell.node.clone()),
        lines,
    }
}

/// The model is beside its cell, and is none (acceptance A22). A flag or the environment may name
/// another for one run; that makes no diagram stale.
fn model(text: &LoopText) -> String {
    match text.model() {
        Some(model) => format!("the model, {} (loop.txt, model)", one_line(model)),
        None => "the model that the run is started with (loop.txt, model)".to_owned(),
    }
}

fn by(decision: &Decision) -> Line {
    let value = decision.value.as_deref().map_or("", str::trim);
    if value.is_empty() {
        return Line::By(decision.by.to_string());
    }
    Line::By(format!("{}: {value}", decision.by))
}

fn not_this_time(text: &LoopText, drawing: &Drawing) -> Section {
    let asks = drawing
        .asked_first
        .iter()
        .any(|asked| text.lists(&asked.door));
    let judges = text.close().is_some() || !text.needs().is_empty() || text.numbers_from_page();
    let absent = [
        (text.list().is_empty(), NO_DOOR),
        (!asks, NO_ASK),
        (!judges, NO_REFUSED_CLOSE),
        (true, NO_PLAN),
        (true, NO_SECOND_AGENT),
        (true, NO_RETRIEVAL),
    ];
    let lines = absent.iter().filter(|(absent, _)| *absent);
    Section {
        heading: Heading::NotThisTime,
        lines: lines.map(|(_, line)| Line::of(line)).collect(),
    }
}

const TOP: &[&str] = &[
    "Drawn by `doorlist diagram`. To change what a cell does, open what stands behind its `by`.",
    "Lines that begin with # are yours: they stay.",
];

const NO_DOOR: &str = "opening a door: none is listed (loop.txt, list)";
const NO_ASK: &str = "asking a person first: no listed door needs it (policy.toml, ask.first)";
const NO_REFUSED_CLOSE: &str = "refusing a close: nothing judges it (loop.txt, close)";
const NO_PLAN: &str = "a plan: the model takes one step at a time";
const NO_SECOND_AGENT: &str = "a second agent: one model gets every page";
const NO_RETRIEVAL: &str = "retrieval: a page is loop.txt, the user's line and history.txt";
