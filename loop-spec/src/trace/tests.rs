//! Acceptance A25, and the trace and the summary of played runs.

use expect_test::expect_file;
use proptest::prelude::*;

use super::{Summary, Trace};
use crate::diagram::{Diagram, Drawing};
use crate::loop_machine::play::Play;
use crate::loop_machine::{
    AskedFirst, Event, LoopMachine, Nod, NodAnswered, Outcome, Resumed, Step, Stop,
};
use crate::{Answer, Arrow, CallId, LoopText, Machine, Node, RECORD_VERSION, Record, Recorded};

const FRIDGE: &str = "+++
list = [\"fridge.count\", \"shopping.add\"]
needs = [\"shopping.add\"]
+++
Look into the fridge. What there is below 2 of goes on the shopping list.
";
const SCRIPT: &str = "~ first a look
fridge.count {\"items\": [\"milk\"]}
& shopping.checkout {}
close Milk is low.
shopping.add misfit
& shopping.add {\"item\": \"milk\"}
close Milk is low, and on the list.
";

/// The records of these events, the first at 1 s, and each 250 µs later than the one before.
fn records(events: &[Event]) -> Vec<Record> {
    let times = (1_000_000..).step_by(250);
    let records = events.iter().zip(times).zip(0..);
    let record = |((event, time), seq): ((&Event, u64), u64)| Record {
        v: RECORD_VERSION,
        seq,
        time,
        entry: event.to_entry(),
    };
    records.map(record).collect()
}

fn trace(play: &Play) -> Trace {
    Trace::of(&records(&play.events)).unwrap()
}

/// The diagram of the files with which the run was played.
fn diagram(play: &Play) -> Diagram {
    let asked = |door: &String| AskedFirst {
        door: door.clone(),
        file: "policy.toml".to_owned(),
    };
    let drawing = Drawing {
        asked_first: play.asked_first.iter().map(asked).collect(),
        ..Drawing::default()
    };
    Diagram::draw(&LoopText::parse(&play.loop_txt).unwrap(), &drawing)
}

/// What every trace holds, whatever the run did.
fn assert_sound(play: &Play) {
    let (trace, diagram) = (trace(play), diagram(play));
    let walked: Vec<Arrow> = trace.walked().map(|(_, arrow)| arrow).collect();
    assert_eq!(
        walked, play.arrows,
        "a row is an arrow that the machine walked"
    );
    let fuel: u64 = trace.rows().iter().map(|row| row.fuel).sum();
    assert_eq!(fuel, play.machine.fuel_used(), "no fuel is lost");
    let against = trace.against(&diagram);
    assert_eq!(against.strays, [], "{trace}");
    let came = pasted(&play.events);
    let pastes = outcomes(&trace, "paste").len();
    assert_eq!(pastes, came, "what is pasted is a step\n{trace}");
    for (step, row) in (1..).zip(trace.rows()) {
        assert_eq!(row.step, step);
        assert!(
            diagram.cells().any(|cell| *cell == row.node),
            "{}",
            row.node
        );
    }
}

/// How often something was pasted and a run walked on. A person who says no while the run stands
/// still is pasted, too, and walks nothing.
fn pasted(events: &[Event]) -> usize {
    let mut machine = LoopMachine::new();
    let mut pastes = |event: &Event| {
        let stands = machine.stop().is_some();
        machine.apply(event).unwrap();
        match event {
            Event::Refused(_) | Event::Opened(_) => true,
            Event::CloseJudged(judged) => judged.refused.is_some(),
            Event::NodAnswered(answered) => answered.nod != Nod::Given && !stands,
            Event::Answered(answered) => {
                matches!(&answered.answer, Answer::Names { calls, .. } if calls.is_empty())
            }
            _ => false,
        }
    };
    events.iter().filter(|event| pastes(event)).count()
}

fn outcomes(trace: &Trace, node: &str) -> Vec<String> {
    let rows = trace.rows().iter().filter(|row| row.node.as_str() == node);
    rows.map(|row| row.outcome.clone()).collect()
}

#[test]
fn a25_a_run_as_people_read_it() {
    let play = Play::of(FRIDGE).script(SCRIPT).run();
    assert_sound(&play);
    let trace = trace(&play);
    let against = trace.against(&diagram(&play));
    let text = format!("{trace}\n{against}");
    expect_file!["../../tests/golden/trace-fridge.txt"].assert_eq(&text);
}

#[test]
fn a25_every_step_of_every_run_is_an_arrow_and_the_rest_is_listed() {
    let failing = "a.b {}\na.b {}\na.b {}\na.b {}\n";
    let loop_txt = "+++\nlist = [\"a.b\"]\n+++\nGoal.\n";
    let failed = || {
        Play::of(loop_txt)
            .script(failing)
            .door(|_| Err("no".to_owned()))
    };
    let plays = [
        Play::of(FRIDGE)
            .script("close Done.\n\nfridge.count {}\nclose Done.\n")
            .run(),
        Play::of(loop_txt).run(),
        failed().run(),
        Play::of(&loop_txt.replace("+++\nGoal", "put-backs = 1\n+++\nGoal"))
            .script(failing)
            .run(),
        Play::of(&loop_txt.replace("+++\nGoal", "fuel = 50\n+++\nGoal"))
            .script(failing)
            .run(),
        failed().asked_first(&["a.b"]).run(),
    ];
    for play in &plays {
        assert_sound(play);
    }
    let against = trace(&plays[1]).against(&diagram(&plays[1]));
    assert!(against.cells.contains(&Node::fixed("open:a.b")));
    assert!(!against.cells.contains(&Node::fixed("stop:model-error")));
    let arrows: Vec<String> = against.arrows.iter().map(Arrow::to_string).collect();
    for arrow in ["list -> fit", "* -> resume", "resume -> *"] {
        assert!(arrows.contains(&arrow.to_owned()), "{arrow}");
    }
    assert!(!arrows.contains(&"decide -> stop:model-error".to_owned()));
}

#[test]
fn a25_a_step_that_the_diagram_lacks_is_named() {
    let play = Play::of(FRIDGE).script(SCRIPT).run();
    let file = diagram(&play).to_string();
    let without_arrow = Diagram::parse(&file.replace("  -> stop:done\n", ""));
    let against = trace(&play).against(&without_arrow);
    assert!(!against.holds());
    let last = trace(&play).rows().len() as u64;
    let named = format!("Not on the diagram:\n  step {last}: close -> stop:done\n");
    assert!(against.to_string().starts_with(&named), "{against}");
    // A star stands for cells that are drawn, and for no others.
    let without_cell = Diagram::parse(&file.replace("[stop:done]\n", "[stop:over]\n  -> *\n"));
    assert_eq!(trace(&play).against(&without_cell).strays.len(), 1);
}

#[test]
fn a_step_that_was_cut_off_says_so_and_is_walked_again() {
    let mut play = Play::of(FRIDGE).script("fridge.count {}\n& shopping.add {}\nclose Done.\n");
    while !matches!(play.machine.step(), Some(Step::Open(_))) {
        play.one();
    }
    assert_eq!(outcomes(&trace(&play), "open:fridge.count"), ["under way"]);
    play.apply(Event::Resumed(Resumed {}));
    play.go_on();
    assert_sound(&play);
    let trace = trace(&play);
    assert_eq!(
        outcomes(&trace, "open:fridge.count"),
        ["cut off", "unknown"]
    );
    assert_eq!(outcomes(&trace, "resume"), ["resumed"]);
}

#[test]
fn a20_waiting_for_a_nod_is_a_step_that_the_nod_ends() {
    let asks = || Play::of(FRIDGE).asked_first(&["shopping.add"]);
    let script = "fridge.count {}\nshopping.add {}\nclose Done.\n";
    let mut play = asks().script(script).run();
    let call = play.machine.asked().unwrap().call;
    assert_eq!(
        call,
        CallId {
            put_back: 2,
            place: 1
        }
    );
    assert_eq!(
        outcomes(&trace(&play), "stop:waiting-for-nod"),
        ["under way"]
    );
    let nod = Nod::Given;
    play.apply(Event::NodAnswered(NodAnswered { call, nod }));
    play.apply(Event::Resumed(Resumed {}));
    play.go_on();
    assert_sound(&play);
    let trace = trace(&play);
    assert_eq!(outcomes(&trace, "stop:waiting-for-nod"), ["nod given"]);
    assert_eq!(outcomes(&trace, "ask"), ["no answer yet", "nod used"]);
    let waited = trace
        .rows()
        .iter()
        .find(|row| row.node.as_str() == "stop:waiting-for-nod");
    assert_eq!(waited.unwrap().duration, Some(250), "one record later");
}

#[test]
fn nothing_a_door_says_leaves_its_row() {
    let forged = "ok\n   9  stop:done  \u{202e}x\u{1b}[2J".repeat(9);
    let play = Play::of(FRIDGE).script("fridge.count {}\n").door(move |_| {
        let text = forged.clone();
        Ok(Outcome::Said { text })
    });
    let play = play.run();
    let trace = trace(&play);
    let text = trace.to_string();
    assert_eq!(text.lines().count(), trace.rows().len() + 1);
    assert!(!text.contains(['\u{202e}', '\u{1b}']));
}

#[test]
fn a_journal_that_is_no_run_names_its_record() {
    let mut play = Play::of(FRIDGE).script(SCRIPT).run();
    play.events.remove(3);
    let error = Trace::of(&records(&play.events)).unwrap_err();
    assert_eq!(error.seq, 3);
    assert!(
        error.to_string().starts_with("record 3 of the journal: "),
        "{error}"
    );
    assert_eq!(Summary::of(&records(&play.events)).unwrap_err(), error);
}

#[test]
fn for_programs_a_row_has_the_four_fields_and_the_fuel() {
    let play = Play::of(FRIDGE).script(SCRIPT).run();
    let rows = serde_json::to_value(trace(&play)).unwrap();
    let open = rows
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["node"] == "open:fridge.count");
    let expected = serde_json::json!({
        "step": 7, "node": "open:fridge.count", "duration": 250, "outcome": "said", "fuel": 100,
    });
    assert_eq!(open, Some(&expected));
}

#[test]
fn a_summary_is_one_line() {
    let play = Play::of(FRIDGE).script(SCRIPT).run();
    let summary = Summary::of(&records(&play.events)).unwrap();
    assert_eq!(
        (summary.opened, summary.failed, summary.put_backs),
        (2, 0, 4)
    );
    assert_eq!(summary.stop.as_ref(), play.machine.stop());
    assert_eq!(
        summary.to_string(),
        "done, 4 put-backs, 2 doors opened, fuel 200, 4.5 ms: What do we need?"
    );
    let unfinished = Summary::of(&records(&play.events[..5])).unwrap();
    assert!(
        unfinished
            .to_string()
            .starts_with("under way, 1 put-back, 0 doors opened")
    );
}

/// One answer: a close, or one to three names, listed and not, that fit and do not.
fn any_answer() -> impl Strategy<Value = String> {
    let call = prop_oneof![
        Just("a.b {}"),
        Just("a.b misfit"),
        Just("asked.first {}"),
        Just("asked.first misfit"),
        Just("off.list {}"),
    ];
    let calls = proptest::collection::vec(call, 1..4).prop_map(|calls| calls.join("\n& "));
    prop_oneof![1 => Just("close Done.".to_owned()), 3 => calls]
}

/// What stands in the way of a run: a kill, a cancel, a person's answer.
fn any_turns() -> impl Strategy<Value = Vec<(bool, bool, Nod)>> {
    let nod = prop_oneof![Just(Nod::Given), Just(Nod::Denied), Just(Nod::Expired)];
    let rarely = || proptest::bool::weighted(0.1);
    proptest::collection::vec((rarely(), rarely(), nod), 60)
}

/// Plays on for one turn. Whether the run can go on.
fn turn(play: &mut Play, (killed, cancelled, nod): (bool, bool, Nod)) -> bool {
    match play.machine.stop().cloned() {
        None if cancelled => play
            .machine
            .cancelled()
            .into_iter()
            .for_each(|e| play.apply(e)),
        None if killed && play.machine.run().is_some() => play.apply(Event::Resumed(Resumed {})),
        None if nod != Nod::Expired && play.machine.asked().is_some() => {
            let call = play.machine.asked().unwrap().call;
            play.apply(Event::NodAnswered(NodAnswered { call, nod }));
        }
        None => play.one(),
        Some(Stop::WaitingForNod { call }) => {
            let answered = NodAnswered { call, nod };
            // Both orders: the person answers first, or the run is resumed in vain.
            if !killed && play.machine.asked().is_some() {
                play.apply(Event::NodAnswered(answered));
            }
            play.apply(Event::Resumed(Resumed {}));
        }
        Some(Stop::Cancelled | Stop::ModelError { .. }) => {
            play.apply(Event::Resumed(Resumed {}));
        }
        Some(_) => return false,
    }
    true
}

proptest! {
    /// However a run goes, is killed, cancelled, asked about and resumed.
    #[test]
    fn a25_the_trace_of_any_run_is_sound(
        answers in proptest::collection::vec(any_answer(), 1..8),
        refusable in any::<bool>(),
        turns in any_turns(),
    ) {
        let needs = if refusable { "needs = [\"a.b\"]\n" } else { "" };
        let loop_txt = format!(
            "+++\nlist = [\"a.b\", \"asked.first\"]\nfuel = 900\n{needs}+++\nGoal.\n"
        );
        let mut play = Play::of(&loop_txt).asked_first(&["asked.first"]).script(&answers.join("\n"));
        turns.into_iter().take_while(|turned| turn(&mut play, *turned)).for_each(drop);
        assert_sound(&play);
        let unsettled = trace(&play).rows().iter().filter(|row| row.is_open()).count();
        prop_assert!(unsettled <= 1, "only the last step can be under way\n{}", trace(&play));
    }
}
