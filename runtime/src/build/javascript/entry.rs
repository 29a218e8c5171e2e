//! What the bundle starts from: the prelude, the door's module, and one export for each of the world.

use std::fmt::Write as _;
use std::path::Path;

use heck::ToLowerCamelCase as _;
use serde_json::json;

use super::super::world::{Exported, World};

/// The text of it. `bundle` is what the door's module is made of, which tells what it asks for.
pub(super) fn text(module: &Path, world: &World, bundle: &str) -> String {
    let mut text = String::from("import { opened } from \"./prelude.js\";\n");
    for (words, import) in ASKED_FOR {
        if has_any(bundle, words) {
            writeln!(text, "import {};", json!(import)).expect(TAKES);
        }
    }
    let file = module.file_name().unwrap_or_default().to_string_lossy();
    writeln!(text, "import * as door from {};", json!(module)).expect(TAKES);
    for export in world.exports() {
        match &export.interface {
            None => {
                for function in &export.functions {
                    let name = function.name.to_lower_camel_case();
                    let opened = opened("door", &file, &name, function);
                    writeln!(
                        text,
                        "const _{name} = {opened};\nexport {{ _{name} as {name} }};"
                    )
                    .expect(TAKES);
                }
            }
            Some(interface) => {
                let name = interface.to_lower_camel_case();
                writeln!(text, "const _{name} = {{").expect(TAKES);
                for function in &export.functions {
                    let member = function.name.to_lower_camel_case();
                    let label = format!("{file}, {name}");
                    let opened = opened(&format!("door.{name}"), &label, &member, function);
                    writeln!(text, "  {member}: {opened},").expect(TAKES);
                }
                writeln!(text, "}};\nexport {{ _{name} as {name} }};").expect(TAKES);
            }
        }
    }
    text
}

fn opened(owner: &str, label: &str, name: &str, function: &Exported) -> String {
    let parameters = function
        .parameters
        .iter()
        .map(|parameter| parameter.to_lower_camel_case())
        .collect::<Vec<_>>()
        .join(", ");
    let signature = format!("{name}({parameters})");
    let says_errors = function.says_errors;
    format!(
        "opened({owner}, {}, {}, {}, {says_errors})",
        json!(label),
        json!(name),
        json!(signature)
    )
}

/// What the world of a door whose module is made of `bundle` imports for the prelude, and the packages
/// that this is in: as much of each as is used, in the order of their use.
pub(super) fn imports(bundle: &str) -> (Vec<&'static str>, Vec<&'static str>) {
    let (mut packages, mut imports) = (PACKAGES.to_vec(), IMPORTS.to_vec());
    if has_any(bundle, FETCH) {
        packages.push(HTTP_PACKAGE);
        imports.push(HTTP);
    }
    (packages, imports)
}

fn has_any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| has_word(text, word))
}

/// Whether a name stands in a text as a word of its own.
fn has_word(text: &str, word: &str) -> bool {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$');
    text.match_indices(word).any(|(at, _)| {
        !part(text[..at].chars().next_back()) && !part(text[at + word.len()..].chars().next())
    })
}

/// What is imported where one of the words is used: the runtime lacks it, and it is large, or the
/// host's to give.
const ASKED_FOR: &[(&[&str], &str)] = &[
    (
        &["URL", "URLSearchParams", "fetch"],
        "core-js/actual/url/index.js",
    ),
    (&["structuredClone"], "core-js/actual/structured-clone.js"),
    (
        &["TextEncoder", "TextDecoder", "fetch"],
        "fast-text-encoding",
    ),
    (FETCH, "./fetch.js"),
];

/// The word of a door that sends requests.
const FETCH: &[&str] = &["fetch"];

/// The files of the prelude.
pub(super) const PRELUDE: &[(&str, &str)] = &[
    ("fetch.js", include_str!("fetch.js")),
    ("prelude.js", include_str!("prelude.js")),
    ("timers.js", include_str!("timers.js")),
    ("turns.js", include_str!("turns.js")),
];

/// What the prelude always imports.
const IMPORTS: &[&str] = &["wasi:random/random@0.2.0", "wasi:cli/stderr@0.2.0"];

const PACKAGES: &[&str] = &[
    "package wasi:random@0.2.0;
     interface random { get-random-bytes: func(len: u64) -> list<u8>; }",
    "package wasi:io@0.2.0;
     interface error { resource error { to-debug-string: func() -> string; } }
     interface streams {
       use error.{error};
       variant stream-error { last-operation-failed(error), closed }
       resource output-stream {
         blocking-write-and-flush: func(contents: list<u8>) -> result<_, stream-error>;
       }
     }",
    "package wasi:cli@0.2.0;
     interface stderr {
       use wasi:io/streams@0.2.0.{output-stream};
       get-stderr: func() -> output-stream;
     }",
];

const HTTP: &str = "doorlist:host/http@0.1.0";

const HTTP_PACKAGE: &str = "package doorlist:host@0.1.0;
     interface http {
       record request {
         method: string,
         url: string,
         headers: list<tuple<string, string>>,
         body: option<list<u8>>,
       }
       record response {
         status: u16,
         reason: string,
         headers: list<tuple<string, string>>,
         body: list<u8>,
       }
       variant error { refused(string), invalid(string), failed(string) }
       send: func(request: request) -> result<response, error>;
     }";

const TAKES: &str = "a String takes it";
