//! Acceptance A18-A24 on diagrams.

mod properties;

use expect_test::expect_file;

use super::{Diagram, DoorSketch, Drawing, Stale};
use crate::LoopText;
use crate::policy::Policy;

const FRIDGE: &str = "+++
list = [\"fridge.count\", \"shopping.add\"]
close = \"doors/settled.wasm\"
model = \"doors/mind.wasm\"
+++
Look into the fridge. What there is below 2 of goes on the shopping list.
Eggs are for Sunday; never write them.

Close with what is there and what was written.
";

const POLICY: &str = "[door.\"shopping.add\"]
dirs = [{ host = \"data\", guest = \"/data\", write = true }]
";

fn under(policy: &str) -> Drawing {
    let sketch = |name: &str, signature: &str| DoorSketch {
        name: name.to_owned(),
        file: format!("doors/{}.wasm", name.split('.').next().unwrap()),
        signature: format!("{name}{signature}"),
        marks: crate::policy::Marks::default(),
        policy: Vec::new(),
    };
    let doors = vec![
        sketch(
            "fridge.count",
            "(items: list<string>) -> list<tuple<string, u32>>",
        ),
        sketch("shopping.add", "(item: string) -> string"),
        sketch("shopping.checkout", "() -> u32"),
    ];
    Drawing::of("0.1.0", doors).under("policy.toml", &Policy::parse(policy).unwrap())
}

fn drawing() -> Drawing {
    under(POLICY)
}

fn asking(door: &str) -> Drawing {
    under(&format!("[ask]\nfirst = [\"{door}\"]\n{POLICY}"))
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
    expect_file!["../../../tests/golden/diagram-fridge.txt"].assert_eq(&fridge());
}

#[test]
fn a23_a_loop_that_asks_first_and_refuses_nothing() {
    let loop_txt = FRIDGE.replace("close = \"doors/settled.wasm\"\n", "");
    let diagram = draw(&loop_txt, &asking("shopping.add")).to_string();
    expect_file!["../../../tests/golden/diagram-asking.txt"].assert_eq(&diagram);
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
            ("lock", "policy.toml, ask.first"),
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
            ("lock", "loop.txt, list"),
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
    let stale = |policy: &str| draw(FRIDGE, &under(policy)).stale(&fridge());
    let read_only = POLICY.replace(", write = true", "");
    assert_eq!(
        cells(&stale(&read_only)),
        [(
            "open:shopping.add",
            "policy.toml, door.\"shopping.add\".dirs"
        )]
    );
    let tight = stale(&format!("[limits]\nfuel = 1_000\n{POLICY}"));
    let of = |name| (name, "policy.toml, limits");
    assert_eq!(
        cells(&tight),
        [of("open:fridge.count"), of("open:shopping.add")]
    );
    let asks = draw(FRIDGE, &asking("shopping.add")).stale(&fridge());
    for cell in ["ask", "stop:waiting-for-nod", "not this time"] {
        assert!(
            cells(&asks).contains(&(cell, "policy.toml, ask.first")),
            "{cell}"
        );
    }
    let hurried = format!("[ask]\nfirst = [\"shopping.*\"]\nexpires = \"1 h\"\n{POLICY}");
    let was = draw(FRIDGE, &asking("shopping.add")).to_string();
    let of = |name| (name, "policy.toml, ask.expires");
    let now = draw(FRIDGE, &under(&hurried)).stale(&was);
    assert_eq!(cells(&now), [of("ask"), of("stop:waiting-for-nod")]);
}

/// Every grant is drawn, so that none can be changed behind the diagram's back.
#[test]
fn a24_everything_a_policy_grants_is_drawn() {
    let policy = "[door.\"fridge.count\"]\nenv = { LANG = \"en\" }\nclock = \"real\"\n\
                  random = \"real\"\nconcurrent = true\n";
    let file = draw(FRIDGE, &under(policy)).to_string();
    for line in [
        "env: LANG = \"en\"",
        "clock: real",
        "random: real",
        "concurrent: true",
    ] {
        let line = format!("  by policy.toml, door.\"fridge.count\".{line}\n");
        assert!(file.contains(&line), "{line}");
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

#[test]
fn for_programs_a_cell_is_its_node_and_its_lines() {
    let json = serde_json::to_value(draw(FRIDGE, &drawing())).unwrap();
    let cells = json["cells"].as_array().unwrap();
    let cap = cells
        .iter()
        .find(|cell| cell["node"] == "stop:put-backs")
        .unwrap();
    let lines = serde_json::json!([
        { "says": "The model was put back as often as it may be." },
        { "by": "loop.txt, put-backs: 8" },
    ]);
    assert_eq!(cap["lines"], lines);
    assert_eq!(json["not_this_time"].as_array().unwrap().len(), 4);
}
