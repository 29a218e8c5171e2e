//! What the compiler gives, as a component with its documentation.

use super::{BuildError, DoorCrate, Target};
use std::path::Path;
use wasm_encoder::{ComponentSection, CustomSection};
use wit_component::{ComponentEncoder, DecodedWasm};
use wit_parser::{PackageMetadata, Resolve};

/// Packs a core module; leaves a component as the linker made it. Adds the comments of the WIT,
/// which neither keeps.
pub(crate) fn component(wasm: Vec<u8>, door: &DoorCrate) -> Result<Vec<u8>, BuildError> {
    let unpacked = |reason: String| BuildError::Pack {
        name: door.name.clone(),
        reason,
    };
    let mut component = match door.target {
        Target::UnknownUnknown => encode(&wasm).map_err(unpacked)?,
        Target::Wasip2 => wasm,
    };
    check(&component).map_err(unpacked)?;
    if let Some(path) = &door.wit {
        let docs = docs(path).map_err(|reason| BuildError::Wit {
            name: door.name.clone(),
            path: path.clone(),
            reason,
        })?;
        let name = PackageMetadata::SECTION_NAME.into();
        CustomSection {
            name,
            data: docs.into(),
        }
        .append_to_component(&mut component);
    }
    Ok(component)
}

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

/// The comments of a WIT package, as the custom section `package-docs` has them.
fn docs(path: &Path) -> Result<Vec<u8>, String> {
    let mut resolve = Resolve::default();
    let docs = resolve
        .push_path(path)
        .and_then(|(package, _)| PackageMetadata::extract(&resolve, package).encode());
    docs.map_err(|error| format!("{error:#}"))
}
