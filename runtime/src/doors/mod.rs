//! Doors as data: all that can be known of a door without compiling or instantiating it, and the
//! exact conversion between JSON and the values of a component.
//!
//! # The JSON form of every WIT type
//!
//! | WIT | JSON, as an argument and as a result |
//! |---|---|
//! | `bool` | `true`, `false` |
//! | `u8` … `u32`, `s8` … `s32` | a number. Also taken: a number that is whole (`3.0`), a string of a number (`"3"`) |
//! | `u64`, `s64` | a number up to ±(2^53 - 1), beyond that a string of its digits. Also taken: a number of any size |
//! | `f32`, `f64` | a number. Also taken: a string of a number, `"NaN"`, `"Infinity"`, `"-Infinity"`. In a result these three are an error |
//! | `char` | a string of exactly one Unicode scalar value |
//! | `string` | a string |
//! | `list<u8>` | a base64 string (standard alphabet, padded). Also taken: without padding; an array of numbers |
//! | `list<T>`, `list<T, N>` | an array (of exactly N) |
//! | `map<K, V>` | an array of `[key, value]`; in arguments each key once |
//! | `record` | an object of its fields. In arguments an `option` may be left out; in results it is `null` |
//! | `tuple` | an array, one item for each type |
//! | `variant` | `{"case": value}`, or `"case"` for a case that carries nothing |
//! | `enum` | the name as a string |
//! | `option<T>` | `null`, or what `T` is |
//! | `option<option<T>>` | `null`, or `{"some": …}` around what `option<T>` is |
//! | `result<T, E>` | `{"ok": value}` or `{"error": value}`; `"ok"` or `"error"` where that side carries nothing |
//! | `flags` | an array of the names that are set, each once, in any order (as a result in declared order) |
//!
//! Numbers with a fraction or an exponent are doubles, as JSON readers have them: such a number is
//! an integer only where doubles are exact, and an `f32` is the one nearest to it. Floats come out in
//! the shortest form that reads back as the same bits. Handles, streams, futures and error contexts
//! have no form; a component with one in a signature is refused when it is read.
//!
//! Arguments are an object keyed by the parameters' names ([`Function::fit`]). A result that is a
//! top-level `result` is taken apart: its error is the door's own ([`Function::say`]).
//!
//! # Example
//!
//! ```
//! use doorlist::doors::{Catalogue, DoorFile, parse_arguments};
//!
//! let component = wat::parse_str(
//!     r#"(component
//!         (core module $m (func (export "double") (param i32) (result i32)
//!             (i32.mul (local.get 0) (i32.const 2))))
//!         (core instance $i (instantiate $m))
//!         (func (export "double") (param "number" u32) (result u32)
//!             (canon lift (core func $i "double"))))"#,
//! )?;
//! let catalogue = Catalogue::of([DoorFile::from_bytes("maths", component)?])?;
//! let door = catalogue.door("maths.double").ok_or("no such door")?;
//! assert_eq!(door.signature(), "maths.double(number: u32) -> u32");
//!
//! let values = door.function.fit(&parse_arguments(r#"{"number": 21}"#)?)?;
//! assert_eq!(door.function.canonical(&values)?, r#"{"number":21}"#);
//!
//! let misfit = door.function.fit(&parse_arguments(r#"{"number": -1}"#)?).unwrap_err();
//! assert_eq!(
//!     misfit.to_string(),
//!     "`number`: expected u32 (a whole number from 0 to 4294967295), found -1"
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arguments;
mod catalogue;
mod command;
mod docs;
mod door;
mod door_file;
mod fit;
mod function;
mod imports;
mod interface;
mod least;
mod misfit;
mod module;
mod name;
mod nearest;
mod number;
mod outline;
mod own;
mod place;
mod raise;
mod reader;
mod say;
mod schema;
mod shape;

#[cfg(test)]
mod tests;

pub use arguments::{DEEPEST_JSON, NotJson, parse_arguments};
pub use catalogue::{Catalogue, CatalogueError};
pub use command::{NoSchema, Takes};
pub use door::Door;
pub use door_file::{DoorFile, DoorFileError, LARGEST_FILE, schema_of};
pub use function::Function;
pub(crate) use imports::{HISTORY, KV};
pub use imports::{Import, ImportKind, Unmet, UnmetImport, packages};
pub use interface::{Interface, InterfaceError};
pub use misfit::Misfit;
pub use module::NoAdapting;
pub(crate) use module::adapt;
pub use name::{LONGEST_NAME, door_names, is_usable, mapped, stem_of};
pub use reader::Unusable;
pub use say::{Said, Unsayable};
pub use shape::{Case, Field, Shape};
