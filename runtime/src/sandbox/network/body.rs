//! Bodies on their way out and in: counted, and with the secrets hidden in what comes back.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use tokio::time::{Sleep, sleep};
use wasmtime_wasi_http::{Error, Result, WasiBody};

use super::wire::Wire;
use crate::grants::MaskedStream;

/// A request's body.
pub(super) struct Sent {
    pub(super) body: WasiBody,
    pub(super) wire: Arc<Wire>,
}

/// An answer's body.
pub(super) struct Received<B> {
    body: B,
    wire: Arc<Wire>,
    masked: MaskedStream,
    /// Trailers that wait until what was held back is through.
    last: Option<Frame<Bytes>>,
    ended: bool,
    patience: Option<(Duration, Pin<Box<Sleep>>)>,
}

impl<B> Received<B> {
    /// `patience` is the longest time between two pieces.
    pub(super) fn new(body: B, wire: Arc<Wire>, patience: Option<Duration>) -> Self {
        Self {
            masked: MaskedStream::new(wire.masks().clone()),
            body,
            wire,
            last: None,
            ended: false,
            patience: patience.map(|time| (time, Box::pin(sleep(time)))),
        }
    }
}

impl Body for Sent {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        let Some(Ok(frame)) = frame else {
            return Poll::Ready(frame);
        };
        let length = frame.data_ref().map_or(0, Bytes::len);
        let counted = self.wire.count(length);
        Poll::Ready(Some(counted.map(|()| frame)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<B: Body<Data = Bytes, Error = hyper::Error> + Unpin> Body for Received<B> {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>>>> {
        let this = &mut *self;
        if this.ended {
            return Poll::Ready(this.last.take().map(Ok));
        }
        let frame = match Pin::new(&mut this.body).poll_frame(cx) {
            Poll::Ready(frame) => frame.transpose()?,
            Poll::Pending => {
                let Some((_, sleep)) = &mut this.patience else {
                    return Poll::Pending;
                };
                ready!(sleep.as_mut().poll(cx));
                return Poll::Ready(Some(Err(Error::ConnectionReadTimeout)));
            }
        };
        if let Some((time, sleep)) = &mut this.patience {
            sleep.set(tokio::time::sleep(*time));
        }
        let through = match frame.map(Frame::into_data) {
            Some(Ok(data)) => {
                this.wire.count(data.len())?;
                this.masked.push(data)
            }
            other => {
                this.ended = true;
                // What is no data is trailers, and they are the end.
                if let Some(Err(mut trailers)) = other {
                    if let Some(headers) = trailers.trailers_mut() {
                        this.wire.hide_in(headers);
                    }
                    this.last = Some(trailers);
                }
                let rest = this.masked.rest();
                if rest.is_empty() {
                    return Poll::Ready(this.last.take().map(Ok));
                }
                rest
            }
        };
        Poll::Ready(Some(Ok(Frame::data(through))))
    }
}
