//! SECURITY.md promises what tests hold, and names versions that are built.

use crate::layout::{files, repository, text};

#[test]
fn every_promise_of_security_md_names_tests_that_exist() {
    let sources: String = ["runtime", "loop-spec", "tests"]
        .iter()
        .flat_map(|folder| files(&repository().join(folder), "rs"))
        .map(|file| text(&file))
        .collect();
    let rows = rows();
    assert!(rows.len() > 60, "{}", rows.len());
    for row in rows {
        let tests = row.last().unwrap();
        if tests.starts_with("none: ") {
            continue;
        }
        let named: Vec<_> = tests
            .split(", ")
            .map(|name| name.trim_matches('`'))
            .collect();
        for name in named {
            let exists = match name.strip_prefix("hostile/") {
                Some(door) => {
                    let file = repository().join(format!("tests/hostile/{door}.wat"));
                    file.is_file()
                }
                None => sources.contains(&format!("fn {name}(")),
            };
            assert!(exists, "SECURITY.md names {name}");
        }
    }
}

#[test]
fn every_fix_that_security_md_names_is_in_cargo_lock() {
    let mut held = 0;
    for row in rows().iter().filter(|row| row.len() == 5) {
        let (advisory, package, fixed) = (row[0].as_str(), row[1].as_str(), row[3].as_str());
        let least = numbers(fixed);
        let locked = locked(package);
        assert!(
            !locked.is_empty(),
            "{advisory}: Cargo.lock has no {package}"
        );
        for version in locked {
            let named = format!("{advisory}: {package} {version}, fixed in {fixed}");
            assert!(numbers(&version) >= least, "{named}");
            held += 1;
        }
    }
    assert!(held >= 35, "{held}");
}

#[test]
fn every_fuzz_target_is_run_from_a_corpus() {
    let fuzz = repository().join("fuzz");
    let manifest = text(&fuzz.join("Cargo.toml"));
    let targets = files(&fuzz.join("targets"), "rs");
    assert!(targets.len() >= 7, "{targets:?}");
    for target in targets {
        let name = target.file_stem().unwrap().to_str().unwrap();
        let bin = format!("name = \"fuzz_{name}\"\npath = \"targets/{name}.rs\"");
        assert!(manifest.contains(&bin), "fuzz/Cargo.toml has no {name}");
        let mut corpus = std::fs::read_dir(fuzz.join("corpus").join(name)).unwrap();
        assert!(corpus.next().is_some(), "{name} has no corpus");
    }
    assert!(text(&repository().join(".ci/run")).contains(".ci/fuzz"));
}

/// The cells of each row of each table.
fn rows() -> Vec<Vec<String>> {
    let security = text(&repository().join("SECURITY.md"));
    let row = |line: &str| {
        let cells = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ");
        Some(cells.map(str::to_owned).collect::<Vec<_>>())
    };
    let rows = security.lines().filter_map(row);
    rows.filter(|row| row.last().unwrap() != "test").collect()
}

/// The versions of a package that are built.
fn locked(package: &str) -> Vec<String> {
    let lock: toml::Table = text(&repository().join("Cargo.lock")).parse().unwrap();
    let packages = lock["package"].as_array().unwrap().iter();
    packages
        .filter(|found| found["name"].as_str() == Some(package))
        .map(|found| found["version"].as_str().unwrap().to_owned())
        .collect()
}

/// `48.0.8` as numbers that can be compared.
fn numbers(version: &str) -> Vec<u32> {
    let parts = version.split('.');
    parts.map(|part| part.parse().unwrap()).collect()
}
