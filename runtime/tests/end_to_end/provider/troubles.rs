//! Servers that are busy, silent, endless or elsewhere.

use std::time::Duration;

use doorlist::models::remote::Provider;
use loop_spec::Answer;

use super::odd::{Notes, ask, settings};
use super::server::{Answer as Served, Server, recorded, said};

const CLOSED: &str = "Counted milk 1, eggs 4. Below 2: milk, now on the shopping list.";

#[tokio::test]
async fn c16_busy_and_faulty_servers_are_asked_again() {
    let server = Server::of([
        "status-429",
        "status-502-page",
        "status-529",
        "status-500",
        "openai-close",
    ]);
    let mut notes = Notes::default();
    let came = ask(settings(Provider::OpenAi, &server), &mut notes)
        .await
        .unwrap();
    assert_eq!(came.answer, Answer::Close(CLOSED.to_owned()));
    server.is_used_up();
    let said: Vec<&str> = notes.again.iter().map(|(why, _)| why.as_str()).collect();
    assert_eq!(
        said,
        [
            "expected an answer, found 429 Too Many Requests: Rate limit reached for requests",
            "expected an answer, found 502 Bad Gateway: <html>\\n<head><title>502 Bad \
             Gateway</title></head>\\n<body>nginx</body>\\n</html>",
            "expected an answer, found 529 <unknown status code>: Overloaded",
            "expected an answer, found 500 Internal Server Error: The server had an error while \
             processing your request",
        ]
    );
    // What each said in `Retry-After`.
    assert!(notes.again.iter().all(|(_, wait)| wait.is_zero()));
}

#[tokio::test]
async fn c16_there_is_a_bound_on_asking_again() {
    let server = Server::of(["status-500"; 7]);
    let mut notes = Notes::default();
    let failed = ask(settings(Provider::OpenAi, &server), &mut notes)
        .await
        .unwrap_err();
    assert!(failed.why.ends_with("(asked 6 times)"), "{}", failed.why);
    assert_eq!((server.seen().len(), notes.again.len()), (6, 5));
    let server = Server::of(["status-429-for-an-hour"]);
    let failed = ask(settings(Provider::OpenAi, &server), &mut Notes::default()).await;
    let failed = failed.unwrap_err().why;
    assert!(
        failed.contains("You exceeded your current quota"),
        "{failed}"
    );
    assert!(failed.contains("asked again in 3600 s"), "{failed}");
}

#[tokio::test]
async fn c16_a_broken_stream_is_asked_again_twice_and_all_tokens_count() {
    let server = Server::of(["openai-ends-early", "openai-dies", "openai-close"]);
    let mut notes = Notes::default();
    let came = ask(settings(Provider::OpenAi, &server), &mut notes)
        .await
        .unwrap();
    assert_eq!(came.answer, Answer::Close(CLOSED.to_owned()));
    assert_eq!((came.usage.input, notes.again.len()), (120, 2));
    let server = Server::of(["anthropic-dies", "anthropic-dies", "anthropic-dies"]);
    let failed = ask(
        settings(Provider::Anthropic, &server),
        &mut Notes::default(),
    )
    .await;
    let failed = failed.unwrap_err();
    assert!(matches!(failed.answer, Some(Answer::Names { calls, .. }) if calls.len() == 1));
    assert_eq!((server.seen().len(), failed.usage.input), (3, 3 * 135));
}

#[tokio::test]
async fn c16_what_asking_again_would_not_change_is_asked_once() {
    for fixture in [
        "status-400",
        "status-401",
        "status-403",
        "status-404",
        "page-of-html",
    ] {
        let server = Server::of([fixture, "openai-close"]);
        let mut notes = Notes::default();
        let failed = ask(settings(Provider::OpenAi, &server), &mut notes).await;
        assert!(failed.is_err(), "{fixture}");
        assert_eq!(
            (server.seen().len(), notes.again.len()),
            (1, 0),
            "{fixture}"
        );
    }
}

#[tokio::test]
async fn a_server_that_does_not_count_in_its_streams_is_not_asked_to() {
    let server = Server::of(["status-400-stream-options", "openai-no-usage"]);
    let mut notes = Notes::default();
    ask(settings(Provider::OpenAi, &server), &mut notes)
        .await
        .unwrap();
    assert!(notes.again.is_empty());
    let [first, second] = <[_; 2]>::try_from(server.seen()).ok().unwrap();
    assert_eq!(first.body["stream_options"]["include_usage"], true);
    assert!(second.body.get("stream_options").is_none());
}

/// Silence at any point has an end. The waits are those of this test, and nothing is measured.
#[tokio::test]
async fn c16_a_server_that_falls_silent_is_not_waited_for_for_ever() {
    let begun = recorded("openai-ends-early");
    let head = begun
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .unwrap()
        + 4;
    for (answer, why) in [
        (
            Served::Silence,
            "expected an answer within 50ms, found none",
        ),
        (
            Served::BeginningOf(begun[..10].to_vec()),
            "expected an answer within 50ms, found none",
        ),
        (
            Served::BeginningOf(begun[..head].to_vec()),
            "the answer fell silent for 50ms",
        ),
        (
            Served::BeginningOf(begun),
            "the answer fell silent for 50ms",
        ),
    ] {
        let server = Server::with([answer.clone(), answer]);
        let mut settings = settings(Provider::OpenAi, &server);
        settings.limits.first_byte = Duration::from_millis(50);
        settings.limits.between = Duration::from_millis(50);
        (settings.limits.again, settings.limits.after_broken) = (1, 1);
        let mut notes = Notes::default();
        let failed = ask(settings, &mut notes).await.unwrap_err();
        assert!(failed.why.contains(why), "{}", failed.why);
        assert_eq!((server.seen().len(), notes.again.len()), (2, 1), "{why}");
    }
}

#[tokio::test]
async fn behind_the_end_of_an_answer_nothing_is_waited_for() {
    let answer = Served::BeginningOf(recorded("openai-no-done"));
    let server = Server::with([answer]);
    let mut settings = settings(Provider::OpenAi, &server);
    settings.limits.between = Duration::from_millis(50);
    let came = ask(settings, &mut Notes::default()).await.unwrap();
    assert_eq!(came.answer, Answer::Close("All is there.".to_owned()));
}

#[tokio::test]
async fn c22_an_answer_that_is_dropped_leaves_nothing_behind() {
    for answer in [
        Served::Silence,
        Served::BeginningOf(recorded("openai-ends-early")),
    ] {
        let server = Server::with([answer]);
        let mut notes = Notes::default();
        {
            let asked = ask(settings(Provider::OpenAi, &server), &mut notes);
            let mut asked = std::pin::pin!(asked);
            while server.seen().is_empty() {
                let step = Duration::from_millis(1);
                let over = tokio::time::timeout(step, &mut asked).await;
                assert!(over.is_err(), "it never answers");
            }
        }
        // The other end sees that the connection is gone.
        while server.left() == 0 {
            tokio::task::yield_now().await;
        }
        assert_eq!(server.seen().len(), 1);
    }
}

#[tokio::test]
async fn an_answer_has_a_size_that_it_does_not_exceed() {
    let word = "a".repeat(100_000);
    let chunk = format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{word}\"}}}}]}}\n\n");
    for (kind, body) in [
        ("text/event-stream", chunk.repeat(20)),
        ("text/event-stream", format!("data: {}", word.repeat(20))),
        ("application/json", word.repeat(20)),
    ] {
        let server = Server::with([said("200 OK", kind, &body)]);
        let mut settings = settings(Provider::OpenAi, &server);
        settings.limits.bytes = 1_000_000;
        let failed = ask(settings, &mut Notes::default()).await.unwrap_err();
        assert!(
            failed
                .why
                .contains("expected an answer of at most 1000000 bytes, found more"),
            "{}",
            failed.why
        );
        assert_eq!(server.seen().len(), 1);
    }
}

#[tokio::test]
async fn where_nobody_listens_is_told() {
    let server = Server::of([]);
    let mut settings = settings(Provider::OpenAi, &server);
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let nobody = format!("http://{}/v1", free.local_addr().unwrap());
    drop(free);
    settings.endpoint = nobody.parse().unwrap();
    settings.limits.again = 1;
    let mut notes = Notes::default();
    let failed = ask(settings, &mut notes).await.unwrap_err();
    assert!(failed.why.contains("onnect"), "{}", failed.why);
    assert_eq!(notes.again.len(), 1);
}
