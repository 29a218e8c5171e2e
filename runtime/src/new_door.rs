//! Writes the sources of a small door, to start from.
//!
//! ```
//! use doorlist::build::Language;
//!
//! let folder = tempfile::tempdir()?;
//! let door = folder.path().join("greeter");
//! doorlist::new_door::write(&door, "greeter", Language::Wat)?;
//! assert!(door.join("wit/door.wit").is_file());
//! // A second time nothing is touched.
//! assert!(doorlist::new_door::write(&door, "greeter", Language::Wat).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::build::Language;

/// Why no sources were written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "each field is in the message of its variant")]
pub enum NewDoorError {
    /// It cannot be a door's name and a WIT package's at once.
    #[error(
        "expected a name of small letters and digits, words joined by -, each starting with a letter \
         (such as `word-count`), found {name:?}"
    )]
    Name { name: String },
    /// Something is there already.
    #[error("{} is there already; nothing was written", folder.display())]
    InTheWay { folder: PathBuf },
    /// A file can not be written.
    #[error("{} can not be written: {source}", file.display())]
    Write { file: PathBuf, source: io::Error },
}

/// Writes a door that builds as it is into `folder`, which must not be there yet, and gives the files
/// that it wrote.
///
/// # Errors
/// When the name cannot be a door's, the folder is there, or a file can not be written: then nothing
/// is left of it.
pub fn write(folder: &Path, name: &str, language: Language) -> Result<Vec<PathBuf>, NewDoorError> {
    if !is_name(name) {
        let name = name.to_owned();
        return Err(NewDoorError::Name { name });
    }
    if folder.symlink_metadata().is_ok() {
        let folder = folder.to_owned();
        return Err(NewDoorError::InTheWay { folder });
    }
    let mut written = Vec::new();
    for (path, text) in COMMON.iter().chain(of(language)) {
        let file = folder.join(path);
        let text = filled(text, folder, name, language);
        let parent = file.parent().unwrap_or(folder);
        let result = fs::create_dir_all(parent).and_then(|()| fs::write(&file, text));
        if let Err(source) = result {
            // The reason that is told is why the writing failed.
            let _ = fs::remove_dir_all(folder);
            return Err(NewDoorError::Write { file, source });
        }
        written.push(file);
    }
    Ok(written)
}

/// As WIT has names, in small letters.
fn is_name(name: &str) -> bool {
    let word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    name.len() <= LONGEST && name.split('-').all(word)
}

fn filled(text: &str, folder: &Path, name: &str, language: Language) -> String {
    let sources: Vec<String> = of(language)
        .iter()
        .filter(|(path, _)| !path.starts_with('.'))
        .map(|(path, _)| format!("| `{path}` | {} |", about(path)))
        .collect();
    text.replace("SOURCES", &sources.join("\n"))
        .replace("LANGUAGE", &language.to_string())
        .replace("HERE", &folder.display().to_string())
        .replace("NAME", name)
}

fn about(path: &str) -> &'static str {
    match path {
        "Cargo.toml" => "what the crate is and depends on",
        "go.mod" => "the module; its name is that of the generated bindings",
        _ => "what it does",
    }
}

type File = (&'static str, &'static str);

fn of(language: Language) -> &'static [File] {
    match language {
        Language::Rust => &[
            ("Cargo.toml", include_str!("../new/rust/Cargo.toml")),
            ("src/lib.rs", include_str!("../new/rust/src/lib.rs")),
            (".gitignore", include_str!("../new/rust/gitignore")),
        ],
        Language::C => &[("door.c", include_str!("../new/c/door.c"))],
        Language::JavaScript => &[("door.js", include_str!("../new/js/door.js"))],
        Language::TypeScript => &[("door.ts", include_str!("../new/ts/door.ts"))],
        Language::Python => &[("door.py", include_str!("../new/python/door.py"))],
        Language::Go => &[
            ("go.mod", include_str!("../new/go/go.mod")),
            (
                "export_wit_world/door.go",
                include_str!("../new/go/export_wit_world/door.go"),
            ),
        ],
        Language::Wat => &[("door.wat", include_str!("../new/wat/door.wat"))],
    }
}

const COMMON: &[File] = &[
    ("README.md", include_str!("../new/common/README.md")),
    ("cases.jsonl", include_str!("../new/common/cases.jsonl")),
    ("wit/door.wit", include_str!("../new/common/wit/door.wit")),
];

/// Characters: with the name of a function it is still one that every provider of models takes.
const LONGEST: usize = 48;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_of_wit() {
        for name in ["greeter", "word-count", "h2o"] {
            assert!(is_name(name), "{name}");
        }
        for name in [
            "", "Greeter", "a.b", "a_b", "2nd", "a-", "a--b", "a-2", "é", "../x",
        ] {
            assert!(!is_name(name), "{name}");
        }
        assert!(!is_name(&"a".repeat(LONGEST + 1)));
    }

    #[test]
    fn nothing_is_left_unfilled() {
        for language in Language::ALL {
            let place = tempfile::tempdir().unwrap();
            let folder = place.path().join("greeter");
            for file in write(&folder, "greeter", language).unwrap() {
                let text = fs::read_to_string(&file).unwrap();
                for mark in ["NAME", "LANGUAGE", "HERE", "SOURCES"] {
                    assert!(!text.contains(mark), "{}: {mark}", file.display());
                }
            }
        }
    }
}
