//! `cases.jsonl`, and one line of it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// One call, and what must come of it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Case {
    /// The function, or the whole name of the door.
    pub call: String,
    /// The arguments, an object; none if left out.
    #[serde(default = "no_arguments")]
    pub args: Box<RawValue>,
    /// What it must return.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub want: Option<Box<RawValue>>,
    /// What it must say instead: its own error as JSON, or the text of an observation.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub error: Option<Box<RawValue>>,
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
    /// That it says this instead: JSON.
    Error(&'a str),
}

impl Wanted<'_> {
    /// Whether this is what was wanted of a door that failed and said `text`: a text as it stands, or
    /// the JSON of an error that is more than a text.
    #[must_use]
    pub fn is_error(self, text: &str) -> bool {
        let Self::Error(want) = self else {
            return false;
        };
        let Ok(want) = serde_json::from_str::<Value>(want) else {
            return false;
        };
        let said = serde_json::from_str::<Value>(text).ok();
        want.as_str() == Some(text)
            || said.is_some_and(|said| loop_spec::canonical(&said) == loop_spec::canonical(&want))
    }
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
    /// A case from what a door was opened with and what came of it: `args` and `want` are JSON, `error`
    /// is what it said.
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
            error: error
                .map(|error| serde_json::value::to_raw_value(&error))
                .transpose()?,
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
            (_, Some(error)) => Wanted::Error(error.get()),
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
    let mut case: Case = serde_json::from_str(text).map_err(|error| {
        // The line is the file's; what the parser counts is within it.
        let (said, column) = (error.to_string(), error.column());
        match said.strip_suffix(&format!(" at line 1 column {column}")) {
            Some(said) => format!("column {column}: {said}"),
            None => said,
        }
    })?;
    case.line = at;
    match (&case.want, &case.error) {
        (Some(_), None) | (None, Some(_)) => Ok(case),
        (None, None) => Err("found neither".to_owned()),
        (Some(_), Some(_)) => Err("found both".to_owned()),
    }
}

fn no_arguments() -> Box<RawValue> {
    RawValue::from_string("{}".to_owned()).expect("an empty object is JSON")
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
                "column 32: unknown field `wnat`",
            ),
            ("milk", "column 1: expected value"),
        ] {
            let error = line(text, 1).unwrap_err();
            assert!(error.starts_with(problem), "{error}");
        }
        let case = line("{\"call\": \"a\", \"args\": {}, \"want\": null}", 1).unwrap();
        assert_eq!(case.wanted(), Wanted::Value("null"));
        let case = line("{\"call\": \"a\", \"want\": 1}", 1).unwrap();
        assert_eq!(case.args.get(), "{}");
    }

    #[test]
    fn an_error_is_its_text_or_its_json() {
        for (wanted, said) in [
            ("\"not there\"", "not there"),
            ("\"nobody\"", "\"nobody\""),
            ("\"nobody\"", "nobody"),
            ("{\"too-much\": 1000000}", "{\"too-much\":1000000}"),
            ("\"{\\\"too-much\\\":1}\"", "{\"too-much\":1}"),
            ("7", "7"),
        ] {
            let text = format!("{{\"call\": \"a\", \"error\": {wanted}}}");
            let case = line(&text, 1).unwrap();
            assert!(case.wanted().is_error(said), "{wanted} and {said}");
            assert!(!case.wanted().is_error("other"), "{wanted}");
        }
    }
}
