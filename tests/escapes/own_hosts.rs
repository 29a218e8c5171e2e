//! What `wasi:http` refuses, `doorlist:host/http` refuses too, and what is let through is the same.

use std::sync::Arc;
use std::time::Duration;

use doorlist::grants::Grants;
use doorlist::sandbox::{Resolver, Settings};
use loop_spec::loop_machine::{Limit, Outcome};
use serde_json::Value;

use super::hosts::{Names, certified, hosts};
use super::prober::Prober;
use super::secrets::{TOKEN, echo, header};
use super::server::{Server, said};

/// Method, URL, headers, body.
async fn open(prober: &Prober, request: [&str; 4]) -> Outcome {
    prober.open("ask", &request.map(Value::from)).await.outcome
}

async fn ask(prober: &Prober, request: [&str; 4]) -> Result<String, String> {
    match open(prober, request).await {
        Outcome::Said { text } => Ok(text),
        Outcome::OwnError { text } => Err(text),
        other => panic!("{request:?}: {other:?}"),
    }
}

async fn get(prober: &Prober, url: &str) -> Result<String, String> {
    ask(prober, ["GET", url, "", ""]).await
}

/// The kind of the error, without its words.
async fn kind(prober: &Prober, url: &str) -> String {
    let error = get(prober, url).await.unwrap_err();
    error.split_once(": ").unwrap().0.to_owned()
}

#[tokio::test]
async fn a_granted_host_is_asked_and_answers() {
    let answer = "HTTP/1.1 404 Whatever\r\nx-a: 1\r\nconnection: close\r\n\r\nhello";
    let server = Server::new(move |_| vec![answer.into()]).await;
    let at = server.authority();
    let prober = Prober::new(hosts(&[format!("http://{at}")]));
    let url = format!("http://{at}/a?b=c#d");
    let headers = "x-own: 1\nuser-agent: prober\ncontent-length: 8";
    let answer = ask(&prober, ["POST", &url, headers, "the body"]).await;
    assert_eq!(answer.unwrap(), "404 Not Found\nx-a: 1\n\nhello");
    let [seen] = &server.seen()[..] else { panic!() };
    assert!(seen.starts_with("POST /a?b=c HTTP/1.1\r\n"), "{seen}");
    for line in [
        &*format!("host: {at}"),
        "x-own: 1",
        "user-agent: prober",
        "content-length: 8",
    ] {
        assert_eq!(seen.matches(&format!("{line}\r\n")).count(), 1, "{seen}");
    }
    assert!(seen.ends_with("\r\n\r\nthe body"), "{seen}");
    for (url, line) in [("?q", "GET /?q "), ("", "GET / ")] {
        get(&prober, &format!("http://{at}{url}")).await.unwrap();
        let seen = server.seen().pop().unwrap();
        assert!(seen.starts_with(line), "{seen}");
    }
}

#[tokio::test]
async fn what_is_not_granted_is_refused_with_its_grant_and_told() {
    let server = Server::saying("no").await;
    let at = server.authority();
    let prober = Prober::new(Grants::default());
    let request = ["GET", &*format!("http://{at}/"), "", ""].map(Value::from);
    let came = prober.open("ask", &request).await;
    let refused = Outcome::OwnError {
        text: format!(
            "refused: http://{at} is not among the hosts that this door is granted; name it under \
             `hosts` in the door's own [door.\"…\"] of policy.toml"
        ),
    };
    assert_eq!(came.outcome, refused);
    let told =
        format!("[doorlist: http://{at} is not among the hosts that this door is granted]\n");
    assert_eq!(came.printed, told);
    let reached = came.reached.hosts.iter().map(ToString::to_string);
    assert_eq!(reached.collect::<Vec<_>>(), [format!("http://{at}")]);
    // Such a door is as repeatable as any other.
    assert_eq!(prober.open("ask", &request).await, came);
    assert_eq!(server.seen(), [""; 0]);
}

#[tokio::test]
async fn no_other_spelling_scheme_or_port_is_the_granted_one() {
    let server = Server::saying("no").await;
    let port = server.port;
    let other = Server::saying("no").await;
    let prober = Prober::new(hosts(&[format!("http://127.0.0.1:{port}")]));
    for url in [
        format!("http://localhost:{port}/"),
        format!("http://127.0.0.2:{port}/"),
        format!("http://[::1]:{port}/"),
        format!("https://127.0.0.1:{port}/"),
        format!("http://{}/", other.authority()),
        "http://127.0.0.1/".to_owned(),
    ] {
        assert_eq!(kind(&prober, &url).await, "refused", "{url}");
    }
    for url in [
        format!("http://user@127.0.0.1:{port}/"),
        format!("http://user:pw@127.0.0.1:{port}/"),
        format!("http://127.1:{port}/"),
        format!("http://2130706433:{port}/"),
        format!("http://0x7f000001:{port}/"),
        format!("http://0177.0.0.1:{port}/"),
        format!("http://127.0.0.1.:{port}/"),
        format!("http://127.0.0.1:0{port}/"),
        format!("http://127.0.0.1:{port}/ HTTP/1.1\r\nx: y"),
        format!("http://127.0.0.1:{port}\\@localhost/"),
        format!("ftp://127.0.0.1:{port}/"),
        format!("//127.0.0.1:{port}/"),
        format!("127.0.0.1:{port}"),
        "http:///a".to_owned(),
        "/a".to_owned(),
        String::new(),
    ] {
        assert_eq!(kind(&prober, &url).await, "invalid", "{url}");
    }
    assert_eq!((server.seen().len(), other.seen().len()), (0, 0));
}

#[tokio::test]
async fn a_name_leads_to_no_address_that_is_not_for_everybody() {
    let server = Server::saying("inside").await;
    let port = server.port;
    let settings = || Settings {
        resolver: Arc::new(Names {
            at: vec![
                ("loopback.test", "127.0.0.1"),
                ("mapped.test", "::ffff:127.0.0.1"),
                ("metadata.test", "169.254.169.254"),
            ],
            ..Names::default()
        }) as Arc<dyn Resolver>,
        ..Settings::for_one_loop(None)
    };
    let named = format!("http://*.test:{port}");
    let prober = Prober::with(hosts(std::slice::from_ref(&named)), settings());
    for name in ["loopback", "mapped", "metadata"] {
        let came = get(&prober, &format!("http://{name}.test:{port}/")).await;
        let error = came.unwrap_err();
        let expected = format!("refused: http://{name}.test:{port} leads to an address that");
        assert!(error.starts_with(&expected), "{error}");
    }
    let came = get(&prober, &format!("http://nowhere.test:{port}/")).await;
    let failed = format!("failed: http://nowhere.test:{port}: destination not found");
    assert_eq!(came, Err(failed));
    assert_eq!(server.seen(), [""; 0]);

    // Unless the address is granted too.
    let both = [named, format!("http://127.0.0.1:{port}")];
    let prober = Prober::with(hosts(&both), settings());
    let came = get(&prober, &format!("http://Loopback.TEST:{port}/")).await;
    assert!(came.unwrap().ends_with("inside"));
}

#[tokio::test]
async fn a_redirect_is_an_answer_like_any_other() {
    let away = Server::saying("away").await;
    let elsewhere = format!("http://{}/", away.authority());
    let location = format!("HTTP/1.1 302 Found\r\nlocation: {elsewhere}\r\n\r\n");
    let server = Server::new(move |_| vec![location.clone().into_bytes()]).await;
    let at = format!("http://{}", server.authority());
    let prober = Prober::new(hosts(std::slice::from_ref(&at)));
    let answer = get(&prober, &at).await.unwrap();
    let expected = format!("302 Found\nlocation: {elsewhere}\n\n");
    assert_eq!(answer, expected);
    assert_eq!(kind(&prober, &elsewhere).await, "refused");
    assert_eq!(away.seen(), [""; 0]);
}

#[tokio::test]
async fn headers_and_methods_that_are_the_hosts_are_refused() {
    let server = Server::saying("no").await;
    let at = format!("http://{}/", server.authority());
    let prober = Prober::new(hosts(&[format!("http://{}", server.authority())]));
    let large = format!("x: {}", "a".repeat(20_000));
    for (header, why) in [
        (
            "host: elsewhere",
            "the header \"host\": forbidden header name",
        ),
        (
            "HOST: elsewhere",
            "the header \"HOST\": forbidden header name",
        ),
        (
            "connection: upgrade",
            "the header \"connection\": forbidden header name",
        ),
        (
            "transfer-encoding: chunked",
            "the header \"transfer-encoding\": forbidden header name",
        ),
        (
            "upgrade: h2c",
            "the header \"upgrade\": forbidden header name",
        ),
        (
            "proxy-authorization: x",
            "the header \"proxy-authorization\": forbidden header name",
        ),
        (
            "x: a\\r\\nhost: elsewhere",
            "the header \"x\": invalid header value",
        ),
        ("x y: a", "the header \"x y\": invalid header name"),
        (
            "content-length: +1",
            "the header \"content-length\": invalid header value",
        ),
        (
            "content-length: 1\ncontent-length: 1",
            "the header \"content-length\": invalid header value",
        ),
        (
            "content-length: 1",
            "the header \"content-length\": the body has 0 bytes",
        ),
        (
            &large,
            "the header \"x\": total size of fields exceeds limit",
        ),
    ] {
        let came = ask(&prober, ["GET", &at, header, ""]).await;
        assert_eq!(came, Err(format!("invalid: {why}")), "{header}");
    }
    for method in ["CONNECT", "TRACE", "GET / HTTP/1.1\r\nx: y\r\n", ""] {
        let came = ask(&prober, [method, &at, "", ""]).await;
        let error = "invalid: no door may use this method".to_owned();
        assert_eq!(came, Err(error), "{method}");
    }
    assert_eq!(server.seen(), [""; 0]);
}

#[tokio::test]
async fn what_goes_out_and_comes_in_has_a_limit_of_its_own() {
    let server = Server::new(|_| vec![said(&"a".repeat(60_000))]).await;
    let url = format!("http://{}/", server.authority());
    let mut prober = Prober::new(hosts(&[format!("http://{}", server.authority())]));
    let over = |amount| Outcome::Limit {
        limit: Limit::Network,
        amount,
    };
    prober.limits.network = 60_100;
    let [fits, more] = [100, 101].map(|length| "b".repeat(length));
    let came = open(&prober, ["POST", &url, "", &fits]).await;
    assert!(matches!(came, Outcome::Said { .. }), "{came:?}");
    let came = open(&prober, ["POST", &url, "", &more]).await;
    assert_eq!(came, over(60_100));
    prober.limits.network = 10_000;
    let came = open(&prober, ["POST", &url, "", &"b".repeat(50_000)]).await;
    assert_eq!(came, over(10_000));
}

/// It has no length, and would fill the host's memory.
#[tokio::test]
async fn an_answer_without_an_end_is_cut_off_by_the_limit() {
    let server = Server::new(|_| {
        let mut pieces = vec![b"HTTP/1.1 200 OK\r\n\r\n".to_vec()];
        pieces.extend(std::iter::repeat_n(vec![b'a'; 1 << 16], 4_000));
        pieces
    })
    .await;
    let at = format!("http://{}", server.authority());
    let mut prober = Prober::new(hosts(std::slice::from_ref(&at)));
    prober.limits.network = 1_000_000;
    let over = Outcome::Limit {
        limit: Limit::Network,
        amount: 1_000_000,
    };
    assert_eq!(open(&prober, ["GET", &at, "", ""]).await, over);
}

#[tokio::test]
async fn an_answer_that_never_comes_ends_by_the_time() {
    let server = Server::new(|_| vec![b"HTTP/1.1 200 OK\r\n\r\nx".to_vec(), Vec::new()]).await;
    let at = format!("http://{}", server.authority());
    let mut prober = Prober::new(hosts(std::slice::from_ref(&at)));
    prober.limits.time = Duration::from_millis(500);
    let late = Outcome::Limit {
        limit: Limit::Time,
        amount: 500,
    };
    assert_eq!(open(&prober, ["GET", &at, "", ""]).await, late);
}

#[tokio::test]
async fn who_does_not_answer_or_cannot_be_trusted_is_told_of() {
    let header = b"x: 0123456789abcdef0123456789abcdef0123456789abcdef\r\n".repeat(5_000);
    let endless = Server::new(move |_| vec![b"HTTP/1.1 200 OK\r\n".to_vec(), header.clone()]).await;
    let short = "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc";
    let short = Server::new(move |_| vec![short.into()]).await;
    let (tls, _) = certified("localhost");
    let stranger = Server::with(Some(tls), |_| vec![said("strange")]).await;
    for at in [
        format!("http://{}", endless.authority()),
        format!("http://{}", short.authority()),
        format!("https://localhost:{}", stranger.port),
    ] {
        let prober = Prober::new(hosts(std::slice::from_ref(&at)));
        let error = get(&prober, &at).await.unwrap_err();
        assert!(error.starts_with(&format!("failed: {at}: ")), "{error}");
    }
}

#[tokio::test]
async fn the_host_puts_a_secret_in_and_hides_it_in_what_comes_back() {
    let server = echo().await;
    let url = format!("http://{}/", server.authority());
    let prober = Prober::new(header(&server, "authorization"));
    let own = "authorization: Bearer mine\naccept-encoding: gzip\nrange: bytes=0-3";
    let answer = ask(&prober, ["GET", &url, own, ""]).await.unwrap();
    let seen = server.seen().concat();
    let put = format!("authorization: Bearer {TOKEN}\r\n");
    assert!(seen.contains(&put), "{seen}");
    for gone in ["mine", "accept-encoding", "range"] {
        assert!(!seen.contains(gone), "{seen}");
    }
    assert!(!answer.contains("tok"), "{answer}");
    let stars = "*".repeat(TOKEN.len());
    let hidden = format!("authorization: Bearer {stars}");
    assert_eq!(answer.matches(&hidden).count(), 2, "{answer}");
}

#[tokio::test]
async fn no_other_host_gets_a_secret_and_what_cannot_be_looked_through_is_refused() {
    let (server, other) = (echo().await, Server::new(|_| vec![said(TOKEN)]).await);
    let packed = "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n\x1f";
    let packed = Server::new(move |_| vec![packed.into()]).await;
    let mut grants = header(&server, "authorization");
    let [at, packed] = [&other, &packed].map(|it| format!("http://{}", it.authority()));
    grants
        .hosts
        .extend(hosts(&[at.clone(), packed.clone()]).hosts);
    let prober = Prober::new(grants);
    let answer = get(&prober, &at).await.unwrap();
    let seen = other.seen().concat();
    assert!(!seen.contains("tok"), "{seen}");
    assert!(!seen.contains("authorization"), "{seen}");
    assert!(answer.ends_with(&"*".repeat(TOKEN.len())), "{answer}");
    assert_eq!(kind(&prober, &packed).await, "failed");
}
