//! Where doors are built leaves no trace in them.

use super::workshop::{DOORS, build_all, built, repository};
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn a_built_door_names_no_place_of_this_machine() {
    let mut places = vec![repository().to_owned()];
    places.extend(
        ["HOME", "CARGO_HOME", "RUSTUP_HOME"]
            .into_iter()
            .filter_map(place),
    );
    for door in DOORS {
        let bytes = fs::read(built().join(format!("{door}.wasm"))).unwrap();
        for place in &places {
            let place = place.to_str().unwrap().as_bytes();
            let found = bytes.windows(place.len()).any(|bytes| bytes == place);
            assert!(!found, "{door} has {}", String::from_utf8_lossy(place));
        }
    }
}

#[test]
fn the_same_sources_give_the_same_bytes_in_another_folder() {
    let elsewhere = tempfile::tempdir().unwrap();
    for part in ["doors", "doors-sdk"] {
        copy(&repository().join(part), &elsewhere.path().join(part));
    }
    let out = elsewhere.path().join("out");
    build_all(&elsewhere.path().join("doors"), &out);
    for door in DOORS {
        let file = format!("{door}.wasm");
        let same = fs::read(out.join(&file)).unwrap() == fs::read(built().join(&file)).unwrap();
        assert!(same, "{file} is not the same in another folder");
    }
}

/// A folder that a variable names, unless it is as short as `/`, which stands in every path.
fn place(variable: &str) -> Option<PathBuf> {
    let place = PathBuf::from(std::env::var_os(variable)?);
    (place.components().count() > 1).then_some(place)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_name() == "target" {
            continue;
        } else if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(from, to).unwrap();
        }
    }
}
