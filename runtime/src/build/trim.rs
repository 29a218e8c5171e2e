//! What a toolchain exports beside the door's world, taken away: the runtimes of JavaScript and
//! Python leave the function that a build started them with, and everything that is exported is a
//! door.

use std::collections::BTreeSet;
use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode, ReencodeComponent, component_utils};
use wasm_encoder::{Component, ComponentExportSection};
use wasmparser::{ComponentExternalKind, Parser, Payload, Validator, WasmFeatures};

/// The component with no exports but those of `kept`, and types.
pub(super) fn trimmed(component: &[u8], kept: &BTreeSet<String>) -> Result<Vec<u8>, String> {
    let dropped = Dropped::of(component, kept).map_err(|error| error.to_string())?;
    if dropped.is_empty() {
        return Ok(component.to_owned());
    }
    let mut trim = Trim {
        kept,
        dropped,
        depth: 0,
    };
    let mut out = Component::new();
    trim.parse_component(&mut out, Parser::new(0), component)
        .map_err(|error| error.to_string())?;
    let out = out.finish();
    Validator::new_with_features(WasmFeatures::all())
        .validate_all(&out)
        .map_err(|error| format!("without what it exports too much it is not valid: {error}"))?;
    Ok(out)
}

fn is_kept(kept: &BTreeSet<String>, name: &str, kind: ComponentExternalKind) -> bool {
    kind == ComponentExternalKind::Type || kept.contains(name)
}

/// The places in the outermost index spaces that exports which go away have taken.
#[derive(Default)]
struct Dropped {
    functions: Vec<u32>,
    instances: Vec<u32>,
}

impl Dropped {
    fn of(component: &[u8], kept: &BTreeSet<String>) -> wasmparser::Result<Self> {
        let mut validator = Validator::new_with_features(WasmFeatures::all());
        let mut dropped = Self::default();
        let mut depth = 0_u32;
        for payload in Parser::new(0).parse_all(component) {
            let payload = payload?;
            match &payload {
                Payload::Version { .. } => depth += 1,
                Payload::End(_) => depth -= 1,
                Payload::ComponentExportSection(section) if depth == 1 => {
                    let types = validator.types(0).expect("it is in a component");
                    let mut function = types.component_function_count();
                    let mut instance = types.component_instance_count();
                    for export in section.clone() {
                        let export = export?;
                        let goes = !is_kept(kept, export.name.name, export.kind);
                        let (next, places) = match export.kind {
                            ComponentExternalKind::Func => (&mut function, &mut dropped.functions),
                            ComponentExternalKind::Instance => {
                                (&mut instance, &mut dropped.instances)
                            }
                            _ => continue,
                        };
                        if goes {
                            places.push(*next);
                        }
                        *next += 1;
                    }
                }
                _ => {}
            }
            validator.payload(&payload)?;
        }
        Ok(dropped)
    }

    fn is_empty(&self) -> bool {
        self.functions.is_empty() && self.instances.is_empty()
    }
}

/// Writes a component again, without them.
struct Trim<'a> {
    kept: &'a BTreeSet<String>,
    dropped: Dropped,
    /// How deep in nested components and types.
    depth: u32,
}

impl Trim<'_> {
    fn moved(&self, places: &[u32], index: u32) -> u32 {
        let before = places.iter().filter(|place| **place < index).count();
        match self.depth {
            0 => index - u32::try_from(before).expect("there are fewer than places"),
            _ => index,
        }
    }
}

impl Reencode for Trim<'_> {
    type Error = Infallible;
}

impl ReencodeComponent for Trim<'_> {
    fn push_depth(&mut self) {
        self.depth += 1;
    }

    fn pop_depth(&mut self) {
        self.depth -= 1;
    }

    fn component_func_index(&mut self, index: u32) -> u32 {
        self.moved(&self.dropped.functions, index)
    }

    fn component_instance_index(&mut self, index: u32) -> u32 {
        self.moved(&self.dropped.instances, index)
    }

    fn parse_component_submodule(
        &mut self,
        component: &mut Component,
        _: Parser,
        module: &[u8],
    ) -> Result<(), Error<Infallible>> {
        component.section(&wasm_encoder::RawSection {
            id: wasm_encoder::ComponentSectionId::CoreModule.into(),
            data: module,
        });
        Ok(())
    }

    fn parse_component_export(
        &mut self,
        exports: &mut ComponentExportSection,
        export: wasmparser::ComponentExport<'_>,
    ) -> Result<(), Error<Infallible>> {
        match self.depth > 0 || is_kept(self.kept, export.name.name, export.kind) {
            true => component_utils::parse_component_export(self, exports, export),
            false => Ok(()),
        }
    }
}
