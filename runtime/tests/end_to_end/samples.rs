//! The sample doors of the repository: each does what its cases say, in every language.

use std::path::Path;

use serde_json::json;

use crate::laid::{LOOP, Laid};
use crate::languages::server::{Server, answer};
use crate::languages::toolchain::{C, GO, JS, PYTHON, has, outfitted};

/// The doors that have cases.
const SAMPLES: [&str; 13] = [
    "csv-summary",
    "dates",
    "decimal",
    "fetch",
    "fridge",
    "hash",
    "json-query",
    "links",
    "markdown",
    "notes",
    "search",
    "shopping",
    "units",
];

#[test]
fn every_sample_does_what_its_cases_say() {
    let all = [("C", C), ("JavaScript", JS), ("Python", PYTHON), ("Go", GO)];
    if !all
        .iter()
        .all(|(language, programs)| has(language, programs))
    {
        return;
    }
    let doors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../doors");
    let doors = doors.to_str().unwrap();
    let laid = Laid::empty();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../doors");
    let build = outfitted(laid.doorlist(["build", doors, "--into", "built"]));
    build
        .env("CARGO_TARGET_DIR", target.to_str().unwrap())
        .stderr_has("")
        .call();
    let test = laid.doorlist(["test", doors, "--in", "built", "--json"]);
    let tested = test.stdout_has("").call().json();
    let cases = tested["cases"].as_array().unwrap();
    for door in SAMPLES {
        let of_door = |case: &&serde_json::Value| {
            let file = case["file"].as_str().unwrap();
            file.ends_with(&format!("{door}/cases.jsonl"))
        };
        assert!(
            cases.iter().any(|case| of_door(&case)),
            "{door} has no cases"
        );
    }
    fetches(&laid);
    finds_links(&laid);
    keeps_notes(&laid);
    hides_keys(&laid);
}

/// A page of a server of this machine, which is granted by its address.
#[track_caller]
fn fetches(laid: &Laid) {
    let server = Server::new(|asked| {
        assert!(asked.starts_with("GET /milk?a=1 HTTP/1.1\r\n"));
        answer("200 OK", "content-type: text/plain\r\n", "Milk.\n")
    });
    let host = &server.origin;
    grant(laid, "fetch", "fetch.get", host);
    let get = |address: &str| {
        let arguments = format!("{{\"address\": \"{address}\"}}");
        laid.doorlist(["call", "fetch.get", &arguments, "-C", LOOP])
            .stderr_has("")
    };
    get(&format!("{host}/milk?a=1#there"))
        .stdout("{\"status\":200,\"content-type\":\"text/plain\",\"body\":\"Milk.\\n\"}\n")
        .call();
    get("http://127.0.0.1:1/")
        .exit(21)
        .stdout(
            "error: http://127.0.0.1:1 is not among the hosts that policy.toml grants this door\n",
        )
        .call();
}

#[track_caller]
fn finds_links(laid: &Laid) {
    let server = Server::new(|asked| match asked.starts_with("GET /a/ HTTP/1.1\r\n") {
        true => answer("200 OK", "", PAGE),
        false => answer("404 Not Found", "", ""),
    });
    let host = &server.origin;
    grant(laid, "links", "links.of", host);
    let of = |address: &str| {
        let arguments = format!("{{\"address\": \"{address}\"}}");
        laid.doorlist(["call", "links.of", &arguments, "-C", LOOP])
            .stderr_has("")
    };
    of(&format!("{host}/a/"))
        .stdout(format!(
            "[{{\"to\":\"{host}/a/b?c=1&d=2\",\"text\":\"Milk & eggs\"}},\
             {{\"to\":\"https://example.com/\",\"text\":\"\"}}]\n"
        ))
        .call();
    of(&format!("{host}/b"))
        .exit(21)
        .stdout(format!("error: {host}/b: 404 Not Found\n"))
        .call();
}

/// By `doors_sdk::host::kv`, which imports nothing else.
#[track_caller]
fn keeps_notes(laid: &Laid) {
    copy(laid, "notes");
    let list = ["put", "read", "names", "forget"].map(|door| format!("notes.{door}"));
    laid.write("loop.txt", format!("+++\nlist = {list:?}\n+++\nNote.\n"));
    let policy = list
        .clone()
        .map(|door| format!("[door.\"{door}\"]\nkv = true\n"));
    laid.write("policy.toml", policy.concat());
    let script = "notes.put {\"name\": \"家\", \"text\": \"milk\"}\nnotes.read {\"name\": \"家\"}\n\
                  notes.names\nnotes.forget {\"name\": \"家\"}\nnotes.names\nclose Noted.\n";
    laid.write("answers.txt", script);
    laid.run_script()
        .stdout("Noted.\n")
        .stderr_has("done")
        .call();
    let history = laid.read("history.txt");
    let told: Vec<&str> = history.lines().filter(|it| it.starts_with("| ")).collect();
    assert_eq!(
        told[told.len() - 4..],
        ["| milk", "| [\"家\"]", "| true", "| []"]
    );
    let doors = laid.doorlist(["doors", LOOP, "--json"]);
    let doors = doors.stdout_has("notes.put").call().json();
    let notes = doors["doors"].as_array().unwrap().iter();
    for door in notes.filter(|door| door["file"].as_str().unwrap().ends_with("notes.wasm")) {
        assert_eq!(door["imports"], json!(["doorlist:host/kv@0.1.0"]));
    }
}

/// The hooks of the samples around a door of them.
#[track_caller]
fn hides_keys(laid: &Laid) {
    for file in ["notes", "redact"] {
        copy(laid, file);
    }
    let text =
        "+++\nlist = [\"notes.put\", \"notes.read\"]\nhooks = \"doors/redact.wasm\"\n+++\nNote.\n";
    laid.write("loop.txt", text);
    let key = "ghp_0123456789abcdefghij";
    let script = format!(
        "notes.put {{\"name\": \"a\", \"text\": \"{key}\"}}\nnotes.read {{\"name\": \"{key}\"}}\n\
         close It is {key}.\nclose Done.\n"
    );
    laid.write("answers.txt", script);
    laid.run_script()
        .stdout("Done.\n")
        .stderr_has("done")
        .call();
    let history = laid.read("history.txt");
    for told in [
        "\nrefused: what looks like a key is not given to notes.put\n",
        "\nrefused: what looks like a key is not given to notes.read\n",
        "\nrefused: the close has what looks like a key in it\n",
    ] {
        assert!(history.contains(told), "{told}: {history}");
    }
}

#[track_caller]
fn copy(laid: &Laid, file: &str) {
    let component = format!("{file}.wasm");
    let built = laid.dir().parent().unwrap().join("built").join(&component);
    laid.write(&format!("doors/{component}"), std::fs::read(built).unwrap());
}

/// Lists one door of a sample that was built, and grants it a host.
#[track_caller]
fn grant(laid: &Laid, file: &str, door: &str, host: &str) {
    copy(laid, file);
    laid.write(
        "loop.txt",
        format!("+++\nlist = [\"{door}\"]\n+++\nLook.\n"),
    );
    laid.write(
        "policy.toml",
        format!("[door.\"{door}\"]\nhosts = [\"{host}\"]\n"),
    );
    let allow = laid.doorlist(["allow", LOOP, "--yes"]);
    allow.stdout_has(host).stderr_has("allowed").call();
}

const PAGE: &str = "<p><A class=x HREF='b?c=1&amp;d=2'>Milk <b>&amp; eggs</b>\n</a>\
    <a href=mailto:a@b>no</a> <a href=\"https://example.com\"><img></a>";
