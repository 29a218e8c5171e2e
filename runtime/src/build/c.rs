//! Doors in C, by clang: of a folder with WIT a reactor with bindings, of one without a program.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::source::Files;
use super::world::World;
use super::{Build, BuildError, Language, Maker, Step, pack, program, scratch, write_file};

pub(super) struct CDoor {
    files: Files,
    sources: Vec<PathBuf>,
    world: Option<World>,
    clang: Option<Clang>,
}

/// A clang that can link for WASI.
struct Clang {
    program: PathBuf,
    /// Where the C library is, if it is not where the compiler looks by itself.
    flags: Vec<String>,
}

impl CDoor {
    pub(super) fn new(files: Files, sources: Vec<PathBuf>) -> Self {
        Self {
            files,
            sources,
            world: None,
            clang: None,
        }
    }
}

impl Maker for CDoor {
    fn ready(&mut self, _: &Build, _: &mut dyn FnMut(Step<'_>)) -> Result<(), BuildError> {
        self.clang = Some(Clang::find(&self.files.name)?);
        self.world = self.files.world()?;
        Ok(())
    }

    fn make(&self, _: &Build, progress: &mut dyn FnMut(Step<'_>)) -> Result<Vec<u8>, BuildError> {
        let clang = self.clang.as_ref().expect("it is ready");
        let scratch = scratch()?;
        let made = scratch.path().join("door.wasm");
        let mut command = Command::new(&clang.program);
        command
            .current_dir(&self.files.folder)
            .args(["--target=wasm32-wasi", "-Os", "-Wall"])
            .args(&clang.flags)
            .args(["-Wl,--strip-all", "-Wl,-z,stack-size=65536"])
            // The folder's place does not stand in what is built.
            .arg(prefix_map(&self.files.folder, "."))
            .arg("-o")
            .arg(&made);
        if let Some(world) = &self.world {
            // Beside the sources, where an editor finds them.
            let bindings = self.files.folder.join("bindings");
            let mut generator = wit_bindgen_c::Opts::default().build();
            let written = world.bindings(generator.as_mut(), &bindings)?;
            write_file(&bindings.join(".gitignore"), b"*\n")?;
            let linked = written.iter().filter(|file| {
                file.extension()
                    .is_some_and(|ending| ending == "c" || ending == "o")
            });
            command
                .arg("-mexec-model=reactor")
                .arg("-I")
                .arg(&bindings)
                .args(linked);
        }
        command.args(self.sources.iter().filter_map(|file| file.file_name()));
        let module = program::made(&self.files.name, command, &made, progress)?;
        self.files
            .documented(pack::adapted(&self.files.name, &module)?)
    }
}

fn prefix_map(from: &Path, to: &str) -> String {
    format!("-ffile-prefix-map={}={to}", from.display())
}

impl Clang {
    /// That of a WASI SDK which the environment names, else one of the system with its own library.
    fn find(door: &str) -> Result<Self, BuildError> {
        let missing = |missing: &str| BuildError::NoToolchain {
            name: door.to_owned(),
            language: Language::C,
            missing: missing.to_owned(),
            install: INSTALL.to_owned(),
        };
        if let Some(sdk) = std::env::var_os("WASI_SDK_PATH").filter(|path| !path.is_empty()) {
            let bin = Path::new(&sdk).join("bin");
            let program = program::find(&["clang"], std::slice::from_ref(&bin))
                .filter(|program| program.starts_with(&bin))
                .ok_or_else(|| {
                    missing(&format!("bin/clang in WASI_SDK_PATH ({})", bin.display()))
                })?;
            let flags = Vec::new();
            return Ok(Self { program, flags });
        }
        let program = program::find(CLANGS, &[]).ok_or_else(|| missing("clang"))?;
        program::find(LINKERS, &[]).ok_or_else(|| missing("wasm-ld"))?;
        let library = "/usr/include/wasm32-wasi";
        if !Path::new(library).join("stdio.h").is_file() {
            return Err(missing(&format!("the C library for WASI in {library}")));
        }
        let flags = ["--sysroot=/usr", "-isystem", library].map(str::to_owned);
        Ok(Self {
            program,
            flags: flags.into(),
        })
    }
}

/// The newest first; the one without a number may be for another system alone.
const CLANGS: &[&str] = &["clang-21", "clang-20", "clang-19", "clang"];
const LINKERS: &[&str] = &["wasm-ld-21", "wasm-ld-20", "wasm-ld-19", "wasm-ld"];
const INSTALL: &str = "apt-get install clang-19 lld-19 libclang-rt-19-dev-wasm32 wasi-libc\n\
                       or set WASI_SDK_PATH to a WASI SDK";
