//! What a door is compiled for.

use std::fmt;

/// The target of a door crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// For doors that use nothing of the host. What the compiler gives is a core module, which is
    /// packed as a component.
    UnknownUnknown,
    /// For doors that use files or the network. The linker gives a component.
    Wasip2,
}

impl Target {
    /// Every target, the one for doors without `[package.metadata.door] target` first.
    pub const ALL: [Self; 2] = [Self::UnknownUnknown, Self::Wasip2];

    /// The name that Cargo and rustup know it by.
    pub fn triple(self) -> &'static str {
        match self {
            Self::UnknownUnknown => "wasm32-unknown-unknown",
            Self::Wasip2 => "wasm32-wasip2",
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.triple())
    }
}
