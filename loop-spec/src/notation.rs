//! Answers as people write them: in a script file and at the terminal.
//!
//! ```text
//! # a line that begins with # is the writer's
//! ~ a remark beside the names that follow
//! fridge.count {"items": ["milk", "eggs"]}
//! & shopping.add {"item": "milk"}      # `&`: one more name of the same answer
//! close Milk is on the list.
//! ```
//!
//! A line is an answer; `&` adds a name to the answer above it. A close may go on over lines that
//! begin with `|`. A name without arguments has `{}`.

use crate::{Answer, Call};

/// Reads a whole script: one answer after the other.
///
/// # Errors
/// When a line is no answer, naming the line.
///
/// ```
/// let answers = loop_spec::notation::script("fridge.count {\"items\": [\"milk\"]}\nclose Done.\n")?;
/// assert_eq!(answers.len(), 2);
/// # Ok::<(), loop_spec::notation::NotAnAnswer>(())
/// ```
pub fn script(text: &str) -> Result<Vec<Answer>, NotAnAnswer> {
    let mut script = Script::default();
    for (number, line) in (1..).zip(text.lines()) {
        script.line(number, line.trim())?;
    }
    script.finish()
}

/// A line that is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {expected}; found `{found}`")]
pub struct NotAnAnswer {
    /// The line, from 1.
    pub line: usize,
    /// What could have stood there.
    pub expected: &'static str,
    /// What stands there.
    pub found: String,
}

#[derive(Default)]
struct Script {
    answers: Vec<Answer>,
    remark: Option<(usize, String)>,
}

impl Script {
    fn line(&mut self, number: usize, line: &str) -> Result<(), NotAnAnswer> {
        let refuse = |expected| NotAnAnswer {
            line: number,
            expected,
            found: line.to_owned(),
        };
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        if let Some(text) = line.strip_prefix('~') {
            let remark = &mut self.remark.get_or_insert((number, String::new())).1;
            push_line(remark, text.trim());
        } else if let Some(more) = line.strip_prefix('&') {
            let Some(Answer::Names { calls, .. }) = self.answers.last_mut() else {
                return Err(refuse(
                    "`&` adds a name to the answer above it, which must be a name",
                ));
            };
            calls.push(call(more.trim()).ok_or_else(|| refuse("a name with a JSON object"))?);
        } else if let Some(more) = line.strip_prefix('|') {
            let Some(Answer::Close(text)) = self.answers.last_mut() else {
                return Err(refuse("`|` goes on with the close above it"));
            };
            push_line(text, more.trim());
        } else if let Some(text) = close(line) {
            self.no_remark("a remark stands before a name; a close is a remark of its own")?;
            self.answers.push(Answer::Close(text.to_owned()));
        } else {
            let expected =
                "`close TEXT`, or a name with a JSON object: `fridge.count {\"items\": []}`";
            let call = call(line).ok_or_else(|| refuse(expected))?;
            let remark = self.remark.take().map(|(_, remark)| remark);
            self.answers.push(Answer::Names {
                calls: vec![call],
                remark,
            });
        }
        Ok(())
    }

    fn no_remark(&self, expected: &'static str) -> Result<(), NotAnAnswer> {
        match &self.remark {
            None => Ok(()),
            Some((line, remark)) => Err(NotAnAnswer {
                line: *line,
                expected,
                found: format!("~ {remark}"),
            }),
        }
    }

    fn finish(self) -> Result<Vec<Answer>, NotAnAnswer> {
        self.no_remark("a remark stands before a name, and no name follows")?;
        Ok(self.answers)
    }
}

fn push_line(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}

fn close(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("close")?;
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim())
}

/// What follows the name is not read here: whether it fits is the door's interface to say.
fn call(line: &str) -> Option<Call> {
    let (name, arguments) = line.split_once(char::is_whitespace).unwrap_or((line, "{}"));
    (!name.is_empty() && !name.contains('{')).then(|| Call::new(name, arguments.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(calls: &[(&str, &str)], remark: Option<&str>) -> Answer {
        Answer::Names {
            calls: calls
                .iter()
                .map(|(name, arguments)| Call::new(*name, *arguments))
                .collect(),
            remark: remark.map(str::to_owned),
        }
    }

    #[test]
    fn every_form_of_an_answer_is_read() {
        let text = "# mine\n\n~ first look\na.b {\"x\": 1}\n& c.d\nclose\nclose All\n| done.\n";
        let expected = vec![
            names(&[("a.b", "{\"x\": 1}"), ("c.d", "{}")], Some("first look")),
            Answer::Close(String::new()),
            Answer::Close("All\ndone.".to_owned()),
        ];
        assert_eq!(script(text).unwrap(), expected);
    }

    #[test]
    fn a_line_that_is_no_answer_is_named() {
        for (text, line) in [
            ("close x\n& a.b {}", 2),
            ("| more", 1),
            ("{\"x\": 1}", 1),
            ("~ lost", 1),
            ("~ lost\nclose x", 1),
        ] {
            assert_eq!(script(text).unwrap_err().line, line, "{text}");
        }
    }
}
