//! `loop.txt`: the list and the stops in a short header, then the goal in prose.

mod doubts;
mod error;
mod header;

use std::collections::BTreeSet;
use std::num::{NonZeroU32, NonZeroU64};

use crate::mended::{offset, without_entry};
use crate::{Digest, Language, Place};

pub use error::LoopTextError;
pub use header::KEYS;

/// A `loop.txt` that can be run.
///
/// ```
/// use loop_spec::LoopText;
/// let text = "+++\nlist = [\"fridge.count\"]\nput-backs = 4\n+++\nWhat is in the fridge?\n";
/// let parsed = LoopText::parse(text)?;
/// assert_eq!(parsed.put_backs().get(), 4);
/// assert_eq!(parsed.prose(), "What is in the fridge?");
/// let slip = text.replace("put-backs", "putbacks");
/// assert_eq!(
///     LoopText::parse(&slip).unwrap_err().to_string(),
///     "loop.txt, line 3, column 1: unknown key `putbacks`; did you mean `put-backs`?"
/// );
/// # Ok::<(), loop_spec::LoopTextError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopText {
    digest: Digest,
    prose: String,
    header: Header,
}

/// What the header says, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Header {
    list: Vec<String>,
    put_backs: NonZeroU32,
    same_failure: NonZeroU32,
    fuel: NonZeroU64,
    result: NonZeroU32,
    close: Option<String>,
    hooks: Option<String>,
    needs: Vec<String>,
    numbers_from_page: bool,
    model: Option<String>,
    language: Language,
    window: Window,
}

/// How much of a page a model takes, in tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// All that it takes.
    pub window: NonZeroU32,
    /// What is left free of it, for its answer and what comes of that.
    pub reserve: NonZeroU32,
    /// What stays as it is of the newest when what came before is summed up.
    pub keep: NonZeroU32,
}

impl Window {
    /// The tokens beyond which what came first is summed up.
    #[must_use]
    pub fn threshold(&self) -> u64 {
        u64::from(self.window.get().saturating_sub(self.reserve.get()))
    }
}

impl LoopText {
    /// Reads `loop.txt`.
    ///
    /// # Errors
    /// What is wrong, with line and column.
    pub fn parse(text: &str) -> Result<Self, LoopTextError> {
        let (toml, offset, prose) = split(text)?;
        let header = header::parse(text, toml, offset)?;
        let prose = prose.replace("\r\n", "\n").trim().to_owned();
        if prose.is_empty() {
            return Err(LoopTextError::NoGoal);
        }
        Ok(Self {
            digest: Digest::of(text),
            prose,
            header,
        })
    }

    /// All that is wrong with a `loop.txt`: after each fault, what else is wrong with the rest of it,
    /// as far as that can be read.
    #[must_use]
    pub fn faults(text: &str) -> Vec<LoopTextError> {
        let (mut text, mut faults) = (text.to_owned(), Vec::new());
        while let Err(fault) = Self::parse(&text) {
            // With a wrong list, nothing is known of the names on it.
            if fault == LoopTextError::NoList && !faults.is_empty() {
                break;
            }
            let rest = fault.place().and_then(|place| without(&text, place));
            faults.push(fault);
            let Some(rest) = rest else { break };
            text = rest;
        }
        faults
    }

    /// The digest of the whole file.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The goal, in the user's words.
    #[must_use]
    pub fn prose(&self) -> &str {
        &self.prose
    }

    /// The names that can be opened, in the order in which they stand in the file.
    #[must_use]
    pub fn list(&self) -> &[String] {
        &self.header.list
    }

    /// Whether `name` is on the list.
    #[must_use]
    pub fn lists(&self, name: &str) -> bool {
        self.header.list.iter().any(|listed| listed == name)
    }

    /// How many times the model may be put back.
    #[must_use]
    pub fn put_backs(&self) -> NonZeroU32 {
        self.header.put_backs
    }

    /// How many failures of one door with the same arguments stop the run.
    #[must_use]
    pub fn same_failure(&self) -> NonZeroU32 {
        self.header.same_failure
    }

    /// Fuel for the whole run, in units of wasmtime (about one a WebAssembly instruction).
    #[must_use]
    pub fn fuel(&self) -> NonZeroU64 {
        self.header.fuel
    }

    /// Bytes that are pasted of what one opening returned; its middle is left out beyond that.
    #[must_use]
    pub fn result(&self) -> usize {
        self.header.result.get() as usize
    }

    /// The component that is asked before and after each opening, and before the run ends, as a path
    /// in the loop's folder.
    #[must_use]
    pub fn hooks(&self) -> Option<&str> {
        self.header.hooks.as_deref()
    }

    /// The component that is asked whether a close stands, as a path in the loop's folder.
    #[must_use]
    pub fn close(&self) -> Option<&str> {
        self.header.close.as_deref()
    }

    /// Doors that every run must have opened well before a close.
    #[must_use]
    pub fn needs(&self) -> &[String] {
        &self.header.needs
    }

    /// Whether every number in a close must stand on the page.
    #[must_use]
    pub fn numbers_from_page(&self) -> bool {
        self.header.numbers_from_page
    }

    /// The model that the loop names, unless a flag or the environment names another.
    #[must_use]
    pub fn model(&self) -> Option<&str> {
        self.header.model.as_deref()
    }

    /// How much of a page the model takes.
    #[must_use]
    pub fn window(&self) -> Window {
        self.header.window
    }

    /// The language of what Doorlist itself says on the page.
    #[must_use]
    pub fn language(&self) -> Language {
        self.header.language
    }

    /// The file stems of the listed doors: `fridge` of `fridge.count`.
    #[must_use]
    pub fn stems(&self) -> BTreeSet<&str> {
        self.header.list.iter().map(|name| stem(name)).collect()
    }
}

/// The part of a door's name that names its file.
fn stem(name: &str) -> &str {
    name.split_once('.').map_or(name, |(stem, _)| stem)
}

/// The same text without the entry of its header that stands at `place`.
fn without(text: &str, place: Place) -> Option<String> {
    let (toml, begin, _) = split(text).ok()?;
    let at = offset(text, place)?.checked_sub(begin)?;
    let toml_end = begin + toml.len();
    let kept = without_entry(toml, at)?;
    Some([&text[..begin], &kept, &text[toml_end..]].concat())
}

/// The header's text, where it begins, and the prose.
fn split(text: &str) -> Result<(&str, usize, &str), LoopTextError> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (first, rest) = body.split_once('\n').unwrap_or((body, ""));
    if first.trim_end() != FENCE {
        return Err(LoopTextError::NoHeader {
            found: first.chars().take(SHOWN).collect(),
        });
    }
    let offset = text.len() - rest.len();
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        if line.trim_end() == FENCE {
            return Ok((&rest[..at], offset, &rest[at + line.len()..]));
        }
        at += line.len();
    }
    Err(LoopTextError::OpenHeader)
}

/// The line above and below the header.
const FENCE: &str = "+++";
/// How much of a wrong line or value an error shows, in characters.
const SHOWN: usize = 40;
/// Put-backs unless the header says otherwise (acceptance A6).
const PUT_BACKS: NonZeroU32 = NonZeroU32::new(8).unwrap();
/// Same failures unless the header says otherwise (acceptance A14).
const SAME_FAILURE: NonZeroU32 = NonZeroU32::new(3).unwrap();
/// Fuel of a run unless the header says otherwise: a thousand calls of a Python door.
const FUEL: NonZeroU64 = NonZeroU64::new(2_000_000_000).unwrap();
/// Bytes that are pasted of one result (acceptance C17): some 25,000 tokens; more would crowd everything
/// else off a page.
const RESULT: NonZeroU32 = NonZeroU32::new(100_000).unwrap();

/// Tokens of a model's window unless the header says otherwise: what most models of these years take.
const WINDOW: NonZeroU32 = NonZeroU32::new(128_000).unwrap();
/// Tokens left free (acceptance C20).
const RESERVE: NonZeroU32 = NonZeroU32::new(16_384).unwrap();
/// Tokens of the newest that stay as they are (acceptance C20).
const KEEP: NonZeroU32 = NonZeroU32::new(20_000).unwrap();

#[cfg(test)]
mod tests {
    use super::*;

    fn error(header: &str) -> String {
        LoopText::parse(&format!("+++\n{header}\n+++\nGoal.\n"))
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn every_fault_is_told_that_can_be_found() {
        let header =
            "lst = 1\nlist = [\"a.b\"]\nfuel = \"x\"\nneeds = [\"a.c\"]\nnumbers = \"all\"";
        let faults = LoopText::faults(&format!("+++\n{header}\n+++\nGoal.\n"));
        let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(told.len(), 4, "{told:#?}");
        for part in [
            "line 2, column 1: unknown key `lst`",
            "line 4, column 8: `fuel`",
            "line 5, column 10: `needs` names `a.c`",
            "line 6, column 11: `numbers`",
        ] {
            assert!(
                told.iter().any(|told| told.contains(part)),
                "{part}: {told:#?}"
            );
        }
        let faults = LoopText::faults("+++\nlist = 1\nfuel = 0\n+++\nGoal.\n");
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert_eq!(LoopText::faults("+++\nlist = []\n+++\nGoal.\n"), []);
    }

    #[test]
    fn a02_what_the_header_leaves_out_has_a_default() {
        let text = LoopText::parse("+++\nlist = []\n+++\nGoal.\n").unwrap();
        assert_eq!(
            (
                text.put_backs().get(),
                text.same_failure().get(),
                text.fuel().get()
            ),
            (8, 3, 2_000_000_000)
        );
        assert_eq!(
            (text.close(), text.model(), text.needs().len()),
            (None, None, 0)
        );
        assert_eq!(
            (text.numbers_from_page(), text.language()),
            (false, Language::En)
        );
    }

    #[test]
    fn the_whole_header_is_read_with_any_line_ends() {
        let text = "\u{feff}+++\r\nlist = [\"a.b\", \"c\"]\r\nput-backs = 2\r\nsame-failure = 1\r\n\
                    fuel = 5_000\r\nclose = \"doors/ok.wasm\"\r\nneeds = [\"a.b\"]\r\n\
                    numbers = \"from page\"\r\nmodel = \"person\"\r\nlanguage = \"zh\"\r\n+++\r\n\
                    One.\r\nTwo.\r\n";
        let text = LoopText::parse(text).unwrap();
        assert_eq!(text.prose(), "One.\nTwo.");
        assert_eq!(text.stems().into_iter().collect::<Vec<_>>(), ["a", "c"]);
        assert!(text.lists("c") && !text.lists("d") && text.numbers_from_page());
        assert_eq!(
            (text.close(), text.model()),
            (Some("doors/ok.wasm"), Some("person"))
        );
        assert_eq!(text.language(), Language::Zh);
    }

    #[test]
    fn each_fault_of_a_header_is_named_with_its_place() {
        for (header, message) in [
            ("put-backs = 2", "loop.txt: the header has no `list`"),
            (
                "list = [\"a\"]\nlist = []",
                "line 3, column 1: duplicate key",
            ),
            (
                "list = \"a\"",
                "line 2, column 8: `list` is `\"a\"`, expected doors' names: `[\"fridge.count\"]`",
            ),
            (
                "list = [\"a\"]\nput-backs = 0",
                "line 3, column 13: `put-backs` is `0`",
            ),
            (
                "list = [\"a\"]\nput-backs = -1",
                "line 3, column 13: `put-backs` is `-1`, expected a whole number from 1 to",
            ),
            (
                "list = [\"a\"]\nfuel = 99999999999999999999",
                "line 3, column 8: `fuel` is `99999999999999999999`, expected a whole number from 1",
            ),
            (
                "list = [\"a\", 1]",
                "line 2, column 8: `list` is `[\"a\", 1]`, expected doors' names",
            ),
            (
                "list = [\"a\u{200b}.b\"]",
                r"line 2, column 9: `a\u{200b}.b` is no name of a door",
            ),
            (
                "list = [\"a\"]\nsame-failure = 0",
                "line 3, column 16: `same-failure` is `0`",
            ),
            (
                "list = [\"a\"]\nfuel = 0",
                "line 3, column 8: `fuel` is `0`",
            ),
            (
                "list = [\"a\"]\nfeul = 1",
                "line 3, column 1: unknown key `feul`; did you mean `fuel`?",
            ),
            (
                "list = [\"a\", \"a\"]",
                "line 2, column 14: `a` stands twice",
            ),
            (
                "list = [\"a b\"]",
                "line 2, column 9: `a b` is no name of a door",
            ),
            (
                "list = [\"a\"]\nneeds = [\"b\"]",
                "line 3, column 10: `needs` names `b`",
            ),
            (
                "list = [\"a\"]\nnumbers = \"any\"",
                "line 3, column 11: `numbers` is `any`",
            ),
            (
                "list = [\"a\"]\nlanguage = \"fr\"",
                "line 3, column 12: `language` is `fr`",
            ),
            (
                "list = [\"a\"]\nclose = \"../x.wasm\"",
                "line 3, column 9: `close` is `../x.wasm`",
            ),
            (
                "list = [\"a\"]\nclose = \"/x.wasm\"",
                "line 3, column 9: `close` is `/x.wasm`",
            ),
            (
                "list = [\"a\"]\nhooks = \"guard\"",
                "line 3, column 9: `hooks` is `guard`, expected a component in this folder",
            ),
            (
                "list = [\"a\"]\nresult = 0",
                "line 3, column 10: `result` is `0`",
            ),
            (
                "list = [\"a\"]\nwindow = 30_000",
                "line 3, column 10: `window` is `30000`, expected more than `reserve` and `keep`",
            ),
            ("list = [\"a\"", "loop.txt, line"),
        ] {
            let found = error(header);
            assert!(
                found.contains(message),
                "{header}\n  expected {message}\n  found {found}"
            );
        }
    }

    #[test]
    fn a_file_without_a_header_or_a_goal_is_refused() {
        let message = |text| LoopText::parse(text).unwrap_err().to_string();
        assert!(message("list = []").contains("begins with a line `+++`"));
        assert!(message("").contains("found ``"));
        assert!(message("+++\nlist = []\n").contains("second `+++`"));
        assert!(message("+++\nlist = []\n+++\n \n").contains("goal"));
    }
}
