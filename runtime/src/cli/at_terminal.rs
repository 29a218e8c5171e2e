//! The person at the terminal, who is asked questions that only a person may answer.

use std::io::{self, IsTerminal as _};

use async_trait::async_trait;
use doorlist::driver::HostError;
use doorlist::loop_run::Doorkeeper;
use loop_spec::loop_machine::{Asked, Nod};
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader};

/// Asks whoever types into `reader` and reads `writer`.
pub(crate) struct AtTerminal<R, W> {
    reader: R,
    writer: W,
    /// Throws away what was typed before a question stood there: it is not its answer.
    forget: fn() -> io::Result<()>,
}

/// The person's terminal, if there is one on both sides: a question that is piped into a file is
/// seen by nobody, and an answer that is piped in is nobody's.
pub(crate) fn at_terminal()
-> Option<AtTerminal<impl AsyncBufRead + Unpin + Send, impl AsyncWrite + Unpin + Send>> {
    is_there().then(|| AtTerminal {
        reader: BufReader::new(tokio::io::stdin()),
        writer: tokio::io::stderr(),
        forget: forget_typed,
    })
}

pub(crate) fn is_there() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Throws away what was typed and is not read.
pub(crate) fn forget_typed() -> io::Result<()> {
    #[cfg(unix)]
    rustix::termios::tcflush(io::stdin(), rustix::termios::QueueSelector::IFlush)?;
    Ok(())
}

/// What a line answers to a yes-or-no question, `Some(None)` when it leaves it open; `None` when it
/// must be asked again.
#[expect(clippy::option_option, reason = "an open answer is an answer")]
pub(crate) fn understood(line: &str) -> Option<Option<bool>> {
    match line.trim().to_ascii_lowercase().as_str() {
        "y" | "yes" => Some(Some(true)),
        "n" | "no" => Some(Some(false)),
        "" => Some(None),
        _ => None,
    }
}

impl<R, W> AtTerminal<R, W>
where
    R: AsyncBufRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send,
{
    /// What the person answers to a yes-or-no question; `None` when they leave it open.
    pub(crate) async fn yes_or_no(&mut self, question: &str) -> io::Result<Option<bool>> {
        loop {
            (self.forget)()?;
            self.write(question).await?;
            let mut line = String::new();
            self.reader.read_line(&mut line).await?;
            if let Some(answer) = understood(&line) {
                return Ok(answer);
            }
        }
    }

    async fn write(&mut self, text: &str) -> io::Result<()> {
        self.writer.write_all(text.as_bytes()).await?;
        self.writer.flush().await
    }

    /// What the person says of a door that must be asked first.
    pub(crate) async fn nod(&mut self, asked: &Asked) -> io::Result<Option<Nod>> {
        self.write(&asked.shown()).await?;
        let answer = self.yes_or_no(NOD).await?;
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

/// How a person is asked whether a door may open.
pub(crate) const NOD: &str =
    "May it open, this once? [y]es, [n]o, or Enter to leave it for later: ";

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
            tainted_by: None,
            hooked: None,
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
                forget: || Ok(()),
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
            forget: || Ok(()),
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
}
