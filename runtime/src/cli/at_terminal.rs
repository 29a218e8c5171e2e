//! The person at the terminal, who is asked questions that only a person may answer.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};

use async_trait::async_trait;
use doorlist::driver::HostError;
use doorlist::loop_run::Doorkeeper;
use loop_spec::frame;
use loop_spec::loop_machine::{Asked, Nod};
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader};

/// Asks whoever types into `reader` and reads `writer`.
pub(crate) struct AtTerminal<R, W> {
    reader: R,
    writer: W,
}

/// The person's terminal, if there is one on both sides: a question that is piped into a file is
/// seen by nobody, and an answer that is piped in is nobody's.
pub(crate) fn at_terminal()
-> Option<AtTerminal<impl AsyncBufRead + Unpin + Send, impl AsyncWrite + Unpin + Send>> {
    let is_there = io::stdin().is_terminal() && io::stderr().is_terminal();
    is_there.then(|| AtTerminal {
        reader: BufReader::new(tokio::io::stdin()),
        writer: tokio::io::stderr(),
    })
}

impl<R, W> AtTerminal<R, W>
where
    R: AsyncBufRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send,
{
    /// What the person answers to a yes-or-no question; `None` when they leave it open.
    pub(crate) async fn yes_or_no(&mut self, question: &str) -> io::Result<Option<bool>> {
        loop {
            self.writer.write_all(question.as_bytes()).await?;
            self.writer.flush().await?;
            let mut line = String::new();
            self.reader.read_line(&mut line).await?;
            match line.trim().to_ascii_lowercase().as_str() {
                "y" | "yes" => return Ok(Some(true)),
                "n" | "no" => return Ok(Some(false)),
                "" => return Ok(None),
                _ => {}
            }
        }
    }

    /// What the person says of a door that must be asked first.
    pub(crate) async fn nod(&mut self, asked: &Asked) -> io::Result<Option<Nod>> {
        let question = format!(
            "{}May it open, this once? [y]es, [n]o, or Enter to leave it for later: ",
            shown(asked)
        );
        let answer = self.yes_or_no(&question).await?;
        Ok(answer.map(|yes| if yes { Nod::Given } else { Nod::Denied }))
    }
}

#[async_trait]
impl<R, W> Doorkeeper for AtTerminal<R, W>
where
    R: AsyncBufRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send,
{
    async fn nod(&mut self, asked: &Asked) -> Result<Option<Nod>, HostError> {
        self.nod(asked).await.map_err(|source| HostError {
            doing: "asking at the terminal".to_owned(),
            source: source.into(),
        })
    }
}

/// What a nod would be for: the door, its arguments whole, and the bytes that would run.
pub(crate) fn shown(asked: &Asked) -> String {
    let mut shown = format!(
        "{} must be asked first. It would be opened with\n",
        asked.door
    );
    for line in spread(&asked.arguments).lines() {
        for (index, part) in folded(&frame::visible(line)).into_iter().enumerate() {
            let mark = if index == 0 { "  " } else { FOLD };
            // Writing to a string cannot fail.
            let _ = writeln!(shown, "{mark}{part}");
        }
    }
    let _ = writeln!(shown, "  ({})", asked.component);
    shown
}

/// Canonical arguments; those that are longer than a line on a line for each value, so that none
/// hides at the end.
fn spread(arguments: &str) -> String {
    if arguments.len() <= WIDTH {
        return arguments.to_owned();
    }
    let json = serde_json::from_str::<serde_json::Value>(arguments);
    // Canonical arguments are JSON; whatever they are, they are shown.
    json.and_then(|json| serde_json::to_string_pretty(&json))
        .unwrap_or_else(|_| arguments.to_owned())
}

/// A line in parts that fit a terminal. Nothing is left out.
fn folded(line: &str) -> Vec<String> {
    let characters: Vec<char> = line.chars().collect();
    if characters.is_empty() {
        return vec![String::new()];
    }
    characters
        .chunks(WIDTH)
        .map(|part| part.iter().collect())
        .collect()
}

/// Characters of a line; a terminal of 80 columns holds it with its mark.
const WIDTH: usize = 76;
/// Before each part of a line but the first: the line goes on.
const FOLD: &str = "  \u{21b3} ";

#[cfg(test)]
mod tests {
    use super::*;
    use loop_spec::{CallId, Digest};

    fn asked() -> Asked {
        Asked {
            call: CallId {
                put_back: 2,
                place: 1,
            },
            door: "shopping.checkout".to_owned(),
            component: Digest::of("bytes"),
            interface: Digest::of("interface"),
            arguments: "{\"card\":\"\u{202e}4111\"}".to_owned(),
            expires: u64::MAX,
        }
    }

    #[tokio::test]
    async fn a20_only_a_plain_yes_is_a_nod() {
        for (typed, nod) in [
            ("y\n", Some(Nod::Given)),
            ("YES\n", Some(Nod::Given)),
            ("n\n", Some(Nod::Denied)),
            ("\n", None),
            ("", None),
            ("sure\nok\nyes please\nno\n", Some(Nod::Denied)),
        ] {
            let mut shown = Vec::new();
            let mut terminal = AtTerminal {
                reader: typed.as_bytes(),
                writer: &mut shown,
            };
            assert_eq!(terminal.nod(&asked()).await.unwrap(), nod, "{typed:?}");
        }
    }

    #[tokio::test]
    async fn a20_the_person_sees_the_whole_arguments_and_nothing_hides_in_them() {
        let mut written = Vec::new();
        let mut terminal = AtTerminal {
            reader: &b"n\n"[..],
            writer: &mut written,
        };
        terminal.nod(&asked()).await.unwrap();
        let written = String::from_utf8(written).unwrap();
        assert!(
            written.contains("shopping.checkout must be asked first"),
            "{written}"
        );
        assert!(
            written.contains("\\u{202e}4111") && !written.contains('\u{202e}'),
            "{written}"
        );
    }

    #[test]
    fn a20_long_arguments_are_folded_and_never_cut() {
        let long = "ab".repeat(5_000);
        let mut asked = asked();
        asked.arguments = format!("{{\"a\":1,\"text\":\"{long}\",\"z\":[true]}}");
        let shown = shown(&asked);
        assert!(
            shown.lines().all(|line| line.chars().count() <= 80),
            "{shown}"
        );
        let joined: String = shown.replace(&format!("\n{FOLD}"), "");
        assert!(joined.contains(&long) && joined.contains("true"), "{shown}");
    }
}
