//! Diagrams of any loop, drawn, read and redrawn.

use proptest::prelude::*;

use super::{FRIDGE, draw, drawing};
use crate::diagram::{AskedFirst, Diagram, DoorSketch, Drawing, PolicyLine};

/// A `loop.txt` and what else a diagram shows, of any shape.
fn any_loop() -> impl Strategy<Value = (String, Drawing)> {
    let names = proptest::sample::subsequence(vec!["a.b", "a.c", "d", "e.f.g"], 0..=4);
    let asked = proptest::sample::subsequence(vec!["a.b", "d", "off.list"], 0..=3);
    let header = ("[1-9]", any::<[bool; 4]>());
    let words = ("[ -~\\t\u{e9}\u{202e}\n|#\\[\\]>-]{0,60}x", "[ -~\n]{0,20}");
    (names, asked, header, words).prop_map(|(names, asked, (number, keys), (prose, value))| {
        let mut header = format!("list = {names:?}\nput-backs = {number}\nfuel = {number}0000\n");
        let lines = [
            "close = \"doors/c.wasm\"\n",
            "numbers = \"from page\"\n",
            "model = \"person\"\n",
            "language = \"zh\"\n",
        ];
        let set = lines.iter().zip(keys).filter(|(_, set)| *set);
        header.extend(set.map(|(line, _)| *line));
        let policy = PolicyLine {
            file: "policy.toml".to_owned(),
            key: "limits.fuel".to_owned(),
            value: value.clone(),
        };
        let sketch = |name: &&str| DoorSketch {
            name: (*name).to_owned(),
            file: "doors/x.wat".to_owned(),
            signature: value.clone(),
            marks: crate::policy::Marks::default(),
            policy: vec![policy.clone()],
        };
        let asked_first = asked.iter().map(|door| AskedFirst {
            door: (*door).to_owned(),
            file: "policy.toml".to_owned(),
        });
        let drawing = Drawing {
            asked_first: asked_first.collect(),
            ask: vec![policy.clone()],
            ..Drawing::of("0.1.0", names.iter().map(sketch).collect())
        };
        (format!("+++\n{header}+++\n{prose}\n"), drawing)
    })
}

/// Notes at random places of a file: the line before which each stands, and its text.
fn any_notes() -> impl Strategy<Value = Vec<(usize, String)>> {
    proptest::collection::vec((any::<usize>(), "#[ -~]{0,8}"), 0..8)
}

fn noted(file: &str, notes: &[(usize, String)]) -> String {
    let mut lines: Vec<&str> = file.lines().collect();
    for (place, note) in notes {
        lines.insert(place % (lines.len() + 1), note);
    }
    lines.join("\n") + "\n"
}

fn notes_of(file: &str) -> Vec<String> {
    let notes = file
        .lines()
        .filter(|line| line.trim_start().starts_with('#'));
    let mut notes: Vec<_> = notes.map(|line| line.trim_end().to_owned()).collect();
    notes.sort();
    notes
}

proptest! {
    #[test]
    fn what_is_drawn_is_read_back_and_never_stale((loop_txt, drawing) in any_loop()) {
        let diagram = draw(&loop_txt, &drawing);
        let file = diagram.to_string();
        prop_assert_eq!(&Diagram::parse(&file), &diagram);
        prop_assert_eq!(diagram.stale(&file), vec![]);
        prop_assert_eq!(diagram.redraw(&file), file.clone());
        prop_assert_eq!(diagram.redraw(""), file);
    }

    #[test]
    fn a23_a_redraw_of_an_unchanged_loop_moves_no_note(
        (loop_txt, drawing) in any_loop(), notes in any_notes(),
    ) {
        let diagram = draw(&loop_txt, &drawing);
        let file = noted(&diagram.to_string(), &notes).replace(" \n", "\n");
        let same = |file: &str| file.lines().map(|l| l.trim_end().to_owned()).collect::<Vec<_>>();
        prop_assert_eq!(same(&diagram.redraw(&file)), same(&file));
        prop_assert_eq!(diagram.stale(&file), vec![]);
    }

    #[test]
    fn a23_a_redraw_never_loses_a_note(
        (old, drawn_old) in any_loop(), (new, drawn_new) in any_loop(), notes in any_notes(),
    ) {
        let file = noted(&draw(&old, &drawn_old).to_string(), &notes);
        let diagram = draw(&new, &drawn_new);
        let redrawn = diagram.redraw(&file);
        let mut left = notes_of(&redrawn);
        for note in notes_of(&file) {
            let place = left.iter().position(|other| *other == note);
            prop_assert!(place.is_some(), "{note} is lost");
            left.remove(place.unwrap());
        }
        prop_assert!(left.iter().all(|note| note.starts_with("# (was at ")), "{left:?}");
        prop_assert_eq!(diagram.redraw(&redrawn), redrawn.clone());
        prop_assert_eq!(diagram.stale(&redrawn), vec![]);
    }

    #[test]
    fn no_text_is_too_strange_to_be_read_and_redrawn(text in "(?s).{0,400}") {
        let diagram = draw(FRIDGE, &drawing());
        let _ = diagram.stale(&text);
        let mut left = notes_of(&diagram.redraw(&text));
        left.retain(|note| !note.starts_with("# (was at "));
        prop_assert_eq!(left, notes_of(text.trim_start_matches('\u{feff}')));
    }
}
