//! What is said at the bottom: the last words of a model that speaks, and one row of what happens now
//! and of what is used up.

use std::time::Instant;

use console::{measure_text_width, truncate_str};
use loop_spec::loop_machine::{LoopMachine, Step};
use loop_spec::numbers::grouped;
use loop_spec::{Machine as _, Usage, frame};

/// Where a run stands.
pub(crate) struct Status {
    model: String,
    /// What happens now, since when; nothing where the terminal is somebody else's.
    now: Option<(String, Instant)>,
    used: String,
    speech: String,
}

impl Status {
    pub(crate) fn new(model: &str) -> Self {
        Self {
            model: model.to_owned(),
            now: None,
            used: String::new(),
            speech: String::new(),
        }
    }

    /// The run has come to where `machine` stands.
    pub(super) fn stands(&mut self, machine: &LoopMachine) {
        self.unhear();
        let now = machine.step().and_then(|step| self.doing(&step));
        let same = matches!((&self.now, &now), (Some((old, _)), Some(new)) if old == new);
        if !same {
            self.now = now.map(|now| (now, Instant::now()));
        }
        self.used = used(machine);
    }

    fn doing(&self, step: &Step) -> Option<String> {
        Some(match step {
            Step::Decide { .. } => format!("waiting for {}", frame::one_line(&self.model)),
            Step::Open(openings) => {
                let doors = openings.iter().map(|opening| opening.door.as_str());
                let doors: Vec<&str> = doors.collect();
                format!("{} open", doors.join(", "))
            }
            Step::Settle(opening) => format!("{} open again", opening.door),
            Step::Judge { .. } | Step::End { .. } => "judging the close".to_owned(),
            Step::Admit { call, .. } => format!("in front of {}", frame::one_line(&call.name)),
            Step::Assemble => "putting the page together".to_owned(),
            // The question stands at the bottom.
            Step::Ask(_) => return None,
            Step::Start | Step::Record(_) => return None,
        })
    }

    /// The model says more.
    pub(super) fn hear(&mut self, words: &str) {
        self.speech.push_str(words);
        let surplus = self.speech.len().saturating_sub(HEARD);
        if surplus > 0 {
            let from = self.speech.ceil_char_boundary(surplus);
            self.speech.drain(..from);
        }
    }

    /// What it said stands above, or does not stand at all.
    pub(super) fn unhear(&mut self) {
        self.speech.clear();
    }

    /// The rows at `now`, each narrower than `columns`.
    pub(super) fn rows(&self, columns: usize, now: Instant) -> Vec<String> {
        let Some((doing, since)) = &self.now else {
            return Vec::new();
        };
        let width = columns.saturating_sub(1);
        let mut rows = wrapped(&self.speech, width);
        rows.drain(..rows.len().saturating_sub(SPOKEN));
        let seconds = now.saturating_duration_since(*since).as_secs();
        let status = format!("({doing}, {} s{})", grouped(seconds), self.used);
        rows.push(truncate_str(&status, width, "…").into_owned());
        rows
    }
}

fn used(machine: &LoopMachine) -> String {
    let Some(reading) = machine.reading() else {
        return String::new();
    };
    let (text, usage) = (reading.text(), machine.usage());
    let mut used = format!(
        " | put-back {} of {} | fuel {} of {}",
        machine.put_backs(),
        text.put_backs(),
        grouped(machine.fuel_used()),
        grouped(text.fuel().get())
    );
    if usage != Usage::default() {
        used += &format!(
            " | tokens {} in, {} out",
            grouped(usage.input),
            grouped(usage.output)
        );
    }
    used
}

/// The lines of a speech in rows, with the mark that the history gives it. What does not show is
/// written out.
fn wrapped(speech: &str, width: usize) -> Vec<String> {
    let mut rows = Vec::new();
    for line in speech.lines() {
        let mut row = "~ ".to_owned();
        let mut wide = 2;
        for c in frame::visible(line).replace('\t', " ").chars() {
            let more = measure_text_width(c.encode_utf8(&mut [0; 4]));
            if wide + more > width {
                rows.push(std::mem::replace(&mut row, "~ ".to_owned()));
                wide = 2;
            }
            row.push(c);
            wide += more;
        }
        rows.push(row);
    }
    rows
}

/// Bytes of a speech that are kept to be shown.
const HEARD: usize = 4_000;
/// Rows of it that are shown.
const SPOKEN: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    fn speaking(words: &str) -> Status {
        let mut status = Status::new("openai:m");
        status.now = Some(("waiting for openai:m".to_owned(), Instant::now()));
        " | put-back 2 of 8".clone_into(&mut status.used);
        for word in words.split_inclusive(' ') {
            status.hear(word);
        }
        status
    }

    #[test]
    fn every_row_fits_the_terminal_in_any_script() {
        for words in [
            "a word or two ".repeat(40),
            "牛奶在清单上。".repeat(40),
            "🥛é ".repeat(90),
        ] {
            for columns in [20, 21, 80] {
                let rows = speaking(&words).rows(columns, Instant::now());
                assert_eq!(rows.len(), SPOKEN + 1, "{rows:?}");
                for row in rows {
                    assert!(measure_text_width(&row) < columns, "{columns}: {row}");
                }
            }
        }
    }

    #[test]
    fn what_a_model_says_moves_no_cursor() {
        let rows = speaking("a\x1b[2Jb\u{202e}c\rd").rows(80, Instant::now());
        let all = rows.concat();
        assert!(!all.contains(['\x1b', '\r', '\u{202e}']), "{all:?}");
        assert!(all.contains("\\u{1b}"), "{all:?}");
    }

    #[test]
    fn the_last_words_stand_above_what_happens_and_since_when() {
        let status = speaking("one\ntwo\nthree\nfour\nfive\nsix");
        let later = status.now.as_ref().unwrap().1 + std::time::Duration::from_secs(1_200);
        let rows = status.rows(80, later);
        assert_eq!(rows[0], "~ two");
        assert_eq!(rows[4], "~ six");
        assert_eq!(rows[5], "(waiting for openai:m, 1,200 s | put-back 2 of 8)");
        assert_eq!(status.rows(20, later)[5], "(waiting for opena…");
    }
}
