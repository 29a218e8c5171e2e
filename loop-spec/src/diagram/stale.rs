//! Where a `diagram.txt` no longer says what the files say.

use std::fmt;

use serde::Serialize;

use super::Diagram;
use super::place::{DIAGRAM, cell_place, opens};
use super::redraw::common;
use super::section::{Heading, Line, Section};

/// One thing that a `diagram.txt` says and the files of the loop do not, or the other way round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stale {
    /// The cell.
    pub cell: String,
    /// What the diagram says, if anything; of several lines, one after the other.
    pub diagram: Option<String>,
    /// What the files say now, if anything.
    pub now: Option<String>,
    /// The file to open, and the key or function in it: `loop.txt, put-backs`.
    pub open: String,
}

impl Diagram {
    /// Where `old`, the text of a `diagram.txt`, differs from this diagram, cell by cell. The
    /// reader's lines, spaces at line ends and the order of cells and arrows do not count.
    #[must_use]
    pub fn stale(&self, old: &str) -> Vec<Stale> {
        let mut old = Self::parse(old);
        let mut stale = Vec::from_iter(old.take_version(self));
        for section in &self.sections {
            match old.section(&section.heading) {
                Some(old) => stale.extend(differences(old, section)),
                None => stale.push(missing(section)),
            }
        }
        let gone = |section: &&Section| self.section(&section.heading).is_none();
        stale.extend(old.sections.iter().filter(gone).map(undrawn));
        stale
    }

    /// Another version of Doorlist is one difference, not one in each cell that it decides: says
    /// it, and goes on as if the versions were the same.
    fn take_version(&mut self, new: &Self) -> Option<Stale> {
        let now = new.versions().next()?.to_owned();
        let then = self.versions().find(|version| *version != now)?.to_owned();
        let lines = self
            .sections
            .iter_mut()
            .flat_map(|section| &mut section.lines);
        for line in lines {
            if let Line::By(by) = line
                && let Some((_, place)) = versioned(by)
            {
                *by = format!("{DOORLIST}{now} {place}");
            }
        }
        Some(Stale {
            cell: "every cell that doorlist decides".to_owned(),
            diagram: Some(format!("{DOORLIST}{then}")),
            now: Some(format!("{DOORLIST}{now}")),
            open: DIAGRAM.to_owned(),
        })
    }

    fn versions(&self) -> impl Iterator<Item = &str> {
        let lines = self.sections.iter().flat_map(|section| &section.lines);
        lines.filter_map(|line| match line {
            Line::By(by) => Some(versioned(by)?.0),
            _ => None,
        })
    }
}

/// For people: what is expected, what is found, and which file to open.
impl fmt::Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (cell, open) = (&self.cell, &self.open);
        match (&self.diagram, &self.now) {
            (Some(diagram), Some(now)) => write!(
                f,
                "{cell}: diagram.txt says `{diagram}`, but it is `{now}`; open {open}"
            ),
            (Some(diagram), None) => write!(
                f,
                "{cell}: diagram.txt says `{diagram}`, which nothing draws; open {open}"
            ),
            (None, now) => write!(
                f,
                "{cell}: diagram.txt lacks `{}`; open {open}",
                now.as_deref().unwrap_or_default()
            ),
        }
    }
}

/// The cell is drawn now and does not stand in the diagram.
fn missing(section: &Section) -> Stale {
    found(section, None, Some(head(section)), cell_place(section))
}

/// The cell stands in the diagram and is not drawn now.
fn undrawn(section: &Section) -> Stale {
    found(section, Some(head(section)), None, cell_place(section))
}

/// What differs in a cell that both have: by kind of line, and where it is decided.
fn differences(old: &Section, new: &Section) -> Vec<Stale> {
    let mut stale = Vec::new();
    for kind in [is_says, is_beside, is_quote] {
        stale.extend(text_difference(old, new, kind));
    }
    let (lost, come) = set_differences(old, new, is_by);
    let places = lost.iter().chain(&come).map(|line| opens(line, new));
    let mut places: Vec<String> = places.collect();
    places.sort();
    places.dedup();
    for open in places {
        let at = |line: &&&Line| opens(line, new) == open;
        let diagram = said(lost.iter().filter(at));
        let now = said(come.iter().filter(at));
        stale.push(found(new, diagram, now, open.clone()));
    }
    let (lost, come) = set_differences(old, new, is_arrow);
    for line in lost {
        stale.push(found(new, said([&line]), None, opens(line, new)));
    }
    for line in come {
        stale.push(found(new, None, said([&line]), opens(line, new)));
    }
    stale
}

/// Lines whose order matters: where the two differ, from the first to the last such line.
fn text_difference(old: &Section, new: &Section, kind: fn(&Line) -> bool) -> Option<Stale> {
    let old_lines: Vec<_> = old.lines.iter().filter(|line| kind(line)).collect();
    let new_lines: Vec<_> = new.lines.iter().filter(|line| kind(line)).collect();
    if old_lines == new_lines {
        return None;
    }
    let (head, tail) = common(&old_lines, &new_lines);
    let old_lines = &old_lines[head..old_lines.len() - tail];
    let new_lines = &new_lines[head..new_lines.len() - tail];
    let open = opens(new_lines.first().or(old_lines.first())?, new);
    Some(found(new, said(old_lines), said(new_lines), open))
}

/// Lines whose order does not matter: those of `old` alone, and those of `new` alone.
fn set_differences<'s>(
    old: &'s Section,
    new: &'s Section,
    kind: fn(&Line) -> bool,
) -> (Vec<&'s Line>, Vec<&'s Line>) {
    let mut come: Vec<_> = new.lines.iter().filter(|line| kind(line)).collect();
    let mut lost = Vec::new();
    for line in old.lines.iter().filter(|line| kind(line)) {
        match come.iter().position(|new| *new == line) {
            Some(place) => drop(come.remove(place)),
            None => lost.push(line),
        }
    }
    (lost, come)
}

fn found(section: &Section, diagram: Option<String>, now: Option<String>, open: String) -> Stale {
    Stale {
        cell: name(section),
        diagram,
        now,
        open,
    }
}

fn said<'l>(lines: impl IntoIterator<Item = &'l &'l Line>) -> Option<String> {
    let lines: Vec<_> = lines.into_iter().map(|line| line.to_string()).collect();
    (!lines.is_empty()).then(|| lines.join(" / "))
}

fn name(section: &Section) -> String {
    match &section.heading {
        Heading::Cell(node) => node.to_string(),
        Heading::Top => "the top".to_owned(),
        Heading::NotThisTime => "not this time".to_owned(),
    }
}

/// The line that stands for a whole section.
fn head(section: &Section) -> String {
    match (&section.heading, section.lines.first()) {
        (Heading::Top, Some(line)) => line.to_string(),
        (heading, _) => heading.to_string(),
    }
}

/// Version and place of a line such as `doorlist 0.1.0 loop-spec/src/frame.rs::framed`.
fn versioned(by: &str) -> Option<(&str, &str)> {
    by.strip_prefix(DOORLIST)?.split_once(' ')
}

fn is_says(line: &Line) -> bool {
    matches!(line, Line::Says(_))
}

fn is_beside(line: &Line) -> bool {
    matches!(line, Line::Beside(_))
}

fn is_quote(line: &Line) -> bool {
    matches!(line, Line::Quote(_))
}

fn is_by(line: &Line) -> bool {
    matches!(line, Line::By(_))
}

fn is_arrow(line: &Line) -> bool {
    matches!(line, Line::Arrow(_))
}

const DOORLIST: &str = "doorlist ";
