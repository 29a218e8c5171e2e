//! From a module of functions to a door.

use std::collections::BTreeSet;

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use syn::{Attribute, Error, FnArg, Ident, Item, ItemFn, ItemMod, Pat, Path, Result, Visibility};

use crate::wit::World;

/// The module with what makes it a component beside it.
pub(crate) fn expand(module: ItemMod) -> Result<TokenStream> {
    let ItemMod {
        attrs,
        vis,
        ident: name,
        content,
        ..
    } = module;
    let Some((_, items)) = content else {
        return Err(Error::new(
            name.span(),
            "expected a module with its functions in it: `mod door { … }`",
        ));
    };
    let (mut functions, mut types, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    for item in items {
        match item {
            Item::Fn(function) => {
                if is_public(&function.vis) {
                    functions.push(function.clone());
                }
                kept.push(Item::Fn(function));
            }
            Item::Struct(item) if is_public(&item.vis) => types.push(Item::Struct(item)),
            Item::Enum(item) if is_public(&item.vis) => types.push(Item::Enum(item)),
            other => kept.push(other),
        }
    }
    if functions.is_empty() {
        return Err(Error::new(
            name.span(),
            "expected a public function, which is a door; found none",
        ));
    }
    let named: Vec<&Ident> = types.iter().filter_map(name_of).collect();
    let declared: BTreeSet<String> = named.iter().map(ToString::to_string).collect();
    let mut world = World::new(declared);
    let mut derives = Vec::new();
    for item in &types {
        match item {
            Item::Struct(item) => {
                world.structure(item)?;
                derives.extend(derived(&item.attrs)?);
            }
            Item::Enum(item) => {
                world.enumeration(item)?;
                derives.extend(derived(&item.attrs)?);
            }
            _ => unreachable!("only those were kept apart"),
        }
    }
    for function in &functions {
        world.function(function)?;
    }
    // Each once: the types of a door share what is derived for them.
    let mut seen = BTreeSet::new();
    derives.retain(|path: &Path| seen.insert(quote!(#path).to_string()) && !path.is_ident("Debug"));

    let text = world.text();
    let bytes = Literal::byte_string(text.as_bytes());
    let length = text.len();
    let forwards = functions.iter().map(|function| forward(&name, function));
    Ok(quote! {
        #(#attrs)*
        #vis mod #name {
            #(pub use super::__doors_bindings::#named;)*
            #(#kept)*
        }

        #[doc(hidden)]
        #[allow(missing_docs, dead_code, unused_imports, reason = "it is generated")]
        mod __doors_bindings {
            #[allow(unused_imports, reason = "a type may be named in the functions alone")]
            use super::#name::*;

            ::doors_sdk::wit_bindgen::generate!({
                inline: #text,
                runtime_path: "::doors_sdk::wit_bindgen::rt",
                additional_derives: [#(#derives),*],
                additional_derives_ignore: [],
            });

            pub struct Door;

            impl Guest for Door {
                #(#forwards)*
            }

            #[cfg(target_family = "wasm")]
            export!(Door);

            /// Where `doorlist build` finds the comments.
            #[cfg(target_family = "wasm")]
            #[unsafe(link_section = "doorlist-wit")]
            #[used]
            static WIT: [u8; #length] = *#bytes;
        }
    })
}

fn forward(module: &Ident, function: &ItemFn) -> TokenStream {
    let signature = &function.sig;
    let name = &signature.ident;
    let parameters = signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(input) => match &*input.pat {
            Pat::Ident(name) => Some(name.ident.clone()),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    });
    let parameters: Vec<Ident> = parameters.collect();
    let types = signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(input) => Some(&*input.ty),
        FnArg::Receiver(_) => None,
    });
    let output = &signature.output;
    quote! {
        fn #name(#(#parameters: #types),*) #output {
            super::#module::#name(#(#parameters),*)
        }
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn name_of(item: &Item) -> Option<&Ident> {
    match item {
        Item::Struct(item) => Some(&item.ident),
        Item::Enum(item) => Some(&item.ident),
        _ => None,
    }
}

/// What is derived for a type.
fn derived(attributes: &[Attribute]) -> Result<Vec<Path>> {
    let mut paths = Vec::new();
    for attribute in attributes.iter().filter(|it| it.path().is_ident("derive")) {
        attribute.parse_nested_meta(|meta| {
            paths.push(meta.path);
            Ok(())
        })?;
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[track_caller]
    fn wit(module: ItemMod) -> String {
        let expanded = expand(module).unwrap().to_string();
        // The text stands in what is generated as it would in a source.
        let start = expanded.find("inline : ").unwrap() + "inline : ".len();
        let end = expanded.find(" , runtime_path").unwrap();
        let text: syn::LitStr = syn::parse_str(&expanded[start..end]).unwrap();
        text.value()
    }

    #[track_caller]
    fn refused(module: ItemMod) -> String {
        expand(module).unwrap_err().to_string()
    }

    #[test]
    fn functions_and_types_are_wit_with_their_comments() {
        let wit = wit(parse_quote! {
            mod door {
                /// Where it is.
                #[derive(PartialEq)]
                pub struct TwoWords {
                    /// From 1.
                    pub line_number: u32,
                    pub list: Vec<(String, Option<i64>)>,
                }
                pub enum Level { Low, MidLevel }
                pub enum Shape { Nothing, Circle(f64), At(TwoWords) }
                struct Kept;
                fn helper(kept: Kept) {}
                /// Does it.
                pub fn do_it(r#type: Shape, level: Level) -> Result<(), String> { todo!() }
                pub fn bytes(data: Vec<u8>) -> Vec<u8> { data }
            }
        });
        let expected = "package doorlist:door;

world door {
  /// Where it is.
  record %two-words {
    /// From 1.
    %line-number: u32,
    %list: list<tuple<string, option<s64>>>,
  }

  enum %level {
    %low,
    %mid-level,
  }

  variant %shape {
    %nothing,
    %circle(f64),
    %at(%two-words),
  }

  /// Does it.
  export %do-it: func(%type: %shape, %level: %level) -> result<_, string>;

  export %bytes: func(%data: list<u8>) -> list<u8>;

}
";
        assert_eq!(wit, expected);
    }

    #[test]
    fn what_no_door_takes_is_named_where_it_stands() {
        let message = "expected a type that a door takes";
        for module in [
            parse_quote! { mod door { pub fn f(text: &str) {} } },
            parse_quote! { mod door { pub fn f() -> Box<u8> { todo!() } } },
            parse_quote! { mod door { struct Private; pub fn f(a: Private) {} } },
            parse_quote! { mod door { pub fn f(a: usize) {} } },
            parse_quote! { mod door { pub fn f(a: Result<u8>) {} } },
        ] {
            let said = refused(module);
            assert!(said.starts_with(message), "{said}");
        }
        let none = refused(parse_quote! { mod door { fn private() {} } });
        assert_eq!(
            none,
            "expected a public function, which is a door; found none"
        );
        let far = refused(parse_quote! { mod door; });
        assert!(
            far.starts_with("expected a module with its functions in it"),
            "{far}"
        );
        let not = refused(parse_quote! { mod door { pub async fn f() {} } });
        assert_eq!(not, "expected a function that is not async");
        let tuple = refused(parse_quote! { mod door { pub struct A(u8); pub fn f(a: A) {} } });
        assert!(
            tuple.starts_with("expected a struct with named fields"),
            "{tuple}"
        );
    }
}
