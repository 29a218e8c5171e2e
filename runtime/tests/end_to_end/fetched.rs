//! `add https://…`: a component from an address is known by its digest, or it is not kept.

use std::sync::Arc;

use loop_spec::Digest;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;

use crate::command::Doorlist;
use crate::laid::{LOOP, Laid};

/// A server of this machine with a component, and a loop to bring it into.
struct Far {
    laid: Laid,
    component: Vec<u8>,
    address: String,
    _server: tokio::runtime::Runtime,
}

impl Far {
    fn new() -> Self {
        let laid = Laid::by_hand("");
        let component = wat::parse_str(include_str!("tally.wat")).unwrap();
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        laid.write("../trusted.pem", made.cert.pem());
        let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key.into())
            .unwrap();
        let server = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let listener = server.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = format!(
            "https://localhost:{}",
            listener.local_addr().unwrap().port()
        );
        server.spawn(serve(
            listener,
            TlsAcceptor::from(Arc::new(config)),
            component.clone(),
        ));
        Self {
            laid,
            component,
            address,
            _server: server,
        }
    }

    fn digest(&self) -> String {
        Digest::of(&self.component).to_string().replace(':', "=")
    }

    /// Adds what is at `path`, trusting the server.
    fn add(&self, path: &str) -> Doorlist {
        let trusted = self.laid.path("../trusted.pem");
        self.add_without_trust(path)
            .env("SSL_CERT_FILE", trusted.to_str().unwrap())
    }

    fn add_without_trust(&self, path: &str) -> Doorlist {
        let address = format!("{}{path}", self.address);
        self.laid.doorlist(["add", &address, "-C", LOOP, "--yes"])
    }
}

async fn serve(listener: TcpListener, tls: TlsAcceptor, component: Vec<u8>) {
    while let Ok((stream, _)) = listener.accept().await {
        let Ok(mut stream) = tls.accept(stream).await else {
            continue;
        };
        let mut asked = Vec::new();
        while !asked.ends_with(b"\r\n\r\n") {
            let Ok(byte) = stream.read_u8().await else {
                break;
            };
            asked.push(byte);
        }
        let asked = String::from_utf8_lossy(&asked).into_owned();
        let path = asked.split([' ', '?']).nth(1).unwrap_or_default();
        let to = |place: &str| format!("HTTP/1.1 302 Found\r\nlocation: {place}\r\n\r\n");
        let length = component.len();
        let ok = |length| format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n");
        let (head, body) = match path {
            "/far.wasm" => (ok(length), &component[..]),
            "/cut.wasm" => (ok(length), &component[..length - 1]),
            "/moved" => (to("/far.wasm"), &[][..]),
            "/round" => (to("/round"), &[][..]),
            "/down" => (to("http://localhost/far.wasm"), &[][..]),
            _ => ("HTTP/1.1 404 Not Found\r\n\r\n".to_owned(), &[][..]),
        };
        // Who has seen enough may be gone.
        let _ = stream.write_all(head.as_bytes()).await;
        let _ = stream.write_all(body).await;
        let _ = stream.shutdown().await;
    }
}

#[test]
fn a_component_is_added_from_an_address_with_its_digest() {
    let far = Far::new();
    let digest = far.digest();
    far.add(&format!("/far.wasm#{digest}"))
        .stdout_has("doors/far.wasm is new")
        .stderr_has("loop/doors/far.wasm")
        .call();
    let placed = std::fs::read(far.laid.path("doors/far.wasm")).unwrap();
    assert_eq!(placed, far.component);
    let from = format!("from = \"{}/far.wasm\"", far.address);
    let lock = far.laid.read("doors.lock");
    assert!(lock.contains(&from), "{lock}");
    // What may be secret in an address is not kept.
    far.add(&format!("/moved?token=0123456789#{digest}"))
        .stdout_has("doors/moved.wasm is new")
        .stderr_has("loop/doors/moved.wasm")
        .call();
    let lock = far.laid.read("doors.lock");
    assert!(
        lock.contains("/moved\"") && !lock.contains("token"),
        "{lock}"
    );
}

#[test]
fn what_cannot_be_known_or_had_is_not_kept() {
    let far = Far::new();
    let digest = far.digest();
    let other = format!("sha256={}", "0".repeat(64));
    for (path, said) in [
        ("/far.wasm".to_owned(), "expected `#sha256=`"),
        (format!("/far.wasm#{other}"), "nothing was added"),
        (format!("/cut.wasm#{digest}"), "end of file"),
        (format!("/none.wasm#{digest}"), "404"),
        (format!("/round#{digest}"), "without an end"),
        (format!("/down#{digest}"), "not https"),
    ] {
        far.add(&path).exit(1).stderr_has(said).call();
    }
    far.add_without_trust(&format!("/far.wasm#{digest}"))
        .env("SSL_CERT_FILE", "/dev/null")
        .exit(1)
        .stderr_has("certificate")
        .call();
    let plain = far.address.replace("https", "http");
    let plain = format!("{plain}/far.wasm#{digest}");
    far.laid
        .doorlist(["add", &plain, "-C", LOOP, "--yes"])
        .exit(1)
        .stderr_has("expected an address of https://")
        .call();
    assert!(!far.laid.has("doors/far.wasm") && !far.laid.has("doors/cut.wasm"));
}
