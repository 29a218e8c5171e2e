//! Doors in Python, by componentize-py: `door.py` has a function for each export, and for each
//! interface a class with its functions.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use heck::{ToSnakeCase as _, ToUpperCamelCase as _};

use super::source::Files;
use super::world::{Exported, World};
use super::{
    Build, BuildError, Language, Maker, Step, copy_sources, pack, program, scratch, write_file,
};

pub(super) struct PythonDoor {
    files: Files,
    program: PathBuf,
    world: Option<World>,
}

impl PythonDoor {
    pub(super) fn new(files: Files) -> Self {
        Self {
            files,
            program: PathBuf::new(),
            world: None,
        }
    }
}

impl Maker for PythonDoor {
    fn ready(&mut self, _: &Build, _: &mut dyn FnMut(Step<'_>)) -> Result<(), BuildError> {
        let name = &self.files.name;
        let found = program::find(&["componentize-py"], &[]);
        self.program = found.ok_or_else(|| BuildError::NoToolchain {
            name: name.clone(),
            language: Language::Python,
            missing: "componentize-py".to_owned(),
            install: "pip install componentize-py==0.25.1".to_owned(),
        })?;
        let wit = self.files.wit.as_deref().expect("a door in Python has WIT");
        self.world = Some(World::read(name, wit)?);
        Ok(())
    }

    fn make(&self, _: &Build, progress: &mut dyn FnMut(Step<'_>)) -> Result<Vec<u8>, BuildError> {
        let name = &self.files.name;
        let world = self.world.as_ref().expect("it is ready");
        let scratch = scratch()?;
        write_file(
            &scratch.path().join("doorlist_app.py"),
            app(world).as_bytes(),
        )?;
        // Python leaves what it compiled beside what it read.
        let sources = scratch.path().join("sources");
        copy_sources(&self.files.folder, &sources)?;
        let made = scratch.path().join("door.wasm");
        let mut command = Command::new(&self.program);
        command
            .current_dir(&self.files.folder)
            .arg("--wit-path")
            .arg(&world.path)
            .args(["--world", world.name(), "componentize", "doorlist_app"])
            .arg("--python-path")
            .arg(&sources)
            .arg("--python-path")
            .arg(scratch.path())
            .arg("--output")
            .arg(&made);
        let component = program::made(name, command, &made, progress)?;
        pack::of_world(&component, name, world)
    }
}

/// What stands between the world and `door.py`: it looks for each export while it is built, and says
/// what goes wrong in one.
fn app(world: &World) -> String {
    let mut app = include_str!("app.py").to_owned();
    let mut classes = String::new();
    let mut plain = String::new();
    for export in world.exports() {
        let Some(interface) = &export.interface else {
            for function in &export.functions {
                plain.push_str(&method("door", function));
            }
            continue;
        };
        let class = interface.to_upper_camel_case();
        let owner = format!("_{class}");
        writeln!(
            classes,
            "\n\n{owner} = _of(door, {class:?})()\n\n\nclass {class}:"
        )
        .expect("a String takes it");
        for function in &export.functions {
            classes.push_str(&method(&owner, function));
        }
    }
    app.push_str(&classes);
    app.push_str("\n\nclass WitWorld:\n");
    app.push_str(&plain);
    app.push_str("    pass\n");
    app
}

fn method(owner: &str, function: &Exported) -> String {
    let name = function.name.to_snake_case();
    let says = if function.says_errors {
        "True"
    } else {
        "False"
    };
    format!("    {name} = _opened({owner}, {name:?}, {says})\n")
}
