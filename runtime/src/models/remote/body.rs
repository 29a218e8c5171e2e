//! The body of an answer, piece by piece: bounded in size and time, with the key hidden.

use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, TryStreamExt as _, stream};
use reqwest::Response;
use tokio::time::{Instant, timeout_at};

use super::RemoteLimits;
use crate::grants::{MaskedStream, Masks};

/// Why a body ended before its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Cut {
    #[error("expected an answer of at most {most} bytes, found more")]
    TooLarge { most: usize },
    #[error("the answer fell silent for {after:?}")]
    Silent { after: Duration },
    #[error("expected a whole answer within {within:?}, found none")]
    TooLong { within: Duration },
    #[error("the connection broke: {what}")]
    Broken { what: String },
}

/// The pieces of `response` as they come.
pub(super) fn pieces(
    response: Response,
    limits: &RemoteLimits,
    masks: &Masks,
) -> impl Stream<Item = Result<Bytes, Cut>> + Send + use<> {
    let begun = Reading {
        end: Instant::now() + limits.whole,
        left: limits.bytes,
        stream: Some(MaskedStream::new(masks.clone())),
        limits: limits.clone(),
        response,
    };
    stream::try_unfold(begun, |mut reading| async move {
        Ok(reading.next().await?.map(|piece| (piece, reading)))
    })
}

/// All of `response`, joined.
pub(super) async fn whole(
    response: Response,
    limits: &RemoteLimits,
    masks: &Masks,
) -> Result<Vec<u8>, Cut> {
    let pieces = pieces(response, limits, masks);
    let join = |mut all: Vec<u8>, piece: Bytes| async move {
        all.extend_from_slice(&piece);
        Ok(all)
    };
    pieces.try_fold(Vec::new(), join).await
}

struct Reading {
    response: Response,
    limits: RemoteLimits,
    end: Instant,
    left: usize,
    stream: Option<MaskedStream>,
}

impl Reading {
    async fn next(&mut self) -> Result<Option<Bytes>, Cut> {
        let Some(stream) = &mut self.stream else {
            return Ok(None);
        };
        let next = (Instant::now() + self.limits.between).min(self.end);
        let Ok(came) = timeout_at(next, self.response.chunk()).await else {
            return Err(match next == self.end {
                true => Cut::TooLong {
                    within: self.limits.whole,
                },
                false => Cut::Silent {
                    after: self.limits.between,
                },
            });
        };
        let came = came.map_err(|error| Cut::Broken {
            what: super::http::told(error),
        })?;
        let Some(piece) = came else {
            let rest = stream.rest();
            self.stream = None;
            return Ok(Some(rest));
        };
        let most = self.limits.bytes;
        let left = self.left.checked_sub(piece.len());
        self.left = left.ok_or(Cut::TooLarge { most })?;
        Ok(Some(stream.push(piece)))
    }
}
