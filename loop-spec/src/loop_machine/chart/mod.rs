//! The loop as data: its cells, its arrows, and what decides each. The machine walks these arrows
//! and no others, and the diagram is drawn from them.

mod arrows;
mod cell;
mod drawing;
mod governed;
pub mod node;
mod rows;
mod ways;

use std::collections::{BTreeMap, BTreeSet};

use super::Hooks;
use crate::{Arrow, LoopText, Node};

pub use cell::{Cell, DecidedBy, Decision};
pub use drawing::{AskedFirst, DoorSketch, Drawing, PolicyLine};

pub use ways::Ways;

use arrows::{ARROWS, OPEN, When};

/// The arrows that a loop can walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// Doors that open without a person being asked.
    unasked: BTreeSet<String>,
    /// Doors about which a person must be asked.
    asked: BTreeSet<String>,
    /// Whether untrusted output can come onto the page.
    tainted: bool,
    /// Doors that may be open beside others.
    together: BTreeSet<String>,
    /// Whether anything can refuse a close.
    refusable: bool,
    check_door: bool,
    /// Where hooks are asked.
    hooks: Hooks,
    /// Whether a door may end the run.
    may_end: bool,
    arrows: BTreeMap<Node, BTreeSet<Node>>,
}

impl Chart {
    /// The chart of a loop that lists nothing.
    #[must_use]
    pub fn new() -> Self {
        let mut chart = Self {
            unasked: BTreeSet::new(),
            asked: BTreeSet::new(),
            tainted: false,
            together: BTreeSet::new(),
            refusable: false,
            check_door: false,
            hooks: Hooks::default(),
            may_end: false,
            arrows: BTreeMap::new(),
        };
        chart.draw();
        chart
    }

    /// The chart of one `loop.txt`, with the ways that its doors open.
    #[must_use]
    pub fn of(text: &LoopText, ways: &Ways) -> Self {
        let mut chart = Self::new();
        chart.extend(text, ways);
        chart
    }

    /// Adds what another `loop.txt` of the same run brings.
    pub(super) fn extend(&mut self, text: &LoopText, ways: &Ways) {
        // Whose output is not trusted is known by name: what was on the list once may be on the page.
        self.tainted |= text.list().iter().any(|door| ways.untrusted.contains(door));
        for door in text.list() {
            if self.tainted && ways.outside.contains(door) {
                self.asked.insert(door.clone());
            }
            if ways.asked_first.contains(door) {
                self.asked.insert(door.clone());
                continue;
            }
            self.unasked.insert(door.clone());
            if ways.together.contains(door) {
                self.together.insert(door.clone());
            }
        }
        let Hooks { before, after, end } = ways.hooks;
        self.hooks.before |= before;
        self.hooks.after |= after;
        self.hooks.end |= end;
        self.may_end |= text.list().iter().any(|door| ways.may_end.contains(door));
        self.check_door |= text.close().is_some();
        self.refusable |=
            text.close().is_some() || !text.needs().is_empty() || text.numbers_from_page();
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

    /// The cells that the chart draws, in the order in which a run meets them: those that an arrow
    /// reaches or leaves.
    #[must_use]
    pub fn cells(&self, text: &LoopText, drawing: &Drawing) -> Vec<Cell> {
        let mut cells = Vec::new();
        for row in rows::ROWS {
            if row.node == OPEN {
                let doors = text.list().iter();
                cells.extend(doors.map(|door| rows::door_cell(door, drawing)));
            } else if self.meets(&row.node) {
                cells.push(row.cell(text, drawing));
            }
        }
        cells
    }

    /// Whether an arrow begins or ends at `node`.
    fn meets(&self, node: &Node) -> bool {
        self.arrows.contains_key(node) || self.arrows.values().any(|to| to.contains(node))
    }

    fn draw(&mut self) {
        for (from, to, when) in ARROWS {
            if !self.is(*when) {
                continue;
            }
            for from in self.stand_for(from, *when) {
                for to in self.stand_for(to, *when) {
                    self.arrows.entry(from.clone()).or_default().insert(to);
                }
            }
        }
    }

    fn is(&self, when: When) -> bool {
        let (unasked, asked) = (!self.unasked.is_empty(), !self.asked.is_empty());
        let listed = unasked || asked;
        match when {
            When::Always => true,
            When::Listed => listed,
            // A hook stands in between.
            When::Unasked => unasked && !self.hooks.before,
            When::Asked => asked,
            When::AskedUnhooked => asked && !self.hooks.before,
            When::Before => listed && self.hooks.before,
            When::BeforeUnasked => unasked && self.hooks.before,
            When::BeforeAsked => asked && self.hooks.before,
            When::After => listed && self.hooks.after,
            When::End => self.hooks.end,
            When::MayEnd => self.may_end,
            When::Together => !self.together.is_empty(),
            When::Refusable => self.refusable,
            When::CheckDoor => self.check_door,
        }
    }

    /// The nodes that a name in [`ARROWS`] stands for.
    fn stand_for(&self, name: &Node, when: When) -> Vec<Node> {
        if *name != OPEN {
            return vec![name.clone()];
        }
        if when == When::Together {
            return self.together.iter().map(|door| node::open(door)).collect();
        }
        let unasked = self.unasked.iter().filter(|_| when != When::Asked);
        let asks_nobody = matches!(when, When::Unasked | When::BeforeUnasked);
        let asked = self.asked.iter().filter(|_| !asks_nobody);
        unasked.chain(asked).map(|door| node::open(door)).collect()
    }
}

impl Default for Chart {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(header: &str) -> LoopText {
        LoopText::parse(&format!("+++\n{header}\n+++\nGoal.\n")).unwrap()
    }

    fn has(chart: &Chart, from: &Node, to: &Node) -> bool {
        chart.has(&Arrow {
            from: from.clone(),
            to: to.clone(),
        })
    }

    #[test]
    fn a_close_goes_back_only_where_something_can_refuse_it() {
        for header in [
            "close = \"doors/c.wasm\"",
            "needs = [\"a.b\"]",
            "numbers = \"from page\"",
        ] {
            let chart = Chart::of(
                &text(&format!("list = [\"a.b\"]\n{header}")),
                &Ways::default(),
            );
            assert!(has(&chart, &node::CLOSE, &node::PASTE), "{header}");
            let takes_fuel = header.starts_with("close");
            assert_eq!(
                has(&chart, &node::CLOSE, &node::FUEL),
                takes_fuel,
                "{header}"
            );
        }
        let chart = Chart::of(&text("list = [\"a.b\"]"), &Ways::default());
        assert!(!has(&chart, &node::CLOSE, &node::PASTE));
        assert!(has(&chart, &node::CLOSE, &node::DONE));
    }

    #[test]
    fn a20_no_way_leads_past_the_person_to_a_door_that_is_asked_first() {
        let asked_first = Ways::new(vec!["a.b".to_owned()], [].into_iter());
        let chart = Chart::of(&text("list = [\"a.b\", \"c.d\"]"), &asked_first);
        let (asked, unasked) = (node::open("a.b"), node::open("c.d"));
        assert!(has(&chart, &node::ASK, &asked) && !has(&chart, &node::LOCK, &asked));
        assert!(has(&chart, &node::LOCK, &unasked) && !has(&chart, &node::ASK, &unasked));
    }

    #[test]
    fn a23_a_loop_without_doors_has_no_cell_that_only_doors_reach() {
        let text = text("list = []");
        let cells = Chart::of(&text, &Ways::default()).cells(&text, &Drawing::default());
        let absent = [
            node::FIT,
            node::LOCK,
            node::ASK,
            node::SAME_FAILURE,
            node::WAITING_FOR_NOD,
        ];
        assert!(cells.iter().all(|cell| !absent.contains(&cell.node)));
        assert!(cells.iter().any(|cell| cell.node == node::LIST));
    }

    #[test]
    fn a_chart_of_several_loop_texts_has_the_ways_of_each() {
        let mut chart = Chart::of(
            &text("list = [\"a.b\"]"),
            &Ways::new(vec!["a.b".to_owned()], [].into_iter()),
        );
        chart.extend(
            &text("list = [\"a.b\"]\nneeds = [\"a.b\"]"),
            &Ways::default(),
        );
        chart.extend(&text("list = []"), &Ways::default());
        let door = node::open("a.b");
        assert!(has(&chart, &node::ASK, &door) && has(&chart, &node::LOCK, &door));
        assert!(has(&chart, &node::CLOSE, &node::PASTE));
    }
}
