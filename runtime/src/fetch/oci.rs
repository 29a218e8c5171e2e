//! A component from an OCI registry.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use oci_client::client::{ClientConfig, ClientProtocol};
use oci_client::manifest::OciDescriptor;
use oci_client::secrets::RegistryAuth;
use oci_client::{Client, Reference};
use tokio::io::AsyncWrite;

use super::{CONNECT, FetchError, Fetched, READ, whole};
use crate::Artifact;
use crate::doors::LARGEST_FILE;

/// What is at `oci://HOST/NAME:TAG` or `oci://HOST/NAME@sha256:…`: the one layer of WebAssembly of an
/// artifact. With a digest behind `@` the manifest is the one of that digest, and with it the layer.
///
/// A registry of this machine is spoken to without TLS, every other one with it. Nobody is logged in.
///
/// # Errors
/// It cannot be had, has no such layer, is too large, or is not what its digest says.
pub async fn fetch_oci(address: &str) -> Result<Fetched, FetchError> {
    let reference = reference(address)?;
    let failed = |error: &dyn std::error::Error| FetchError::Failed {
        address: address.to_owned(),
        what: whole(error),
    };
    // The registry's client takes the one that the process has.
    let _ = tokio_rustls::rustls::crypto::ring::default_provider().install_default();
    let registry = reference.resolve_registry().to_owned();
    let host = registry
        .rsplit_once(':')
        .map_or(&*registry, |(host, _)| host);
    let protocol = match host {
        "localhost" | "127.0.0.1" | "[::1]" => ClientProtocol::HttpsExcept(vec![registry.clone()]),
        _ => ClientProtocol::Https,
    };
    let config = ClientConfig {
        protocol,
        user_agent: concat!("doorlist/", env!("CARGO_PKG_VERSION")),
        connect_timeout: Some(CONNECT),
        read_timeout: Some(READ),
        ..ClientConfig::default()
    };
    let client = Client::try_from(config).map_err(|error| failed(&error))?;
    let (manifest, _) = client
        .pull_image_manifest(&reference, &RegistryAuth::Anonymous)
        .await
        .map_err(|error| failed(&error))?;
    let layer = layer(&manifest.layers).map_err(|what| FetchError::Failed {
        address: address.to_owned(),
        what,
    })?;
    let too_large = || FetchError::TooLarge {
        address: address.to_owned(),
    };
    if u64::try_from(layer.size).is_ok_and(|size| size > LARGEST_FILE) {
        return Err(too_large());
    }
    let mut bytes = Bounded::default();
    let pulled = client.pull_blob(&reference, layer, &mut bytes).await;
    match pulled {
        Err(_) if bytes.overflowed => Err(too_large()),
        Err(error) => Err(failed(&error)),
        Ok(()) => Ok(Fetched {
            component: Artifact::new(bytes.bytes),
            from: address.to_owned(),
        }),
    }
}

/// Whether an address says itself which bytes it stands for.
#[must_use]
pub fn is_pinned(address: &str) -> bool {
    reference(address).is_ok_and(|reference| reference.digest().is_some())
}

/// What the component of an address is called: `tally` of `oci://localhost:5000/doors/tally:1.0`.
#[must_use]
pub fn stem(address: &str) -> Option<String> {
    let reference = reference(address).ok()?;
    let name = reference.repository().rsplit('/').next()?;
    Some(name.to_owned())
}

fn reference(address: &str) -> Result<Reference, FetchError> {
    let wrong = |why: String| FetchError::Reference {
        address: address.to_owned(),
        why,
    };
    let text = address
        .strip_prefix(SCHEME)
        .ok_or_else(|| wrong("no oci://".to_owned()))?;
    let reference: Reference = text.parse().map_err(|error| wrong(format!("{error}")))?;
    // Without a host it would be one that nobody named.
    match text.split('/').next() {
        Some(host) if host == reference.registry() => Ok(reference),
        _ => Err(wrong("no host of a registry".to_owned())),
    }
}

fn layer(layers: &[OciDescriptor]) -> Result<&OciDescriptor, String> {
    let mut fitting = layers
        .iter()
        .filter(|layer| WASM.contains(&&*layer.media_type));
    match (fitting.next(), fitting.next()) {
        (Some(layer), None) => Ok(layer),
        _ => {
            let found: Vec<&str> = layers.iter().map(|layer| &*layer.media_type).collect();
            let found = match found.is_empty() {
                true => "none".to_owned(),
                false => found.join(", "),
            };
            Err(format!("expected one layer of {}, found {found}", WASM[0]))
        }
    }
}

/// Takes no more than a component may have.
#[derive(Default)]
struct Bounded {
    bytes: Vec<u8>,
    overflowed: bool,
}

impl AsyncWrite for Bounded {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        more: &[u8],
    ) -> Poll<io::Result<usize>> {
        if (self.bytes.len() + more.len()) as u64 > LARGEST_FILE {
            self.overflowed = true;
            return Poll::Ready(Err(io::Error::other("it is too large")));
        }
        self.bytes.extend_from_slice(more);
        Poll::Ready(Ok(more.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// How an address of a registry begins.
pub const SCHEME: &str = "oci://";
/// What a layer of WebAssembly is called, by the format for it and by those before it.
const WASM: [&str; 2] = [
    "application/wasm",
    "application/vnd.wasm.content.layer.v1+wasm",
];
