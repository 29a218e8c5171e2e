//! A door with granted hosts sends requests to them, at an address that was looked at, and nowhere
//! else.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use doorlist::grants::Grants;
use doorlist::sandbox::{Resolver, Settings};
use loop_spec::loop_machine::{Limit, Outcome};
use serde_json::Value;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;

use super::prober::Prober;
use super::server::{Server, said};

/// Names of this test, and how often they were looked up.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) at: Vec<(&'static str, &'static str)>,
    pub(super) asked: AtomicUsize,
}

#[async_trait::async_trait]
impl Resolver for Names {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let found = self.at.iter().filter(|(known, _)| *known == name);
        Ok(found.map(|(_, at)| at.parse().unwrap()).collect())
    }
}

pub(super) fn hosts(hosts: &[String]) -> Grants {
    Grants {
        hosts: hosts.iter().map(|host| host.parse().unwrap()).collect(),
        ..Grants::default()
    }
}

/// The answer to a GET without headers, or the error.
async fn get(prober: &Prober, scheme: &str, authority: &str) -> Result<String, String> {
    send(prober, ["GET", scheme, authority, "/", "", ""]).await
}

/// Method, scheme, authority, path, headers, body.
pub(super) async fn send(prober: &Prober, request: [&str; 6]) -> Result<String, String> {
    match prober.open("send", &request.map(Value::from)).await.outcome {
        Outcome::Said { text } => Ok(text),
        Outcome::OwnError { text } => Err(text),
        other => panic!("{request:?}: {other:?}"),
    }
}

fn err(code: &str) -> Result<String, String> {
    Err(code.to_owned())
}

#[tokio::test]
async fn a_granted_host_is_asked_and_answers() {
    let server = Server::saying("hello").await;
    let at = server.authority();
    let prober = Prober::new(hosts(&[format!("http://{at}")]));
    let headers = "x-own: 1\nuser-agent: prober";
    let request = ["POST", "http", &at, "/a?b=c", headers, "the body"];
    let answer = send(&prober, request).await.unwrap();
    assert_eq!(answer, "200\ncontent-length: 5\n\nhello");
    let [seen] = &server.seen()[..] else { panic!() };
    assert!(seen.starts_with("POST /a?b=c HTTP/1.1\r\n"), "{seen}");
    for line in [&*format!("host: {at}"), "x-own: 1", "user-agent: prober"] {
        assert_eq!(seen.matches(&format!("{line}\r\n")).count(), 1, "{seen}");
    }
    assert!(seen.contains("the body"), "{seen}");
}

#[tokio::test]
async fn what_is_not_granted_is_refused_and_told() {
    let server = Server::saying("no").await;
    let at = server.authority();
    let prober = Prober::new(Grants::default());
    let request = ["GET", "http", &at, "/", "", ""].map(Value::from);
    let came = prober.open("send", &request).await;
    let denied = Outcome::OwnError {
        text: "HttpRequestDenied".to_owned(),
    };
    assert_eq!(came.outcome, denied);
    let told =
        format!("[doorlist: http://{at} is not among the hosts that this door is granted]\n");
    assert_eq!(came.printed, told);
    let reached = came.reached.hosts.iter().map(ToString::to_string);
    assert_eq!(reached.collect::<Vec<_>>(), [format!("http://{at}")]);
    // Such a door is as repeatable as any other.
    assert_eq!(prober.open("send", &request).await, came);
    assert_eq!(server.seen(), [""; 0]);
}

#[tokio::test]
async fn no_other_spelling_scheme_or_port_is_the_granted_one() {
    let server = Server::saying("no").await;
    let port = server.port;
    let other = Server::saying("no").await;
    let prober = Prober::new(hosts(&[format!("http://127.0.0.1:{port}")]));
    for authority in [
        format!("localhost:{port}"),
        format!("127.0.0.2:{port}"),
        format!("[::1]:{port}"),
        other.authority(),
        "127.0.0.1".to_owned(),
    ] {
        let came = get(&prober, "http", &authority).await;
        assert_eq!(came, err("HttpRequestDenied"), "{authority}");
    }
    for authority in [
        format!("user@127.0.0.1:{port}"),
        format!("user:pw@127.0.0.1:{port}"),
        format!("127.1:{port}"),
        format!("2130706433:{port}"),
        format!("0x7f000001:{port}"),
        format!("0177.0.0.1:{port}"),
        format!("127.0.0.1.:{port}"),
        format!("127.0.0.1:0{port}"),
    ] {
        let came = get(&prober, "http", &authority).await;
        assert_eq!(came, err("HttpRequestUriInvalid"), "{authority}");
    }
    let at = server.authority();
    assert_eq!(get(&prober, "https", &at).await, err("HttpRequestDenied"));
    assert_eq!(get(&prober, "ftp", &at).await, err("HttpRequestDenied"));
    // What the library refuses before it comes here.
    for path in ["http://127.0.0.2/", "//x\r\ny: z", "x"] {
        let came = send(&prober, ["GET", "http", &at, path, "", ""]).await;
        assert!(came.is_err(), "{path:?}: {came:?}");
    }
    assert_eq!((server.seen().len(), other.seen().len()), (0, 0));
}

#[tokio::test]
async fn a_name_leads_to_no_address_that_is_not_for_everybody() {
    let server = Server::saying("inside").await;
    let port = server.port;
    let names = Names {
        at: vec![
            ("loopback.test", "127.0.0.1"),
            ("mapped.test", "::ffff:127.0.0.1"),
            ("nat64.test", "64:ff9b::7f00:1"),
            ("six.test", "::1"),
            ("metadata.test", "169.254.169.254"),
            ("private.test", "10.0.0.1"),
            ("zero.test", "0.0.0.0"),
        ],
        ..Names::default()
    };
    let tested: Vec<_> = names.at.iter().map(|(name, _)| *name).collect();
    let settings = || Settings {
        resolver: Arc::new(Names {
            at: names.at.clone(),
            ..Names::default()
        }),
        ..Settings::for_one_loop(None)
    };
    let named = format!("http://*.test:{port}");
    let prober = Prober::with(hosts(std::slice::from_ref(&named)), settings());
    for name in tested {
        let came = get(&prober, "http", &format!("{name}:{port}")).await;
        assert_eq!(came, err("DestinationIpProhibited"), "{name}");
    }
    let came = get(&prober, "http", &format!("nowhere.test:{port}")).await;
    assert_eq!(came, err("DestinationNotFound"));
    assert_eq!(server.seen(), [""; 0]);

    // Unless the address is granted too; then the name is still what the server is told.
    let both = [named, format!("http://127.0.0.1:{port}")];
    let prober = Prober::with(hosts(&both), settings());
    let came = get(&prober, "http", &format!("Loopback.TEST:{port}")).await;
    assert!(came.unwrap().ends_with("inside"));
    let seen = server.seen().concat();
    assert!(
        seen.contains(&format!("host: loopback.test:{port}\r\n")),
        "{seen}"
    );
    let came = get(&prober, "http", &format!("six.test:{port}")).await;
    assert_eq!(came, err("DestinationIpProhibited"), "another address");
}

/// A name that is looked up a second time could lead elsewhere by then.
#[tokio::test]
async fn a_name_is_looked_up_once_for_a_request() {
    let server = Server::saying("hello").await;
    let port = server.port;
    let names = Arc::new(Names {
        at: vec![("a.test", "127.0.0.1")],
        ..Names::default()
    });
    let settings = Settings {
        resolver: Arc::clone(&names) as Arc<dyn Resolver>,
        ..Settings::for_one_loop(None)
    };
    let both = [
        format!("http://a.test:{port}"),
        format!("http://127.0.0.1:{port}"),
    ];
    let prober = Prober::with(hosts(&both), settings);
    for times in 1..3 {
        get(&prober, "http", &format!("a.test:{port}"))
            .await
            .unwrap();
        assert_eq!(names.asked.load(Ordering::SeqCst), times);
    }
    get(&prober, "http", &server.authority()).await.unwrap();
    assert_eq!(names.asked.load(Ordering::SeqCst), 2, "an address is none");
}

#[tokio::test]
async fn localhost_is_this_machine_whatever_the_resolver_says() {
    let server = Server::saying("hello").await;
    let port = server.port;
    let names = Names {
        at: vec![("localhost", "1.1.1.1")],
        ..Names::default()
    };
    let settings = Settings {
        resolver: Arc::new(names),
        ..Settings::for_one_loop(None)
    };
    let prober = Prober::with(hosts(&[format!("http://localhost:{port}")]), settings);
    let came = get(&prober, "http", &format!("localhost:{port}")).await;
    assert!(came.unwrap().ends_with("hello"));
}

#[tokio::test]
async fn a_redirect_is_followed_by_nobody_but_the_door_and_to_granted_hosts_alone() {
    let away = Server::saying("away").await;
    let elsewhere = away.authority();
    let location = format!("HTTP/1.1 302 Found\r\nlocation: http://{elsewhere}/\r\n\r\n");
    let server = Server::new(move |_| vec![location.clone().into_bytes()]).await;
    let prober = Prober::new(hosts(&[format!("http://{}", server.authority())]));
    let answer = get(&prober, "http", &server.authority()).await.unwrap();
    assert!(answer.starts_with("302\n"), "{answer}");
    let followed = get(&prober, "http", &elsewhere).await;
    assert_eq!(followed, err("HttpRequestDenied"));
    assert_eq!(away.seen(), [""; 0]);
}

#[tokio::test]
async fn headers_and_methods_that_are_the_hosts_are_refused() {
    let server = Server::saying("no").await;
    let at = server.authority();
    let prober = Prober::new(hosts(&[format!("http://{at}")]));
    let with = async |headers: &str| send(&prober, ["GET", "http", &at, "/", headers, ""]).await;
    for header in [
        "host",
        "Host",
        "HOST",
        "connection",
        "transfer-encoding",
        "upgrade",
        "proxy-authorization",
    ] {
        let came = with(&format!("{header}: elsewhere")).await;
        assert_eq!(came, err("forbidden"), "{header}");
    }
    for header in ["x: a\\r\\nhost: elsewhere", "x y: a", "content-length: +1"] {
        let came = with(header).await;
        assert_eq!(came, err("invalid-syntax"), "{header}");
    }
    let large = format!("x: {}", "a".repeat(20_000));
    let request = ["GET", "http", &at, "/", &large, ""].map(Value::from);
    let outcome = prober.open("send", &request).await.outcome;
    let trap = Outcome::Trap {
        what: "total size of fields exceeds limit".to_owned(),
    };
    assert_eq!(outcome, trap);
    for method in ["CONNECT", "TRACE"] {
        let came = send(&prober, [method, "http", &at, "/", "", ""]).await;
        assert_eq!(came, err("HttpRequestMethodInvalid"), "{method}");
    }
    assert_eq!(server.seen(), [""; 0]);
}

#[tokio::test]
async fn what_goes_out_and_comes_in_has_a_limit_of_its_own() {
    let server = Server::new(|_| vec![said(&"a".repeat(60_000))]).await;
    let at = server.authority();
    let mut prober = Prober::new(hosts(&[format!("http://{at}")]));
    prober.limits.network = 60_100;
    let open = async |prober: &Prober, body: usize| {
        let body = "b".repeat(body);
        let request = ["POST", "http", &at, "/", "", &body].map(Value::from);
        prober.open("send", &request).await.outcome
    };
    assert!(matches!(open(&prober, 100).await, Outcome::Said { .. }));
    let over = Outcome::Limit {
        limit: Limit::Network,
        amount: 60_100,
    };
    assert_eq!(open(&prober, 101).await, over);
    // All of it is sent.
    prober.limits.network = 10_000;
    let over = Outcome::Limit {
        limit: Limit::Network,
        amount: 10_000,
    };
    assert_eq!(open(&prober, 50_000).await, over);
}

#[tokio::test]
async fn an_answer_whose_headers_never_end_is_an_error() {
    let header = b"x: 0123456789abcdef0123456789abcdef0123456789abcdef\r\n".repeat(5_000);
    let server = Server::new(move |_| vec![b"HTTP/1.1 200 OK\r\n".to_vec(), header.clone()]).await;
    let at = server.authority();
    let prober = Prober::new(hosts(&[format!("http://{at}")]));
    assert_eq!(get(&prober, "http", &at).await, err("HttpProtocolError"));
}

#[tokio::test]
async fn an_answer_that_never_comes_ends_by_the_time_and_takes_the_connection_along() {
    let server = Server::new(|_| vec![b"HTTP/1.1 200 OK\r\n\r\nx".to_vec(), Vec::new()]).await;
    let at = server.authority();
    let mut prober = Prober::new(hosts(&[format!("http://{at}")]));
    prober.limits.time = Duration::from_millis(500);
    let request = ["GET", "http", &at, "/", "", ""].map(Value::from);
    let late = Outcome::Limit {
        limit: Limit::Time,
        amount: 500,
    };
    assert_eq!(prober.open("send", &request).await.outcome, late);
    // The next opening has all its connections.
    let came = prober.open("many", &[16.into(), at.as_str().into()]).await;
    let all = Value::from(vec!["200"; 16]).to_string();
    assert_eq!(came.outcome, Outcome::Said { text: all });
}

#[tokio::test]
async fn the_requests_of_one_opening_at_a_time_are_counted() {
    let server = Server::new(|_| vec![b"HTTP/1.1 200 OK\r\n\r\nx".to_vec(), Vec::new()]).await;
    let at = server.authority();
    let prober = Prober::new(hosts(&[format!("http://{at}")]));
    let came = prober.open("many", &[20.into(), at.as_str().into()]).await;
    let Outcome::Said { text } = came.outcome else {
        panic!("{came:?}")
    };
    let count = |what: &str| text.matches(what).count();
    assert_eq!((count("200"), count("ConnectionLimitReached")), (16, 4));
}

#[tokio::test]
async fn who_cannot_be_trusted_at_the_other_end_is_not() {
    let plain = Server::saying("plain").await;
    let (tls, _) = certified("localhost");
    let stranger = Server::with(Some(tls), |_| vec![said("strange")]).await;
    for (server, error) in [
        (&plain, "TlsProtocolError"),
        (&stranger, "TlsCertificateError"),
    ] {
        let at = format!("localhost:{}", server.port);
        let prober = Prober::new(hosts(&[format!("https://{at}")]));
        assert_eq!(get(&prober, "https", &at).await, err(error));
        assert_eq!(server.seen(), [""; 0]);
    }
}

/// What the system trusts is read once in a process, so a process of its own has it as it should be.
#[tokio::test]
async fn who_is_trusted_is_spoken_to_by_the_name_that_is_granted() {
    if let Ok(port) = std::env::var(PORT) {
        let [name, address] = ["localhost", "127.0.0.1"].map(|host| format!("{host}:{port}"));
        let granted = [&name, &address].map(|at| format!("https://{at}"));
        let prober = Prober::new(hosts(&granted));
        let came = get(&prober, "https", &name).await;
        assert!(
            came.clone().is_ok_and(|text| text.ends_with("trusted")),
            "{came:?}"
        );
        // The certificate is for the name alone.
        let came = get(&prober, "https", &address).await;
        assert_eq!(came, err("TlsCertificateError"));
        return;
    }
    let (tls, certificate) = certified("localhost");
    let server = Server::with(Some(tls), |_| vec![said("trusted")]).await;
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("trusted.pem");
    std::fs::write(&file, certificate).unwrap();
    let name = "who_is_trusted_is_spoken_to_by_the_name_that_is_granted";
    let output = tokio::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", &format!("escapes::hosts::{name}")])
        .env(PORT, server.port.to_string())
        .env("SSL_CERT_FILE", &file)
        .output()
        .await
        .unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    let passed = output.status.success() && shown.contains("1 passed");
    assert!(passed, "{shown}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(server.seen().len(), 1);
}

/// A certificate that nobody has signed but itself, and who shows it.
pub(super) fn certified(name: &str) -> (TlsAcceptor, String) {
    let made = rcgen::generate_simple_self_signed([name.to_owned()]).unwrap();
    let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key.into())
        .unwrap();
    (TlsAcceptor::from(Arc::new(config)), made.cert.pem())
}

/// The variable that tells a process of its own where the server is.
const PORT: &str = "DOORLIST_TEST_TLS_PORT";
