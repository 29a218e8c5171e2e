//! Types of a component, read into shapes.

use wasmparser::PrimitiveValType;
use wasmparser::component_types::{
    ComponentDefinedType, ComponentFuncTypeId, ComponentValType, VariantCase,
};
use wasmparser::types::Types;

use super::function::Function;
use super::shape::{Case, Field, Shape};

/// Why a function cannot be a door.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unusable {
    /// It takes or returns a resource, which lives in an instance, and each opening has its own.
    #[error("{place} holds a handle to a resource, which cannot leave the component")]
    Handle {
        /// The parameter or the result, and where in it.
        place: String,
    },
    /// It takes or returns a stream.
    #[error("{place} holds a stream, and a door takes and returns whole values")]
    Stream {
        /// The parameter or the result, and where in it.
        place: String,
    },
    /// It takes or returns a future.
    #[error("{place} holds a future, and a door takes and returns whole values")]
    Future {
        /// The parameter or the result, and where in it.
        place: String,
    },
    /// It takes or returns an error context.
    #[error("{place} holds an error-context, which says nothing outside the component")]
    ErrorContext {
        /// The parameter or the result, and where in it.
        place: String,
    },
    /// It belongs to a resource.
    #[error("it belongs to a resource, which cannot leave the component")]
    OfResource,
    /// It is an `async` function.
    #[error("it is an async function, and a door is a plain one")]
    Async,
    /// Its types stand in each other too deep.
    #[error("{place} is nested deeper than {DEEPEST} types")]
    TooDeep {
        /// The parameter or the result, and where in it.
        place: String,
    },
    /// The types of all functions together are too many.
    #[error("the types of the component's functions, written out, are more than {MOST}")]
    TooLarge,
}

/// Reads the types of one component's functions.
pub(super) struct Reader<'a> {
    types: &'a Types,
    /// How many more types may be written out. Types are shared in a component but not in a shape,
    /// so a few hundred bytes could stand for millions of them.
    left: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(types: &'a Types) -> Self {
        Self { types, left: MOST }
    }

    pub(super) fn function(
        &mut self,
        id: ComponentFuncTypeId,
        interface: Option<&str>,
        name: &str,
    ) -> Result<Function, Unusable> {
        if name.starts_with('[') {
            return Err(Unusable::OfResource);
        }
        let function = &self.types[id];
        if function.async_ {
            return Err(Unusable::Async);
        }
        let mut parameters = Vec::with_capacity(function.params.len());
        for (name, ty) in &function.params {
            let shape = self.shape(ty, &format!("the parameter `{name}`"), 1)?;
            let name = name.to_string();
            parameters.push(Field { name, shape });
        }
        let result = match &function.result {
            Some(ty) => Some(self.shape(ty, "the result", 1)?),
            None => None,
        };
        Ok(Function {
            interface: interface.map(str::to_owned),
            name: name.to_owned(),
            parameters,
            result,
            docs: None,
            command: None,
        })
    }

    /// `place` is where the type stands, for a message; `depth` is how deep, from 1.
    fn shape(
        &mut self,
        ty: &ComponentValType,
        place: &str,
        depth: usize,
    ) -> Result<Shape, Unusable> {
        if depth > DEEPEST {
            let place = place.to_owned();
            return Err(Unusable::TooDeep { place });
        }
        self.left = self.left.checked_sub(1).ok_or(Unusable::TooLarge)?;
        match ty {
            ComponentValType::Primitive(primitive) => shape_of_primitive(*primitive, place),
            ComponentValType::Type(id) => {
                let types = self.types;
                self.defined(&types[*id], place, depth)
            }
        }
    }

    fn defined(
        &mut self,
        ty: &ComponentDefinedType,
        place: &str,
        depth: usize,
    ) -> Result<Shape, Unusable> {
        let here = || place.to_owned();
        let mut inner = |ty: &ComponentValType| self.shape(ty, place, depth + 1);
        let mut boxed = |ty: &ComponentValType| inner(ty).map(Box::new);
        Ok(match ty {
            ComponentDefinedType::Primitive(primitive) => shape_of_primitive(*primitive, place)?,
            ComponentDefinedType::Record(record) => {
                let mut fields = Vec::with_capacity(record.fields.len());
                for (name, ty) in &record.fields {
                    let name = name.to_string();
                    let shape = self.shape(ty, &format!("{place}, field `{name}`,"), depth + 1)?;
                    fields.push(Field { name, shape });
                }
                Shape::Record(fields)
            }
            ComponentDefinedType::Variant(variant) => {
                let mut cases = Vec::with_capacity(variant.cases.len());
                for (name, VariantCase { ty }) in &variant.cases {
                    let name = name.to_string();
                    let place = format!("{place}, case `{name}`,");
                    let payload = ty.as_ref().map(|ty| self.shape(ty, &place, depth + 1));
                    let payload = payload.transpose()?;
                    cases.push(Case { name, payload });
                }
                Shape::Variant(cases)
            }
            ComponentDefinedType::List { element, .. } => Shape::List(boxed(element)?),
            ComponentDefinedType::FixedLengthList {
                element, length, ..
            } => Shape::FixedList(boxed(element)?, *length),
            ComponentDefinedType::Map { key, value, .. } => Shape::Map(boxed(key)?, boxed(value)?),
            ComponentDefinedType::Tuple(tuple) => {
                Shape::Tuple(tuple.types.iter().map(inner).collect::<Result<_, _>>()?)
            }
            ComponentDefinedType::Flags(names) => Shape::Flags(strings(names)),
            ComponentDefinedType::Enum(names) => Shape::Enum(strings(names)),
            ComponentDefinedType::Option { ty, .. } => Shape::Option(boxed(ty)?),
            ComponentDefinedType::Result { ok, err, .. } => Shape::Result {
                ok: ok.as_ref().map(&mut boxed).transpose()?,
                error: err.as_ref().map(boxed).transpose()?,
            },
            ComponentDefinedType::Own(_) | ComponentDefinedType::Borrow(_) => {
                return Err(Unusable::Handle { place: here() });
            }
            ComponentDefinedType::Future { .. } => return Err(Unusable::Future { place: here() }),
            ComponentDefinedType::Stream { .. } => return Err(Unusable::Stream { place: here() }),
        })
    }
}

fn shape_of_primitive(primitive: PrimitiveValType, place: &str) -> Result<Shape, Unusable> {
    Ok(match primitive {
        PrimitiveValType::Bool => Shape::Bool,
        PrimitiveValType::S8 => Shape::S8,
        PrimitiveValType::U8 => Shape::U8,
        PrimitiveValType::S16 => Shape::S16,
        PrimitiveValType::U16 => Shape::U16,
        PrimitiveValType::S32 => Shape::S32,
        PrimitiveValType::U32 => Shape::U32,
        PrimitiveValType::S64 => Shape::S64,
        PrimitiveValType::U64 => Shape::U64,
        PrimitiveValType::F32 => Shape::F32,
        PrimitiveValType::F64 => Shape::F64,
        PrimitiveValType::Char => Shape::Char,
        PrimitiveValType::String => Shape::String,
        PrimitiveValType::ErrorContext => {
            let place = place.to_owned();
            return Err(Unusable::ErrorContext { place });
        }
    })
}

fn strings<'a>(names: impl IntoIterator<Item = &'a (impl ToString + 'a)>) -> Vec<String> {
    names.into_iter().map(ToString::to_string).collect()
}

/// How deep types may stand in each other. One type takes at most two levels of JSON, and JSON is
/// read to a depth of 126.
const DEEPEST: usize = 60;
/// How many types the functions of one component may have, written out.
const MOST: usize = 100_000;
