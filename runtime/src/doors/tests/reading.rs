//! Interfaces read from bytes, and each refusal with its message.

use proptest::prelude::*;
use wit_parser::{PackageMetadata, Resolve};

use super::*;
use crate::doors::Interface;

fn refusal(bytes: &[u8]) -> String {
    match Interface::read(bytes) {
        Ok(interface) => panic!("{interface:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_is_no_component_is_told_apart() {
    let module = wat::parse_str("(module)").unwrap();
    let command = component(
        "(core module (func (export \"f\") (result i32) (i32.const 0)))
         (core instance (instantiate 0))
         (func (result (result)) (canon lift (core func 0 \"f\")))
         (instance (export \"run\" (func 0)))
         (export \"wasi:cli/run@0.3.0\" (instance 0))",
    );
    let rows: [(&[u8], &str); 9] = [
        (b"", "expected a WebAssembly component, found nothing"),
        (b"hello\n", "expected a WebAssembly component, found text"),
        (
            b"\x7fELF\x02\xff",
            "expected a WebAssembly component, found a native program",
        ),
        (
            b"\xff\xfe",
            "expected a WebAssembly component, found bytes of another kind",
        ),
        (
            b"\n(component)",
            "expected a binary component, found WebAssembly text; give the file the ending .wat",
        ),
        (&module, "expected a component, found a core module"),
        (
            &command,
            "expected a command of WASI 0.2 (`wasi:cli/run@0.2.x`), found `wasi:cli/run@0.3.0`",
        ),
        (
            b"\0asm",
            "expected a whole component, found damage at byte 4: unexpected end-of-file",
        ),
        (
            &component(""),
            "expected a component that exports functions, found none",
        ),
    ];
    for (bytes, expected) in rows {
        assert_eq!(refusal(bytes), expected);
    }
}

#[test]
fn a_component_cut_short_anywhere_is_refused() {
    let whole = exporting(&["a", "b"]);
    assert!(Interface::read(&whole).is_ok());
    for length in 0..whole.len() {
        assert!(Interface::read(&whole[..length]).is_err(), "{length}");
    }
}

proptest! {
    #[test]
    fn damage_is_never_a_panic(
        at in any::<prop::sample::Index>(),
        byte: u8,
        other in any::<prop::sample::Index>(),
        second: u8,
    ) {
        let mut bytes = echo::component_of(&list(record([("a", option(Shape::String))])));
        let length = bytes.len();
        bytes[at.index(length)] = byte;
        bytes[other.index(length)] = second;
        let _ = Interface::read(&bytes);
    }
}

/// A component that exports a function of the type `signature`, after `types`.
fn with_signature(types: &str, signature: &str) -> Vec<u8> {
    component(&format!(
        "{types}
         (import \"f\" (func $f {signature}))
         (export \"g\" (func $f))"
    ))
}

#[test]
fn what_no_value_can_hold_refuses_the_door() {
    let resource = "(import \"r\" (type $r (sub resource)))";
    let rows = [
        (
            resource,
            "(param \"x\" (own $r))",
            "the parameter `x` holds a handle to a resource, which cannot leave the component",
        ),
        (
            resource,
            "(param \"x\" (list (borrow $r)))",
            "the parameter `x` holds a handle to a resource, which cannot leave the component",
        ),
        (
            "(type $t' (record (field \"a\" u8) (field \"b\" (option (stream u8)))))
             (import \"t\" (type $t (eq $t')))",
            "(param \"x\" $t)",
            "the parameter `x`, field `b`, holds a stream, and a door takes and returns whole values",
        ),
        (
            "(type $f (future u8)) (type $t' (variant (case \"c\" $f)))
             (import \"t\" (type $t (eq $t')))",
            "(result $t)",
            "the result, case `c`, holds a future, and a door takes and returns whole values",
        ),
        (
            "",
            "(result (result string (error error-context)))",
            "the result holds an error-context, which says nothing outside the component",
        ),
    ];
    for (types, signature, why) in rows {
        let message = refusal(&with_signature(types, signature));
        assert_eq!(message, format!("the function `g` cannot be a door: {why}"));
    }
}

#[test]
fn functions_of_resources_and_async_ones_are_refused() {
    let resource = component(
        "(core module (func (export \"f\") (result i32) (i32.const 0)))
         (core instance (instantiate 0))
         (type $r (resource (rep i32)))
         (component $c
           (import \"r\" (type $r (sub resource)))
           (import \"f\" (func $f (result u32)))
           (export $s \"r\" (type $r))
           (export \"[static]r.f\" (func $f)))
         (func $f (result u32) (canon lift (core func 0 \"f\")))
         (instance $i (instantiate $c (with \"r\" (type $r)) (with \"f\" (func $f))))
         (export \"home:kitchen/fridge@0.1.0\" (instance $i))",
    );
    assert_eq!(
        refusal(&resource),
        "the function `home:kitchen/fridge@0.1.0#[static]r.f` cannot be a door: it belongs to a \
         resource, which cannot leave the component"
    );
    let asynchronous = component("(import \"f\" (func $f async)) (export \"g\" (func $f))");
    assert_eq!(
        refusal(&asynchronous),
        "the function `g` cannot be a door: it is an async function, and a door is a plain one"
    );
}

#[test]
fn types_are_bounded_in_depth_and_number() {
    let deep = format!("(param \"x\" {}u8{})", "(list ".repeat(60), ")".repeat(60));
    assert_eq!(
        refusal(&with_signature("", &deep)),
        "the function `g` cannot be a door: the parameter `x` is nested deeper than 60 types"
    );
    let fits = format!("(param \"x\" {}u8{})", "(list ".repeat(59), ")".repeat(59));
    assert!(Interface::read(&with_signature("", &fits)).is_ok());

    // Each type is ten of the one before: a few lines that would be a hundred thousand types.
    let mut wide = "(type $t0 (tuple u8))".to_owned();
    for i in 1..=5 {
        let before = format!(" $t{}", i - 1).repeat(10);
        wide.push_str(&format!("(type $t{i} (tuple{before}))"));
    }
    assert_eq!(
        refusal(&with_signature(&wide, "(param \"x\" $t5)")),
        "the function `g` cannot be a door: the types of the component's functions, written out, \
         are more than 100000"
    );
}

const KITCHEN: &str = "
    package home:kitchen@0.1.0;
    interface fridge {
        /// How many of each item there are.
        ///
        /// Names nothing twice.
        count: func(items: list<string>) -> result<list<tuple<string, u32>>, string>;
        clear: func();
    }
    world kitchen {
        export fridge;
        /// Opens the window.
        export air: func(wide: bool);
    }";

/// A component that exports what the world of [`KITCHEN`] does.
fn kitchen() -> Vec<u8> {
    component(
        "(component $c
           (import \"count\" (func $count (param \"items\" (list string))
             (result (result (list (tuple string u32)) (error string)))))
           (import \"clear\" (func $clear))
           (export \"count\" (func $count))
           (export \"clear\" (func $clear)))
         (import \"wasi:cli/environment@0.2.3\" (instance))
         (import \"count\" (func $count (param \"items\" (list string))
           (result (result (list (tuple string u32)) (error string)))))
         (import \"clear\" (func $clear))
         (import \"air\" (func $air (param \"wide\" bool)))
         (instance $i (instantiate $c (with \"count\" (func $count)) (with \"clear\" (func $clear))))
         (export \"home:kitchen/fridge@0.1.0\" (instance $i))
         (export \"air\" (func $air))",
    )
}

fn with_docs(mut component: Vec<u8>, docs: &[u8]) -> Vec<u8> {
    let name = PackageMetadata::SECTION_NAME.as_bytes();
    let length = 1 + name.len() + docs.len();
    component.push(0);
    // The section's length in LEB128: two bytes are enough here.
    component.extend([
        u8::try_from(length % 128).unwrap() | 128,
        u8::try_from(length / 128).unwrap(),
    ]);
    component.push(u8::try_from(name.len()).unwrap());
    component.extend(name);
    component.extend(docs);
    component
}

#[test]
fn an_interface_keeps_functions_imports_and_docs() {
    let mut resolve = Resolve::default();
    let package = resolve.push_str("kitchen.wit", KITCHEN).unwrap();
    let section = PackageMetadata::extract(&resolve, package)
        .encode()
        .unwrap();
    let interface = Interface::read(&with_docs(kitchen(), &section)).unwrap();

    let lines: Vec<String> = interface
        .functions
        .iter()
        .map(|f| format!("{:?} {f} {:?}", f.short_interface(), f.docs))
        .collect();
    assert_eq!(
        lines,
        [
            "Some(\"fridge\") count: func(items: list<string>) -> result<list<tuple<string, u32>>, \
             string> Some(\"How many of each item there are.\\n\\nNames nothing twice.\")",
            "Some(\"fridge\") clear: func() None",
            "None air: func(wide: bool) Some(\"Opens the window.\")",
        ]
    );
    let imports: Vec<&str> = interface.imports.iter().map(|i| i.name.as_str()).collect();
    assert_eq!(
        imports,
        ["wasi:cli/environment@0.2.3", "count", "clear", "air"]
    );
    let unmet: Vec<String> = interface
        .unmet_imports()
        .iter()
        .map(|u| u.import.clone())
        .collect();
    assert_eq!(unmet, ["count", "clear", "air"]);
}

#[test]
fn docs_that_cannot_be_read_are_none() {
    let plain = Interface::read(&kitchen()).unwrap();
    for docs in [
        b"".as_slice(),
        b"\x07{}",
        b"\x01{",
        b"\x01[]",
        b"\x01{\"worlds\":7}",
    ] {
        assert_eq!(Interface::read(&with_docs(kitchen(), docs)).unwrap(), plain);
    }
    let other =
        b"\x01{\"worlds\":{\"w\":{\"func_exports\":{\"air\":{\"docs\":\" \\u0007x\\n\"}}}}}";
    let documented = Interface::read(&with_docs(kitchen(), other)).unwrap();
    assert_eq!(documented.functions[2].docs.as_deref(), Some("x"));
    assert_ne!(documented.digest, plain.digest);
}

#[test]
fn the_digest_is_of_what_a_caller_is_told() {
    let digest = |bytes: &[u8]| Interface::read(bytes).unwrap().digest;
    assert_eq!(
        digest(&exporting(&["a", "b"])),
        digest(&exporting(&["b", "a"]))
    );
    assert_ne!(digest(&exporting(&["a"])), digest(&exporting(&["b"])));
    let text = |ty| with_signature("", &format!("(param \"x\" {ty})"));
    assert_ne!(digest(&text("u8")), digest(&text("u16")));
}

/// wit-parser would give `f` the imported type here.
#[test]
fn an_export_keeps_its_own_type_beside_an_import_of_the_same_name() {
    let bytes = component(
        "(import \"a:b/c\" (instance (export \"f\" (func (param \"x\" u8)))))
         (import \"g\" (func $g (param \"x\" string)))
         (component $c
           (import \"f\" (func $f (param \"x\" string)))
           (export \"f\" (func $f)))
         (instance $i (instantiate $c (with \"f\" (func $g))))
         (export \"a:b/c\" (instance $i))",
    );
    let interface = Interface::read(&bytes).unwrap();
    assert_eq!(interface.functions[0].to_string(), "f: func(x: string)");
}
