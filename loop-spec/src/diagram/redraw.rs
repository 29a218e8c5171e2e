//! Drawing again without losing what the reader wrote.

use super::Diagram;
use super::section::{Heading, Line, Section, is_readers};

impl Diagram {
    /// What `diagram.txt` holds when this diagram is drawn over `old`: every line of `old` that
    /// begins with `#` stays at its cell, and those of a cell that is gone stand at the end.
    ///
    /// ```
    /// use loop_spec::diagram::Diagram;
    /// let new = Diagram::parse("[line]\n  -> assemble\n");
    /// let old = "# why?\n[line]\n  -> assemble\n# mine\n\n[ask]\n  # Ann\n";
    /// assert_eq!(
    ///     new.redraw(old),
    ///     "# why?\n[line]\n  -> assemble\n# mine\n\n# (was at [ask])\n  # Ann\n"
    /// );
    /// ```
    #[must_use]
    pub fn redraw(&self, old: &str) -> String {
        let mut old = read(old);
        let mut drawn: Vec<(&Section, Notes)> = Vec::new();
        for section in &self.sections {
            let place = old
                .iter()
                .position(|(old, _)| old.heading == section.heading);
            let notes = place.map(|place| old.remove(place));
            let notes =
                notes.map_or_else(Notes::default, |(old, notes)| notes.moved(&old, section));
            drawn.push((section, notes));
        }
        if let Some((_, last)) = drawn.last_mut() {
            let homeless = old
                .iter()
                .flat_map(|(gone, notes)| notes.homeless(&gone.heading));
            last.below.extend(homeless);
        }
        let blocks = drawn
            .into_iter()
            .map(|(section, notes)| block(section, &notes));
        blocks.collect::<Vec<_>>().join("\n")
    }
}

/// The reader's lines at one section.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// Directly above the heading.
    above: Vec<String>,
    /// Behind so many lines of the section.
    inside: Vec<(usize, String)>,
    /// Below the section, behind an empty line.
    below: Vec<String>,
}

impl Notes {
    /// These notes of `old`, at the places that are the same in `new`.
    fn moved(self, old: &Section, new: &Section) -> Self {
        let place = |at| moved(at, &old.lines, &new.lines);
        let inside = self.inside.into_iter().map(|(at, note)| (place(at), note));
        Self {
            inside: inside.collect(),
            ..self
        }
    }

    /// The notes of a section that is drawn no more, with a line that says where they stood.
    fn homeless(&self, heading: &Heading) -> Vec<String> {
        let inside = self.inside.iter().map(|(_, note)| note);
        let mut notes: Vec<_> = self
            .above
            .iter()
            .chain(inside)
            .chain(&self.below)
            .cloned()
            .collect();
        if !notes.is_empty() {
            let place = match heading {
                Heading::Top => "the top".to_owned(),
                Heading::Cell(_) | Heading::NotThisTime => heading.to_string(),
            };
            notes.insert(0, format!("# (was at {place})"));
        }
        notes
    }
}

/// The sections of a file, each once, with the reader's lines that stand there.
pub(super) fn read(text: &str) -> Vec<(Section, Notes)> {
    let mut reader = Reader::default();
    for line in text.strip_prefix('\u{feff}').unwrap_or(text).lines() {
        reader.line(line);
    }
    reader.settle();
    reader.sections
}

#[derive(Default)]
struct Reader {
    sections: Vec<(Section, Notes)>,
    /// Index of the section that is being read.
    at: usize,
    /// Notes that may belong to the heading that follows.
    pending: Vec<String>,
    /// Whether an empty line stands before the pending notes.
    apart: bool,
}

impl Reader {
    fn line(&mut self, line: &str) {
        if is_readers(line) {
            self.pending.push(line.trim_end().to_owned());
        } else if line.trim().is_empty() {
            self.settle();
            self.apart = true;
        } else if let Some(heading) = Heading::of(line) {
            let above = std::mem::take(&mut self.pending);
            self.at = self.enter(heading);
            self.sections[self.at].1.above.extend(above);
            self.apart = false;
        } else {
            self.apart = false;
            self.settle();
            let at = self.at();
            self.sections[at].0.lines.push(Line::of(line));
        }
    }

    /// Gives the pending notes to the section that is being read.
    fn settle(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let at = self.at();
        let (section, notes) = &mut self.sections[at];
        let pending = std::mem::take(&mut self.pending);
        if self.apart {
            notes.below.extend(pending);
        } else {
            let behind = section.lines.len();
            notes
                .inside
                .extend(pending.into_iter().map(|note| (behind, note)));
        }
    }

    /// The section that is being read; what stands before every heading is the top.
    fn at(&mut self) -> usize {
        if self.sections.is_empty() {
            self.at = self.enter(Heading::Top);
        }
        self.at
    }

    /// The section of this heading. A cell that stands in two places of a file is one.
    fn enter(&mut self, heading: Heading) -> usize {
        let known = self
            .sections
            .iter()
            .position(|(section, _)| section.heading == heading);
        known.unwrap_or_else(|| {
            let lines = Vec::new();
            self.sections
                .push((Section { heading, lines }, Notes::default()));
            self.sections.len() - 1
        })
    }
}

/// Where a place behind `at` lines of `old` is in `new`: the same distance from the lines that the
/// two begin or end with, else among those that differ.
fn moved(at: usize, old: &[Line], new: &[Line]) -> usize {
    let (head, tail) = common(old, new);
    if at <= head {
        at
    } else if old.len() - at <= tail {
        new.len() - (old.len() - at)
    } else {
        at.min(new.len() - tail)
    }
}

/// How many lines `old` and `new` have in common at their beginnings, and at their ends.
pub(super) fn common<T: PartialEq>(old: &[T], new: &[T]) -> (usize, usize) {
    let head = old
        .iter()
        .zip(new)
        .take_while(|(old, new)| old == new)
        .count();
    let (old, new) = (&old[head..], &new[head..]);
    let pairs = old.iter().rev().zip(new.iter().rev());
    (head, pairs.take_while(|(old, new)| old == new).count())
}

/// A section as it stands in a file, with the reader's lines.
fn block(section: &Section, notes: &Notes) -> String {
    let heading = (section.heading != Heading::Top).then(|| section.heading.to_string());
    let mut lines: Vec<String> = notes.above.iter().cloned().chain(heading).collect();
    for behind in 0..=section.lines.len() {
        if behind > 0 {
            lines.push(section.heading.indented(&section.lines[behind - 1]));
        }
        let here = notes.inside.iter().filter(|(at, _)| *at == behind);
        lines.extend(here.map(|(_, note)| note.clone()));
    }
    if !notes.below.is_empty() {
        lines.push(String::new());
        lines.extend(notes.below.iter().cloned());
    }
    lines.push(String::new());
    lines.join("\n")
}
