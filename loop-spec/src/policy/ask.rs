//! `[ask]`: which doors wait for a person.

use std::time::Duration;

use serde::Deserialize;

use super::Pattern;
use crate::Place;

/// Which doors wait for a person, who may answer, and how long an ask stays open.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// The doors that wait, each with its place in the file.
    pub first: Vec<(Pattern, Place)>,
    /// How long an ask waits for its answer; after that the door stays closed.
    pub expires: Duration,
    /// Where an answer may come from.
    pub by: Vec<Approver>,
}

/// Where the answer to an ask may come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Approver {
    /// A person at the command line.
    Terminal,
    /// A person on Doorlist's own page.
    Page,
    /// An MCP client's own question to its user: what it says of that user is only its word.
    Client,
}

impl Default for Ask {
    fn default() -> Self {
        Self {
            first: Vec::new(),
            expires: DEFAULT_EXPIRES,
            by: DEFAULT_BY.to_vec(),
        }
    }
}

/// A person: what a client says of its user is only its word.
pub(super) const DEFAULT_BY: [Approver; 2] = [Approver::Terminal, Approver::Page];

/// A day: an ask made in the evening can be answered the next morning.
pub const DEFAULT_EXPIRES: Duration = Duration::from_secs(24 * 60 * 60);
