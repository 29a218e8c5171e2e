//! The person at the terminal decides.

use async_trait::async_trait;
use loop_spec::{Answer, Page, notation};
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncWrite, AsyncWriteExt as _};

use super::{Decision, Listener, Model, ModelError};

/// Shows the page and reads an answer in the notation of [`loop_spec::notation`].
pub struct PersonModel<R, W> {
    reader: R,
    writer: W,
    /// The page as the person has seen it.
    shown: String,
}

impl<R, W> PersonModel<R, W> {
    /// A person who types into `reader` and reads `writer`.
    pub fn new(reader: R, writer: W) -> Self {
        Self {
            reader,
            writer,
            shown: String::new(),
        }
    }
}

#[async_trait]
impl<R, W> Model for PersonModel<R, W>
where
    R: AsyncBufRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send,
{
    fn name(&self) -> &str {
        "person"
    }

    async fn decide(
        &mut self,
        put_back: u32,
        page: &Page<'_>,
        _listener: &mut dyn Listener,
    ) -> Result<Decision, ModelError> {
        let failed = |error: std::io::Error| ModelError::new(format!("the terminal: {error}"));
        let page = page.to_string();
        // Each page goes on where the last one ended, unless loop.txt was edited.
        let news = page.strip_prefix(self.shown.as_str()).unwrap_or(&page);
        self.write(news).await.map_err(failed)?;
        self.shown = page;
        loop {
            self.write(&format!("{put_back}> ")).await.map_err(failed)?;
            let mut line = String::new();
            if self.reader.read_line(&mut line).await.map_err(failed)? == 0 {
                return Err(ModelError::new(
                    "the person went away before there was an answer",
                ));
            }
            match one_answer(&line) {
                Ok(Some(answer)) => return Ok(Decision::free(answer)),
                Ok(None) => {}
                Err(why) => self.write(&format!("{why}\n")).await.map_err(failed)?,
            }
        }
    }
}

impl<R, W: AsyncWrite + Unpin> PersonModel<R, W> {
    async fn write(&mut self, text: &str) -> std::io::Result<()> {
        self.writer.write_all(text.as_bytes()).await?;
        self.writer.flush().await
    }
}

/// The answer on a line. ` & ` stands between several names.
fn one_answer(line: &str) -> Result<Option<Answer>, String> {
    let script = if line.trim_start().starts_with("close") {
        line.to_owned()
    } else {
        line.replace(" & ", "\n& ")
    };
    let mut answers = notation::script(&script)
        .map_err(|error| format!("{}; found `{}`", error.expected, error.found))?;
    Ok(answers.pop())
}

#[cfg(test)]
mod tests {
    use super::super::Deaf;
    use super::*;
    use loop_spec::{Call, Language};

    #[tokio::test]
    async fn a_person_sees_the_page_and_is_asked_until_there_is_an_answer() {
        let typed: &[u8] = b"\n{}\na.b {\"x\": 1} & c.d\nclose Bye & thanks.\n";
        let mut shown = Vec::new();
        let mut person = PersonModel::new(typed, &mut shown);
        let page = Page::new("top", "line", "", Language::En);
        let first = person.decide(1, &page, &mut Deaf).await.unwrap();
        let call = |name: &str, arguments: &str| Call::new(name, arguments);
        let calls = vec![call("a.b", "{\"x\": 1}"), call("c.d", "{}")];
        assert_eq!(
            first.answer,
            Answer::Names {
                calls,
                remark: None
            }
        );
        let page = Page::new("top", "line", "more\n", Language::En);
        let second = person.decide(2, &page, &mut Deaf).await.unwrap();
        assert_eq!(second.answer, Answer::Close("Bye & thanks.".to_owned()));
        let page = Page::new(
            "edited, and longer than it was",
            "line",
            "more\n",
            Language::En,
        );
        assert!(
            person.decide(3, &page, &mut Deaf).await.is_err(),
            "the input has ended"
        );
        let shown = String::from_utf8(shown).unwrap();
        assert!(
            shown.starts_with("top\n") && shown.contains("1> `close TEXT`"),
            "{shown}"
        );
        assert!(
            shown.contains("1> more\n2> "),
            "only the news of the second page: {shown}"
        );
        assert!(
            shown.contains("2> edited, and longer than it was\n"),
            "an edited page is shown whole: {shown}"
        );
    }
}
