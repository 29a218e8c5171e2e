//! What a toolchain gives, as a component with its documentation.

use std::path::Path;

use wasm_encoder::{ComponentSection, CustomSection};
use wit_parser::{PackageId, PackageMetadata, Resolve};

use super::BuildError;
use super::trim::trimmed;
use super::world::World;

/// Adds the comments of the WIT, which no toolchain keeps.
pub(super) fn documented(
    component: Vec<u8>,
    door: &str,
    wit: &Path,
) -> Result<Vec<u8>, BuildError> {
    let docs = docs(|resolve| Ok(resolve.push_path(wit)?.0));
    let docs = docs.map_err(|reason| BuildError::Wit {
        name: door.to_owned(),
        path: wit.to_owned(),
        reason,
    })?;
    Ok(with_docs(component, docs))
}

/// The same, of WIT that is a text.
pub(super) fn documented_by(
    component: Vec<u8>,
    door: &str,
    wit: &str,
) -> Result<Vec<u8>, BuildError> {
    let docs = docs(|resolve| resolve.push_str("door.wit", wit));
    let docs = docs.map_err(|reason| BuildError::Pack {
        name: door.to_owned(),
        reason,
    })?;
    Ok(with_docs(component, docs))
}

fn with_docs(mut component: Vec<u8>, docs: Vec<u8>) -> Vec<u8> {
    CustomSection {
        name: PackageMetadata::SECTION_NAME.into(),
        data: docs.into(),
    }
    .append_to_component(&mut component);
    component
}

/// What a toolchain made for a world: without what it exports beside that, and with its comments.
pub(super) fn of_world(component: &[u8], door: &str, world: &World) -> Result<Vec<u8>, BuildError> {
    let trimmed = trimmed(component, &world.exported_names());
    let trimmed = trimmed.map_err(|reason| BuildError::Pack {
        name: door.to_owned(),
        reason,
    })?;
    documented(trimmed, door, &world.path)
}

/// The comments of a WIT package, as the custom section `package-docs` has them.
fn docs(
    package: impl FnOnce(&mut Resolve) -> anyhow::Result<PackageId>,
) -> Result<Vec<u8>, String> {
    let mut resolve = Resolve::default();
    let docs = package(&mut resolve)
        .and_then(|package| PackageMetadata::extract(&resolve, package).encode());
    docs.map_err(|error| format!("{error:#}"))
}

/// The component of a core module, by the adapter for WASI preview 1 where it needs one.
pub(super) fn adapted(door: &str, module: &[u8]) -> Result<Vec<u8>, BuildError> {
    crate::doors::adapt(module).map_err(|error| BuildError::Pack {
        name: door.to_owned(),
        reason: error.to_string(),
    })
}
