//! The macro [`doors`]: see `doors_sdk::doors`.

mod expand;
mod wit;

use proc_macro::TokenStream;
use syn::{ItemMod, parse_macro_input};

/// Makes every public function of a module a door, and its public types those of the doors.
///
/// See the documentation of `doors_sdk`.
#[proc_macro_attribute]
pub fn doors(arguments: TokenStream, module: TokenStream) -> TokenStream {
    let module = parse_macro_input!(module as ItemMod);
    let expanded = match arguments.is_empty() {
        true => expand::expand(module),
        false => Err(syn::Error::new(
            proc_macro2::Span::call_site(),
            "expected #[doors] without arguments",
        )),
    };
    expanded
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}
