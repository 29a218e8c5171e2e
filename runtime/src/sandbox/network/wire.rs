//! One door's requests on their way: to a granted host, at an address that was looked at, and back.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HOST, RANGE};
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, Uri};
use http_body_util::BodyExt as _;
use hyper::client::conn::http1;
use loop_spec::policy::{Host, HostGrant, Origin, SecretPlace};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_util::task::AbortOnDropHandle;
use wasmtime_wasi_http::io::TokioIo;
use wasmtime_wasi_http::{Error, RequestOptions, Result, WasiBody};

use super::address::is_public;
use super::body::{Received, Sent};
use super::resolver::Resolver;
use crate::grants::{Grants, Masks, Secrets};
use crate::tls::client_config;

/// What the requests of one opening share.
pub(super) struct Wire {
    hosts: Vec<HostGrant>,
    secrets: Secrets,
    resolver: Arc<dyn Resolver>,
    connections: Arc<Semaphore>,
    /// Bytes of bodies that may still be sent and received.
    left: AtomicU64,
    over: AtomicBool,
}

/// An answer, and the rest of its connection's life.
pub(super) type Answer = (
    Response<WasiBody>,
    Box<dyn Future<Output = Result<()>> + Send>,
);

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

impl Wire {
    pub(super) fn new(grants: &Grants, limit: u64, resolver: Arc<dyn Resolver>) -> Self {
        Self {
            hosts: grants.hosts.clone(),
            secrets: grants.secrets.clone(),
            resolver,
            connections: Arc::new(Semaphore::new(CONNECTIONS)),
            left: AtomicU64::new(limit),
            over: AtomicBool::new(false),
        }
    }

    pub(super) fn masks(&self) -> &Masks {
        self.secrets.masks()
    }

    pub(super) fn grants(&self, origin: &Origin) -> bool {
        self.hosts.iter().any(|host| host.fits(origin))
    }

    /// Whether more was sent and received than may be.
    pub(super) fn is_over(&self) -> bool {
        // Nothing else is to be seen in an order with it.
        self.over.load(Ordering::Relaxed)
    }

    /// Counts bytes of a body.
    pub(super) fn count(&self, bytes: usize) -> Result<()> {
        let less = |left: u64| left.checked_sub(bytes as u64);
        let counted = (self.left).fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        counted.map(drop).map_err(|_| {
            self.over.store(true, Ordering::Relaxed);
            Error::HttpResponseBodySize(None)
        })
    }

    /// Hides the secrets in the values of headers.
    pub(super) fn hide_in(&self, headers: &mut HeaderMap) {
        if self.masks().is_empty() {
            return;
        }
        for value in headers.values_mut() {
            let mut bytes = value.as_bytes().to_vec();
            self.masks().hide(&mut bytes);
            if let Ok(hidden) = HeaderValue::from_bytes(&bytes) {
                *value = hidden;
            }
        }
    }

    /// Sends a request to `origin`, which is granted, and waits for its answer's headers.
    pub(super) async fn send(
        self: Arc<Self>,
        origin: Origin,
        request: Request<WasiBody>,
        options: RequestOptions,
    ) -> Result<Answer> {
        let place = Arc::clone(&self.connections)
            .try_acquire_owned()
            .map_err(|_| Error::ConnectionLimitReached)?;
        let request = self.complete(&origin, request)?;
        let connecting = within(options.connect_timeout, self.connect(&origin)).await;
        let stream = connecting.ok_or(Error::ConnectionTimeout)??;
        let mut builder = http1::Builder::new();
        builder.max_buf_size(HEADERS).max_headers(MOST_HEADERS);
        let (mut sender, connection) = builder.handshake(TokioIo::new(stream)).await?;
        let connection = AbortOnDropHandle::new(tokio::spawn(connection));
        let answering = within(options.first_byte_timeout, sender.send_request(request)).await;
        let answer = answering.ok_or(Error::ConnectionReadTimeout)??;
        let (mut parts, body) = answer.into_parts();
        if !self.masks().is_empty() && is_encoded(&parts.headers) {
            // What is packed cannot be looked through.
            return Err(Error::HttpResponseContentCoding(None));
        }
        self.hide_in(&mut parts.headers);
        let body = Received::new(body, self, options.between_bytes_timeout);
        let rest = async move {
            let _place = place;
            match connection.await {
                Ok(ended) => ended.map_err(Error::from),
                Err(error) => Err(Error::InternalError(Some(error.to_string()))),
            }
        };
        let answer = Response::from_parts(parts, body.boxed_unsync());
        Ok((answer, Box::new(rest)))
    }

    /// The request as it goes out: with the host and the secrets that are the host's to write.
    fn complete(
        self: &Arc<Self>,
        origin: &Origin,
        request: Request<WasiBody>,
    ) -> Result<Request<Sent>> {
        let (mut parts, body) = request.into_parts();
        let invalid = |_| Error::HttpRequestUriInvalid;
        let authority =
            HeaderValue::try_from(origin.authority()).map_err(|_| Error::HttpRequestUriInvalid)?;
        parts.headers.insert(HOST, authority);
        if !self.masks().is_empty() {
            // Neither packed nor in parts that are each less than the secret.
            parts.headers.remove(ACCEPT_ENCODING);
            parts.headers.remove(RANGE);
        }
        let path = parts.uri.path_and_query().map_or("/", PathAndQuery::as_str);
        let mut path = match path.starts_with('?') {
            true => format!("/{path}"),
            false => path.to_owned(),
        };
        for secret in self.secrets.of(origin) {
            match &secret.put {
                SecretPlace::Header { name, prefix } => {
                    let value = format!("{prefix}{}", secret.value.reveal());
                    let mut value =
                        HeaderValue::try_from(value).map_err(|_| Error::ConfigurationError)?;
                    value.set_sensitive(true);
                    let name = HeaderName::try_from(name.as_str());
                    parts
                        .headers
                        .insert(name.map_err(|_| Error::ConfigurationError)?, value);
                }
                SecretPlace::Query { name } => {
                    path.push(if path.contains('?') { '&' } else { '?' });
                    let name = utf8_percent_encode(name, NON_ALPHANUMERIC);
                    path.push_str(&format!("{name}={}", secret.value.in_query()));
                }
            }
        }
        parts.uri = Uri::builder()
            .path_and_query(path)
            .build()
            .map_err(invalid)?;
        let wire = Arc::clone(self);
        Ok(Request::from_parts(parts, Sent { body, wire }))
    }

    async fn connect(&self, origin: &Origin) -> Result<Box<dyn Stream>> {
        let addresses = self.addresses(origin).await?;
        let stream = TcpStream::connect(&*addresses)
            .await
            .map_err(Error::Connect)?;
        if !origin.tls() {
            return Ok(Box::new(stream));
        }
        let name = match origin.host() {
            Host::Address(address) => ServerName::from(*address),
            Host::Name(name) => {
                ServerName::try_from(name.clone()).map_err(|_| Error::HttpRequestUriInvalid)?
            }
        };
        let config = spawn_blocking(client_config).await;
        let config = config.map_err(|error| Error::InternalError(Some(error.to_string())))?;
        let stream = TlsConnector::from(config).connect(name, stream).await;
        Ok(Box::new(stream.map_err(of_tls)?))
    }

    /// Where `origin` may be connected to.
    async fn addresses(&self, origin: &Origin) -> Result<Vec<SocketAddr>> {
        let found = match origin.host() {
            Host::Address(address) => vec![*address],
            Host::Name(_) if origin.is_this_machine() => THIS_MACHINE.to_vec(),
            Host::Name(name) => {
                let resolved = self.resolver.resolve(name).await;
                resolved.map_err(|error| Error::DnsError {
                    rcode: Some(error.to_string()),
                    info_code: None,
                })?
            }
        };
        let nothing = found.is_empty();
        // What is not for everybody must be named itself, with the same scheme and port.
        let may = |address: &IpAddr| {
            is_public(*address)
                || origin.is_this_machine() && address.is_loopback()
                || self.grants(&origin.at(*address))
        };
        let port = |address| SocketAddr::new(address, origin.port());
        let allowed: Vec<_> = found.into_iter().filter(may).map(port).collect();
        match allowed.is_empty() {
            false => Ok(allowed),
            true if nothing => Err(Error::DestinationNotFound),
            true => Err(Error::DestinationIpProhibited),
        }
    }
}

async fn within<T>(limit: Option<Duration>, work: impl Future<Output = T>) -> Option<T> {
    match limit {
        Some(limit) => timeout(limit, work).await.ok(),
        None => Some(work.await),
    }
}

fn is_encoded(headers: &HeaderMap) -> bool {
    let mut encodings = headers.get_all(CONTENT_ENCODING).iter();
    encodings.any(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity"))
}

fn of_tls(error: std::io::Error) -> Error {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    match inner {
        Some(rustls::Error::InvalidCertificate(_)) => Error::TlsCertificateError,
        _ => Error::Tls(error),
    }
}

const THIS_MACHINE: [IpAddr; 2] = [
    IpAddr::V4(Ipv4Addr::LOCALHOST),
    IpAddr::V6(Ipv6Addr::LOCALHOST),
];

/// Requests of one opening at the same time.
const CONNECTIONS: usize = 16;

/// Bytes that the headers of an answer take, and how many there are: four times what servers take.
const HEADERS: usize = 64 << 10;
const MOST_HEADERS: usize = 100;
