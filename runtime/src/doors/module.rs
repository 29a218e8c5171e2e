//! Core modules for WASI preview 1, made components when they are read.

use std::panic::{AssertUnwindSafe, catch_unwind};

use wasi_preview1_component_adapter_provider as adapter;
use wasmparser::{ExternalKind, Parser, Payload, Validator, WasmFeatures};
use wit_component::ComponentEncoder;

/// Why a core module cannot be a door.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoAdapting {
    /// The module is damaged.
    #[error("expected a whole core module, found damage at byte {offset}: {problem}")]
    Invalid {
        /// Where, from 0.
        offset: usize,
        /// What is wrong there.
        problem: String,
    },
    /// It imports what WASI preview 1 does not have.
    #[error(
        "expected a core module that imports nothing but `{PREVIEW_1}`, found the import {import}"
    )]
    Import {
        /// The module and the name.
        import: String,
    },
    /// It is neither a program nor does it say what its functions take.
    #[error(
        "expected a command, found a core module that exports no `_start`; build it as a program \
         whose main reads JSON on standard input, or as a component for wasm32-wasip2"
    )]
    NoCommand,
    /// It cannot be made a component.
    #[error("the core module cannot be made a component: {problem}")]
    Encode {
        /// Why.
        problem: String,
    },
}

/// Whether these bytes begin as a core module does.
pub(super) fn is_module(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\0asm\x01\0\0\0")
}

/// The component that a module is with the adapter for WASI preview 1 of this engine's version. The
/// same module gives the same bytes.
pub(crate) fn adapt(module: &[u8]) -> Result<Vec<u8>, NoAdapting> {
    let about = About::of(module)?;
    let adapter = match about.kind()? {
        Kind::Command => adapter::WASI_SNAPSHOT_PREVIEW1_COMMAND_ADAPTER,
        Kind::Reactor => adapter::WASI_SNAPSHOT_PREVIEW1_REACTOR_ADAPTER,
    };
    let encode = || {
        let mut encoder = ComponentEncoder::default()
            .validate(true)
            .module(module)?
            .adapter(PREVIEW_1, adapter)?;
        encoder.encode()
    };
    // The encoder is written for what compilers give it; these bytes can be anyone's.
    let encoded = catch_unwind(AssertUnwindSafe(encode));
    let problem = match encoded {
        Ok(Ok(component)) => return Ok(component),
        Ok(Err(error)) => format!("{error:#}"),
        Err(_) => "the encoder gave up on it".to_owned(),
    };
    let problem = loop_spec::frame::one_line(&problem);
    Err(NoAdapting::Encode { problem })
}

enum Kind {
    Command,
    Reactor,
}

/// What a module says of itself.
#[derive(Default)]
struct About {
    starts: bool,
    /// It carries the types of a component's interface, as wit-bindgen leaves them.
    typed: bool,
    /// The first import that is not of preview 1.
    stranger: Option<String>,
}

impl About {
    fn of(module: &[u8]) -> Result<Self, NoAdapting> {
        let invalid = |error: wasmparser::BinaryReaderError| NoAdapting::Invalid {
            offset: error.offset(),
            problem: error.message().to_owned(),
        };
        let mut validator = Validator::new_with_features(WasmFeatures::all());
        validator.validate_all(module).map_err(invalid)?;
        let mut about = Self::default();
        for payload in Parser::new(0).parse_all(module) {
            about.read(&payload.map_err(invalid)?).map_err(invalid)?;
        }
        Ok(about)
    }

    fn read(&mut self, payload: &Payload<'_>) -> wasmparser::Result<()> {
        match payload {
            Payload::ImportSection(imports) => {
                for import in imports.clone().into_imports() {
                    let import = import?;
                    if import.module != PREVIEW_1 && self.stranger.is_none() {
                        let name = format!("{:?} of {:?}", import.name, import.module);
                        self.stranger = Some(loop_spec::frame::one_line(&name));
                    }
                }
            }
            Payload::ExportSection(exports) => {
                for export in exports.clone() {
                    let export = export?;
                    self.starts |= export.name == "_start" && export.kind == ExternalKind::Func;
                }
            }
            Payload::CustomSection(section) => {
                self.typed |= section.name().starts_with("component-type");
            }
            _ => {}
        }
        Ok(())
    }

    fn kind(self) -> Result<Kind, NoAdapting> {
        match self {
            // What else it imports stands in its types.
            Self { typed: true, .. } => Ok(if self.starts {
                Kind::Command
            } else {
                Kind::Reactor
            }),
            Self {
                stranger: Some(import),
                ..
            } => Err(NoAdapting::Import { import }),
            Self { starts: true, .. } => Ok(Kind::Command),
            Self { starts: false, .. } => Err(NoAdapting::NoCommand),
        }
    }
}

/// The name that preview 1 is imported under.
const PREVIEW_1: &str = "wasi_snapshot_preview1";
