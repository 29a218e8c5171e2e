//! The sample doors of the repository: each does what its cases say, in every language.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;

use crate::laid::{LOOP, Laid};
use crate::languages::toolchain::{C, GO, JS, PYTHON, has, outfitted};

/// The doors that have cases.
const SAMPLES: [&str; 11] = [
    "csv-summary",
    "dates",
    "decimal",
    "fetch",
    "fridge",
    "hash",
    "json-query",
    "markdown",
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
}

/// A page of a server of this machine, which is granted by its address.
#[track_caller]
fn fetches(laid: &Laid) {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let host = format!("http://{}", server.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in server.incoming() {
            let mut stream = stream.unwrap();
            let mut request = [0; 1024];
            let read = stream.read(&mut request).unwrap();
            assert!(request[..read].starts_with(b"GET /milk?a=1 HTTP/1.1\r\n"));
            let answer =
                "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 6\r\n\r\nMilk.\n";
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    let built = laid.dir().parent().unwrap().join("built/fetch.wasm");
    laid.write("doors/fetch.wasm", std::fs::read(built).unwrap());
    laid.write("loop.txt", "+++\nlist = [\"fetch.get\"]\n+++\nFetch.\n");
    laid.write(
        "policy.toml",
        format!("[door.\"fetch.get\"]\nhosts = [\"{host}\"]\n"),
    );
    let allow = laid.doorlist(["allow", LOOP, "--yes"]);
    allow.stdout_has(&host).stderr_has("allowed").call();
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
