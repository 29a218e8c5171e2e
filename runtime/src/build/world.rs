//! The WIT of a door: what its sources are to export.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use wit_bindgen_core::{Files, WorldGenerator};
use wit_component::{StringEncoding, WitPrinter};
use wit_parser::{Function, Resolve, Type, TypeDefKind, WorldId, WorldItem, WorldKey};

use super::BuildError;

/// One world, and where it stands.
#[derive(Clone)]
pub(super) struct World {
    /// The door that it is of, for messages.
    door: String,
    /// The folder or the file.
    pub(super) path: PathBuf,
    resolve: Resolve,
    id: WorldId,
}

/// What a world exports under one name: functions of an interface, or one function.
pub(super) struct Export {
    /// The short name of the interface, if they are in one.
    pub(super) interface: Option<String>,
    pub(super) functions: Vec<Exported>,
}

/// A function that is to be exported.
pub(super) struct Exported {
    pub(super) name: String,
    /// Its parameters' names.
    pub(super) parameters: Vec<String>,
    /// It returns `result<_, string>`: what goes wrong in it can be said.
    pub(super) says_errors: bool,
}

impl World {
    /// Reads the only world of a package, or the one that is called like the door.
    pub(super) fn read(door: &str, path: &Path) -> Result<Self, BuildError> {
        let wrong = |reason: String| BuildError::Wit {
            name: door.to_owned(),
            path: path.to_owned(),
            reason,
        };
        let mut resolve = Resolve::default();
        let (package, _) = resolve
            .push_path(path)
            .map_err(|error| wrong(format!("{error:#}")))?;
        let worlds = &resolve.packages[package].worlds;
        let id = match worlds.get(door) {
            Some(id) => *id,
            None if worlds.len() == 1 => worlds[0],
            None => {
                let names: Vec<&str> = worlds.keys().map(String::as_str).collect();
                return Err(wrong(format!(
                    "expected one world, or one called `{door}`, found {}",
                    match names.is_empty() {
                        true => "none".to_owned(),
                        false => names.join(", "),
                    }
                )));
            }
        };
        Ok(Self {
            door: door.to_owned(),
            path: path.to_owned(),
            resolve,
            id,
        })
    }

    /// Its name.
    pub(super) fn name(&self) -> &str {
        &self.resolve.worlds[self.id].name
    }

    /// The names that a component exports them by.
    pub(super) fn exported_names(&self) -> BTreeSet<String> {
        let keys = self.resolve.worlds[self.id].exports.keys();
        keys.map(|key| self.resolve.name_world_key(key)).collect()
    }

    /// What it exports, in order.
    pub(super) fn exports(&self) -> Vec<Export> {
        let items = self.resolve.worlds[self.id].exports.iter();
        let export = |(key, item): (&WorldKey, &WorldItem)| match item {
            WorldItem::Interface { id, .. } => {
                let interface = &self.resolve.interfaces[*id];
                let short = match key {
                    WorldKey::Name(name) => Some(name.clone()),
                    WorldKey::Interface(_) => interface.name.clone(),
                };
                let functions = interface.functions.values();
                Some(Export {
                    interface: short,
                    functions: functions.map(|it| self.exported(it)).collect(),
                })
            }
            WorldItem::Function(function) => Some(Export {
                interface: None,
                functions: vec![self.exported(function)],
            }),
            WorldItem::Type { .. } => None,
        };
        items.filter_map(export).collect()
    }

    fn exported(&self, function: &Function) -> Exported {
        let parameters = function
            .params
            .iter()
            .map(|parameter| parameter.name.clone());
        Exported {
            name: function.name.clone(),
            parameters: parameters.collect(),
            says_errors: function.result.is_some_and(|ty| self.says_errors(ty)),
        }
    }

    fn says_errors(&self, ty: Type) -> bool {
        let Type::Id(id) = ty else { return false };
        match &self.resolve.types[id].kind {
            TypeDefKind::Result(result) => result.err.is_some_and(|err| self.is_text(err)),
            TypeDefKind::Type(inner) => self.says_errors(*inner),
            _ => false,
        }
    }

    fn is_text(&self, ty: Type) -> bool {
        match ty {
            Type::String => true,
            Type::Id(id) => match &self.resolve.types[id].kind {
                TypeDefKind::Type(inner) => self.is_text(*inner),
                _ => false,
            },
            _ => false,
        }
    }

    /// Writes what a generator makes of it into a folder.
    pub(super) fn bindings(
        &self,
        generator: &mut dyn WorldGenerator,
        folder: &Path,
    ) -> Result<Vec<PathBuf>, BuildError> {
        let mut files = Files::default();
        // A generator changes what it reads.
        let mut resolve = self.resolve.clone();
        generator
            .generate(&mut resolve, self.id, &mut files)
            .map_err(|error| self.wrong(&error))?;
        let mut written = Vec::new();
        for (name, contents) in files.iter() {
            let file = folder.join(name);
            super::write_file(&file, contents)?;
            written.push(file);
        }
        Ok(written)
    }

    /// The text of a package whose world, of this name, is this one and imports more. `packages` are
    /// texts of WIT packages, each after those that it uses.
    pub(super) fn extended(
        &self,
        name: &str,
        packages: &[&str],
        imports: &[&str],
    ) -> Result<String, BuildError> {
        let extended = || -> anyhow::Result<String> {
            let mut more = Resolve::default();
            for package in packages {
                more.push_str("prelude.wit", package)?;
            }
            let mut resolve = self.resolve.clone();
            resolve.merge(more)?;
            let own = self.resolve.worlds[self.id]
                .package
                .context("it is in a package")?;
            let own = self.resolve.packages[own].name.interface_id(self.name());
            let imports: String = imports
                .iter()
                .map(|it| format!("  import {it};\n"))
                .collect();
            let world = format!(
                "package doorlist:script;\nworld {name} {{\n  include {own};\n{imports}}}\n"
            );
            let package = resolve.push_str("script.wit", &world)?;
            let others = resolve.packages.iter().map(|(id, _)| id);
            let others: Vec<_> = others.filter(|id| *id != package).collect();
            let mut printer = WitPrinter::default();
            printer.print(&resolve, package, &others)?;
            Ok(printer.output.to_string())
        };
        extended().map_err(|error| self.wrong(&error))
    }

    /// Puts its types into a core module, for the packing.
    pub(super) fn embed(&self, module: &mut Vec<u8>) -> Result<(), BuildError> {
        let encoding = StringEncoding::UTF8;
        wit_component::embed_component_metadata(module, &self.resolve, self.id, encoding)
            .map_err(|error| self.wrong(&error))
    }

    fn wrong(&self, error: &anyhow::Error) -> BuildError {
        BuildError::Wit {
            name: self.door.clone(),
            path: self.path.clone(),
            reason: format!("{error:#}"),
        }
    }
}
