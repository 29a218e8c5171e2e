//! A server on this machine that keeps what it was asked.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

/// Answers each connection's one request, and ends with this.
pub(crate) struct Server {
    pub(crate) port: u16,
    seen: Arc<Mutex<Vec<String>>>,
    task: JoinHandle<()>,
}

/// From the request to the pieces of the answer; after the last the connection is closed.
type Answer = dyn Fn(&str) -> Vec<Vec<u8>> + Send + Sync;

impl Server {
    pub(crate) async fn new(answer: impl Fn(&str) -> Vec<Vec<u8>> + Send + Sync + 'static) -> Self {
        Self::with(None, answer).await
    }

    /// One that is spoken to through TLS, if there is an acceptor.
    pub(crate) async fn with(
        tls: Option<TlsAcceptor>,
        answer: impl Fn(&str) -> Vec<Vec<u8>> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (seen, answer): (Arc<Mutex<Vec<String>>>, Arc<Answer>) =
            (Arc::default(), Arc::new(answer));
        let task = tokio::spawn({
            let seen = Arc::clone(&seen);
            async move {
                while let Ok((stream, _)) = listener.accept().await {
                    let (seen, answer) = (Arc::clone(&seen), Arc::clone(&answer));
                    let tls = tls.clone();
                    tokio::spawn(async move {
                        match tls {
                            None => talk(stream, &seen, &*answer).await,
                            Some(tls) => {
                                if let Ok(stream) = tls.accept(stream).await {
                                    talk(stream, &seen, &*answer).await;
                                }
                            }
                        }
                    });
                }
            }
        });
        Self { port, seen, task }
    }

    /// Answers everything with the same text.
    pub(crate) async fn saying(text: &'static str) -> Self {
        Self::new(move |_| vec![said(text)]).await
    }

    pub(crate) fn authority(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// All that came, as it came.
    pub(crate) fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// An answer with `body`.
pub(crate) fn said(body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{body}").into_bytes()
}

async fn talk(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    seen: &Mutex<Vec<String>>,
    answer: &Answer,
) {
    let Some(request) = request(&mut stream).await else {
        return;
    };
    seen.lock().unwrap().push(request.clone());
    for piece in answer(&request) {
        // An empty piece keeps the other side waiting for ever.
        if piece.is_empty() {
            std::future::pending::<()>().await;
        }
        if stream.write_all(&piece).await.is_err() {
            return;
        }
        stream.flush().await.unwrap();
        tokio::task::yield_now().await;
    }
    let _ = stream.shutdown().await;
}

/// Headers, and a body whose end its own headers tell.
async fn request(stream: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    let mut text = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let read = stream.read(&mut buffer).await.ok()?;
        text.extend_from_slice(&buffer[..read]);
        if text.first() == Some(&TLS) {
            return None;
        }
        let shown = String::from_utf8_lossy(&text).into_owned();
        if let Some((head, body)) = shown.split_once("\r\n\r\n") {
            let chunked = head.to_lowercase().contains("transfer-encoding: chunked");
            if !chunked || body.ends_with("0\r\n\r\n") {
                return Some(shown);
            }
        }
        if read == 0 {
            return None;
        }
    }
}

/// The first byte of who wants to speak TLS.
const TLS: u8 = 0x16;
