//! Answers from a file. It fails on answers that are missing and on answers that are not used.

use async_trait::async_trait;
use loop_spec::{Answer, Page, notation};

use super::{Decision, Listener, Model, ModelError};

/// Gives the n-th answer of its script at the n-th put-back.
///
/// Which answer comes follows from the put-back alone, so a resumed run goes on at the right place.
#[derive(Clone, Debug)]
pub struct ScriptModel {
    /// What it is called where a model is named: `script:` and the file.
    name: String,
    file: String,
    answers: Vec<Answer>,
}

/// A script that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{name}, {source}")]
pub struct ScriptError {
    /// The script's name.
    pub name: String,
    /// The line that is no answer.
    pub source: notation::NotAnAnswer,
}

impl ScriptModel {
    /// A model of the script `text`, which is called `file`, in the notation of [`loop_spec::notation`].
    ///
    /// # Errors
    /// When a line is no answer.
    pub fn new(file: impl Into<String>, text: &str) -> Result<Self, ScriptError> {
        let file = file.into();
        match notation::script(text) {
            Ok(answers) => Ok(Self {
                name: format!("script:{file}"),
                file,
                answers,
            }),
            Err(source) => Err(ScriptError { name: file, source }),
        }
    }
}

#[async_trait]
impl Model for ScriptModel {
    fn name(&self) -> &str {
        &self.name
    }

    async fn decide(
        &mut self,
        put_back: u32,
        _page: &Page<'_>,
        _listener: &mut dyn Listener,
    ) -> Result<Decision, ModelError> {
        match self.answers.get(put_back as usize - 1) {
            Some(answer) => Ok(Decision::free(answer.clone())),
            None => Err(ModelError::new(format!(
                "{}: expected an answer for put-back {put_back}, found {} in the script",
                self.file,
                self.answers.len()
            ))),
        }
    }

    fn finish(&self, put_backs: u32) -> Result<(), ModelError> {
        let unused = self.answers.len().saturating_sub(put_backs as usize);
        if unused == 0 {
            return Ok(());
        }
        Err(ModelError::new(format!(
            "{}: {} of {} answers were not used",
            self.file,
            unused,
            self.answers.len()
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Deaf;
    use super::*;
    use loop_spec::Language;

    #[tokio::test]
    async fn missing_and_unused_answers_are_errors() {
        let page = Page::new("top", "line", "", Language::En);
        let mut script = ScriptModel::new("answers.txt", "a.b\nclose Done.").unwrap();
        let second = script.decide(2, &page, &mut Deaf).await.unwrap();
        assert_eq!(second.answer, Answer::Close("Done.".to_owned()));
        let third = script.decide(3, &page, &mut Deaf).await.unwrap_err();
        assert_eq!(
            third.to_string(),
            "answers.txt: expected an answer for put-back 3, found 2 in the script"
        );
        assert!(script.finish(2).is_ok());
        let unused = script.finish(1).unwrap_err();
        assert_eq!(
            unused.to_string(),
            "answers.txt: 1 of 2 answers were not used"
        );
        let bad = ScriptModel::new("answers.txt", "\n& a.b").unwrap_err();
        assert!(
            bad.to_string().starts_with("answers.txt, line 2: "),
            "{bad}"
        );
    }
}
