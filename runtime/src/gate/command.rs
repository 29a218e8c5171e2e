//! A command: its arguments on standard input, what it says on standard output.

use bytes::Bytes;
use loop_spec::loop_machine::Outcome;
use wasmtime::component::Val;

use super::outcome::of_fault;
use crate::doors::Said;
use crate::sandbox::{Fault, Printed};

/// What the command reads: its arguments as one line of JSON.
pub(super) fn input(values: &[Val]) -> Bytes {
    match values {
        [Val::String(arguments)] => format!("{arguments}\n").into(),
        _ => Bytes::new(),
    }
}

/// What it came to. A program ends by returning or by exiting, and either with a success or a failure,
/// which is the door's own error: what it wrote to standard output, else to standard error.
pub(super) fn said(
    outcome: Result<Vec<Val>, Fault>,
    answer: &Printed,
    printed: &Printed,
) -> Result<Said, Outcome> {
    let succeeded = match outcome {
        Ok(values) if matches!(values[..], [Val::Result(Ok(_))]) => true,
        Ok(_) => false,
        Err(Fault::Exit { code }) => code == 0,
        Err(fault) => return Err(of_fault(fault)),
    };
    let text = answer.text().map_err(|error| Outcome::Unsayable {
        what: format!("what it wrote to standard output is not UTF-8: {error}"),
    })?;
    if succeeded {
        return Ok(Said::Text(text));
    }
    let text = match (text.as_str(), printed.to_string()) {
        ("", said) if said.trim().is_empty() => SILENT.to_owned(),
        ("", said) => said.trim_end().to_owned(),
        _ => text,
    };
    Ok(Said::DoorError(text))
}

/// WASI 0.2 has one exit code for every failure, so there is none to tell.
const SILENT: &str = "the program failed and said nothing";
