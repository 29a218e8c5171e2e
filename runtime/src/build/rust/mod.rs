//! Doors in Rust, by Cargo.

mod cargo;
mod door_crate;
mod remap;
mod target;
mod toolchain;

pub use door_crate::DoorCrate;
pub use target::Target;
pub use toolchain::Programs;

use wasmparser::{Parser, Payload};
use wit_component::{ComponentEncoder, DecodedWasm};

use super::{Build, BuildError, Maker, Step, pack};
pub(super) use toolchain::Toolchain;

/// A crate that is a door, and the toolchain of its folder once that is known.
pub(super) struct RustDoor {
    door: DoorCrate,
    toolchain: Option<Toolchain>,
}

impl RustDoor {
    pub(super) fn new(door: DoorCrate) -> Self {
        Self {
            door,
            toolchain: None,
        }
    }
}

impl Maker for RustDoor {
    fn ready(
        &mut self,
        build: &Build,
        progress: &mut dyn FnMut(Step<'_>),
    ) -> Result<(), BuildError> {
        let toolchain = Toolchain::of(&build.programs, &self.door.folder)?;
        toolchain.ensure(self.door.target, progress)?;
        self.toolchain = Some(toolchain);
        Ok(())
    }

    fn make(
        &self,
        build: &Build,
        progress: &mut dyn FnMut(Step<'_>),
    ) -> Result<Vec<u8>, BuildError> {
        let toolchain = self.toolchain.as_ref().expect("it is ready");
        let artifact = cargo::compile(build, &self.door, toolchain, progress)?;
        let wasm = super::read_file(&artifact)?;
        component(wasm, &self.door)
    }
}

/// Packs a core module; leaves a component as the linker made it.
pub(super) fn component(wasm: Vec<u8>, door: &DoorCrate) -> Result<Vec<u8>, BuildError> {
    let unpacked = |reason: String| BuildError::Pack {
        name: door.name.clone(),
        reason,
    };
    let written = written(&wasm);
    let component = match door.target {
        Target::UnknownUnknown => encode(&wasm).map_err(unpacked)?,
        Target::Wasip2 => wasm,
    };
    check(&component).map_err(unpacked)?;
    match (&door.wit, written) {
        (Some(wit), _) => pack::documented(component, &door.name, wit),
        (None, Some(wit)) => pack::documented_by(component, &door.name, &wit),
        (None, None) => Ok(component),
    }
}

/// The WIT that the macro of `doors-sdk` leaves in the code of a door.
fn written(wasm: &[u8]) -> Option<String> {
    let payloads = Parser::new(0).parse_all(wasm).map_while(Result::ok);
    let mut sections = payloads.filter_map(|payload| match payload {
        Payload::CustomSection(section) if section.name() == WIT_SECTION => {
            Some(String::from_utf8_lossy(section.data()).into_owned())
        }
        _ => None,
    });
    sections.next()
}

const WIT_SECTION: &str = "doorlist-wit";

fn encode(module: &[u8]) -> Result<Vec<u8>, String> {
    let encoder = ComponentEncoder::default().validate(true).module(module);
    encoder
        .and_then(|mut encoder| encoder.encode())
        .map_err(|error| format!("{error:#}"))
}

/// A crate that forgot `export!` compiles to a component without any export.
fn check(component: &[u8]) -> Result<(), String> {
    match wit_component::decode(component).map_err(|error| format!("{error:#}"))? {
        DecodedWasm::Component(resolve, world) if !resolve.worlds[world].exports.is_empty() => {
            Ok(())
        }
        _ => Err(
            "it exports nothing; expected wit_bindgen::generate! and export! in its library"
                .to_owned(),
        ),
    }
}
