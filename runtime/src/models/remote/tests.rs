//! Recorded streams, read in pieces.

use std::fs;
use std::path::Path;

use bytes::Bytes;
use futures_util::stream;
use loop_spec::Answer;

use super::heard::Heard;
use super::tools::ToolNames;
use super::{Cut, Provider, hear};
use crate::grants::{Masks, Secret};
use crate::models::Listener;

/// What a listener heard.
#[derive(Default)]
struct Words(String);

impl Listener for Words {
    fn hear(&mut self, words: &str) {
        self.0.push_str(words);
    }
}

/// Everything that comes of a stream in these pieces.
async fn come(provider: Provider, pieces: &[&[u8]], masks: &Masks) -> String {
    let pieces = pieces
        .iter()
        .map(|it| Ok::<_, Cut>(Bytes::copy_from_slice(it)));
    let names = ToolNames::new(provider, ["fridge.count", "shopping.add"]).unwrap();
    let mut words = Words::default();
    let mut heard = Heard::new(&mut words, masks.clone());
    let came = hear(provider.wire(), stream::iter(pieces), &mut heard).await;
    let said = match came {
        Ok(()) => format!("{:?}", heard.decision(&names)),
        Err(trouble) => {
            let trouble = trouble.hidden(masks);
            format!("{trouble:?}, {:?}", heard.failed(trouble.why(), &names))
        }
    };
    format!("{said}, heard {:?}", words.0)
}

/// The bodies of the recorded streams, each with who sends it.
fn streams() -> Vec<(String, Provider, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/provider");
    let files = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path());
    let stream = |file: std::path::PathBuf| {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = String::from_utf8(fs::read(file).unwrap()).unwrap();
        let (head, body) = text.split_once("\n\n").unwrap();
        let provider = Provider::of_word(name.split('-').next().unwrap())?;
        let is_stream = head.contains("text/event-stream");
        is_stream.then(|| (name, provider, body.as_bytes().to_vec()))
    };
    files.filter_map(stream).collect()
}

#[tokio::test]
async fn c07_a_stream_is_the_same_wherever_it_is_cut() {
    let streams = streams();
    assert!(streams.len() > 40, "{}", streams.len());
    let masks = Masks::default();
    for (name, provider, body) in streams {
        let whole = come(provider, &[&body], &masks).await;
        for at in 0..=body.len() {
            let (one, other) = body.split_at(at);
            let cut = come(provider, &[one, other], &masks).await;
            assert_eq!(cut, whole, "{name}, cut at byte {at}");
        }
        let bytes: Vec<&[u8]> = body.chunks(1).collect();
        assert_eq!(
            come(provider, &bytes, &masks).await,
            whole,
            "{name}, in bytes"
        );
    }
}

#[tokio::test]
async fn a_key_that_comes_letter_by_letter_shows_nowhere() {
    let key = "sk-0123456789";
    let masks = Masks::over(&[Secret::new(key).unwrap()]);
    let chunk = |delta: &str| format!("data: {{\"choices\":[{{\"delta\":{delta}}}]}}\n\n");
    let letters = key
        .chars()
        .map(|c| chunk(&format!("{{\"content\":\"{c}\"}}")));
    let mut body: String = letters.collect();
    let call =
        r#"{"tool_calls":[{"index":0,"id":"sk-0123456789","function":{"name":"sk-012345"}}]}"#;
    body += &chunk(call);
    let rest = r#"{"tool_calls":[{"index":0,"function":{"name":"6789","arguments":"sk-01234"}}]}"#;
    body += &chunk(rest);
    body += &chunk(r#"{"tool_calls":[{"index":0,"function":{"arguments":"56789"}}]}"#);
    for end in [
        "data: [DONE]\n\n",
        "",
        "data: {\"error\":\"for sk-0123456789\"}\n\n",
    ] {
        let body = format!("{body}{end}");
        let came = come(Provider::OpenAi, &[body.as_bytes()], &masks).await;
        assert!(!came.contains(key), "{came}");
        assert!(came.matches(&"*".repeat(13)).count() >= 4, "{came}");
    }
}

/// Ten megabytes in pieces of a few letters: nothing is copied again with each of them.
#[tokio::test]
async fn c07_ten_megabytes_of_text_and_of_arguments_come_whole() {
    const PIECES: usize = 100_000;
    let word = "a".repeat(100);
    let text = format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{word}\"}}}}]}}\n\n");
    let call = format!(
        "data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{{\"index\":0,\"function\":\
         {{\"arguments\":\"{word}\"}}}}]}}}}]}}\n\n"
    );
    let body = text.repeat(PIECES) + &call.repeat(PIECES) + "data: [DONE]\n\n";
    let pieces = body.as_bytes().chunks(16_384).map(Bytes::copy_from_slice);
    let names = ToolNames::new(Provider::OpenAi, []).unwrap();
    let mut words = Words::default();
    let mut heard = Heard::new(&mut words, Masks::default());
    let pieces = stream::iter(pieces.map(Ok::<_, Cut>));
    hear(Provider::OpenAi.wire(), pieces, &mut heard)
        .await
        .unwrap();
    let Answer::Names { calls, remark } = heard.decision(&names).unwrap().answer else {
        panic!("it has a call");
    };
    assert_eq!(calls[0].arguments.len(), PIECES * 100);
    assert_eq!(remark.unwrap().len(), PIECES * 100);
    assert_eq!(words.0.len(), PIECES * 100);
}

/// Whatever a server sends, there is an answer or a reason, and no panic.
mod anything {
    use super::*;
    use proptest::prelude::*;

    fn events() -> impl Strategy<Value = String> {
        let value = prop_oneof![
            Just("null"),
            Just("0"),
            Just("-1"),
            Just("4294967295"),
            Just("1e999"),
            Just("\"\""),
            Just("\"call_1\""),
            Just("\"a.b\""),
            Just("[]"),
            Just("{}"),
            Just("[1]"),
            Just("{\"a\":1}"),
            Just("\"\\ud800\""),
            Just("\"{\\\"a\\\":\""),
            Just("true"),
        ];
        let call = (value.clone(), value.clone(), value.clone(), value.clone()).prop_map(
            |(index, id, name, arguments)| {
                format!(
                    "{{\"index\":{index},\"id\":{id},\"function\":{{\"name\":{name},\
                     \"arguments\":{arguments}}}}}"
                )
            },
        );
        let delta = (value.clone(), prop::collection::vec(call, 0..3), value.clone()).prop_map(
            |(content, calls, end)| {
                let calls = calls.join(",");
                format!(
                    "data: {{\"choices\":[{{\"delta\":{{\"content\":{content},\"tool_calls\":[{calls}]}},\
                     \"finish_reason\":{end}}}]}}\n\n"
                )
            },
        );
        prop::collection::vec(delta, 0..6).prop_map(|events| events.concat())
    }

    proptest! {
        #[test]
        fn c18_is_an_answer_or_a_reason(body in events(), cut in any::<prop::sample::Index>()) {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                for provider in [Provider::OpenAi, Provider::Anthropic] {
                    let (one, other) = body.as_bytes().split_at(cut.index(body.len() + 1));
                    let masks = Masks::default();
                    let whole = come(provider, &[body.as_bytes()], &masks).await;
                    let cut = come(provider, &[one, other], &masks).await;
                    assert_eq!(whole, cut);
                }
            });
        }
    }
}
