//! One world of every value type, in every language, through one table of JSON.
//!
//! `map` and lists of a fixed length are left out: no toolchain but Rust's knows them yet.

use std::path::{Path, PathBuf};

use crate::laid::{LOOP, Laid};
use crate::languages::toolchain::{C, GO, JS, PYTHON, has, outfitted};

/// What is called with `{"v": …}`, and the bytes of what it says; those of `v` where nothing stands
/// beside it.
const TABLE: &[(&str, &str, Option<&str>)] = &[
    ("truth", "true", None),
    ("truth", "false", None),
    ("tiny", "-128", None),
    ("tiny", "127", None),
    ("byte", "0", None),
    ("byte", "255", None),
    ("short", "-32768", None),
    ("word", "65535", None),
    ("signed", "-2147483648", None),
    ("unsigned", "4294967295", None),
    ("long", "-9007199254740991", None),
    ("longest", "9007199254740991", None),
    ("single", "0.5", None),
    ("single", "-3.4028235e+38", None),
    ("double", "0.1", None),
    ("double", "5e-324", None),
    ("double", "-1.7976931348623157e+308", None),
    ("letter", "\"é\"", Some("é")),
    ("letter", "\"\\ud83e\\udd5b\"", Some("🥛")),
    ("text", "\"\"", Some("")),
    ("text", "\"a\\u0000b\\n\\\"é🥛\"", Some("a\u{0}b\n\"é🥛")),
    ("bytes", "\"AAECf4D/\"", Some("AAECf4D/")),
    ("texts", "[]", None),
    ("texts", "[\"\",\"milk\",\"🥛\"]", None),
    ("pairs", "[[\"milk\",1],[\"\",0]]", None),
    ("place", "{\"x\":-1,\"y-value\":0.25,\"label\":\"é\"}", None),
    ("place", "{\"x\":0,\"y-value\":0.0,\"label\":null}", None),
    ("figure", "\"nothing\"", None),
    ("figure", "{\"circle\":1.5}", None),
    ("figure", "{\"named\":\"\"}", None),
    (
        "figure",
        "{\"at\":{\"x\":1,\"y-value\":2.0,\"label\":null}}",
        None,
    ),
    ("grade", "\"mid-level\"", Some("mid-level")),
    ("grade", "\"low\"", Some("low")),
    ("may", "[]", None),
    ("may", "[\"read\",\"run-it\"]", None),
    ("perhaps", "null", None),
    ("perhaps", "0", None),
    ("doubt", "null", None),
    ("doubt", "{\"some\":null}", None),
    ("doubt", "{\"some\":\"\"}", None),
    ("came", "[{\"ok\":7},true]", None),
    ("came", "[{\"error\":\"no\"},false]", None),
    ("fails", "\"as it was told\"", Some("as it was told")),
];

/// What only 64 bits hold: JavaScript's numbers do not.
const BEYOND: &[(&str, &str, Option<&str>)] = &[
    (
        "long",
        "\"-9223372036854775808\"",
        Some("-9223372036854775808"),
    ),
    (
        "longest",
        "\"18446744073709551615\"",
        Some("18446744073709551615"),
    ),
];

#[test]
fn rust_says_every_type_as_the_table_does() {
    agrees("rust", true);
}

#[test]
fn c_says_every_type_as_the_table_does() {
    if has("C", C) {
        agrees("c", true);
    }
}

#[test]
fn javascript_says_every_type_as_the_table_does() {
    if has("JavaScript", JS) {
        agrees("js", false);
    }
}

#[test]
fn python_says_every_type_as_the_table_does() {
    if has("Python", PYTHON) {
        agrees("python", true);
    }
}

#[test]
fn go_says_every_type_as_the_table_does() {
    if has("Go", GO) {
        agrees("go", true);
    }
}

#[track_caller]
fn agrees(language: &str, beyond: bool) {
    let name = format!("matrix-{language}");
    let mut laid = Laid::empty().file(
        "loop.txt",
        format!("+++\nlist = [\"{name}.text\"]\n+++\nEcho.\n"),
    );
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/matrix");
    for part in [language, "wit"] {
        for file in files(&sources.join(part)) {
            let below = file.strip_prefix(&sources).unwrap();
            let below = below.strip_prefix(language).unwrap_or(below);
            let place = format!("doors/{name}/{}", below.display());
            laid = laid.file(&place, std::fs::read(&file).unwrap());
        }
    }
    outfitted(laid.doorlist(["build", LOOP]))
        .stderr_has("")
        .call();
    let rows = TABLE.iter().chain(BEYOND.iter().filter(|_| beyond));
    let rows: Vec<_> = rows.collect();
    let case = |(call, v, _): &&(&str, &str, Option<&str>)| {
        let key = if *call == "fails" { "error" } else { "want" };
        format!("{{\"call\": \"{call}\", \"args\": {{\"v\": {v}}}, \"{key}\": {v}}}\n")
    };
    let cases: String = rows.iter().map(case).collect();
    laid.write(&format!("doors/{name}/cases.jsonl"), &cases);
    let tested = laid
        .doorlist(["test", LOOP, "--json"])
        .stdout_has("")
        .call();
    let found = tested.json();
    for ((call, v, says), found) in rows.iter().zip(found["cases"].as_array().unwrap()) {
        assert_eq!(
            found["observation"],
            says.unwrap_or(v),
            "{language}: {call} {v}"
        );
    }
    assert_eq!(found["cases"].as_array().unwrap().len(), rows.len());
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let skip = |path: &PathBuf| path.ends_with("target") || path.ends_with("Cargo.lock");
    entries
        .filter(|path| !skip(path))
        .flat_map(|path| match path.is_dir() {
            true => files(&path),
            false => vec![path],
        })
        .collect()
}
