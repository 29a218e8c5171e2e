//! A trace held against a diagram, both ways (acceptance A25).

use std::collections::BTreeSet;
use std::fmt;

use serde::Serialize;

use super::Trace;
use crate::diagram::{Diagram, GOAL};
use crate::loop_machine::node::ANY;
use crate::{Arrow, Node};

/// What a run walked that the diagram does not have, and what the diagram has that it did not walk.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Against {
    /// Steps that are no arrow on the diagram. None when the diagram is right about the run.
    pub strays: Vec<Stray>,
    /// Cells to which the run did not come.
    pub cells: Vec<Node>,
    /// Arrows that it did not walk, as the diagram draws them.
    pub arrows: Vec<Arrow>,
}

/// A step that is no arrow on the diagram.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stray {
    /// The step.
    pub step: u64,
    /// The way that it took.
    #[serde(flatten)]
    pub arrow: Arrow,
}

impl Trace {
    /// Holds the run against a diagram.
    ///
    /// ```
    /// use loop_spec::diagram::Diagram;
    /// use loop_spec::trace::Trace;
    /// let diagram = Diagram::parse("[line]\n  -> assemble\n\n[assemble]\n");
    /// let against = Trace::of(&[])?.against(&diagram);
    /// assert!(against.holds());
    /// assert_eq!(against.cells.len(), 2, "nothing is walked yet");
    /// # Ok::<(), loop_spec::trace::BadRecord>(())
    /// ```
    #[must_use]
    pub fn against(&self, diagram: &Diagram) -> Against {
        let cells: BTreeSet<&Node> = diagram.cells().collect();
        let drawn: Vec<Arrow> = diagram.arrows().collect();
        let walked: BTreeSet<Arrow> = self.walked().map(|(_, arrow)| arrow).collect();
        let come: BTreeSet<&Node> = self.rows.iter().map(|row| &row.node).collect();
        let is_drawn = |arrow: &Arrow| {
            let both = cells.contains(&arrow.from) && cells.contains(&arrow.to);
            both && drawn.iter().any(|drawn| stands_for(drawn, arrow))
        };
        let strays = self.walked().filter(|(_, arrow)| !is_drawn(arrow));
        let is_place = |node: &&Node| ![GOAL, ANY].contains(node);
        let unwalked = |drawn: &Arrow| !walked.iter().any(|arrow| stands_for(drawn, arrow));
        Against {
            strays: strays.map(|(step, arrow)| Stray { step, arrow }).collect(),
            cells: diagram
                .cells()
                .filter(is_place)
                .filter(|cell| !come.contains(cell))
                .cloned()
                .collect(),
            arrows: diagram.arrows().filter(unwalked).collect(),
        }
    }
}

impl Against {
    /// Whether every step of the run is an arrow on the diagram.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.strays.is_empty()
    }
}

impl fmt::Display for Against {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.holds() {
            writeln!(f, "Every step is an arrow on the diagram.")?;
        } else {
            writeln!(f, "Not on the diagram:")?;
        }
        for stray in &self.strays {
            writeln!(f, "  step {}: {}", stray.step, stray.arrow)?;
        }
        list(f, "Cells not walked this time:", &self.cells)?;
        list(f, "Arrows not walked this time:", &self.arrows)
    }
}

fn list(f: &mut fmt::Formatter<'_>, heading: &str, lines: &[impl fmt::Display]) -> fmt::Result {
    if !lines.is_empty() {
        writeln!(f, "{heading}")?;
    }
    lines.iter().try_for_each(|line| writeln!(f, "  {line}"))
}

/// Whether `walked` is the drawn arrow, in which `*` is every cell.
fn stands_for(drawn: &Arrow, walked: &Arrow) -> bool {
    let is = |drawn: &Node, walked: &Node| *drawn == ANY || drawn == walked;
    is(&drawn.from, &walked.from) && is(&drawn.to, &walked.to)
}
