//! The type of a value that can go through a door.

use std::fmt;

/// A WIT value type. Handles, streams, futures and error contexts are no values of their own, so
/// they have no shape: a component that names one in a signature is refused when it is read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// `bool`
    Bool,
    /// `s8`
    S8,
    /// `u8`
    U8,
    /// `s16`
    S16,
    /// `u16`
    U16,
    /// `s32`
    S32,
    /// `u32`
    U32,
    /// `s64`
    S64,
    /// `u64`
    U64,
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// `char`: one Unicode scalar value.
    Char,
    /// `string`
    String,
    /// `list<T>`
    List(Box<Shape>),
    /// `list<T, N>`
    FixedList(Box<Shape>, u32),
    /// `map<K, V>`
    Map(Box<Shape>, Box<Shape>),
    /// `record`, its fields in their declared order.
    Record(Vec<Field>),
    /// `tuple<…>`
    Tuple(Vec<Shape>),
    /// `variant`
    Variant(Vec<Case>),
    /// `enum`
    Enum(Vec<String>),
    /// `option<T>`
    Option(Box<Shape>),
    /// `result<T, E>`, either side possibly without a value.
    Result {
        /// What a success carries.
        ok: Option<Box<Shape>>,
        /// What a failure carries.
        error: Option<Box<Shape>>,
    },
    /// `flags`, in their declared order.
    Flags(Vec<String>),
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub shape: Shape,
}

/// A case of a variant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// What it carries, if anything.
    pub payload: Option<Shape>,
}

impl Shape {
    /// Whether this is `list<u8>`, whose JSON form is a base64 string.
    #[must_use]
    pub fn is_bytes(&self) -> bool {
        matches!(self, Self::List(item) if **item == Self::U8)
    }

    /// The least and the greatest value of an integer type.
    #[must_use]
    pub fn integer_range(&self) -> Option<(i128, i128)> {
        Some(match self {
            Self::S8 => (i8::MIN.into(), i8::MAX.into()),
            Self::U8 => (0, u8::MAX.into()),
            Self::S16 => (i16::MIN.into(), i16::MAX.into()),
            Self::U16 => (0, u16::MAX.into()),
            Self::S32 => (i32::MIN.into(), i32::MAX.into()),
            Self::U32 => (0, u32::MAX.into()),
            Self::S64 => (i64::MIN.into(), i64::MAX.into()),
            Self::U64 => (0, u64::MAX.into()),
            _ => return None,
        })
    }
}

/// The type in WIT words. Named types are written out, since their names mean nothing to a caller.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("bool"),
            Self::S8 => f.write_str("s8"),
            Self::U8 => f.write_str("u8"),
            Self::S16 => f.write_str("s16"),
            Self::U16 => f.write_str("u16"),
            Self::S32 => f.write_str("s32"),
            Self::U32 => f.write_str("u32"),
            Self::S64 => f.write_str("s64"),
            Self::U64 => f.write_str("u64"),
            Self::F32 => f.write_str("f32"),
            Self::F64 => f.write_str("f64"),
            Self::Char => f.write_str("char"),
            Self::String => f.write_str("string"),
            Self::List(item) => write!(f, "list<{item}>"),
            Self::FixedList(item, length) => write!(f, "list<{item}, {length}>"),
            Self::Map(key, value) => write!(f, "map<{key}, {value}>"),
            Self::Record(fields) => write!(f, "record {{ {} }}", Commas(fields)),
            Self::Tuple(items) => write!(f, "tuple<{}>", Commas(items)),
            Self::Variant(cases) => write!(f, "variant {{ {} }}", Commas(cases)),
            Self::Enum(names) => write!(f, "enum {{ {} }}", Commas(names)),
            Self::Option(some) => write!(f, "option<{some}>"),
            Self::Result { ok, error } => match (ok, error) {
                (None, None) => f.write_str("result"),
                (Some(ok), None) => write!(f, "result<{ok}>"),
                (None, Some(error)) => write!(f, "result<_, {error}>"),
                (Some(ok), Some(error)) => write!(f, "result<{ok}, {error}>"),
            },
            Self::Flags(names) => write!(f, "flags {{ {} }}", Commas(names)),
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.shape)
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        match &self.payload {
            Some(payload) => write!(f, "({payload})"),
            None => Ok(()),
        }
    }
}

/// Items with commas between them.
pub(super) struct Commas<'a, T>(pub(super) &'a [T]);

impl<T: fmt::Display> fmt::Display for Commas<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, item) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{item}")?;
        }
        Ok(())
    }
}
