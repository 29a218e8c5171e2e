//! The diagram: what a loop can do, on one page for people, drawn from the files that decide it.

mod draw;
mod place;
mod redraw;
mod section;
mod stale;
#[cfg(test)]
mod tests;

use std::fmt;

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::{Arrow, Node};

pub use crate::loop_machine::{AskedFirst, DoorSketch, Drawing, PolicyLine};
pub use stale::Stale;

use section::{Heading, Section};

/// A diagram: cells, what decides each, the arrows that leave it, and what this loop cannot do.
///
/// It is drawn from `loop.txt`, or read from a `diagram.txt`. Its text is what `diagram.txt` holds.
///
/// ```
/// use loop_spec::LoopText;
/// use loop_spec::diagram::{Diagram, Drawing};
///
/// let draw = |loop_txt: &str| {
///     Ok::<_, loop_spec::LoopTextError>(Diagram::draw(&LoopText::parse(loop_txt)?, &Drawing::default()))
/// };
/// let loop_txt = "+++\nlist = [\"fridge.count\"]\n+++\nWhat is in the fridge?\n";
/// let diagram = draw(loop_txt)?;
/// let file = diagram.to_string();
/// assert!(file.contains("[goal]\n  | What is in the fridge?\n"));
/// assert_eq!(Diagram::parse(&file), diagram);
///
/// let edited = draw(&loop_txt.replace("+++\nWhat", "put-backs = 4\n+++\nWhat"))?;
/// let stale = edited.stale(&file);
/// assert_eq!(stale[0].cell, "stop:put-backs");
/// assert_eq!(stale[0].open, "loop.txt, put-backs");
/// # Ok::<(), loop_spec::LoopTextError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    sections: Vec<Section>,
}

impl Diagram {
    /// Reads a `diagram.txt`. Whatever stands there is read: what no cell can hold is a line of
    /// its cell that will be [stale](Diagram::stale). Lines that begin with `#` are not part of it.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let sections = redraw::read(text).into_iter().map(|(section, _)| section);
        Self {
            sections: sections.collect(),
        }
    }

    /// The nodes of its cells in their order.
    pub fn cells(&self) -> impl Iterator<Item = &Node> {
        self.sections.iter().filter_map(Section::node)
    }

    /// Its arrows as they are drawn: `*` stands for every cell.
    pub fn arrows(&self) -> impl Iterator<Item = Arrow> + '_ {
        self.sections.iter().flat_map(Section::arrows)
    }

    fn section(&self, heading: &Heading) -> Option<&Section> {
        self.sections
            .iter()
            .find(|section| section.heading == *heading)
    }
}

/// What `diagram.txt` holds when no line of it is the reader's.
impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, section) in self.sections.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{section}")?;
        }
        Ok(())
    }
}

/// `cells`, each with its `node` and `lines`, and `not_this_time`, a list of sentences.
impl Serialize for Diagram {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cells: Vec<_> = self
            .sections
            .iter()
            .filter(|s| s.node().is_some())
            .collect();
        let not_this_time = self.section(&Heading::NotThisTime);
        let mut out = serializer.serialize_struct("Diagram", 2)?;
        out.serialize_field("cells", &cells)?;
        out.serialize_field(
            "not_this_time",
            &not_this_time.map(|section| &section.lines),
        )?;
        out.end()
    }
}

/// The cell that quotes the goal. No run stands at it.
pub(crate) const GOAL: Node = Node::fixed("goal");
