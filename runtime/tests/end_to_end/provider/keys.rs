//! A key goes to the endpoint that it is for, and shows nowhere.

use super::runs::provided;
use super::server::{Answer, Server, said};
use crate::command::Ended;
use crate::laid::{LOOP, Laid};

const KEY: &str = "sk-proj-0123456789abcdef";

/// A server that says the key in everything it says: in an error, in a text, in arguments, in names and ids,
/// in another spelling, letter by letter, and in an error again.
fn echo() -> Server {
    let escaped: String = KEY
        .chars()
        .map(|c| format!("\\u{:04x}", u32::from(c)))
        .collect();
    let error = format!(
        "{{\"error\":{{\"message\":\"for authorization: Bearer {KEY} and {escaped}\",\"code\":503}}}}"
    );
    let chunk = |delta: &str| format!("data: {{\"choices\":[{{\"delta\":{delta}}}]}}\n\n");
    let letters = KEY
        .chars()
        .map(|c| chunk(&format!("{{\"content\":\"{c}\"}}")));
    let mut stream: String = letters.collect();
    stream += &chunk(&format!("{{\"content\":\" {KEY} {escaped}\"}}"));
    let call = |index: u32, id: &str, name: &str, arguments: &str| {
        chunk(&format!(
            "{{\"tool_calls\":[{{\"index\":{index},\"id\":\"{id}\",\"function\":{{\"name\":\"{name}\",\
             \"arguments\":\"{arguments}\"}}}}]}}"
        ))
    };
    stream += &call(
        0,
        KEY,
        "fridge__count",
        &format!("{{\\\"items\\\":[\\\"{KEY}\\\"]}}"),
    );
    stream += &call(1, &escaped, KEY, &escaped);
    stream += "data: [DONE]\n\n";
    Server::with([
        with_retry_after(&error),
        said("200 OK", "text/event-stream", &stream),
        said("401 Unauthorized", "application/json", &error),
    ])
}

fn with_retry_after(error: &str) -> Answer {
    let head = "HTTP/1.1 503 Busy\r\ncontent-type: application/json\r\nretry-after: 0\r\n\r\n";
    Answer::Bytes(format!("{head}{error}").into_bytes(), usize::MAX)
}

/// Everything that lies in the loop's folder and beside it.
fn written(dir: &std::path::Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => all.extend(written(&path)),
            false => all.push((path.clone(), std::fs::read(path).unwrap())),
        }
    }
    all
}

#[track_caller]
fn shows_no_key(laid: &Laid, ended: &Ended) {
    for text in [&ended.stdout, &ended.stderr] {
        assert!(!text.contains(KEY), "{ended}");
    }
    for (file, bytes) in written(laid.dir().parent().unwrap()) {
        let found = memchr::memmem::find(&bytes, KEY.as_bytes());
        assert_eq!(found, None, "{}", file.display());
    }
}

#[test]
fn a_models_key_is_in_no_file_and_no_output_whatever_the_server_says() {
    for json in [false, true] {
        let server = echo();
        let laid = Laid::fridge();
        let mut run = provided(&laid, "openai:m", &server)
            .args(["--key", "env:A_KEY"])
            .env("A_KEY", KEY)
            .exit(15);
        run = match json {
            true => run
                .arg("--json")
                .stdout_has("model_failed")
                .stderr_has("asked again"),
            false => run.stderr_has("401 Unauthorized"),
        };
        let ended = run.call();
        let seen = server.seen();
        let sent = format!("authorization: Bearer {KEY}\r\n");
        assert_eq!(seen.len(), 3);
        assert!(
            seen.iter()
                .all(|asked| format!("{}\r\n", asked.head).contains(&sent))
        );
        assert!(
            !seen[2].body.to_string().contains(KEY),
            "it is not sent back in a page"
        );
        shows_no_key(&laid, &ended);
        let stars = "*".repeat(KEY.len());
        assert!(
            laid.read("history.txt").contains(&stars),
            "what stood there is hidden"
        );
        for more in ["trace", "history", "page", "runs"] {
            let call = match more {
                "runs" => laid.doorlist(["runs", LOOP]),
                more => laid.doorlist([more, "-C", LOOP]),
            };
            let ended = call.stdout_has("").stderr_has("").call();
            shows_no_key(&laid, &ended);
        }
    }
}

#[test]
fn a_key_from_a_file_or_the_host_wide_policy_goes_to_its_endpoint() {
    let server = Server::of(["openai-refusal"]);
    let laid = Laid::fridge();
    laid.write("../key.txt", format!("{KEY}\n"));
    provided(&laid, "openai:m", &server)
        .args(["--key", "file:key.txt"])
        .exit(15)
        .stderr_has("refused to answer")
        .call();
    assert!(server.seen()[0].head.contains(KEY));
    let server = Server::of(["anthropic-refusal"]);
    let laid = Laid::fridge();
    let endpoint = server.endpoint();
    laid.host_wide(&format!(
        "[model.anthropic]\nendpoint = \"{endpoint}\"\nkey = \"env:A_KEY\""
    ));
    laid.edit("loop.txt", "\"doors/mind.wasm\"", "\"anthropic:m\"");
    let run = laid.run().env("A_KEY", KEY).exit(15);
    let ended = run.stderr_has("refused to answer").call();
    assert!(server.seen()[0].head.contains(&format!("x-api-key: {KEY}")));
    shows_no_key(&laid, &ended);
}

/// A folder names a provider and a model, and has no word about where anything goes.
#[test]
fn no_folder_says_where_a_key_goes() {
    let laid = Laid::fridge();
    laid.edit("loop.txt", "\"doors/mind.wasm\"", "\"openai:m\"");
    let server = Server::of(["openai-refusal"; 3]);
    let endpoint = server.endpoint();
    let policy = laid.read("policy.toml");
    laid.write(
        "policy.toml",
        format!("{policy}\n[model.openai]\nendpoint = \"{endpoint}\"\n"),
    );
    laid.run()
        .env("OPENAI_API_KEY", KEY)
        .exit(16)
        .stderr_has("policy.toml")
        .stderr_has("`model`")
        .call();
    laid.write("policy.toml", policy);
    // The usual variable is for OpenAI: where a person has this run ask elsewhere, it stays.
    let asked_there = |key: &str| {
        let run = laid.run().env("DOORLIST_ENDPOINT", &endpoint);
        run.env(key, KEY)
            .exit(15)
            .stderr_has("refused to answer")
            .call();
        server.seen().pop().unwrap().head
    };
    assert!(!asked_there("OPENAI_API_KEY").contains(KEY));
    // So is the policy's key, which is for the policy's endpoint.
    laid.host_wide(
        "[model.openai]\nendpoint = \"https://gateway.example.com/v1\"\nkey = \"env:A_KEY\"",
    );
    assert!(!asked_there("A_KEY").contains(KEY));
    // A key that a person gives is given for something.
    laid.run()
        .args(["--key", "env:A_KEY"])
        .env("A_KEY", KEY)
        .exit(1)
        .stderr_has("expected --model or --endpoint beside it")
        .call();
    // A model's name leads nowhere else.
    laid.edit(
        "loop.txt",
        "\"openai:m\"",
        &format!("\"openai:m@{endpoint}\""),
    );
    assert!(!asked_there("OPENAI_API_KEY").contains(KEY));
}

#[test]
fn a_redirect_carries_no_key_and_is_not_followed() {
    for status in [
        "301 Moved Permanently",
        "302 Found",
        "307 Temporary Redirect",
        "308 Permanent Redirect",
    ] {
        let other = Server::of(["openai-close"]);
        let to = format!("{}/chat/completions?key=1", other.endpoint());
        let head = format!("HTTP/1.1 {status}\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n");
        let server = Server::with([Answer::Bytes(head.into_bytes(), usize::MAX)]);
        let laid = Laid::fridge();
        provided(&laid, "openai:m", &server)
            .args(["--key", "env:A_KEY"])
            .env("A_KEY", KEY)
            .exit(15)
            .stderr_has("nothing is sent on")
            .call();
        assert!(other.seen().is_empty(), "{status}");
    }
}

#[test]
fn a_key_itself_on_the_command_line_is_refused_and_not_repeated() {
    let laid = Laid::fridge();
    for run in [
        laid.run().args(["--model", "openai:m", "--key", KEY]),
        laid.run()
            .args(["--model", "openai:m"])
            .env("DOORLIST_KEY", KEY),
    ] {
        let ended = run.exit(1).stderr_has("`env:NAME` or `file:PATH`").call();
        shows_no_key(&laid, &ended);
    }
    laid.host_wide(&format!("[model.openai]\nkey = \"{KEY}\""));
    let run = laid.run().args(["--model", "openai:m"]).exit(1);
    let ended = run.stderr_has("policy.toml, line 2, column 7").call();
    assert!(!ended.stderr.contains(KEY), "{ended}");
    let help = laid.doorlist(["run", "--help"]).env("DOORLIST_KEY", KEY);
    let ended = help.stdout_has("--key").call();
    assert!(!ended.stdout.contains(KEY), "{ended}");
}

#[test]
fn an_endpoint_beyond_this_machine_is_https_and_needs_a_key() {
    let laid = Laid::fridge();
    let run = |args: [&str; 2]| laid.run().args(["--model", "openai:m"]).args(args).exit(1);
    run(["--endpoint", "http://gateway.example.com/v1"])
        .stderr_has("expected https")
        .call();
    run(["--endpoint", "https://gateway.example.com/v1"])
        .stderr_has("expected a key for openai, found none; name its place with `--key env:NAME`")
        .call();
    let told = laid.run().args(["--model", "anthropic:m"]).exit(1);
    told.stderr_has("set ANTHROPIC_API_KEY").call();
    let told = laid.run().args(["--model", "openal:m"]).exit(1);
    told.stderr_has("a model of a provider (`openai:NAME`")
        .call();
}

#[test]
fn check_names_a_missing_key_as_a_hint_alone() {
    let laid = Laid::drawn();
    laid.edit("loop.txt", "\"doors/mind.wasm\"", "\"gemini:m\"");
    laid.redraw();
    let check = || {
        laid.doorlist(["check", LOOP])
            .stdout(format!("{LOOP}: nothing is wrong\n"))
    };
    check()
        .stderr_has("before a run: ")
        .stderr_has("expected a key for gemini, found none; set GEMINI_API_KEY")
        .call();
    check().env("GEMINI_API_KEY", KEY).call();
}
