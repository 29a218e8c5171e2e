use super::*;

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_folder_that_is_not_there_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("a/fridge");
    let written = write(&home, Language::En).unwrap();
    assert_eq!(
        written.len(),
        files(Language::En).len() + 1,
        "doors.lock too"
    );
    assert_eq!(
        fs::read(home.join("data/fridge.txt")).unwrap(),
        b"milk 1\neggs 4\n"
    );
    assert_eq!(
        names(&home),
        [
            ".gitignore",
            "data",
            "doors",
            "doors.lock",
            "loop.txt",
            "policy.toml",
            "run"
        ]
    );
}

#[test]
fn files_in_the_way_are_listed_and_nothing_is_changed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("loop.txt"), "mine").unwrap();
    fs::write(folder.path().join("doors"), "a file").unwrap();
    let error = write(folder.path(), Language::En).unwrap_err().to_string();
    assert!(error.contains("nothing was changed"), "{error}");
    assert!(
        error.contains("/loop.txt") && error.contains("/doors"),
        "{error}"
    );
    assert!(!error.contains("policy.toml"), "{error}");
    assert_eq!(names(folder.path()), ["doors", "loop.txt"]);
    assert_eq!(fs::read(folder.path().join("loop.txt")).unwrap(), b"mine");
}

#[test]
fn other_files_may_be_there() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes.md"), "mine").unwrap();
    write(folder.path(), Language::Zh).unwrap();
    assert_eq!(fs::read(folder.path().join("notes.md")).unwrap(), b"mine");
}

#[cfg(unix)]
#[test]
fn a_dangling_link_is_in_the_way() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/nowhere/loop", folder.path().join("loop.txt")).unwrap();
    assert!(matches!(
        write(folder.path(), Language::En),
        Err(InitError::InTheWay { files, .. }) if files == [folder.path().join("loop.txt")]
    ));
}

#[cfg(unix)]
#[test]
fn the_script_can_be_run() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), Language::En).unwrap();
    let mode = |name: &str| {
        folder
            .path()
            .join(name)
            .metadata()
            .unwrap()
            .permissions()
            .mode()
    };
    assert_ne!(mode("run") & 0o100, 0);
    assert_eq!(mode("loop.txt") & 0o111, 0);
}

#[test]
fn both_languages_are_the_same_loop() {
    let paths = |language| {
        files(language)
            .iter()
            .map(|file| file.path)
            .collect::<Vec<_>>()
    };
    assert_eq!(paths(Language::En), paths(Language::Zh));
}
