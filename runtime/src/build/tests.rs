use super::*;
use std::fs;

/// A crate that uses no other crate.
struct Crate {
    folder: tempfile::TempDir,
}

impl Crate {
    fn new(manifest: &str, library: &str) -> Self {
        let made = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        made.put(".", manifest, library);
        made
    }

    fn put(&self, folder: &str, manifest: &str, library: &str) {
        let folder = self.folder.path().join(folder);
        fs::create_dir_all(folder.join("src")).unwrap();
        fs::write(folder.join("Cargo.toml"), manifest).unwrap();
        fs::write(folder.join("src/lib.rs"), library).unwrap();
    }

    fn find(&self) -> Result<Vec<Source>, BuildError> {
        Source::find(self.folder.path(), &Programs::default())
    }

    fn door(&self) -> DoorCrate {
        let door = DoorCrate::of(self.folder.path(), &Programs::default());
        door.unwrap().expect("its library is a cdylib")
    }

    /// Builds into the folder `out`, and gives what was told beside what came of it.
    fn build(&self) -> (Result<Vec<Built>, BuildError>, Vec<String>) {
        let mut told = Vec::new();
        let build = Build {
            target_dir: Some(self.folder.path().join("t")),
            ..Build::default()
        };
        let out = self.folder.path().join("out");
        let built = build.run(&[self.folder.path()], &out, &mut |step| {
            told.push(step.to_string())
        });
        assert_eq!(out.exists(), built.is_ok(), "nothing is half done");
        (built, told)
    }

    fn refused(&self) -> String {
        self.build().0.unwrap_err().to_string()
    }
}

fn manifest(name: &str, more: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nedition = \"2024\"\n[workspace]\n\
         [lib]\ncrate-type = [\"cdylib\"]\n{more}"
    )
}

#[test]
fn a_crate_without_a_target_uses_nothing_of_the_host() {
    let door = Crate::new(&manifest("quiet", ""), "").door();
    assert_eq!(door.name, "quiet");
    assert_eq!(door.target, Target::UnknownUnknown);
    assert_eq!(door.wit, None);
}

#[test]
fn a_crate_names_its_target_and_its_wit() {
    let more = "[package.metadata.door]\ntarget = \"wasm32-wasip2\"\nwit = \"../wit\"\n";
    let door = Crate::new(&manifest("loud", more), "").door();
    assert_eq!(door.target, Target::Wasip2);
    assert!(door.wit.as_ref().unwrap().ends_with("../wit"));
}

#[test]
fn the_doors_of_a_loop_are_in_its_folder_doors() {
    let folder = Crate::new(&manifest("beside", ""), "");
    folder.put("doors/b", &manifest("second", ""), "");
    folder.put("doors/a", &manifest("first", ""), "");
    folder.put(
        "doors/c",
        "[package]\nname = \"no-door\"\n[workspace]\n",
        "",
    );
    fs::write(folder.folder.path().join("loop.txt"), "").unwrap();
    let names: Vec<_> = folder
        .find()
        .unwrap()
        .into_iter()
        .map(|door| door.name)
        .collect();
    assert_eq!(names, ["first", "second"]);
}

#[test]
fn a_folder_without_a_door_is_named() {
    let folder = Crate::new("[package]\nname = \"no-door\"\n[workspace]\n", "");
    let error = folder.find().unwrap_err().to_string();
    assert!(
        error.contains(folder.folder.path().to_str().unwrap()),
        "{error}"
    );
    assert!(error.contains("crate-type = [\"cdylib\"]"), "{error}");
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let error = Source::find(Path::new("/nowhere/doors"), &Programs::default()).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("/nowhere/doors can not be read"),
        "{error}"
    );
}

#[test]
fn a_key_that_is_not_known_is_named() {
    let more = "[package.metadata.door]\ntraget = \"wasm32-wasip2\"\n";
    let error = Crate::new(&manifest("slip", more), "")
        .find()
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("Cargo.toml: [package.metadata.door] traget: "),
        "{error}"
    );
}

#[test]
fn a_target_that_is_not_known_is_named() {
    let more = "[package.metadata.door]\ntarget = \"wasm32-wasi\"\n";
    let error = Crate::new(&manifest("old", more), "")
        .find()
        .unwrap_err()
        .to_string();
    let ending = "expected wasm32-unknown-unknown or wasm32-wasip2, found wasm32-wasi";
    assert!(error.ends_with(ending), "{error}");
}

#[test]
fn two_crates_of_one_name_are_named() {
    let folder = Crate::new("[workspace]\n", "");
    folder.put("one", &manifest("same", ""), "");
    folder.put("other", &manifest("same", ""), "");
    assert!(folder.refused().starts_with("two doors are named same: "));
}

#[test]
fn a_manifest_that_cargo_can_not_read_is_passed_through() {
    let error = Crate::new("[package]\nname = 5\n", "")
        .find()
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("Cargo.toml") && error.contains("invalid type"),
        "{error}"
    );
}

#[test]
fn what_the_compiler_says_is_passed_through_whole() {
    let door = Crate::new(
        &manifest("wrong", ""),
        "pub fn one() -> u32 {\n    \"one\"\n}\n",
    );
    let (built, told) = door.build();
    let error = built.unwrap_err().to_string();
    assert!(error.starts_with("wrong does not compile:"), "{error}");
    assert!(error.contains("error[E0308]: mismatched types"), "{error}");
    assert!(error.contains("src/lib.rs:2:5"), "{error}");
    assert!(
        told.iter()
            .any(|line| line == "error[E0308]: mismatched types"),
        "{told:?}"
    );
}

#[test]
fn a_crate_that_exports_nothing_is_no_door() {
    let error = Crate::new(&manifest("silent", ""), "").refused();
    assert!(
        error.starts_with("silent can not be packed as a component: "),
        "{error}"
    );
    assert!(error.contains("export!"), "{error}");
}

#[test]
fn a_door_that_imports_a_strange_function_is_refused_with_its_name() {
    let library = "#[link(wasm_import_module = \"env\")]\n\
                   unsafe extern \"C\" { safe fn dial(); }\n\
                   #[unsafe(no_mangle)]\npub extern \"C\" fn ring() { dial() }\n";
    let error = Crate::new(&manifest("strange", ""), library).refused();
    assert!(
        error.contains("can not be packed") && error.contains("env"),
        "{error}"
    );
}

#[test]
fn wit_that_can_not_be_read_is_named() {
    let door = Crate::new(&manifest("quiet", ""), "");
    let path = door.folder.path().join("wit");
    fs::create_dir(&path).unwrap();
    fs::write(path.join("quiet.wit"), "package a:b;\nworld {}").unwrap();
    let door = door.door();
    let (component, _) = exporting();
    let error = rust::component(
        component,
        &DoorCrate {
            target: Target::Wasip2,
            ..door
        },
    );
    let error = error.unwrap_err().to_string();
    assert!(
        error.starts_with("the WIT of quiet can not be read from "),
        "{error}"
    );
}

#[test]
fn the_comments_of_the_wit_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let wit = folder.path().join("door.wit");
    fs::write(
        &wit,
        "package a:b;\nworld door {\n  /// Rings.\n  export ring: func();\n}\n",
    )
    .unwrap();
    let (component, mut door) = exporting();
    door.wit = Some(wit);
    let kept = rust::component(component.clone(), &door).unwrap();
    let (old, added) = kept.split_at(component.len());
    assert_eq!(old, component);
    let added = String::from_utf8_lossy(added);
    assert!(
        added.contains("package-docs") && added.contains("Rings."),
        "{added}"
    );
}

/// A component with one export, as the linker could have made it.
fn exporting() -> (Vec<u8>, DoorCrate) {
    let text = "(component
        (core module $m (func (export \"ring\")))
        (core instance $i (instantiate $m))
        (func $ring (canon lift (core func $i \"ring\")))
        (export \"ring\" (func $ring)))";
    let door = DoorCrate {
        name: "bell".to_owned(),
        folder: PathBuf::new(),
        target: Target::Wasip2,
        wit: None,
    };
    (wat::parse_str(text).unwrap(), door)
}

#[test]
fn a_missing_cargo_is_said_with_where_to_get_it() {
    let door = Crate::new(&manifest("quiet", ""), "");
    let programs = Programs {
        cargo: "/nowhere/cargo".into(),
        ..Programs::default()
    };
    let error = Source::find(door.folder.path(), &programs)
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("/nowhere/cargo can not be started"),
        "{error}"
    );
    assert!(error.ends_with("https://rustup.rs"), "{error}");
}

/// A toolchain without targets, and a rustup that can not add any.
#[cfg(unix)]
#[test]
fn a_missing_target_is_said_with_the_command_to_run() {
    let door = Crate::new(&manifest("quiet", ""), "");
    let programs = programs(
        door.folder.path(),
        "echo no network for $1 $2 $3 >&2; exit 1",
    );
    let out = door.folder.path().join("out");
    let build = Build {
        programs,
        ..Build::default()
    };
    let mut told = Vec::new();
    let error = build.run(&[door.folder.path()], &out, &mut |step| {
        told.push(step.to_string())
    });
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("no network for target add wasm32-unknown-unknown"),
        "{error}"
    );
    assert!(
        error.ends_with("\n  rustup target add wasm32-unknown-unknown"),
        "{error}"
    );
    assert_eq!(told[0], "adding the target wasm32-unknown-unknown");
    assert!(!out.exists());
}

/// A rustup that fails while another one runs, as the real one does.
#[cfg(unix)]
#[test]
fn builds_beside_each_other_add_a_target_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("lib/rustlib")).unwrap();
    let rustup = "cd $(dirname $0); mkdir busy || exit 1; sleep 0.1; echo $3 >> added\n\
        mkdir -p lib/rustlib/$3/lib; rmdir busy";
    let programs = programs(folder.path(), rustup);
    let ensure = || {
        let toolchain = rust::Toolchain::of(&programs, folder.path()).unwrap();
        toolchain.ensure(Target::Wasip2, &mut |_| {})
    };
    std::thread::scope(|scope| {
        let builds: Vec<_> = (0..4).map(|_| scope.spawn(ensure)).collect();
        for build in builds {
            build.join().unwrap().unwrap();
        }
    });
    let added = fs::read_to_string(folder.path().join("added")).unwrap();
    assert_eq!(added, "wasm32-wasip2\n");
}

/// A compiler whose targets are in a folder, and what stands for rustup there.
#[cfg(unix)]
fn programs(folder: &std::path::Path, rustup: &str) -> Programs {
    use std::os::unix::fs::PermissionsExt;
    let script = |name: &str, text: &str| {
        let file = folder.join(name);
        fs::write(&file, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        file
    };
    Programs {
        rustc: script("rustc", &format!("echo {}", folder.display())),
        rustup: script("rustup", rustup),
        ..Programs::default()
    }
}

#[test]
fn a_file_that_can_not_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("out"), "a file").unwrap();
    let made = Made {
        name: "bell".to_owned(),
        language: Language::Rust,
        component: exporting().0,
        schema: None,
    };
    let error = made
        .write(&folder.path().join("out"), &mut |_| {})
        .unwrap_err();
    assert!(
        error.to_string().contains("bell.wasm can not be written"),
        "{error}"
    );
}

#[test]
fn a_language_is_known_by_its_files() {
    let folder = tempfile::tempdir().unwrap();
    for language in Language::ALL {
        let name = format!("door-{}", language.word());
        crate::new_door::write(&folder.path().join(&name), &name, language).unwrap();
    }
    fs::create_dir(folder.path().join("notes")).unwrap();
    let found = Source::find(folder.path(), &Programs::default()).unwrap();
    assert_eq!(found.len(), Language::ALL.len(), "{found:?}");
    for source in found {
        assert_eq!(source.name, format!("door-{}", source.language.word()));
    }
}

const STARTED: &str = r#"(component
    (core module $m
        (func (export "a") (result i32) (i32.const 1))
        (func (export "b") (result i32) (i32.const 2)))
    (core instance $i (instantiate $m))
    (func $start (canon lift (core func $i "a") ))
    (instance $left (export "init" (func $start)))
    (export "init" (func $start))
    (export "exports" (instance $left))
    (func $two (result u32) (canon lift (core func $i "b")))
    (export "two" (func $two)))"#;

#[test]
fn what_a_toolchain_exports_beside_the_world_goes() {
    let text = STARTED.replace(
        "(func (export \"a\") (result i32) (i32.const 1))",
        "(func (export \"a\"))",
    );
    let component = wat::parse_str(text).unwrap();
    let kept = ["two".to_owned()].into();
    let trimmed = trim::trimmed(&component, &kept).unwrap();
    let file = crate::doors::DoorFile::from_bytes("door", trimmed.clone()).unwrap();
    let names: Vec<String> = file.functions().map(|(name, _)| name).collect();
    assert_eq!(names, ["door.two"]);
    // A second time there is nothing to take away.
    assert_eq!(trim::trimmed(&trimmed, &kept).unwrap(), trimmed);
}
