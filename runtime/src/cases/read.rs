//! `cases.jsonl`, and one line of it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

/// One call, and what must come of it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Case {
    /// The function, or the whole name of the door.
    pub call: String,
    /// The arguments, an object.
    pub args: Box<RawValue>,
    /// What it must return.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub want: Option<Box<RawValue>>,
    /// What it must say instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Where its clock stands, in microseconds since the Unix epoch.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub time: u64,
    /// The seed of its random numbers.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub seed: u64,
    /// The line it stands on, from 1.
    #[serde(skip)]
    pub line: usize,
}

/// What a case wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted<'a> {
    /// That the door returns this JSON.
    Value(&'a str),
    /// That it says this instead.
    Error(&'a str),
}

/// Why cases cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "each field is in the message of its variant")]
pub enum CasesError {
    /// The file cannot be read.
    #[error("{}: expected cases, one a line; it cannot be read: {source}", file.display())]
    Read { file: PathBuf, source: io::Error },
    /// A line is no case.
    #[error(
        "{}, line {line}: expected {{\"call\": …, \"args\": {{…}}, \"want\": …}}, or \"error\" in \
         the place of \"want\"; {problem}",
        file.display()
    )]
    Line {
        file: PathBuf,
        line: usize,
        problem: String,
    },
    /// There is no case in it.
    #[error("{}: expected cases, one a line, found none", file.display())]
    Empty { file: PathBuf },
}

impl Case {
    /// A case from what a door was opened with and what came of it, as JSON texts.
    ///
    /// # Errors
    /// When a text is no JSON.
    pub fn new(
        call: &str,
        args: &str,
        want: Option<String>,
        error: Option<String>,
    ) -> serde_json::Result<Self> {
        Ok(Self {
            call: call.to_owned(),
            args: RawValue::from_string(args.to_owned())?,
            want: want.map(RawValue::from_string).transpose()?,
            error,
            time: 0,
            seed: 0,
            line: 0,
        })
    }

    /// The same with this clock, in microseconds since the Unix epoch, and this seed.
    #[must_use]
    pub fn at(self, time: u64, seed: u64) -> Self {
        Self { time, seed, ..self }
    }

    /// What must come of it.
    #[must_use]
    pub fn wanted(&self) -> Wanted<'_> {
        match (&self.want, &self.error) {
            (_, Some(error)) => Wanted::Error(error),
            (want, None) => Wanted::Value(want.as_ref().map_or("null", |want| want.get())),
        }
    }
}

/// The cases of a file.
///
/// # Errors
/// When it cannot be read, has none, or a line of it is none.
pub fn read(file: &Path) -> Result<Vec<Case>, CasesError> {
    let text = fs::read_to_string(file).map_err(|source| CasesError::Read {
        file: file.to_owned(),
        source,
    })?;
    let lines = text.lines().enumerate();
    let cases = lines.filter(|(_, text)| !text.trim().is_empty());
    let cases: Vec<Case> = cases
        .map(|(at, text)| {
            line(text, at + 1).map_err(|problem| CasesError::Line {
                file: file.to_owned(),
                line: at + 1,
                problem,
            })
        })
        .collect::<Result<_, _>>()?;
    match cases.is_empty() {
        true => Err(CasesError::Empty {
            file: file.to_owned(),
        }),
        false => Ok(cases),
    }
}

fn line(text: &str, at: usize) -> Result<Case, String> {
    let mut case: Case = serde_json::from_str(text).map_err(|error| error.to_string())?;
    case.line = at;
    match (&case.want, &case.error) {
        (Some(_), None) | (None, Some(_)) => Ok(case),
        (None, None) => Err("found neither".to_owned()),
        (Some(_), Some(_)) => Err("found both".to_owned()),
    }
}

/// A value that is there, `null` too.
fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Deserialize::deserialize(from).map(Some)
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_one_thing() {
        for (text, problem) in [
            ("{\"call\": \"a\", \"args\": {}}", "found neither"),
            (
                "{\"call\": \"a\", \"args\": {}, \"want\": 1, \"error\": \"b\"}",
                "found both",
            ),
            (
                "{\"call\": \"a\", \"args\": {}, \"wnat\": 1}",
                "unknown field `wnat`",
            ),
            ("milk", "expected value"),
        ] {
            let error = line(text, 1).unwrap_err();
            assert!(error.starts_with(problem), "{error}");
        }
        let case = line("{\"call\": \"a\", \"args\": {}, \"want\": null}", 1).unwrap();
        assert_eq!(case.wanted(), Wanted::Value("null"));
    }
}
