//! The outermost level of a component: its names, its types, its documentation.

use wasmparser::component_types::{ComponentAnyTypeId, ComponentEntityType, ComponentItem};
use wasmparser::types::Types;
use wasmparser::{BinaryReaderError, Encoding, Parser, Payload, Validator, WasmFeatures};

use super::docs::Docs;
use super::imports::{Import, ImportKind};
use super::interface::InterfaceError;

/// A component whose structure and types were validated.
///
/// The types come straight from the validator. wit-parser would read the same bytes, but it merges
/// what is imported and exported under one name without comparing the functions' types, and calling
/// a function with values of other types than its own breaks the instance.
pub(super) struct Outline {
    pub(super) types: Types,
    pub(super) docs: Docs,
    exports: Vec<String>,
    imports: Vec<String>,
}

impl Outline {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, InterfaceError> {
        recognise(bytes)?;
        Self::parse(bytes).map_err(|error| InterfaceError::Invalid {
            offset: error.offset(),
            problem: error.message().to_owned(),
        })?
    }

    /// The outer error is damage; the inner one is a whole module that is no component.
    fn parse(bytes: &[u8]) -> Result<Result<Self, InterfaceError>, BinaryReaderError> {
        // What the engine does not take, the engine says when it compiles. Here every proposal is
        // known, so that a stream in a signature is called a stream and not damage.
        let mut validator = Validator::new_with_features(WasmFeatures::all());
        let (mut exports, mut imports, mut docs) = (Vec::new(), Vec::new(), Docs::default());
        let mut depth = 0;
        for payload in Parser::new(0).parse_all(bytes) {
            let payload = payload?;
            let valid = validator.payload(&payload)?;
            match &payload {
                Payload::Version { encoding, .. } => {
                    if depth == 0 && *encoding == Encoding::Module {
                        return Ok(Err(InterfaceError::CoreModule));
                    }
                    depth += 1;
                }
                Payload::ComponentImportSection(section) if depth == 1 => {
                    for import in section.clone() {
                        imports.push(import?.name.name.to_owned());
                    }
                }
                Payload::ComponentExportSection(section) if depth == 1 => {
                    for export in section.clone() {
                        exports.push(export?.name.name.to_owned());
                    }
                }
                Payload::CustomSection(section) if depth == 1 => {
                    docs.read(section.name(), section.data());
                }
                Payload::End(_) => depth -= 1,
                _ => {}
            }
            if let (0, wasmparser::ValidPayload::End(types)) = (depth, valid) {
                return Ok(Ok(Self {
                    types,
                    docs,
                    exports,
                    imports,
                }));
            }
        }
        Ok(Err(InterfaceError::Invalid {
            offset: bytes.len(),
            problem: "it ends too early".to_owned(),
        }))
    }

    /// What is exported, in the component's order.
    pub(super) fn exports(&self) -> impl Iterator<Item = (&str, &ComponentItem)> {
        let types = self.types.as_ref();
        self.exports
            .iter()
            .filter_map(move |name| Some((name.as_str(), types.component_item_for_export(name)?)))
    }

    /// What the host must give. A type that is imported as equal to another one asks for nothing.
    pub(super) fn imports(&self) -> Vec<Import> {
        let types = self.types.as_ref();
        let import = |name: &String| {
            let kind = match types.component_item_for_import(name)?.ty {
                ComponentEntityType::Instance(_) => ImportKind::Interface,
                ComponentEntityType::Func(_) => ImportKind::Function,
                ComponentEntityType::Module(_) => ImportKind::Module,
                ComponentEntityType::Component(_) => ImportKind::Component,
                ComponentEntityType::Value(_) => ImportKind::Value,
                ComponentEntityType::Type { created, .. } => match created {
                    ComponentAnyTypeId::Resource(_) => ImportKind::Resource,
                    _ => return None,
                },
            };
            let name = name.clone();
            Some(Import { name, kind })
        };
        self.imports.iter().filter_map(import).collect()
    }
}

/// Tells bytes that are no WebAssembly binary from one that is damaged.
fn recognise(bytes: &[u8]) -> Result<(), InterfaceError> {
    if bytes.starts_with(b"\0asm") {
        return Ok(());
    }
    let text = std::str::from_utf8(bytes).ok().map(str::trim_start);
    let found = match text {
        Some("") => "nothing",
        Some(text) if text.starts_with('(') || text.starts_with(";;") => {
            return Err(InterfaceError::Text);
        }
        Some(_) => "text",
        None if bytes.starts_with(b"\x7fELF") || bytes.starts_with(b"MZ") => "a native program",
        None => "bytes of another kind",
    };
    Err(InterfaceError::NotWasm { found })
}
