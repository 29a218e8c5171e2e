//! What a toolchain gives, as a component with its documentation.

use std::path::Path;

use wasm_encoder::{ComponentSection, CustomSection};
use wit_parser::{PackageMetadata, Resolve};

use super::BuildError;
use super::trim::trimmed;
use super::world::World;

/// Adds the comments of the WIT, which no toolchain keeps.
pub(super) fn documented(
    mut component: Vec<u8>,
    door: &str,
    wit: &Path,
) -> Result<Vec<u8>, BuildError> {
    let docs = docs(wit).map_err(|reason| BuildError::Wit {
        name: door.to_owned(),
        path: wit.to_owned(),
        reason,
    })?;
    CustomSection {
        name: PackageMetadata::SECTION_NAME.into(),
        data: docs.into(),
    }
    .append_to_component(&mut component);
    Ok(component)
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
fn docs(path: &Path) -> Result<Vec<u8>, String> {
    let mut resolve = Resolve::default();
    let docs = resolve
        .push_path(path)
        .and_then(|(package, _)| PackageMetadata::extract(&resolve, package).encode());
    docs.map_err(|error| format!("{error:#}"))
}

/// The component of a core module, by the adapter for WASI preview 1 where it needs one.
pub(super) fn adapted(door: &str, module: &[u8]) -> Result<Vec<u8>, BuildError> {
    crate::doors::adapt(module).map_err(|error| BuildError::Pack {
        name: door.to_owned(),
        reason: error.to_string(),
    })
}
