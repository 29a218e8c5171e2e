//! The repository is as it says it is: no forgotten file, no path that leads nowhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn every_source_file_is_reached_by_a_mod_line() {
    for (folder, roots) in [
        (
            "runtime/tests",
            &[
                "runtime/tests/end_to_end/main.rs",
                "runtime/tests/hostile/main.rs",
            ][..],
        ),
        (
            "runtime/src",
            &["runtime/src/lib.rs", "runtime/src/main.rs"],
        ),
        (
            "runtime/benches",
            &[
                "runtime/benches/first_token.rs",
                "runtime/benches/lateness.rs",
                "runtime/benches/put_backs.rs",
                "runtime/benches/second_start.rs",
                "runtime/benches/opening/main.rs",
            ],
        ),
        ("loop-spec/src", &["loop-spec/src/lib.rs"]),
        ("doors-sdk/src", &["doors-sdk/src/lib.rs"]),
        ("doors-sdk/macros", &["doors-sdk/macros/src/lib.rs"]),
        (
            "tests",
            &[
                "tests/lib.rs",
                "tests/matrix/rust/src/lib.rs",
                "tests/prober/src/lib.rs",
            ],
        ),
    ] {
        let mut reached = BTreeSet::new();
        for root in roots {
            reach(&repository().join(root), &mut reached);
        }
        let forgotten: Vec<_> = files(&repository().join(folder), "rs")
            .into_iter()
            .filter(|file| !reached.contains(file))
            .collect();
        assert!(forgotten.is_empty(), "no `mod` line reaches {forgotten:?}");
    }
}

#[test]
fn every_door_of_the_tests_is_opened_by_one() {
    let here = repository().join("runtime/tests");
    let sources: String = files(&here, "rs").iter().map(|file| text(file)).collect();
    for door in files(&here, "wat") {
        let name = door.file_name().unwrap().to_str().unwrap();
        assert!(
            sources.contains(&format!("include_str!(\"{name}\")")),
            "{name}"
        );
    }
}

#[test]
fn every_path_in_architecture_md_exists() {
    let architecture = text(&repository().join("ARCHITECTURE.md"));
    let tops: Vec<String> = fs::read_dir(repository())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap() + "/")
        .collect();
    let separators = |c: char| c.is_whitespace() || "`|(),;".contains(c);
    let paths: BTreeSet<_> = architecture
        .split(separators)
        .map(|word| word.trim_end_matches(['.', ':']))
        .filter(|word| tops.iter().any(|top| word.starts_with(top)))
        .collect();
    assert!(paths.len() > 20, "{paths:?}");
    for path in paths {
        assert!(
            repository().join(path).exists(),
            "ARCHITECTURE.md names {path}"
        );
    }
    // What looks like a source file stands below one of the folders of this repository.
    for word in architecture
        .split(separators)
        .filter(|word| word.ends_with(".rs"))
    {
        assert!(
            repository().join(word).exists(),
            "ARCHITECTURE.md names {word}"
        );
    }
}

/// A folder of sources that the table forgets is as bad as a path that leads nowhere.
#[test]
fn every_folder_of_sources_is_in_architecture_md() {
    let architecture = text(&repository().join("ARCHITECTURE.md"));
    for place in ["runtime/src", "loop-spec/src"] {
        for entry in fs::read_dir(repository().join(place)).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{place}/{}/", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                assert!(
                    architecture.contains(&name),
                    "ARCHITECTURE.md has no {name}"
                );
            }
        }
    }
}

/// The file and all that its `mod` lines lead to.
fn reach(file: &Path, reached: &mut BTreeSet<PathBuf>) {
    reached.insert(file.to_owned());
    let stem = file.file_stem().unwrap().to_str().unwrap();
    let root = ["lib", "main", "mod"].contains(&stem) || file.ends_with("benches/put_backs.rs");
    let folder = match root {
        true => file.parent().unwrap().to_owned(),
        false => file.with_extension(""),
    };
    for module in text(file).lines().filter_map(module) {
        let flat = folder.join(format!("{module}.rs"));
        let nested = folder.join(&module).join("mod.rs");
        let found = [flat, nested].into_iter().find(|file| file.is_file());
        let found = found.unwrap_or_else(|| panic!("{}: mod {module}", file.display()));
        reach(&found, reached);
    }
}

/// The module that a line declares: `pub(crate) mod page;`.
fn module(line: &str) -> Option<String> {
    let declared = line.trim().strip_suffix(';')?;
    let (before, name) = declared.rsplit_once("mod ")?;
    let visible = before.trim_end();
    let is_it = visible.is_empty() || visible == "pub" || visible.starts_with("pub(");
    is_it.then(|| name.trim_start_matches("r#").to_owned())
}

/// The files below `folder` with this ending.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|it| it == ending) {
            found.push(path);
        }
    }
    found
}

pub(crate) fn text(file: &Path) -> String {
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the crate lies in the repository")
        .to_owned()
}
