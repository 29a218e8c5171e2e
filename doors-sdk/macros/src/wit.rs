//! From Rust to WIT: functions, structs and enums, types, comments.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use heck::ToKebabCase as _;
use syn::spanned::Spanned as _;
use syn::{
    Attribute, Error, Expr, ExprLit, Fields, FnArg, GenericArgument, ItemEnum, ItemFn, ItemStruct,
    Lit, Meta, Pat, PathArguments, Result, ReturnType, Type,
};

/// A world that is being written.
pub(crate) struct World {
    types: String,
    exports: String,
    /// The types that the module declares.
    declared: BTreeSet<String>,
}

impl World {
    pub(crate) fn new(declared: BTreeSet<String>) -> Self {
        Self {
            types: String::new(),
            exports: String::new(),
            declared,
        }
    }

    /// The text of it.
    pub(crate) fn text(&self) -> String {
        let Self { types, exports, .. } = self;
        format!("package doorlist:door;\n\nworld door {{\n{types}{exports}}}\n")
    }

    pub(crate) fn structure(&mut self, item: &ItemStruct) -> Result<()> {
        let Fields::Named(fields) = &item.fields else {
            return Err(Error::new(
                item.span(),
                "expected a struct with named fields, which is a record",
            ));
        };
        let mut body = String::new();
        for field in &fields.named {
            let name = field.ident.as_ref().expect("a named field has a name");
            let ty = self.ty(&field.ty)?;
            body.push_str(&docs(&field.attrs, "    "));
            writeln!(body, "    {}: {ty},", id(&name.to_string())).expect(TAKES);
        }
        self.types.push_str(&docs(&item.attrs, "  "));
        let name = id(&item.ident.to_string());
        writeln!(self.types, "  record {name} {{\n{body}  }}\n").expect(TAKES);
        Ok(())
    }

    pub(crate) fn enumeration(&mut self, item: &ItemEnum) -> Result<()> {
        let bare = item
            .variants
            .iter()
            .all(|variant| variant.fields.is_empty());
        let mut body = String::new();
        for variant in &item.variants {
            let payload = match &variant.fields {
                Fields::Unit => String::new(),
                Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                    format!("({})", self.ty(&fields.unnamed[0].ty)?)
                }
                fields => {
                    return Err(Error::new(
                        fields.span(),
                        "expected a variant with nothing or one value in brackets",
                    ));
                }
            };
            body.push_str(&docs(&variant.attrs, "    "));
            writeln!(body, "    {}{payload},", id(&variant.ident.to_string())).expect(TAKES);
        }
        let kind = if bare { "enum" } else { "variant" };
        self.types.push_str(&docs(&item.attrs, "  "));
        let name = id(&item.ident.to_string());
        writeln!(self.types, "  {kind} {name} {{\n{body}  }}\n").expect(TAKES);
        Ok(())
    }

    pub(crate) fn function(&mut self, item: &ItemFn) -> Result<()> {
        let signature = &item.sig;
        if let Some(not) = &signature.asyncness {
            return Err(Error::new(
                not.span(),
                "expected a function that is not async",
            ));
        }
        if !signature.generics.params.is_empty() {
            let span = signature.generics.span();
            return Err(Error::new(span, "expected a function without generics"));
        }
        let mut parameters = Vec::new();
        for input in &signature.inputs {
            let FnArg::Typed(input) = input else {
                return Err(Error::new(input.span(), "expected a function without self"));
            };
            let Pat::Ident(name) = &*input.pat else {
                return Err(Error::new(input.pat.span(), "expected a parameter's name"));
            };
            parameters.push(format!(
                "{}: {}",
                id(&name.ident.to_string()),
                self.ty(&input.ty)?
            ));
        }
        let returns = match &signature.output {
            ReturnType::Default => String::new(),
            ReturnType::Type(_, ty) if is_unit(ty) => String::new(),
            ReturnType::Type(_, ty) => format!(" -> {}", self.ty(ty)?),
        };
        self.exports.push_str(&docs(&item.attrs, "  "));
        let name = id(&signature.ident.to_string());
        let parameters = parameters.join(", ");
        writeln!(
            self.exports,
            "  export {name}: func({parameters}){returns};\n"
        )
        .expect(TAKES);
        Ok(())
    }

    fn ty(&self, ty: &Type) -> Result<String> {
        let unknown = || {
            Error::new(
                ty.span(),
                "expected a type that a door takes: bool, an integer, f32, f64, char, String, Vec, \
                 Option, Result, a tuple, or a public struct or enum of this module",
            )
        };
        match ty {
            Type::Tuple(items) if !items.elems.is_empty() => {
                let items: Vec<String> = items
                    .elems
                    .iter()
                    .map(|item| self.ty(item))
                    .collect::<Result<_>>()?;
                Ok(format!("tuple<{}>", items.join(", ")))
            }
            Type::Path(path) if path.qself.is_none() => {
                let last = path.path.segments.last().ok_or_else(unknown)?;
                let name = last.ident.to_string();
                let inner = arguments(&last.arguments);
                let plain = match &*name {
                    "bool" | "u8" | "u16" | "u32" | "u64" | "f32" | "f64" | "char" => name.clone(),
                    "i8" | "i16" | "i32" | "i64" => name.replace('i', "s"),
                    "String" => "string".to_owned(),
                    "Vec" | "Option" => {
                        let [item] = inner[..] else {
                            return Err(unknown());
                        };
                        let kind = if name == "Vec" { "list" } else { "option" };
                        return Ok(format!("{kind}<{}>", self.ty(item)?));
                    }
                    "Result" => return self.result(&inner).unwrap_or_else(|| Err(unknown())),
                    _ if self.declared.contains(&name) => id(&name),
                    _ => return Err(unknown()),
                };
                match inner.is_empty() {
                    true => Ok(plain),
                    false => Err(unknown()),
                }
            }
            _ => Err(unknown()),
        }
    }

    /// `None` where it has not two sides.
    fn result(&self, sides: &[&Type]) -> Option<Result<String>> {
        let [ok, error] = sides else { return None };
        let side = |ty: &Type| match is_unit(ty) {
            true => Ok(None),
            false => self.ty(ty).map(Some),
        };
        let written = || {
            Ok(match (side(ok)?, side(error)?) {
                (None, None) => "result".to_owned(),
                (Some(ok), None) => format!("result<{ok}>"),
                (None, Some(error)) => format!("result<_, {error}>"),
                (Some(ok), Some(error)) => format!("result<{ok}, {error}>"),
            })
        };
        Some(written())
    }
}

fn arguments(arguments: &PathArguments) -> Vec<&Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else {
        return Vec::new();
    };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.collect()
}

fn is_unit(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(items) if items.elems.is_empty())
}

/// A name of WIT, which may be one of its words.
fn id(name: &str) -> String {
    format!("%{}", name.trim_start_matches("r#").to_kebab_case())
}

/// The comments of an item, as WIT has them.
fn docs(attributes: &[Attribute], indent: &str) -> String {
    let lines = attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
                Expr::Lit(ExprLit {
                    lit: Lit::Str(text),
                    ..
                }) => Some(text.value()),
                _ => None,
            },
            _ => None,
        });
    let line = |text: String| {
        text.lines()
            .map(|line| format!("{indent}///{}\n", line.trim_end()))
            .collect::<String>()
    };
    lines.map(line).collect()
}

const TAKES: &str = "a String takes it";
