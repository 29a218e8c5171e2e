//! What goes wrong before anything of a door runs.

/// The sandbox cannot be made on this machine.
#[derive(Debug, thiserror::Error)]
#[error("the WebAssembly engine cannot start: {what}")]
pub struct SandboxError {
    /// What the engine or the system says.
    pub what: String,
}

/// A component cannot be compiled, or not by this sandbox.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// The file is larger than this sandbox compiles.
    #[error("the component has {found} bytes; expected at most {limit}")]
    TooLarge {
        /// Bytes of the component.
        found: usize,
        /// Bytes, see [`Settings::component`](super::Settings::component).
        limit: usize,
    },
    /// The bytes are no component, or one that needs what this sandbox does not have.
    #[error("expected a WebAssembly component, found: {what}")]
    Invalid {
        /// What the compiler says.
        what: String,
    },
    /// The component imports what no door is offered.
    #[error("the component cannot be linked: {what}")]
    Import {
        /// Which import, and why not.
        what: String,
    },
    /// Compiling takes more than it may, see [`Apart`](super::Apart).
    #[error("compiling the component takes more than {what}")]
    Limit {
        /// The limit, with its unit.
        what: String,
    },
    /// The compiler broke over it.
    #[error("the compiler broke over the component: {what}")]
    Broke {
        /// How it ended.
        what: String,
    },
    /// The compiling task ended without an answer.
    #[error("compiling the component failed on the host: {what}")]
    Host {
        /// What happened to it.
        what: String,
    },
}
