//! What the prose of a `loop.txt` says that its header does not.

use std::collections::BTreeSet;

use super::LoopText;

impl LoopText {
    /// Places where the prose contradicts the header: a door that is not listed, a cap that is
    /// another. `doors` are the doors that the folder has. Warnings: prose is for the model to read,
    /// and the header decides.
    ///
    /// ```
    /// use loop_spec::LoopText;
    /// let text = "+++\nlist = [\"a.b\"]\n+++\nUse a.b and c.d, in at most 5 put-backs.\n";
    /// let doubts = LoopText::parse(text)?.doubts(&["a.b", "c.d"]);
    /// assert_eq!(doubts, [
    ///     "the goal names `c.d`, which is not on the list: naming it is answered \"not on the list.\"",
    ///     "the goal speaks of 5 put-backs, and `put-backs` is 8",
    /// ]);
    /// # Ok::<(), loop_spec::LoopTextError>(())
    /// ```
    #[must_use]
    pub fn doubts(&self, doors: &[&str]) -> Vec<String> {
        let stems: BTreeSet<&str> = doors
            .iter()
            .copied()
            .chain(self.list().iter().map(String::as_str))
            .map(super::stem)
            .collect();
        let words: Vec<&str> = self
            .prose()
            .split(|c: char| !is_name(c))
            .map(trim)
            .collect();
        let unlisted: BTreeSet<&str> = (words.iter().copied())
            .filter(|word| word.contains('.') && stems.contains(super::stem(word)))
            .filter(|word| !self.lists(word))
            .collect();
        let off_list = self.language().off_list();
        let names = unlisted.into_iter().map(|name| {
            format!("the goal names `{name}`, which is not on the list: naming it is answered \"{off_list}\"")
        });
        names.chain(self.other_cap(&words)).collect()
    }

    fn other_cap(&self, words: &[&str]) -> Option<String> {
        let words: Vec<&str> = words
            .iter()
            .copied()
            .filter(|word| !word.is_empty())
            .collect();
        let caps = words
            .windows(2)
            .filter(|two| PUT_BACKS.contains(&two[1].to_lowercase().as_str()));
        let cap = caps
            .filter_map(|two| two[0].parse::<u32>().ok())
            .find(|cap| *cap != self.put_backs().get())?;
        Some(format!(
            "the goal speaks of {cap} put-backs, and `put-backs` is {}",
            self.put_backs()
        ))
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_')
}

fn trim(word: &str) -> &str {
    word.trim_matches(['.', '-', '_'])
}

/// How a goal speaks of put-backs.
const PUT_BACKS: &[&str] = &["put-backs", "put-back", "rounds", "round", "turns", "turn"];
