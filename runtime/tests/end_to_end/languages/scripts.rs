//! What the writers of JavaScript and TypeScript expect.

use super::each::from_new_to_test;
use super::toolchain::{JS, build, has};
use crate::laid::LOOP;

const EXPECTED: &str = r#"
import { shout } from "./shout.ts";
import { twice } from "doubler";

const late = (value: string) => new Promise<string>((done) => setTimeout(() => done(value), 60_000));

export async function greet(name: string): Promise<string> {
  switch (name) {
    case "": throw new Error("expected a name");
    case "bug": return missing(name);
    case "wait": return (await Promise.all([late("a"), late("b")])).join("");
    case "never": return new Promise(() => {});
    case "random": return [Math.random(), crypto.randomUUID(), crypto.getRandomValues(new Uint8Array(4))].join();
    case "web": return new URL("/b?x=1", "https://example.com/a").searchParams.get("x")
      + new TextDecoder().decode(new TextEncoder().encode("é")) + structuredClone({ a: [name] }).a;
    case "fetch": return String(await fetch("https://example.com"));
    default:
      console.log("greeting", { name, at: [1, "x"] });
      return shout(twice(name));
  }
}
"#;

#[test]
fn a_door_in_typescript_finds_what_its_writer_expects() {
    if !has("TypeScript", JS) {
        return;
    }
    let laid = from_new_to_test("ts");
    let types = laid.read("doors/door-ts/bindings/door.d.ts");
    let greet = "  /** Greets somebody by their name. */\n  greet(name: string): string | Promise<string>;\n";
    assert!(types.contains(greet), "{types}");
    let laid = laid
        .file("doors/door-ts/door.ts", EXPECTED)
        .file(
            "doors/door-ts/shout.ts",
            "export const shout = (text: string): string => `${text}!`;\n",
        )
        .file(
            "doors/door-ts/node_modules/doubler/package.json",
            "{\"name\": \"doubler\", \"main\": \"index.js\"}",
        )
        .file(
            "doors/door-ts/node_modules/doubler/index.js",
            "module.exports.twice = (text) => text + text;\n",
        );
    build(&laid)
        .stderr_has("building door-ts from TypeScript")
        .call();
    let file = format!("{LOOP}/doors/door-ts.wasm");
    let attempt = |name: &str, seed: &str| {
        let arguments = format!("{{\"name\": \"{name}\"}}");
        laid.doorlist(["try", &file, &arguments, "--seed", seed])
            .stderr_has("")
    };
    attempt("Ada", "1")
        .stdout("AdaAda!\n")
        .stderr_has("printed: greeting {name: \"Ada\", at: [1, \"x\"]}")
        .call();
    attempt("", "1")
        .exit(21)
        .stdout("error: expected a name\n")
        .call();
    attempt("bug", "1")
        .exit(21)
        .stdout("error: ReferenceError: missing is not defined (door.ts:10)\n")
        .stderr_has("printed:     at <anonymous> (door.ts:10)")
        .call();
    attempt("wait", "1").stdout("ab\n").call();
    attempt("never", "1")
        .exit(21)
        .stdout("error: it waits for a promise that nothing settles\n")
        .call();
    attempt("web", "1").stdout("1éweb\n").call();
    attempt("fetch", "1")
        .exit(21)
        .stdout_has("error: TypeError: fetch: https://example.com is not among the hosts that")
        .call();
    // Random numbers come at every opening, from its seed.
    let [one, same, other] =
        ["1", "1", "2"].map(|seed| attempt("random", seed).stdout_has("").call().stdout);
    assert_eq!(one, same);
    for (one, other) in one.split(',').zip(other.split(',')) {
        assert_ne!(one, other);
    }
}

#[test]
fn an_export_that_a_script_lacks_fails_the_build() {
    if !has("JavaScript", JS) {
        return;
    }
    let laid = from_new_to_test("js");
    laid.edit("doors/door-js/door.js", "function greet", "function great");
    build(&laid)
        .exit(1)
        .stderr_has("door.js: expected the export greet(name), which the WIT names; found great")
        .call();
    laid.write("doors/door-js/door.js", "import \"nowhere\";\n");
    build(&laid)
        .exit(1)
        .stderr_has("door-js does not compile:")
        .stderr_has("Could not resolve \"nowhere\"")
        .call();
}
