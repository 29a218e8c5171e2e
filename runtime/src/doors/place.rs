//! Where in some arguments or results a value stands.

use std::fmt;

/// The way to a value, as a list on the stack: `items[3].price`.
#[derive(Clone, Copy)]
pub(super) enum Place<'a> {
    /// The result; or the arguments as a whole, which go without a name.
    Root(&'static str),
    /// Under a key of an object.
    Key(&'a Place<'a>, &'a str),
    /// At an index of an array, from 0.
    Item(&'a Place<'a>, usize),
}

impl Place<'_> {
    pub(super) const ARGUMENTS: Place<'static> = Place::Root("");
    pub(super) const RESULT: Place<'static> = Place::Root("result");
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root(name) => f.write_str(name),
            // A parameter is known by its own name.
            Self::Key(Place::Root(""), key) => f.write_str(key),
            Self::Key(parent, key) => write!(f, "{parent}.{key}"),
            Self::Item(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}
