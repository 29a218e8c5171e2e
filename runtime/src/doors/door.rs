//! One door of a catalogue.

use std::sync::Arc;

use loop_spec::Digest;
use serde_json::Value;

use super::door_file::DoorFile;
use super::function::Function;

/// A door: one exported function of one component, under its name. It has not been compiled.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Door {
    /// What it is called by: `fridge.count`.
    pub name: String,
    /// The function that it opens.
    pub function: Function,
    /// The component that it is part of, with its bytes, digests and imports.
    pub file: Arc<DoorFile>,
}

impl Door {
    /// The digest of the component as its file has it: of the bytes that are compiled, or, of a core
    /// module, of those that the compiled ones are made of.
    #[must_use]
    pub fn component_digest(&self) -> Digest {
        self.file.artifact.digest()
    }

    /// The digest of the component's interface.
    #[must_use]
    pub fn interface_digest(&self) -> Digest {
        self.file.interface.digest
    }

    /// One line for a reader: the name, what it takes and what it returns.
    #[must_use]
    pub fn signature(&self) -> String {
        self.function.signature(&self.name)
    }

    /// JSON Schema of its arguments.
    #[must_use]
    pub fn schema(&self) -> Value {
        self.function.schema()
    }
}
