//! What a door prints: kept for the trace, up to a limit.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use tokio::io::AsyncWrite;
use wasmtime_wasi::cli::{IsTerminal, StdoutStream};
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamResult};

/// What a door printed to standard output and standard error, in the order in which it came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    bytes: Vec<u8>,
    /// Bytes that came after the limit and were dropped.
    dropped: u64,
}

impl Printed {
    /// The text, without the line feed at its end; bytes that were dropped are said.
    ///
    /// # Errors
    /// It is no UTF-8. A character that the limit cut in two is left out instead.
    pub fn text(&self) -> Result<String, std::str::Utf8Error> {
        let text = match std::str::from_utf8(&self.bytes) {
            Err(error) if self.dropped > 0 && error.error_len().is_none() => {
                std::str::from_utf8(&self.bytes[..error.valid_up_to()])?
            }
            read => read?,
        };
        let text = text.strip_suffix('\n').unwrap_or(text);
        Ok(
            match self.bytes.len() - text.len()
                + usize::try_from(self.dropped).unwrap_or(usize::MAX)
            {
                cut if self.dropped > 0 => format!("{text}[… {cut} bytes cut …]"),
                _ => text.to_owned(),
            },
        )
    }
}

/// As text; bytes that are no UTF-8 are replaced, and what was dropped is said.
impl fmt::Display for Printed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.bytes))?;
        if self.dropped > 0 {
            write!(f, "[… {} bytes cut …]", self.dropped)?;
        }
        Ok(())
    }
}

/// Where a door prints to. A flood is taken and dropped: it neither grows nor stops anything.
#[derive(Clone, Debug)]
pub(super) struct Printer {
    printed: Arc<Mutex<Printed>>,
    limit: usize,
}

impl Printer {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            printed: Arc::default(),
            limit,
        }
    }

    pub(super) fn take(&self) -> Printed {
        std::mem::take(&mut *self.printed.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn print(&self, bytes: &[u8]) {
        let mut printed = self.printed.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = bytes.len().min(self.limit - printed.bytes.len());
        printed.bytes.extend_from_slice(&bytes[..kept]);
        printed.dropped += (bytes.len() - kept) as u64;
    }

    /// Whether nothing more is kept.
    pub(super) fn is_full(&self) -> bool {
        let printed = self.printed.lock().unwrap_or_else(PoisonError::into_inner);
        printed.bytes.len() == self.limit
    }

    /// Counts bytes that come when it is full.
    pub(super) fn count_dropped(&self, bytes: usize) {
        let mut printed = self.printed.lock().unwrap_or_else(PoisonError::into_inner);
        printed.dropped += bytes as u64;
    }
}

impl IsTerminal for Printer {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for Printer {
    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(tokio::io::sink())
    }

    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }
}

#[async_trait::async_trait]
impl Pollable for Printer {
    async fn ready(&mut self) {}
}

impl OutputStream for Printer {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.print(&bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(WRITE_AT_ONCE)
    }
}

/// Bytes that a guest may write in one call.
const WRITE_AT_ONCE: usize = 64 << 10;
