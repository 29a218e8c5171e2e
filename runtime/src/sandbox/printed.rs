//! What a door prints: kept for the trace up to a limit, never shown to the model.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use async_trait::async_trait;
use bytes::Bytes;
use tokio::io::AsyncWrite;
use wasmtime_wasi::cli::{IsTerminal, StdoutStream};
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamResult};

/// What one opening wrote to its standard output and its standard error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// The first bytes of standard output.
    pub stdout: Vec<u8>,
    /// The first bytes of standard error.
    pub stderr: Vec<u8>,
    /// Bytes of both that were beyond [`Limits::printed`](super::Limits::printed) and dropped.
    pub cut: u64,
}

/// Where an opening's streams write to. Clones share what was written.
#[derive(Clone)]
pub(super) struct Sink {
    printed: Arc<Mutex<Printed>>,
    limit: usize,
}

/// One of the two streams of a sink.
#[derive(Clone)]
pub(super) struct Stream {
    sink: Sink,
    of: fn(&mut Printed) -> &mut Vec<u8>,
}

impl Sink {
    pub(super) fn new(limit: usize) -> Self {
        Self { printed: Arc::default(), limit }
    }

    pub(super) fn stdout(&self) -> Stream {
        Stream { sink: self.clone(), of: |printed| &mut printed.stdout }
    }

    pub(super) fn stderr(&self) -> Stream {
        Stream { sink: self.clone(), of: |printed| &mut printed.stderr }
    }

    /// Takes what was printed so far.
    pub(super) fn take(&self) -> Printed {
        std::mem::take(&mut self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Printed> {
        // A panic while bytes were appended leaves bytes: there is nothing to mistrust.
        self.printed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stream {
    fn keep(&self, bytes: &[u8]) {
        let mut printed = self.sink.lock();
        let kept = (self.of)(&mut printed);
        let room = self.sink.limit.saturating_sub(kept.len()).min(bytes.len());
        kept.extend_from_slice(&bytes[..room]);
        printed.cut += (bytes.len() - room) as u64;
    }
}

impl IsTerminal for Stream {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for Stream {
    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(self.clone())
    }

    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }
}

#[async_trait]
impl OutputStream for Stream {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.keep(&bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(PERMIT)
    }
}

#[async_trait]
impl Pollable for Stream {
    async fn ready(&mut self) {}
}

impl AsyncWrite for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        self.keep(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// Bytes a guest may write at once: what its runtime buffers by, and a bound on what writing
/// zeroes allocates.
const PERMIT: usize = 64 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stream_keeps_its_first_bytes_and_the_rest_is_counted() {
        let sink = Sink::new(4);
        sink.stdout().keep(b"mi");
        sink.stderr().keep(b"eggs!");
        sink.stdout().keep(b"lk and more");
        let printed = sink.take();
        assert_eq!(printed.stdout, b"milk");
        assert_eq!(printed.stderr, b"eggs");
        assert_eq!(printed.cut, 1 + 9);
        assert_eq!(sink.take(), Printed::default());
    }
}
