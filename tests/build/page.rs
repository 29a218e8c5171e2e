//! The SDK's reader understands the pages and histories that the loop machine makes.

use super::workshop::repository;
use doorlist::init;
use doors_sdk::{History, Outcome, Page, Top};
use loop_spec::loop_machine::Card;
use loop_spec::{Digest, Language, LoopText};
use std::fs;

fn history(golden: &str) -> History {
    let file = repository().join("loop-spec/tests/golden").join(golden);
    let text = fs::read_to_string(file).unwrap();
    History::read(text.split_once("\n\n").unwrap().1)
}

/// The loop.txt that `init` writes.
fn loop_text(language: Language) -> LoopText {
    LoopText::parse(std::str::from_utf8(init::files(language)[0].bytes).unwrap()).unwrap()
}

#[test]
fn a03_the_page_that_the_model_gets_is_read_in_each_language() {
    for language in [Language::En, Language::Zh] {
        let text = loop_text(language);
        let card = Card {
            name: "fridge.count".to_owned(),
            component: Digest::of("component"),
            interface: Digest::of("interface"),
            pure: false,
            signature: "fridge.count(items: list<string>)".to_owned(),
            about: Some("How many.".to_owned()),
            schema: None,
            marks: Default::default(),
            fuel: 0,
        };
        let top = loop_spec::Page::top(&text, &[card]);
        let pasted = "[1 loop.txt 5478a3cb257b]\nfridge.count {}\n| milk 1\n";
        let page = loop_spec::Page::new(&top, "What?\n\nNow.", pasted, language).to_string();
        let page = Page::read(&page).unwrap();
        assert_eq!(page.top.prose, text.prose());
        assert!(page.top.lists("fridge.count"));
        assert_eq!(page.line, "What?\n\nNow.");
        assert_eq!(page.history, History::read(pasted));
        assert_eq!(page.top, Top::read(&top));
    }
}

#[test]
fn a16_the_golden_run_is_read() {
    let history = history("a16-golden-run.txt");
    let calls: Vec<_> = history.calls().map(|call| call.name.as_str()).collect();
    assert_eq!(calls, ["fridge.count", "shopping.add"]);
    assert_eq!(
        history.rounds[2].close.as_ref().unwrap().text,
        "Milk was 1."
    );
}

#[test]
fn a13_a_refused_close_is_read() {
    let history = history("a13-refused-close.txt");
    let refused = history.rounds[1].close.as_ref().unwrap().refused.as_deref();
    assert_eq!(refused, Some("refused: milk is low and was not written"));
    assert_eq!(history.rounds[3].close.as_ref().unwrap().refused, None);
}

#[test]
fn a08_a_name_that_is_not_listed_is_read_as_failed() {
    let history = history("a08-off-list.txt");
    let failed = Outcome::Failed("not on the list.".to_owned());
    assert!(history.calls().any(|call| call.outcome == failed));
}

#[test]
fn a10_every_error_is_read_as_failed() {
    let history = history("a10-errors.txt");
    assert!(history.calls().count() > 3);
    assert!(history.rounds.iter().all(|round| round.said.is_empty()));
    for call in history.calls() {
        assert!(matches!(call.outcome, Outcome::Failed(_)), "{call:?}");
    }
}

#[test]
fn a07_an_empty_answer_hands_over_nothing() {
    let history = history("a07-empty-answer.txt");
    let empty = history
        .rounds
        .iter()
        .find(|round| !round.said.is_empty())
        .unwrap();
    assert!(empty.calls.is_empty() && empty.close.is_none());
}
