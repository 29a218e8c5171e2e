//! `fetch` in doors of JavaScript and TypeScript: what is granted is reached, and nothing else.

use super::server::{Server, answer};
use super::toolchain::{JS, build, has};
use crate::command::Doorlist;
use crate::laid::{LOOP, Laid};

const WIT: &str = "package test:fetches;
world fetches {
  /// Sends a request.
  export ask: func(url: string, init: string) -> result<string, string>;
  /// What the objects of the web are here.
  export web: func() -> string;
}
";

const SCRIPT: &str = r#"
export async function ask(url, init) {
  const answer = await fetch(url, JSON.parse(init));
  const { status, statusText, ok, redirected } = answer;
  const headers = [...answer.headers].map(([name, value]) => `${name}=${value}`).join(";");
  return [status, statusText, ok, redirected, answer.url, headers, await answer.text()].join("|");
}

const told = (promise) => promise.then(() => "settled", (error) => error.name);

export async function web() {
  const out = [];
  const headers = new Headers({ B: " 1 ", a: "2" });
  headers.append("b", "3");
  out.push([...headers].join(" "), headers.get("B"), headers.has("c"), headers.get("c"));
  headers.delete("b");
  headers.forEach((value, name) => out.push(name + value));
  const request = new Request("https://example.com/a b?q=é#f", { method: "post", body: "é" });
  out.push(request.method, request.url, request.headers.get("content-type"), await request.text());
  out.push(await told(request.text()), request.bodyUsed);
  const json = Response.json({ a: [1] }, { status: 201 });
  out.push(json.status, json.ok, (await json.clone().json()).a[0], (await json.bytes()).length);
  out.push((await new Response(new Uint8Array([1, 2]).buffer).arrayBuffer()).byteLength);
  out.push(await new Request("http://a", { method: "PUT", body: new URLSearchParams({ x: "1 2" }) }).text());
  out.push(await told(fetch("/a")), await told(fetch("http://a", { body: "x" })));
  out.push(await told(fetch("http://a", { headers: { "a\n": "b" } })), await told(fetch("http://a")));
  return out.join("|");
}
"#;

/// The same in TypeScript, but for what its writer would write.
fn typed() -> String {
    SCRIPT
        .replace(
            "ask(url, init)",
            "ask(url: string, init: string): Promise<string>",
        )
        .replace(
            "(promise) =>",
            "(promise: Promise<unknown>): Promise<string> =>",
        )
        .replace("const out = []", "const out: unknown[] = []")
}

/// A loop whose one door is built of this file.
#[track_caller]
fn built(file: &str, source: &str) -> Laid {
    let laid = Laid::empty()
        .file(
            "loop.txt",
            "+++\nlist = [\"fetches.ask\", \"fetches.web\"]\n+++\nAsk.\n",
        )
        .file("doors/fetches/wit/door.wit", WIT)
        .file(&format!("doors/fetches/{file}"), source);
    build(&laid).stderr_has("building fetches from").call();
    laid
}

/// Grants, with a limit of what is sent and received.
#[track_caller]
fn grant(laid: &Laid, grants: &str) {
    laid.write(
        "policy.toml",
        format!("[limits]\nnetwork = \"100 kB\"\n[door.\"fetches.ask\"]\n{grants}\n"),
    );
    let allow = laid.doorlist(["allow", LOOP, "--yes"]);
    allow.stdout_has("http://").stderr_has("allowed").call();
}

fn ask(laid: &Laid, url: &str, init: &str) -> Doorlist {
    let arguments = serde_json::json!({ "url": url, "init": init }).to_string();
    let call = laid.doorlist(["call", "fetches.ask", &arguments, "-C", LOOP]);
    call.stderr_has(" fuel, ")
}

#[test]
fn a_door_in_javascript_fetches_from_granted_hosts_alone() {
    if has("JavaScript", JS) {
        fetches(&built("door.js", SCRIPT));
    }
}

#[test]
fn a_door_in_typescript_fetches_from_granted_hosts_alone() {
    if has("TypeScript", JS) {
        let laid = built("door.ts", &typed());
        let types = laid.read("doors/fetches/bindings/door.d.ts");
        assert!(types.contains("function fetch("), "{types}");
        fetches(&laid);
    }
}

#[track_caller]
fn fetches(laid: &Laid) {
    let away = Server::new(|_| answer("200 OK", "", "away"));
    let elsewhere = away.origin.clone();
    let server = Server::new(move |asked| {
        let path = asked.split(' ').nth(1).unwrap();
        match path {
            "/away" => answer("302 Found", &format!("location: {elsewhere}/\r\n"), ""),
            "/once" => answer("303 See Other", "location: /there?x=1\r\n", ""),
            "/round" => answer("307 Temporary Redirect", "location: round\r\n", ""),
            "/huge" => answer("200 OK", "", &"x".repeat(200_000)),
            "/none" => answer("404 Not Found", "", "no"),
            _ => answer("200 OK", "x-a: 1\r\nx-A: 2\r\n", asked),
        }
    });
    let at = &server.origin;
    let refused = |origin: &str| {
        format!(
            "error: TypeError: fetch: {origin} is not among the hosts that this door is granted; \
             name it under `hosts` in the door's own [door.\"…\"] of policy.toml (door."
        )
    };

    // Granted nothing, it is told what would grant it.
    ask(laid, at, "{}").exit(21).stdout_has(refused(at)).call();
    let tried = format!("{LOOP}/doors/fetches.wasm");
    let arguments = serde_json::json!({ "url": at, "init": "{}" }).to_string();
    let attempt = laid.doorlist(["try", &tried, &arguments, "--function", "ask"]);
    attempt
        .exit(21)
        .stdout_has(refused(at))
        .stderr_has(format!(
            "it reached for {at}, and was refused\nthe least in a policy.toml that would give it that \
             (there may be more behind it):\n[door.\"fetches.ask\"]\n# hosts = [\"{at}\"]\n"
        ))
        .call();
    assert_eq!(server.take(), [""; 0]);

    grant(laid, &format!("hosts = [\"{at}\"]"));
    let granted = ask(
        laid,
        &format!("{at}/a?b=c#d"),
        "{\"headers\": {\"X-Own\": \"1\"}}",
    );
    let told = granted.stdout_has("200|OK|true|false|").call().stdout;
    assert!(told.contains("x-a=1, 2|GET /a?b=c HTTP/1.1\r\n"), "{told}");
    assert!(told.contains("x-own: 1\r\n"), "{told}");
    let post =
        "{\"method\": \"post\", \"body\": \"milk é\", \"headers\": [[\"content-type\", \"a/b\"]]}";
    ask(laid, &format!("{at}/post"), post)
        .stdout_has("POST /post HTTP/1.1\r\n")
        .stdout_has("content-type: a/b\r\n")
        .stdout_has("content-length: 7\r\n")
        .stdout_has("\r\n\r\nmilk é")
        .call();
    ask(laid, &format!("{at}/none"), "{}")
        .stdout(format!(
            "404|Not Found|false|false|{at}/none|content-length=2|no\n"
        ))
        .call();
    server.take();

    // Another host, and a redirect to one.
    let other = &away.origin;
    ask(laid, other, "{}")
        .exit(21)
        .stdout_has(refused(other))
        .call();
    let redirected = ask(laid, &format!("{at}/away"), "{}").exit(21);
    redirected.stdout_has(refused(other)).call();
    assert_eq!(away.take(), [""; 0]);
    assert_eq!(server.take().len(), 1);
    let once = "{\"method\": \"POST\", \"body\": \"x\"}";
    ask(laid, &format!("{at}/once"), once)
        .stdout_has(format!("200|OK|true|true|{at}/there?x=1|"))
        .stdout_has("GET /there?x=1 HTTP/1.1\r\n")
        .call();
    ask(laid, &format!("{at}/once"), "{\"redirect\": \"manual\"}")
        .stdout_has("303|See Other|false|false|")
        .call();
    ask(laid, &format!("{at}/round"), "{}")
        .exit(21)
        .stdout_has("error: TypeError: fetch: more than 20 redirects")
        .call();
    server.take();

    // What only a hostile door asks for.
    for (init, error) in [
        (
            "{\"headers\": {\"x\": \"a\\r\\nhost: b\"}}",
            "the header x has a line end or a zero in its value",
        ),
        (
            "{\"headers\": {\"x\\r\\nhost\": \"b\"}}",
            "expected the name of a header, found \"x\\r\\nhost\"",
        ),
        (
            "{\"headers\": {\"host\": \"b\"}}",
            "the header \"host\": forbidden header name",
        ),
        ("{\"method\": \"TRACE\"}", "no door may use this method"),
        (
            "{\"method\": \"GET /b HTTP/1.1\\r\\nx:\"}",
            "no door may use this method",
        ),
    ] {
        let error = format!("error: TypeError: fetch: {error} (door.");
        ask(laid, at, init).exit(21).stdout_has(error).call();
    }
    let credentials = at.replace("//", "//user:pw@");
    ask(laid, &credentials, "{}")
        .exit(21)
        .stdout_has("error: TypeError: fetch: expected a URL such as https://example.com/a")
        .call();
    assert_eq!(server.take(), [""; 0]);
    ask(laid, &format!("{at}/huge"), "{}")
        .exit(21)
        .stdout("limit: the door sent and received more than 100000 bytes.\n")
        .call();
    server.take();

    // A secret is the host's to put in, and to take out of what comes back.
    let secret =
        format!("[{{ host = \"{at}\", header = \"authorization\", from = \"env:TOKEN\" }}]");
    grant(laid, &format!("hosts = [\"{at}\"]\nsecrets = {secret}"));
    let echoed = ask(laid, at, "{\"headers\": {\"authorization\": \"mine\"}}");
    let echoed = echoed
        .env("TOKEN", "a-secret-0123")
        .stdout_has("200|")
        .call();
    assert!(server.take()[0].contains("authorization: a-secret-0123\r\n"));
    assert!(
        echoed.stdout.contains("authorization: *************\r\n"),
        "{echoed}"
    );
    assert!(!format!("{echoed}").contains("a-secret"), "{echoed}");

    let web = laid.doorlist(["call", "fetches.web", "{}", "-C", LOOP]);
    web.env("TOKEN", "a-secret-0123")
        .stdout(
            "a,2 b,1, 3|1, 3|false||a2|POST|https://example.com/a%20b?q=%C3%A9#f|\
             text/plain;charset=UTF-8|é|TypeError|true|201|true|1|9|2|x=1+2|\
             TypeError|TypeError|TypeError|TypeError\n",
        )
        .stderr_has("")
        .call();
}

/// A door that sends nothing imports nothing to send with.
#[test]
fn a_script_without_fetch_has_no_import_of_the_network() {
    if !has("JavaScript", JS) {
        return;
    }
    let without =
        "export const ask = (url, init) => url + init;\nexport const web = () => \"prefetch\";\n";
    let imports = |source: &str| {
        let laid = built("door.js", source);
        let doors = laid.doorlist(["doors", LOOP]).stdout_has("fetches.ask");
        doors.stderr_has("").call().stdout
    };
    assert!(!imports(without).contains("doorlist:host"));
    let with = without.replace("url + init", "String(fetch(url)) + init");
    assert!(imports(&with).contains("doorlist:host"));
}
