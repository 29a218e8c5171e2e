//! Which parts of WebAssembly a door may use.

use wasmparser::{Validator, WasmFeatures};

/// Refuses a component that uses more than is compiled here, before the compiler sees any of it.
///
/// The engine's own settings leave more open than they say: with the garbage collector left out,
/// subtypes of functions are taken all the same, and one call through a table ends the process.
pub(super) fn check(component: &[u8]) -> wasmtime::Result<()> {
    Validator::new_with_features(OFFERED).validate_all(component)?;
    Ok(())
}

/// What is not in here is refused, whatever the engine knows: an addition is looked at first.
const OFFERED: WasmFeatures = WasmFeatures::FLOATS
    .union(WasmFeatures::MUTABLE_GLOBAL)
    .union(WasmFeatures::SATURATING_FLOAT_TO_INT)
    .union(WasmFeatures::SIGN_EXTENSION)
    .union(WasmFeatures::MULTI_VALUE)
    .union(WasmFeatures::BULK_MEMORY)
    .union(WasmFeatures::REFERENCE_TYPES)
    .union(WasmFeatures::SIMD)
    .union(WasmFeatures::RELAXED_SIMD)
    .union(WasmFeatures::TAIL_CALL)
    .union(WasmFeatures::MULTI_MEMORY)
    .union(WasmFeatures::EXTENDED_CONST)
    .union(WasmFeatures::COMPONENT_MODEL);
