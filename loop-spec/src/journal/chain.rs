//! The running checksum of a journal, which writes and checks one line after the other.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{Damage, Unwritable, format};
use crate::{Entry, Payload, RECORD_VERSION, Record, Stamped};

/// How far a journal has come: the sequence of its next record and the checksum of its last line.
///
/// ```
/// use loop_spec::{Entry, Payload, Stamped, journal::Chain};
/// let payload = Payload::of(&serde_json::json!({})).unwrap();
/// let entry = Entry { kind: "started".into(), payload };
/// let mut text = Vec::new();
/// Chain::start("r1").write(&[Stamped { time: 5, entry }], &mut text).unwrap();
/// assert!(text.starts_with(br#"{"v":1,"seq":0,"time":5,"kind":"started","payload":{},"sum":""#));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    next: u64,
    sum: Sum,
    /// Lines still to come of the batch that the last line belongs to.
    more: u64,
}

impl Chain {
    /// The beginning of the journal of the run with the id `run`.
    #[must_use]
    pub fn start(run: &str) -> Self {
        Self {
            next: 0,
            sum: Sum::of(FIRST, run.as_bytes()),
            more: 0,
        }
    }

    /// The sequence of the next record, which is the number of records so far.
    #[must_use]
    pub fn next(&self) -> u64 {
        self.next
    }

    /// The bytes with which the text so far ends; nothing for an empty journal.
    #[must_use]
    pub fn ending(&self) -> Vec<u8> {
        match self.next {
            0 => Vec::new(),
            _ => format!("{SUM_KEY}{}{SUM_END}\n", self.sum).into_bytes(),
        }
    }

    /// Adds `batch` to `out`, a line each, and moves on behind it.
    ///
    /// # Errors
    /// An entry that could not be read back. The chain and `out` are then as they were.
    pub fn write(&mut self, batch: &[Stamped], out: &mut Vec<u8>) -> Result<(), Unwritable> {
        Unwritable::check(batch)?;
        for (stamped, more) in batch.iter().zip((0..batch.len() as u64).rev()) {
            self.write_line(stamped, more, out);
        }
        Ok(())
    }

    /// Checks the next line, given without its newline, and moves on behind it.
    ///
    /// # Errors
    /// The line does not follow from those before it. The chain is then as it was.
    pub fn read(&mut self, line: &[u8]) -> Result<Record, Damage> {
        self.check_version(line)?;
        let (body, found) =
            split(line).ok_or_else(|| self.shape("a record with its checksum", line))?;
        let expected = Sum::of(&self.sum.0, body);
        if found != expected.to_string().as_bytes() {
            return Err(Damage::Checksum {
                line: self.line(),
                expected: expected.to_string(),
                found: excerpt(found),
            });
        }
        let parsed: Line = serde_json::from_slice(line)
            .map_err(|error| self.shape(&format!("a record ({error})"), line))?;
        self.check_place(&parsed, line)?;
        (self.next, self.sum, self.more) = (self.next + 1, expected, parsed.more);
        Ok(parsed.into())
    }

    /// Whether the last line is the last of its batch, so that the text may end here.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.more == 0
    }

    /// The number of the line that comes next, from 1.
    pub(super) fn line(&self) -> u64 {
        self.next + 1
    }

    fn write_line(&mut self, stamped: &Stamped, more: u64, out: &mut Vec<u8>) {
        let start = out.len();
        let line = LineRef {
            v: RECORD_VERSION,
            seq: self.next,
            time: stamped.time,
            more,
            kind: &stamped.entry.kind,
            payload: &stamped.entry.payload,
        };
        format::write(&line, out).expect("a Vec takes every byte, and JSON's keys are texts");
        // The checksum goes in front of the record's closing brace.
        out.pop();
        self.sum = Sum::of(&self.sum.0, &out[start..]);
        self.next += 1;
        self.more = more;
        out.extend_from_slice(&self.ending());
    }

    /// A later version may have another shape and another checksum, so it is looked at first.
    fn check_version(&self, line: &[u8]) -> Result<(), Damage> {
        let digits = line.strip_prefix(b"{\"v\":").unwrap_or_default();
        let end = digits.iter().take_while(|b| b.is_ascii_digit()).count();
        let version = std::str::from_utf8(&digits[..end])
            .ok()
            .and_then(|v| v.parse().ok());
        match version {
            Some(found) if found > u64::from(RECORD_VERSION) => Err(Damage::Version {
                line: self.line(),
                found,
                known: RECORD_VERSION,
            }),
            _ => Ok(()),
        }
    }

    fn check_place(&self, parsed: &Line, line: &[u8]) -> Result<(), Damage> {
        if parsed.v != RECORD_VERSION {
            return Err(self.shape(&format!("version {RECORD_VERSION}"), line));
        }
        if parsed.seq != self.next {
            return Err(self.shape(&format!("sequence {}", self.next), line));
        }
        if self.more > 0 && parsed.more != self.more - 1 {
            return Err(self.shape(
                &format!("the batch's next line (more: {})", self.more - 1),
                line,
            ));
        }
        Ok(())
    }

    fn shape(&self, expected: &str, found: &[u8]) -> Damage {
        Damage::Shape {
            line: self.line(),
            expected: expected.to_owned(),
            found: excerpt(found),
        }
    }
}

/// A line's checksum: the first 16 bytes of a SHA-256.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sum([u8; 16]);

impl Sum {
    fn of(previous: &[u8], body: &[u8]) -> Self {
        let whole = Sha256::new()
            .chain_update(previous)
            .chain_update(body)
            .finalize();
        let mut sum = [0; 16];
        sum.copy_from_slice(&whole[..16]);
        Self(sum)
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[derive(Serialize)]
struct LineRef<'a> {
    v: u16,
    seq: u64,
    time: u64,
    #[serde(skip_serializing_if = "is_zero")]
    more: u64,
    kind: &'a str,
    payload: &'a Payload,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    v: u16,
    seq: u64,
    time: u64,
    #[serde(default)]
    more: u64,
    kind: String,
    payload: Payload,
    #[serde(rename = "sum")]
    _sum: String,
}

impl From<Line> for Record {
    fn from(line: Line) -> Self {
        Self {
            v: line.v,
            seq: line.seq,
            time: line.time,
            entry: Entry {
                kind: line.kind,
                payload: line.payload,
            },
        }
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The bytes that the checksum covers, and the 32 digits; `None` if the line does not end so.
fn split(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.strip_suffix(SUM_END.as_bytes())?;
    let (rest, sum) = line.split_at_checked(line.len().checked_sub(SUM_DIGITS)?)?;
    Some((rest.strip_suffix(SUM_KEY.as_bytes())?, sum))
}

/// The beginning of a line for a message, on one line whatever stands in it.
fn excerpt(line: &[u8]) -> String {
    let shown = &line[..line.len().min(EXCERPT)];
    let dots = if line.len() > EXCERPT { "…" } else { "" };
    format!("`{}`{dots}", shown.escape_ascii())
}

/// What the first line's checksum follows, before the run's id.
const FIRST: &[u8] = b"doorlist journal of the run ";
const SUM_KEY: &str = ",\"sum\":\"";
const SUM_END: &str = "\"}";
/// Two hexadecimal digits a byte of [`Sum`].
const SUM_DIGITS: usize = 32;
/// Bytes of a damaged line that a message shows: enough to find it, few enough for one line.
const EXCERPT: usize = 60;
