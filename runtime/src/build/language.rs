//! The languages that doors are built from.

use std::fmt;
use std::str::FromStr;

/// A language that doors are built from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Language {
    /// Rust, by Cargo.
    Rust,
    /// C, by clang.
    C,
    /// JavaScript, by esbuild and componentize-qjs.
    JavaScript,
    /// TypeScript, as JavaScript; its types are not checked.
    TypeScript,
    /// Python, by componentize-py.
    Python,
    /// Go, by its own compiler.
    Go,
    /// WebAssembly text, by this program alone.
    Wat,
}

impl Language {
    /// Every language.
    pub const ALL: [Self; 7] = [
        Self::Rust,
        Self::C,
        Self::JavaScript,
        Self::TypeScript,
        Self::Python,
        Self::Go,
        Self::Wat,
    ];

    /// The other word that people type for it.
    fn long_word(self) -> &'static str {
        match self {
            Self::JavaScript => "javascript",
            Self::TypeScript => "typescript",
            Self::Python => "py",
            Self::Go => "golang",
            Self::Rust | Self::C | Self::Wat => self.word(),
        }
    }

    /// The word for it on the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::C => "c",
            Self::JavaScript => "js",
            Self::TypeScript => "ts",
            Self::Python => "python",
            Self::Go => "go",
            Self::Wat => "wat",
        }
    }
}

/// As people write it.
impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rust => "Rust",
            Self::C => "C",
            Self::JavaScript => "JavaScript",
            Self::TypeScript => "TypeScript",
            Self::Python => "Python",
            Self::Go => "Go",
            Self::Wat => "WebAssembly text",
        })
    }
}

impl FromStr for Language {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        let found = Self::ALL
            .into_iter()
            .find(|language| language.word() == word || language.long_word() == word);
        found.ok_or_else(|| {
            let words = Self::ALL.map(Self::word).join(", ");
            format!("expected one of {words}, found {word}")
        })
    }
}
