//! Doors in JavaScript and TypeScript: bundled by esbuild, made a component by componentize-qjs.
//!
//! The runtime of componentize-qjs is the bare language. A prelude adds what its writers expect of
//! one: `console`, timers, `URL`, `TextEncoder`, `crypto`, `fetch` over `doorlist:host/http`, and
//! `async` functions, which are lowered to generators over promises of the prelude's own, since
//! nothing else runs while a door is open.

mod entry;
mod lines;
mod types;

use std::path::{Path, PathBuf};
use std::process::Command;

use super::source::Files;
use super::world::World;
use super::{
    Build, BuildError, Language, Maker, Step, pack, program, read_file, scratch, write_file,
};
use crate::doors::Interface;

pub(super) struct ScriptDoor {
    files: Files,
    entry: PathBuf,
    ready: Option<Ready>,
}

struct Ready {
    world: World,
    esbuild: PathBuf,
    componentize: PathBuf,
    /// Where the packages that the prelude uses are.
    packages: PathBuf,
}

impl ScriptDoor {
    pub(super) fn new(files: Files, entry: PathBuf) -> Self {
        Self {
            files,
            entry,
            ready: None,
        }
    }

    /// Writes what the module exports where an editor finds it.
    fn declare(&self, component: &[u8]) -> Result<(), BuildError> {
        // One that cannot be read is refused when it is opened, with what is wrong.
        let Ok(interface) = Interface::read(component) else {
            return Ok(());
        };
        let bindings = self.files.folder.join("bindings");
        let text = types::declarations(&interface);
        write_file(&bindings.join("door.d.ts"), text.as_bytes())?;
        write_file(&bindings.join(".gitignore"), b"*\n")
    }

    /// One file of all that the door is made of.
    fn bundle(
        &self,
        ready: &Ready,
        entry: &Path,
        bundle: &Path,
        progress: &mut dyn FnMut(Step<'_>),
    ) -> Result<String, BuildError> {
        let mut command = Command::new(&ready.esbuild);
        command
            .current_dir(&self.files.folder)
            .env("NODE_PATH", &ready.packages)
            .arg(entry)
            .args(["--bundle", "--format=esm", "--platform=neutral"])
            .args(["--main-fields=module,main", "--conditions=module"])
            .args(["--external:wasi:*", "--external:doorlist:*"])
            // What cannot wait is written so that it does not.
            .args(
                ["async-await", "async-generator", "for-await"]
                    .map(|feature| format!("--supported:{feature}=false")),
            )
            .args(["--define:global=globalThis", "--charset=utf8"])
            .args([
                "--sourcemap=external",
                "--log-level=warning",
                "--color=false",
            ])
            .arg(format!("--outfile={}", bundle.display()));
        let bundled = program::made(&self.files.name, command, bundle, progress)?;
        Ok(String::from_utf8_lossy(&bundled).into_owned())
    }
}

impl Maker for ScriptDoor {
    fn ready(&mut self, _: &Build, _: &mut dyn FnMut(Step<'_>)) -> Result<(), BuildError> {
        let name = &self.files.name;
        let missing = |missing: &str| BuildError::NoToolchain {
            name: name.clone(),
            language: Language::JavaScript,
            missing: missing.to_owned(),
            install: INSTALL.to_owned(),
        };
        // A project's own come first, as for every tool of this language.
        let own: Vec<PathBuf> = self
            .files
            .folder
            .ancestors()
            .map(|folder| folder.join("node_modules/.bin"))
            .collect();
        let find = |name: &str| program::find(&[name], &own).ok_or_else(|| missing(name));
        let esbuild = find("esbuild")?;
        let componentize = find("componentize-qjs")?;
        let packages = packages(&componentize)
            .ok_or_else(|| missing("core-js, fast-text-encoding and promise-polyfill"))?;
        let wit = self
            .files
            .wit
            .as_deref()
            .expect("a door of a script has WIT");
        self.ready = Some(Ready {
            world: World::read(name, wit)?,
            esbuild,
            componentize,
            packages,
        });
        Ok(())
    }

    fn make(&self, _: &Build, progress: &mut dyn FnMut(Step<'_>)) -> Result<Vec<u8>, BuildError> {
        let name = &self.files.name;
        let ready = self.ready.as_ref().expect("it is ready");
        let scratch = scratch()?;
        let path = |name: &str| scratch.path().join(name);

        // Bundled without the prelude first, which tells what it must have.
        let bare = self.bundle(ready, &self.entry, &path("bare.js"), progress)?;
        for (file, text) in entry::PRELUDE {
            write_file(&path(file), text.as_bytes())?;
        }
        let entry = path("entry.js");
        let text = entry::text(&self.entry, &ready.world, &bare);
        write_file(&entry, text.as_bytes())?;
        let mut bundle = self.bundle(ready, &entry, &path("door.js"), progress)?;
        let map = read_file(&path("door.js.map"))?;
        bundle.push_str(&lines::table(&map, &self.files.folder, scratch.path()));
        write_file(&path("door.js"), bundle.as_bytes())?;

        let wit = path("door.wit");
        let (packages, imports) = entry::imports(&bare);
        let world = ready.world.extended(WORLD, &packages, &imports)?;
        write_file(&wit, world.as_bytes())?;
        let made = path("door.wasm");
        let mut command = Command::new(&ready.componentize);
        command
            .current_dir(scratch.path())
            .arg("--sync")
            .arg("--wit")
            .arg(&wit)
            .args(["--world", WORLD, "--js", "door.js", "--output"])
            .arg(&made);
        let component = program::made(name, command, &made, progress)?;
        let component = pack::of_world(&component, name, &ready.world)?;
        self.declare(&component)?;
        Ok(component)
    }
}

/// The folder of packages that a program was installed into, where all that the prelude uses is there.
fn packages(program: &Path) -> Option<PathBuf> {
    let file = program.canonicalize().ok()?;
    let all = |folder: &PathBuf| PACKAGES.iter().all(|package| folder.join(package).is_dir());
    let installed = file
        .ancestors()
        .find(|folder| folder.ends_with("node_modules"));
    installed.map(Path::to_owned).filter(all)
}

/// The world that the bundle implements: the door's own, and what the prelude imports.
const WORLD: &str = "doorlist-script";
const PACKAGES: &[&str] = &["core-js", "fast-text-encoding", "promise-polyfill"];
const INSTALL: &str = "npm install -g componentize-qjs@0.4.5 esbuild@0.28 core-js@3 \
                       fast-text-encoding@1 promise-polyfill@8\n\
                       or without -g in a folder above the door";
