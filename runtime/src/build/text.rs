//! Doors in WebAssembly text: a component, or a core module beside the WIT that it implements.

use std::path::PathBuf;

use super::source::Files;
use super::{Build, BuildError, Maker, Step, pack, read_file};

pub(super) struct WatDoor {
    files: Files,
    source: PathBuf,
}

impl WatDoor {
    pub(super) fn new(files: Files, source: PathBuf) -> Self {
        Self { files, source }
    }
}

impl Maker for WatDoor {
    fn ready(&mut self, _: &Build, _: &mut dyn FnMut(Step<'_>)) -> Result<(), BuildError> {
        Ok(())
    }

    fn make(&self, _: &Build, _: &mut dyn FnMut(Step<'_>)) -> Result<Vec<u8>, BuildError> {
        let name = &self.files.name;
        let text = read_file(&self.source)?;
        let mut wasm = wat::parse_bytes(&text)
            .map_err(|mut error| {
                error.set_path(&self.source);
                BuildError::Compile {
                    name: name.clone(),
                    output: error.to_string(),
                }
            })?
            .into_owned();
        let world = self.files.world()?;
        if wasmparser::Parser::is_core_wasm(&wasm) {
            if let Some(world) = &world {
                world.embed(&mut wasm)?;
            }
            wasm = pack::adapted(name, &wasm)?;
        }
        self.files.documented(wasm)
    }
}
