//! How long a remote model is waited for, how much of it is read, and how often it is asked again.

use std::time::Duration;

/// The limits of one put-back of a remote model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RemoteLimits {
    /// Until there is a connection.
    pub connect: Duration,
    /// From the request to the first byte of the answer: a large model reads a long page for minutes.
    pub first_byte: Duration,
    /// Between two pieces of the answer.
    pub between: Duration,
    /// For one whole answer.
    pub whole: Duration,
    /// Bytes of one answer, as they come over the wire.
    pub bytes: usize,
    /// How often it is asked again after a connection that failed, or a status that says "later".
    pub again: u32,
    /// How often it is asked again after an answer that broke off.
    pub after_broken: u32,
    /// The first wait before it is asked again; each further one is twice as long, by chance up to a half
    /// shorter.
    pub wait: Duration,
    /// The longest single wait, also where the server asks for one.
    pub longest_wait: Duration,
    /// All waits together.
    pub all_waits: Duration,
}

impl Default for RemoteLimits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            // What the providers' own libraries wait for an answer.
            first_byte: Duration::from_secs(600),
            between: Duration::from_secs(120),
            whole: Duration::from_secs(3_600),
            // Four million tokens: more than any model says at once.
            bytes: 16 << 20,
            again: 5,
            after_broken: 2,
            wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(60),
            all_waits: Duration::from_secs(180),
        }
    }
}

/// After the label that ends an answer, what may still come is the count of tokens: it is not waited
/// for longer than this.
pub(super) const AFTER_THE_END: Duration = Duration::from_secs(5);
