//! What a component exports and imports, read from its bytes.

use loop_spec::Digest;
use wasmparser::component_types::{ComponentEntityType, ComponentFuncTypeId};

use super::command::Takes;
use super::function::Function;
use super::imports::{Import, UnmetImport};
use super::module::NoAdapting;
use super::outline::Outline;
use super::reader::{Reader, Unusable};
use super::shape::Shape;

/// What a component exports and imports. Reading it neither compiles nor instantiates anything.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Interface {
    /// The exported functions, in the component's order.
    pub functions: Vec<Function>,
    /// What the component needs of its host.
    pub imports: Vec<Import>,
    /// Names what a caller is told: the exported functions with their types and documentation.
    /// Imports are not in it, nor the order in which functions are exported.
    pub digest: Digest,
}

/// Why some bytes have no interface that doors can be made of.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InterfaceError {
    /// The bytes are not WebAssembly of any kind.
    #[error("expected a WebAssembly component, found {found}")]
    NotWasm {
        /// What the bytes look like.
        found: &'static str,
    },
    /// WebAssembly in its text form, where the binary form is needed.
    #[error("expected a binary component, found WebAssembly text; give the file the ending .wat")]
    Text,
    /// A core module where only a component has an interface.
    #[error("expected a component, found a core module")]
    CoreModule,
    /// A core module that cannot be made a component.
    #[error(transparent)]
    Module(#[from] NoAdapting),
    /// A command of another version of WASI.
    #[error("expected a command of WASI 0.2 (`{COMMAND}0.2.x`), found `{export}`")]
    CommandVersion {
        /// The export that makes it one.
        export: String,
    },
    /// The bytes begin as WebAssembly and go wrong.
    #[error("expected a whole component, found damage at byte {offset}: {problem}")]
    Invalid {
        /// Where, from 0.
        offset: usize,
        /// What is wrong there.
        problem: String,
    },
    /// There is nothing to open.
    #[error("expected a component that exports functions, found none")]
    NoFunctions,
    /// An exported function that cannot be a door.
    #[error("the function `{function}` cannot be a door: {why}")]
    Function {
        /// Its name, with its interface.
        function: String,
        /// What is in the way.
        #[source]
        why: Unusable,
    },
}

impl Interface {
    /// Reads the interface of the component in `bytes`, its binary form.
    ///
    /// Types and structure are validated, so that damage is found here; the bodies of core functions
    /// are not: the compiler does that, and it is most of the work.
    ///
    /// # Errors
    ///
    /// When the bytes are no whole component, or when a function of it cannot be a door.
    pub fn read(bytes: &[u8]) -> Result<Self, InterfaceError> {
        let outline = Outline::read(bytes)?;
        let functions = functions(&outline)?;
        Ok(Self {
            digest: digest(&functions),
            functions,
            imports: outline.imports(),
        })
    }

    /// Whether it is a program, which says nothing of what it takes by itself.
    #[must_use]
    pub fn is_command(&self) -> bool {
        self.functions
            .iter()
            .any(|function| function.command.is_some())
    }

    /// The same, with what stands beside a command about what it takes.
    #[must_use]
    pub(super) fn described(mut self, takes: &Takes) -> Self {
        for function in &mut self.functions {
            if function.command.is_some() {
                function.docs = takes.about().map(str::to_owned);
                function.command = Some(takes.clone());
            }
        }
        self.digest = digest(&self.functions);
        self
    }

    /// The imports that this host does not meet. A component with any cannot be opened.
    #[must_use]
    pub fn unmet_imports(&self) -> Vec<UnmetImport> {
        self.imports.iter().filter_map(Import::unmet).collect()
    }
}

fn functions(outline: &Outline) -> Result<Vec<Function>, InterfaceError> {
    let mut reader = Reader::new(&outline.types);
    let mut functions = Vec::new();
    for (export, item) in outline.exports() {
        if let Some(version) = export.strip_prefix(COMMAND) {
            return command(export, version);
        }
        match item.ty {
            ComponentEntityType::Func(id) => {
                functions.push(function(&mut reader, outline, id, None, export)?);
            }
            ComponentEntityType::Instance(id) => {
                for (name, item) in &outline.types[id].exports {
                    if let ComponentEntityType::Func(id) = item.ty {
                        functions.push(function(&mut reader, outline, id, Some(export), name)?);
                    }
                }
            }
            // Types are exported beside the functions that use them; what else a component exports
            // is for other components.
            _ => {}
        }
    }
    match functions.is_empty() {
        true => Err(InterfaceError::NoFunctions),
        false => Ok(functions),
    }
}

/// A program is one door, whatever else it exports.
fn command(export: &str, version: &str) -> Result<Vec<Function>, InterfaceError> {
    let export = export.to_owned();
    if !version.starts_with("0.2.") {
        return Err(InterfaceError::CommandVersion { export });
    }
    let (ok, error) = (None, None);
    Ok(vec![Function {
        interface: Some(export),
        name: "run".to_owned(),
        parameters: Vec::new(),
        result: Some(Shape::Result { ok, error }),
        docs: None,
        command: Some(Takes::anything()),
    }])
}

fn function(
    reader: &mut Reader<'_>,
    outline: &Outline,
    id: ComponentFuncTypeId,
    interface: Option<&str>,
    name: &str,
) -> Result<Function, InterfaceError> {
    let read = reader.function(id, interface, name);
    let mut function = read.map_err(|why| InterfaceError::Function {
        function: full_name(interface, name),
        why,
    })?;
    function.docs = outline.docs.of(function.short_interface(), name);
    Ok(function)
}

fn full_name(interface: Option<&str>, name: &str) -> String {
    match interface {
        Some(interface) => format!("{interface}#{name}"),
        None => name.to_owned(),
    }
}

fn digest(functions: &[Function]) -> Digest {
    let mut lines: Vec<String> = functions
        .iter()
        .map(|function| {
            let interface = function.interface.as_deref().unwrap_or_default();
            // Documentation in quotes, so that it cannot pass for another line.
            let docs = serde_json::Value::from(function.docs.as_deref().unwrap_or_default());
            match &function.command {
                Some(takes) => format!("{interface}#{function} {}\n", takes.schema()),
                None => format!("{interface}#{function} {docs}\n"),
            }
        })
        .collect();
    lines.sort();
    Digest::of(lines.concat())
}

/// What a component exports that runs as a program, in any version.
const COMMAND: &str = "wasi:cli/run@";
