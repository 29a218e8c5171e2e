//! Acceptance A18-A24 on diagrams.

use expect_test::expect_file;
use proptest::prelude::*;

use super::{AskedFirst, Diagram, DoorSketch, Drawing, PolicyLine, Stale};
use crate::LoopText;

const FRIDGE: &str = "+++
list = [\"fridge.count\", \"shopping.add\"]
close = \"doors/settled.wasm\"
model = \"doors/mind.wasm\"
+++
Look into the fridge. What there is below 2 of goes on the shopping list.
Eggs are for Sunday; never write them.

Close with what is there and what was written.
";

fn drawing() -> Drawing {
    let sketch = |name: &str, signature: &str, policy| DoorSketch {
        name: name.to_owned(),
        file: format!("doors/{}.wasm", name.split('.').next().unwrap()),
        signature: format!("{name}{signature}"),
        policy,
    };
    let dirs = PolicyLine {
        file: "policy.toml".to_owned(),
        key: "door.\"shopping.add\".dirs".to_owned(),
        value: "data as /data, may write".to_owned(),
    };
    Drawing {
        doorlist: "0.1.0".to_owned(),
        doors: vec![
            sketch(
                "fridge.count",
                "(items: list<string>) -> list<tuple<string, u32>>",
                vec![],
            ),
            sketch("shopping.add", "(item: string) -> string", vec![dirs]),
        ],
        asked_first: Vec::new(),
    }
}

fn asking(door: &str) -> Drawing {
    let asked = AskedFirst {
        door: door.to_owned(),
        file: "policy.toml".to_owned(),
    };
    Drawing {
        asked_first: vec![asked],
        ..drawing()
    }
}

fn draw(loop_txt: &str, drawing: &Drawing) -> Diagram {
    Diagram::draw(&LoopText::parse(loop_txt).unwrap(), drawing)
}

/// The diagram that stands in the folder of the fridge loop.
fn fridge() -> String {
    draw(FRIDGE, &drawing()).to_string()
}

fn cells(stale: &[Stale]) -> Vec<(&str, &str)> {
    stale
        .iter()
        .map(|stale| (stale.cell.as_str(), stale.open.as_str()))
        .collect()
}

#[test]
fn a22_the_fridge_loop_as_people_read_it() {
    expect_file!["../../tests/golden/diagram-fridge.txt"].assert_eq(&fridge());
}

#[test]
fn a23_a_loop_that_asks_first_and_refuses_nothing() {
    let loop_txt = FRIDGE.replace("close = \"doors/settled.wasm\"\n", "");
    let diagram = draw(&loop_txt, &asking("shopping.add")).to_string();
    expect_file!["../../tests/golden/diagram-asking.txt"].assert_eq(&diagram);
}

#[test]
fn a18_a_threshold_edited_in_the_diagram_alone_is_stale() {
    let edited = fridge().replace("below 2", "below 1");
    let stale = draw(FRIDGE, &drawing()).stale(&edited);
    assert_eq!(cells(&stale), [("goal", "loop.txt, the prose")]);
    assert_eq!(
        stale[0].to_string(),
        "goal: diagram.txt says `| Look into the fridge. What there is below 1 of goes on the \
         shopping list.`, but it is `| Look into the fridge. What there is below 2 of goes on the \
         shopping list.`; open loop.txt, the prose"
    );
}

#[test]
fn a19_an_approval_drawn_by_hand_for_a_door_off_the_list_is_stale() {
    let diagram = draw(FRIDGE, &asking("shopping.checkout"));
    assert_eq!(diagram, draw(FRIDGE, &drawing()), "it draws no cell");
    let by_hand = "\n[ask]\n  A person is asked first.\n  by policy.toml, ask.first: \
                   shopping.checkout\n  -> open:shopping.checkout\n\n[open:shopping.checkout]\n  \
                   -> paste\n";
    let edited = fridge().replace(
        "  -> open:shopping.add\n",
        "  -> open:shopping.add\n  -> ask\n",
    );
    let stale = diagram.stale(&(edited + by_hand));
    assert_eq!(
        cells(&stale),
        [
            ("fit", "policy.toml, ask.first"),
            ("ask", "policy.toml, ask.first"),
            ("open:shopping.checkout", "loop.txt, list"),
        ]
    );
}

#[test]
fn a21_no_diagram_and_no_line_of_it_is_on_the_page() {
    let text = LoopText::parse(FRIDGE).unwrap();
    let top = crate::Page::top(&text, &[]);
    let page = crate::Page::new(&top, "What do we need?", "", text.language()).to_string();
    let diagram = fridge();
    let own = diagram
        .lines()
        .filter(|line| line.starts_with('[') || line.contains(" by "));
    assert!(own.clone().count() > 10);
    for line in own.map(str::trim) {
        assert!(!page.contains(line), "{line}");
    }
    assert!(!page.contains("diagram"));
}

#[test]
fn a23_only_what_this_loop_can_walk_is_drawn() {
    let fridge = draw(FRIDGE, &drawing());
    let named: Vec<_> = fridge
        .cells()
        .map(|node| node.as_str().to_owned())
        .collect();
    assert!(
        !named
            .iter()
            .any(|node| node == "ask" || node == "stop:waiting-for-nod")
    );
    let file = fridge.to_string();
    let (_, not_this_time) = file.split_once("not this time:\n").unwrap();
    for word in ["asking a person", "a plan", "a second agent", "retrieval"] {
        assert_eq!(not_this_time.matches(word).count(), 1, "{word}");
    }
    let asks = draw(FRIDGE, &asking("shopping.add")).to_string();
    assert!(asks.contains("[ask]\n") && !asks.contains("asking a person first"));
}

#[test]
fn a23_lines_of_the_reader_are_never_stale_and_neither_are_line_ends() {
    let file = fridge();
    let noted: String = file
        .lines()
        .map(|line| format!("# mine\n{line}  \t\r\n"))
        .collect();
    assert_eq!(draw(FRIDGE, &drawing()).stale(&noted), []);
    assert_eq!(
        draw(FRIDGE, &drawing()).stale(&format!("\u{feff}{file}")),
        []
    );
}

#[test]
fn a24_a_door_added_to_the_list_is_a_cell_that_is_missing() {
    let listed = FRIDGE.replace("\"shopping.add\"]", "\"shopping.add\", \"shopping.list\"]");
    let stale = draw(&listed, &drawing()).stale(&fridge());
    assert_eq!(
        cells(&stale),
        [
            ("list", "loop.txt, list"),
            ("fit", "loop.txt, list"),
            ("open:shopping.list", "loop.txt, list"),
        ]
    );
    assert_eq!(
        stale[2].to_string(),
        "open:shopping.list: diagram.txt lacks `[open:shopping.list]`; open loop.txt, list"
    );
}

#[test]
fn a24_every_changed_stop_names_its_cell_and_its_key() {
    for (key, value) in [("put-backs", "4"), ("same-failure", "2"), ("fuel", "1_000")] {
        let edited = FRIDGE.replace("model =", &format!("{key} = {value}\nmodel ="));
        let stale = draw(&edited, &drawing()).stale(&fridge());
        let (cell, open) = (format!("stop:{key}"), format!("loop.txt, {key}"));
        assert_eq!(cells(&stale), [(cell.as_str(), open.as_str())]);
        assert_eq!(stale[0].now, Some(format!("by loop.txt, {key}: {value}")));
    }
}

#[test]
fn a24_a_changed_policy_names_its_cells_and_its_key() {
    let mut granted = drawing();
    granted.doors[1].policy[0].value = "data as /data".to_owned();
    let stale = draw(FRIDGE, &granted).stale(&fridge());
    assert_eq!(
        cells(&stale),
        [(
            "open:shopping.add",
            "policy.toml, door.\"shopping.add\".dirs"
        )]
    );
    let stale = draw(FRIDGE, &asking("shopping.add")).stale(&fridge());
    let named = cells(&stale);
    for cell in ["ask", "stop:waiting-for-nod", "not this time"] {
        assert!(named.contains(&(cell, "policy.toml, ask.first")), "{cell}");
    }
}

#[test]
fn a24_a_changed_interface_model_or_close_check_is_stale_too() {
    let mut other = drawing();
    other.doors[0].signature = "fridge.count(item: string) -> u32".to_owned();
    let stale = draw(FRIDGE, &other).stale(&fridge());
    assert_eq!(
        cells(&stale),
        [("open:fridge.count", "doors/fridge.wasm, count")]
    );
    let edited = FRIDGE.replace("doors/mind.wasm", "person");
    let stale = draw(&edited, &drawing()).stale(&fridge());
    assert_eq!(cells(&stale), [("decide", "loop.txt, model")]);
    let edited = FRIDGE.replace("close = \"doors/settled.wasm\"\n", "");
    let stale = draw(&edited, &drawing()).stale(&fridge());
    assert!(cells(&stale).contains(&("close", "loop.txt, close")));
}

#[test]
fn another_version_of_doorlist_is_one_difference() {
    let mut newer = drawing();
    newer.doorlist = "0.2.0".to_owned();
    let stale = draw(FRIDGE, &newer).stale(&fridge());
    assert_eq!(
        cells(&stale),
        [("every cell that doorlist decides", "diagram.txt")]
    );
    let edited = fridge().replace("frame.rs::framed", "frame.rs::other");
    let found = draw(FRIDGE, &newer).stale(&edited);
    assert_eq!(cells(&found)[1].0, "paste");
}

#[test]
fn what_the_reader_drew_by_hand_is_named_wherever_it_stands() {
    let diagram = draw(FRIDGE, &drawing());
    let file = fridge();
    for (edited, cell) in [
        (format!("{file}more\n"), "not this time"),
        (format!("more\n{file}"), "the top"),
        (file.replace("[paste]\n", "[paste]\nmore\n"), "paste"),
        (
            file.replace("  -> stop:done\n", "  -> stop:done\n  -> stop:done\n"),
            "close",
        ),
        (file.replace("[paste]\n", "[pasted]\n"), "paste"),
        (format!("{file}\n[approval]\n  -> close\n"), "approval"),
    ] {
        let stale = diagram.stale(&edited);
        assert!(
            stale.iter().any(|stale| stale.cell == cell),
            "{cell}: {stale:?}"
        );
    }
    assert!(diagram.stale("").len() > 10);
}

#[test]
fn a23_notes_stay_at_their_cells_when_cells_come_and_go() {
    let asks = draw(FRIDGE, &asking("shopping.add"));
    let old = asks
        .to_string()
        .replace("[ask]\n", "# who?\n[ask]\n# Ann\n")
        .replace("  -> stop:put-backs\n", "  -> stop:put-backs\n# enough?\n")
        .replace("[paste]\n", "# above paste\n[paste]\n");
    let new = draw(FRIDGE, &drawing()).redraw(&old);
    assert!(new.contains("  -> stop:put-backs\n# enough?\n"));
    assert!(new.contains("\n\n# above paste\n[paste]\n"));
    assert!(
        new.ends_with("\n\n# (was at [ask])\n# who?\n# Ann\n"),
        "{new}"
    );
    assert_eq!(
        draw(FRIDGE, &drawing()).redraw(&new),
        new,
        "and there they stay"
    );
    assert_eq!(asks.redraw(&old), old);
}

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
            policy: vec![policy.clone()],
        };
        let asked_first = asked.iter().map(|door| AskedFirst {
            door: (*door).to_owned(),
            file: "policy.toml".to_owned(),
        });
        let drawing = Drawing {
            doorlist: "0.1.0".to_owned(),
            doors: names.iter().map(sketch).collect(),
            asked_first: asked_first.collect(),
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
