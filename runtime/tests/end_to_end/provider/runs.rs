//! The fridge loop with a provider's model, through the binary.

use super::server::{Answer, Server, recorded};
use crate::command::Doorlist;
use crate::laid::{Laid, count};
use crate::talk::Talk;

const CLOSED: &str = "Counted milk 1, eggs 4. Below 2: milk, now on the shopping list.\n";

/// `doorlist run` of the loop, decided by a model that `server` serves.
pub(super) fn provided(laid: &Laid, model: &str, server: &Server) -> Doorlist {
    laid.run()
        .args(["--model", model, "--endpoint", &server.endpoint()])
}

#[test]
fn c04_the_fridge_loop_runs_to_its_close_with_either_format() {
    for (model, answers) in [
        ("openai:m", ["openai-count", "openai-add", "openai-close"]),
        ("openai:m", ["openai-whole", "openai-add", "openai-close"]),
        (
            "anthropic:m",
            ["anthropic-count", "anthropic-add", "anthropic-close"],
        ),
    ] {
        let server = Server::of(answers);
        let laid = Laid::fridge();
        let run = provided(&laid, model, &server).stdout(CLOSED);
        run.stderr_has(format!("run 1, decided by {model}")).call();
        server.is_used_up();
        let opened = laid.of_kind("1", "opened");
        assert_eq!(opened.len(), 2);
        assert!(laid.read("data/shopping-list.txt").contains("milk"));
        let answered = laid.of_kind("1", "answered");
        assert!(
            answered
                .iter()
                .all(|it| it["payload"]["usage"]["input"].as_u64() > Some(0))
        );
        assert_eq!(laid.kinds("1").last().unwrap(), "stopped");
        let head = &server.seen()[0].head;
        assert!(!head.to_lowercase().contains("authorization"), "{head}");
    }
}

#[test]
fn c05_loop_txt_can_name_the_model_and_the_environment_the_endpoint() {
    let server = Server::of(["openai-count", "openai-add", "openai-close"]);
    let laid = Laid::fridge();
    laid.edit("loop.txt", "\"doors/mind.wasm\"", "\"openai:some/model\"");
    laid.run()
        .env("DOORLIST_ENDPOINT", &server.endpoint())
        .stdout(CLOSED)
        .stderr_has("decided by openai:some/model")
        .call();
    assert_eq!(server.seen()[0].body["model"], "some/model");
}

#[test]
fn a_resume_is_hinted_at_with_all_that_the_run_was_given() {
    let server = Server::of(["openai-refusal"]);
    let laid = Laid::fridge();
    let run = provided(&laid, "openai:m", &server);
    run.args(["--max-tokens", "900", "--no-stream"])
        .exit(15)
        .stderr_has(format!(
            "`doorlist resume 1 -C loop --model openai:m --endpoint {} --max-tokens 900 --no-stream`",
            server.endpoint()
        ))
        .call();
}

#[test]
fn c09_answers_that_are_cut_short_run_no_door_and_are_bounded() {
    let server = Server::of(["openai-length-with-calls"; 3]);
    let laid = Laid::fridge();
    provided(&laid, "openai:m", &server)
        .exit(17)
        .stderr_has("--max-tokens")
        .call();
    assert!(laid.of_kind("1", "opening").is_empty());
    server.is_used_up();
}

#[test]
fn c18_arguments_that_are_no_object_open_nothing_and_are_told() {
    for fixture in [
        "openai-arguments-string",
        "openai-arguments-array",
        "openai-arguments-half",
        "openai-arguments-empty",
        "openai-arguments-null",
        "openai-arguments-object",
        "openai-no-name",
        "openai-one-id",
    ] {
        let server = Server::of([fixture]);
        let laid = Laid::fridge();
        laid.edit("loop.txt", "put-backs = 8", "put-backs = 1");
        let run = provided(&laid, "openai:m", &server).exit(10);
        run.stderr_has("stopped: put-backs").call();
        let kinds = laid.kinds("1");
        assert!(
            !kinds.contains(&"opening".to_owned()),
            "{fixture}: {kinds:?}"
        );
        assert!(
            kinds.contains(&"refused".to_owned()),
            "{fixture}: {kinds:?}"
        );
    }
}

#[test]
fn c07_an_empty_answer_and_a_refusal_end_as_the_loop_says() {
    let server = Server::of(["openai-empty", "openai-refusal"]);
    let laid = Laid::fridge();
    provided(&laid, "openai:m", &server)
        .exit(15)
        .stderr_has("the model refused to answer: I can't help with that.")
        .call();
    let told = "error: the answer was empty; hand over a close or at least one name.";
    assert_eq!(count(&laid.read("history.txt"), told), 1);
}

#[test]
fn c08_a_stream_that_dies_is_an_error_that_can_be_gone_on_from() {
    let server = Server::of([
        "openai-dies",
        "openai-ends-early",
        "openai-dies",
        "openai-count",
        "openai-add",
        "openai-close",
    ]);
    let laid = Laid::fridge();
    provided(&laid, "openai:m", &server)
        .exit(15)
        .stderr_has("asked again in")
        .stderr_has("the connection broke")
        .stderr_has("asked 3 times")
        .call();
    assert!(laid.of_kind("1", "opening").is_empty());
    laid.resume()
        .args(["--model", "openai:m", "--endpoint", &server.endpoint()])
        .stdout(CLOSED)
        .stderr_has("done")
        .call();
    server.is_used_up();
}

#[test]
fn c16_a_server_that_is_busy_is_asked_again_and_one_that_stays_so_ends_the_run() {
    let server = Server::of([
        "status-429",
        "openai-count",
        "openai-add",
        "status-500",
        "openai-close",
    ]);
    let laid = Laid::fridge();
    provided(&laid, "openai:m", &server)
        .stdout(CLOSED)
        .stderr_has("Rate limit reached for requests; asked again in 0.0 s")
        .call();
    let server = Server::of(["status-500"; 6]);
    let laid = Laid::fridge();
    provided(&laid, "openai:m", &server)
        .exit(15)
        .stderr_has("asked 6 times")
        .call();
    server.is_used_up();
}

#[cfg(unix)]
#[test]
fn c22_a_run_is_cancelled_while_the_model_speaks() {
    for answer in [
        Answer::Silence,
        Answer::BeginningOf(recorded("openai-ends-early")),
    ] {
        let server = Server::with([answer]);
        let laid = Laid::fridge();
        let mut talk = Talk::with(provided(&laid, "openai:m", &server));
        talk.while_it_runs_until(|| !server.seen().is_empty());
        talk.interrupt();
        assert_eq!(talk.ended().0, Some(14));
        assert_eq!(laid.kinds("1").last().unwrap(), "stopped");
    }
}
