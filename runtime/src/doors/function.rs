//! One exported function of a component.

use std::fmt;

use super::command::Takes;
use super::shape::{Commas, Field, Shape};

/// A function that a component exports: what a door opens.
///
/// The parameters are fields, since arguments are written as an object with their names as keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The interface that it is exported in, as the component names it
    /// (`doorlist:model/decide@0.1.0`), or `None` for a function of the component itself.
    pub interface: Option<String>,
    /// Its name in that interface.
    pub name: String,
    /// Its parameters, in order.
    pub parameters: Vec<Field>,
    /// What it returns.
    pub result: Option<Shape>,
    /// Its documentation, where the component carries a `package-docs` section.
    pub docs: Option<String>,
    /// What it takes, where it is a command: one JSON object on standard input, and what it writes to
    /// standard output is what it returns.
    pub command: Option<Takes>,
}

impl Function {
    /// The interface's name without package and version: `decide` of `doorlist:model/decide@0.1.0`.
    #[must_use]
    pub fn short_interface(&self) -> Option<&str> {
        let full = self.interface.as_deref()?;
        let named = full.rsplit_once('/').map_or(full, |(_, name)| name);
        Some(named.split_once('@').map_or(named, |(name, _)| name))
    }

    /// What a success returns: the result's type, with an outermost `result<T, E>` taken off.
    #[must_use]
    pub fn success(&self) -> Option<&Shape> {
        match &self.result {
            Some(Shape::Result { ok, .. }) => ok.as_deref(),
            other => other.as_ref(),
        }
    }

    /// What a caller reads: `fridge.count(items: list<string>) -> list<tuple<string, u32>>`, when
    /// the door's name is `fridge.count`. An outermost `result` is left out, since its error is told
    /// as the door's own error.
    #[must_use]
    pub fn signature(&self, door: &str) -> String {
        if let Some(takes) = &self.command {
            return format!("{door}({}) -> text", takes.outline());
        }
        let parameters = Commas(&self.parameters);
        match self.success() {
            Some(shape) => format!("{door}({parameters}) -> {shape}"),
            None => format!("{door}({parameters})"),
        }
    }
}

/// The whole type, as WIT would write it: `count: func(items: list<string>) -> result<u32, string>`.
impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: func({})", self.name, Commas(&self.parameters))?;
        match &self.result {
            Some(shape) => write!(f, " -> {shape}"),
            None => Ok(()),
        }
    }
}
