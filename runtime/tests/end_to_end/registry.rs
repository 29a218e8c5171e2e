//! `add oci://…`: a component from a registry, against Debian's `docker-registry`.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use loop_spec::Digest;
use oci_client::client::{ClientConfig, ClientProtocol, Config, ImageLayer};
use oci_client::secrets::RegistryAuth;
use oci_client::{Client, Reference};

use crate::command::Doorlist;
use crate::laid::{LOOP, Laid};
use crate::languages::toolchain::has;

const REGISTRY: &[&str] = &["docker-registry"];
const WASM: &str = "application/wasm";

/// A registry of this machine with a component in it, and a loop to bring it into.
struct Far {
    laid: Laid,
    component: Vec<u8>,
    host: String,
    child: Child,
    runtime: tokio::runtime::Runtime,
}

impl Far {
    fn new() -> Self {
        let laid = Laid::by_hand("");
        let component = wat::parse_str(include_str!("tally.wat")).unwrap();
        let (child, port) = (0..20)
            .find_map(|_| serve(&laid))
            .expect("a registry listens");
        Self {
            laid,
            component,
            host: format!("127.0.0.1:{port}"),
            child,
            runtime: tokio::runtime::Runtime::new().unwrap(),
        }
    }

    /// Pushes layers, and says the digest of the manifest.
    fn push(&self, name: &str, layers: &[ImageLayer]) -> String {
        let _ = tokio_rustls::rustls::crypto::ring::default_provider().install_default();
        let client = Client::new(ClientConfig {
            protocol: ClientProtocol::Http,
            ..ClientConfig::default()
        });
        let reference: Reference = format!("{}/{name}", self.host).parse().unwrap();
        let config = Config::new(
            "{}".as_bytes(),
            "application/vnd.wasm.config.v0+json".to_owned(),
            None,
        );
        let pushed = async {
            let push = client.push(&reference, layers, config, &RegistryAuth::Anonymous, None);
            push.await.unwrap();
            let (_, digest) = client
                .pull_image_manifest(&reference, &RegistryAuth::Anonymous)
                .await
                .unwrap();
            digest
        };
        self.runtime.block_on(pushed)
    }

    fn layer(&self) -> ImageLayer {
        ImageLayer::new(self.component.clone(), WASM.to_owned(), None)
    }

    fn add(&self, address: &str) -> Doorlist {
        let address = format!("oci://{}/{address}", self.host);
        self.laid.doorlist(["add", &address, "-C", LOOP, "--yes"])
    }
}

/// A registry at a port that was free a moment ago; `None` where another program was quicker.
fn serve(laid: &Laid) -> Option<(Child, u16)> {
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let store = laid.dir().parent().unwrap().join("registry");
    std::fs::create_dir_all(&store).unwrap();
    let config = format!(
        "version: 0.1\nstorage:\n  filesystem:\n    rootdirectory: {}\nhttp:\n  addr: 127.0.0.1:{port}\n",
        store.display()
    );
    laid.write("../registry.yml", config);
    let mut child = Command::new("docker-registry")
        .arg("serve")
        .arg(laid.path("../registry.yml"))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It says so, and goes on to say more, which somebody must read.
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut lines = said.by_ref().map_while(Result::ok);
    let listens = lines.any(|line| line.contains("listening on"));
    if !listens {
        child.wait().unwrap();
        return None;
    }
    std::thread::spawn(move || said.for_each(drop));
    Some((child, port))
}

impl Drop for Far {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_component_comes_from_a_registry_by_its_digest_alone() {
    if !has("OCI", REGISTRY) {
        return;
    }
    let far = Far::new();
    let manifest = far.push("doors/tally:1.0", &[far.layer()]);
    let digest = Digest::of(&far.component)
        .to_string()
        .replace("sha256:", "");

    far.add("doors/tally:1.0")
        .exit(1)
        .stderr_has("expected `#sha256=`")
        .call();
    let wrong = format!("doors/tally:1.0#sha256={}", "0".repeat(64));
    far.add(&wrong)
        .exit(1)
        .stderr_has(format!("found sha256:{digest}; nothing was added"))
        .call();
    assert!(!far.laid.has("doors/tally.wasm"));
    let other = format!("doors/tally@sha256:{}", "0".repeat(64));
    far.add(&other)
        .exit(1)
        .stderr_has("oci://127.0.0.1:")
        .call();

    far.add(&format!("doors/tally:1.0#sha256={digest}"))
        .stdout_has("doors/tally.wasm is new")
        .stderr_has("accepted")
        .call();
    assert_eq!(
        std::fs::read(far.laid.path("doors/tally.wasm")).unwrap(),
        far.component
    );
    assert!(
        far.laid
            .read("doors.lock")
            .contains("from = \"oci://127.0.0.1:")
    );
    far.add(&format!("doors/tally@{manifest}"))
        .stdout_has("")
        .stderr_has("")
        .call();
}

#[test]
fn what_is_no_component_or_changed_in_the_registry_is_not_added() {
    if !has("OCI", REGISTRY) {
        return;
    }
    let far = Far::new();
    let text = ImageLayer::new("milk".as_bytes().to_vec(), "text/plain".to_owned(), None);
    let manifest = far.push("doors/text:1", &[text]);
    far.add(&format!("doors/text@{manifest}"))
        .exit(1)
        .stderr_has("expected one layer of application/wasm, found text/plain")
        .call();
    let milk = ImageLayer::new("milk".as_bytes().to_vec(), WASM.to_owned(), None);
    let manifest = far.push("doors/milk:1", &[milk]);
    far.add(&format!("doors/milk@{manifest}"))
        .exit(1)
        .stderr_has("found text")
        .call();
    // The registry gives other bytes than its manifest says.
    let manifest = far.push("doors/tally:1", &[far.layer()]);
    let digest = Digest::of(&far.component)
        .to_string()
        .replace("sha256:", "");
    let blob = format!(
        "../registry/docker/registry/v2/blobs/sha256/{}/{digest}/data",
        &digest[..2]
    );
    let mut bytes = far.component.clone();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    far.laid.write(&blob, bytes);
    far.add(&format!("doors/tally@{manifest}"))
        .exit(1)
        .stderr_has("oci://127.0.0.1:")
        .call();
    assert!(!far.laid.has("doors/tally.wasm"));
}

#[test]
fn an_address_that_is_none_of_a_registry_is_named() {
    let laid = Laid::by_hand("");
    for address in [
        "oci://",
        "oci://tally:1",
        "oci://a b/c:1",
        "oci://localhost:5000/UPPER:1",
    ] {
        let address = format!("{address}#sha256={}", "0".repeat(64));
        let add = laid.doorlist(["add", &address, "-C", LOOP]);
        add.exit(1)
            .stderr_has("expected oci://HOST/NAME:TAG or oci://HOST/NAME@sha256:")
            .call();
    }
}
