//! Every oddity of the wire formats, recorded: what comes of it.

use std::collections::BTreeSet;
use std::time::Duration;

use doorlist::models::remote::{Provider, RemoteLimits, RemoteSettings};
use doorlist::models::{Decision, Listener, Model, ModelError, RemoteModel};
use loop_spec::loop_machine::Card;
use loop_spec::{Answer, Call, Digest, Language, Page};

use super::server::{Answer as Served, Server, recorded};
use crate::layout::{files, repository};

/// A model that is asked at `server`, and waits for nothing longer than a moment.
pub(crate) fn settings(provider: Provider, server: &Server) -> RemoteSettings {
    RemoteSettings {
        provider,
        model: "recorded".to_owned(),
        endpoint: server.endpoint().parse().unwrap(),
        key: None,
        max_tokens: None,
        temperature: None,
        stream: true,
        limits: RemoteLimits {
            wait: Duration::from_millis(1),
            ..RemoteLimits::default()
        },
    }
}

pub(crate) fn cards() -> [Card; 2] {
    ["fridge.count", "shopping.add"].map(|name| Card {
        name: name.to_owned(),
        signature: format!("{name}(items: list<string>) -> string"),
        about: Some("Says what it did.".to_owned()),
        schema: Some(serde_json::json!({
            "type": "object",
            "properties": { "items": { "type": "array", "items": { "type": "string" } } },
            "required": ["items"],
            "additionalProperties": false,
        })),
        component: Digest::of(b"component"),
        interface: Digest::of(b"interface"),
        pure: true,
        marks: loop_spec::policy::Marks::default(),
        fuel: 0,
    })
}

/// What was heard and told while a model was asked.
#[derive(Default)]
pub(crate) struct Notes {
    pub(crate) words: String,
    pub(crate) again: Vec<(String, Duration)>,
}

impl Listener for Notes {
    fn hear(&mut self, words: &str) {
        self.words.push_str(words);
    }

    fn again(&mut self, why: &str, wait: Duration) {
        self.again.push((why.to_owned(), wait));
    }
}

pub(crate) async fn ask(
    settings: RemoteSettings,
    notes: &mut Notes,
) -> Result<Decision, ModelError> {
    let cards = cards();
    let page = Page::new("top", "line", "", Language::En).said_in(&[], &cards);
    let mut model = RemoteModel::new(settings).unwrap();
    let asked = model.decide(1, &page, notes);
    let asked = tokio::time::timeout(Duration::from_secs(60), asked).await;
    asked.expect("an answer of this machine comes at once")
}

/// What comes of a recorded answer, told like this: `fridge.count {} #id & … ~ remark, label, in/out`.
async fn come(fixture: &str) -> String {
    let provider = fixture.split('-').next().and_then(Provider::of_word);
    let server = Server::of([fixture]);
    let mut settings = settings(provider.unwrap_or(Provider::OpenAi), &server);
    settings.limits.again = 0;
    settings.limits.after_broken = 0;
    let came = ask(settings, &mut Notes::default()).await;
    server.is_used_up();
    match came {
        Ok(decision) => {
            let usage = decision.usage;
            let (answer, ended) = (told(&decision.answer), decision.ended);
            format!("{answer}, {ended:?}, {}/{}", usage.input, usage.output)
        }
        Err(error) => {
            let partial = error.answer.map_or("nothing".to_owned(), |it| told(&it));
            format!("{}, {partial}", error.why)
        }
    }
}

fn told(answer: &Answer) -> String {
    let call = |call: &Call| {
        let id = call.id.as_ref().map(|id| format!(" #{id}"));
        let Call {
            name, arguments, ..
        } = call;
        format!("{name} {arguments}{}", id.unwrap_or_default())
    };
    match answer {
        Answer::Close(text) => format!("close {text}"),
        Answer::Names { calls, remark } => {
            let calls: Vec<_> = calls.iter().map(call).collect();
            let remark = remark.as_ref().map(|remark| format!(" ~ {remark}"));
            format!("[{}]{}", calls.join(" & "), remark.unwrap_or_default())
        }
    }
}

async fn all(rows: &[(&str, &str)]) {
    for (fixture, expected) in rows {
        assert_eq!(&come(fixture).await, expected, "{fixture}");
    }
}

const WHOLE: &[(&str, &str)] = &[
    (
        "openai-count",
        r#"[fridge.count {"items":["milk","eggs"]} #call_a1] ~ First I look., Doors, 120/17"#,
    ),
    (
        "openai-add",
        r#"[shopping.add {"item":"milk"} #call_a2], Doors, 120/17"#,
    ),
    (
        "openai-close",
        "close Counted milk 1, eggs 4. Below 2: milk, now on the shopping list., Turn, 120/17",
    ),
    (
        "openai-whole",
        r#"[fridge.count {"items": ["milk"]} #call__0_fridge__count_cmpl-1], Doors, 90/12"#,
    ),
    (
        "openai-legacy-call",
        r#"[fridge.count {"items":[]}], Doors, 0/0"#,
    ),
    ("openai-no-usage", "close All is there., Turn, 0/0"),
    ("openai-parts", "close All is there., Turn, 0/0"),
    ("openai-thoughts", "close All is there., Turn, 0/0"),
    (
        "openai-crlf-and-comments",
        "close Grüße, alles da 🧊., Turn, 0/0",
    ),
    ("openai-data-in-lines", "close All is there., Turn, 0/0"),
    (
        "anthropic-count",
        r#"[fridge.count {"items": ["milk", "eggs"]} #toolu_01] ~ First I look., Doors, 135/15"#,
    ),
    (
        "anthropic-add",
        r#"[shopping.add {"item": "milk"} #toolu_02], Doors, 135/15"#,
    ),
    (
        "anthropic-close",
        "close Counted milk 1, eggs 4. Below 2: milk, now on the shopping list., Turn, 135/15",
    ),
    (
        "anthropic-thinks-and-calls",
        r#"[fridge.count {"items":[]} #toolu_1 & shopping.add {"item":"eggs"} #toolu_2], Doors, 135/15"#,
    ),
    (
        "anthropic-whole",
        r#"[fridge.count {"items": ["milk"], "n": 18446744073709551617} #toolu_1] ~ First., Doors, 7/3"#,
    ),
];

#[tokio::test]
async fn c05_answers_come_whole_in_both_formats_streamed_or_not() {
    all(WHOLE).await;
}

const LABELS: &[(&str, &str)] = &[
    (
        "openai-stop-with-calls",
        r#"[fridge.count {"items":[]} #call_1], Turn, 0/0"#,
    ),
    (
        "openai-tool-calls-without",
        "close All is there., Doors, 0/0",
    ),
    ("openai-no-done", "close All is there., Turn, 120/17"),
    ("openai-empty", "[], Turn, 0/0"),
    ("openai-blank", "[], Turn, 0/0"),
    ("anthropic-empty", "[], Turn, 135/15"),
    (
        "openai-filter",
        "openai:recorded: the provider's filter refused the answer (`content_filter`), [] ~ Counted",
    ),
    (
        "openai-refusal",
        "openai:recorded: the model refused to answer: I can't help with that., nothing",
    ),
    (
        "anthropic-refusal",
        "anthropic:recorded: the model refused to answer (`refusal`), [] ~ I will",
    ),
];

#[tokio::test]
async fn c07_the_label_is_told_and_what_came_is_looked_at() {
    all(LABELS).await;
}

const BROKEN: &[(&str, &str)] = &[
    (
        "openai-ends-early",
        "openai:recorded: the answer ended without the mark of its end, [fridge.count {\"items\":[\"mi \
         #call_1] ~ Counted milk",
    ),
    (
        "openai-error-in-stream",
        "openai:recorded: expected an answer, found an error in it: The model is out of memory., [] ~ \
         Counted milk",
    ),
    (
        "openai-busy-in-stream",
        "openai:recorded: expected an answer, found an error in it: Provider returned error, nothing",
    ),
    (
        "anthropic-overloaded",
        "anthropic:recorded: expected an answer, found an error in it: Overloaded, nothing",
    ),
    (
        "json-error",
        "openai:recorded: expected an answer, found an error in it: model not loaded, nothing",
    ),
];

#[tokio::test]
async fn c08_what_broke_off_is_an_error_with_what_there_is() {
    all(BROKEN).await;
    for (fixture, partial) in [
        (
            "openai-dies",
            "[fridge.count {\"items\":[\"mi #call_1] ~ Counted milk",
        ),
        ("anthropic-dies", "[fridge.count {} #toolu_1] ~ Counted"),
    ] {
        let came = come(fixture).await;
        assert!(
            came.contains("the connection broke: ") && came.ends_with(partial),
            "{came}"
        );
    }
    let came = come("openai-no-json").await;
    assert!(
        came.contains("expected a chunk of a chat completion, found ("),
        "{came}"
    );
}

const LENGTH: &[(&str, &str)] = &[
    ("openai-length", "close Counted milk 1, eg, Length, 120/17"),
    (
        "openai-length-with-calls",
        r#"[fridge.count {"items":["mi #call_1], Length, 0/0"#,
    ),
    (
        "anthropic-half",
        r#"[fridge.count {"items":["mi #toolu_1], Length, 135/15"#,
    ),
];

#[tokio::test]
async fn c09_an_answer_that_is_cut_short_says_so() {
    all(LENGTH).await;
}

const CALLS: &[(&str, &str)] = &[
    (
        "openai-one-id",
        r#"[fridge.count {"items":["milk"]} #call_1 & fridge.count {"items":["eggs"]} #call_1], Doors, 0/0"#,
    ),
    (
        "openai-far-index",
        r#"[fridge.count {"items":[]} #call_1], Doors, 0/0"#,
    ),
    (
        "openai-no-index",
        r#"[fridge.count {"items":[]} #call_1 & shopping.add {"item":"milk"} #call_2], Doors, 0/0"#,
    ),
    (
        "openai-neither-index-nor-id",
        r#"[fridge.count {"items":[]} & shopping.add {"item":"milk"}], Doors, 0/0"#,
    ),
    (
        "openai-all-at-index-0",
        r#"[fridge.count {"items":[]} #f-1 & shopping.add {"item":"milk"} #f-2], Doors, 0/0"#,
    ),
    (
        "openai-interleaved",
        r#"[fridge.count {"items":["milk"]} #call_1 & shopping.add {"item":"eggs"} #call_2], Doors, 0/0"#,
    ),
    (
        "openai-name-in-every-piece",
        r#"[fridge.count {"items":[]} #call_1], Doors, 0/0"#,
    ),
    ("openai-no-name", "[ {} #call_1], Doors, 0/0"),
    (
        "openai-off-the-list",
        r#"[shopping__checkout {} #call_1 & fridge.count {"items":[]} #call_2], Doors, 0/0"#,
    ),
    (
        "openai-arguments-string",
        r#"[fridge.count "milk" #call_1], Doors, 0/0"#,
    ),
    (
        "openai-arguments-array",
        r#"[fridge.count ["milk"] #call_1], Doors, 0/0"#,
    ),
    (
        "openai-arguments-object",
        r#"[fridge.count {"items": ["milk"], "n": 18446744073709551617, "x": 0.1000000000000000055} #call_1], Doors, 0/0"#,
    ),
    (
        "openai-arguments-half",
        r#"[fridge.count {"items":["mi #call_1], Doors, 0/0"#,
    ),
    (
        "openai-arguments-empty",
        "[fridge.count  #call_1], Doors, 0/0",
    ),
    (
        "openai-arguments-null",
        "[fridge.count  #call_1], Doors, 0/0",
    ),
    (
        "anthropic-no-arguments",
        "[shopping__list {} #toolu_1], Doors, 135/15",
    ),
];

#[tokio::test]
async fn c18_calls_and_their_arguments_are_handed_over_as_they_came() {
    all(CALLS).await;
}

const OTHERS: &[(&str, &str)] = &[
    (
        "page-of-html",
        "openai:recorded: expected text/event-stream or application/json, found text/html; \
         charset=utf-8: <!doctype html>\\n<title>Sign in to the network</title>; check the endpoint, \
         nothing",
    ),
    (
        "json-of-another-kind",
        "openai:recorded: expected a chat completion, found no choices in {\"status\":\"ok\"}, nothing",
    ),
    (
        "status-400",
        "openai:recorded: expected an answer, found 400 Bad Request: max_tokens is too large: 100000; \
         check the model's name, --max-tokens and --temperature, nothing",
    ),
    (
        "status-401",
        "openai:recorded: expected an answer, found 401 Unauthorized: Incorrect API key provided; check \
         the key, nothing",
    ),
    (
        "status-403",
        "openai:recorded: expected an answer, found 403 Forbidden: Permission denied on the model; check \
         the key, and that it may use this model, nothing",
    ),
    (
        "status-404",
        "openai:recorded: expected an answer, found 404 Not Found: 404 page not found; check the model's \
         name and the endpoint, nothing",
    ),
];

#[tokio::test]
async fn c06_what_is_no_answer_says_what_to_check() {
    all(OTHERS).await;
    let came = come("no-content-type").await;
    assert!(came.contains("found no content type: data: {"), "{came}");
}

/// Each recorded answer stands in a table here, or is asked for in another file.
#[test]
fn every_recorded_answer_is_served_by_a_test() {
    let folder = repository().join("runtime/tests");
    let recorded = files(&folder.join("fixtures/provider"), "http");
    let sources: String = files(&folder.join("end_to_end/provider"), "rs")
        .iter()
        .map(|file| std::fs::read_to_string(file).unwrap())
        .collect();
    let names = recorded
        .iter()
        .map(|file| file.file_stem().unwrap().to_str().unwrap());
    let unused: BTreeSet<_> = names
        .filter(|name| !sources.contains(&format!("\"{name}\"")))
        .collect();
    assert!(unused.is_empty(), "{unused:?}");
}

#[tokio::test]
async fn c07_a_stream_in_single_bytes_is_the_same() {
    for (fixture, provider) in [
        ("openai-count", Provider::OpenAi),
        ("anthropic-count", Provider::Anthropic),
    ] {
        let pieces = Served::Bytes(recorded(fixture), 1);
        let server = Server::with([pieces, Served::Bytes(recorded(fixture), usize::MAX)]);
        let mut notes = Notes::default();
        let one = ask(settings(provider, &server), &mut notes).await.unwrap();
        assert_eq!(notes.words, "First I look.");
        let other = ask(settings(provider, &server), &mut Notes::default()).await;
        assert_eq!(one, other.unwrap());
    }
}
