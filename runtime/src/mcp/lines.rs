//! A client over a pair of streams, a message a line. The SDK passes over a line that is no JSON, so
//! that is answered here, before the SDK sees it.

use std::io;
use std::sync::Arc;

use serde::de::IgnoredAny;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::sync::Mutex;

use super::DoorServer;

/// Serves one client until it hangs up.
///
/// # Errors
/// The client has not begun as the protocol wants it, or a stream failed.
pub async fn serve_lines(
    server: DoorServer,
    from: impl AsyncRead + Send + Unpin + 'static,
    to: impl AsyncWrite + Send + Unpin + 'static,
) -> io::Result<()> {
    let (ours, sdk) = tokio::io::duplex(HELD);
    let (answers, messages) = tokio::io::split(ours);
    let to = Arc::new(Mutex::new(to));
    let reading = tokio::spawn(take(from, messages, Arc::clone(&to)));
    let answering = tokio::spawn(give(answers, to));
    let served = match rmcp::serve_server(server, tokio::io::split(sdk)).await {
        Ok(serving) => serving.waiting().await.map(drop).map_err(io::Error::other),
        Err(error) => Err(io::Error::other(error)),
    };
    // What was answered last is written out; a client that says nothing more is not waited for.
    let answered = answering.await.map_err(io::Error::other)?;
    reading.abort();
    served.and(answered)
}

/// Hands messages on, and answers what is none.
async fn take(
    from: impl AsyncRead + Unpin,
    mut messages: impl AsyncWrite + Unpin,
    to: Arc<Mutex<impl AsyncWrite + Unpin>>,
) -> io::Result<()> {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line).await? > 0 {
        let is_json = serde_json::from_slice::<IgnoredAny>(&line).is_ok();
        if is_json || line.trim_ascii().is_empty() {
            messages.write_all(&line).await?;
        } else {
            write(&to, NOT_JSON).await?;
        }
        line.clear();
    }
    messages.shutdown().await
}

/// Writes the answers of the SDK out, each as a whole.
async fn give(
    answers: impl AsyncRead + Unpin,
    to: Arc<Mutex<impl AsyncWrite + Unpin>>,
) -> io::Result<()> {
    let mut answers = BufReader::new(answers);
    let mut line = Vec::new();
    while answers.read_until(b'\n', &mut line).await? > 0 {
        write(&to, &line).await?;
        line.clear();
    }
    Ok(())
}

async fn write(to: &Mutex<impl AsyncWrite + Unpin>, line: &[u8]) -> io::Result<()> {
    let mut to = to.lock().await;
    to.write_all(line).await?;
    to.flush().await
}

/// Bytes between the streams and the SDK, each way.
const HELD: usize = 64 << 10;

const NOT_JSON: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"expected a line of JSON\"}}\n";
