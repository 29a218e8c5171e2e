//! What a door's module exports, in TypeScript, for its writer's editor.

use std::fmt::Write as _;

use heck::ToLowerCamelCase as _;
use serde_json::json;

use crate::doors::{Field, Function, Interface, Shape};

/// A declaration file with one interface `Door`.
pub(super) fn declarations(interface: &Interface) -> String {
    let mut text = String::from(
        "// What wit/ says that the door's module exports. Written by `doorlist build`.\n\n\
         export interface Door {\n",
    );
    let functions = &interface.functions;
    for function in functions.iter().filter(|it| it.interface.is_none()) {
        declare(&mut text, function, "  ");
    }
    let mut named: Vec<&str> = functions
        .iter()
        .filter_map(Function::short_interface)
        .collect();
    named.dedup();
    for name in named {
        writeln!(text, "  {}: {{", name.to_lower_camel_case()).expect(TAKES);
        let of_it = functions
            .iter()
            .filter(|it| it.short_interface() == Some(name));
        of_it.for_each(|function| declare(&mut text, function, "    "));
        text.push_str("  };\n");
    }
    text.push_str("}\n");
    text + FETCH
}

fn declare(text: &mut String, function: &Function, indent: &str) {
    if let Some(docs) = &function.docs {
        // Nothing in a comment ends it.
        let docs = docs
            .replace("*/", "*\u{200b}/")
            .replace('\n', &format!("\n{indent} * "));
        writeln!(text, "{indent}/** {docs} */").expect(TAKES);
    }
    let name = function.name.to_lower_camel_case();
    let parameters = fields(&function.parameters, ", ");
    let returns = function.success().map_or("void".to_owned(), shape);
    writeln!(
        text,
        "{indent}{name}({parameters}): {returns} | Promise<{returns}>;"
    )
    .expect(TAKES);
}

fn fields(fields: &[Field], between: &str) -> String {
    let field = |field: &Field| {
        format!(
            "{}: {}",
            field.name.to_lower_camel_case(),
            shape(&field.shape)
        )
    };
    fields.iter().map(field).collect::<Vec<_>>().join(between)
}

/// The form that componentize-qjs gives and takes.
fn shape(of: &Shape) -> String {
    match of {
        Shape::Bool => "boolean".to_owned(),
        Shape::Char | Shape::String => "string".to_owned(),
        Shape::List(_) if of.is_bytes() => "Uint8Array".to_owned(),
        Shape::List(item) | Shape::FixedList(item, _) => format!("Array<{}>", shape(item)),
        Shape::Map(key, value) => format!("Map<{}, {}>", shape(key), shape(value)),
        Shape::Record(of) => format!("{{ {} }}", fields(of, "; ")),
        Shape::Tuple(items) => {
            let items: Vec<String> = items.iter().map(shape).collect();
            format!("[{}]", items.join(", "))
        }
        Shape::Variant(cases) => {
            let cases = cases
                .iter()
                .map(|case| tagged(&case.name, case.payload.as_ref()));
            cases.collect::<Vec<_>>().join(" | ")
        }
        Shape::Enum(names) => {
            let names: Vec<String> = names.iter().map(|name| json!(name).to_string()).collect();
            names.join(" | ")
        }
        Shape::Option(some) => match &**some {
            Shape::Option(_) => {
                format!("{} | {}", tagged("some", Some(some)), tagged("none", None))
            }
            some => format!("{} | null", shape(some)),
        },
        Shape::Result { ok, error } => format!(
            "{} | {}",
            tagged("ok", ok.as_deref()),
            tagged("err", error.as_deref())
        ),
        Shape::Flags(names) => {
            let flag = |name: &String| format!("{}?: boolean", name.to_lower_camel_case());
            format!(
                "{{ {} }}",
                names.iter().map(flag).collect::<Vec<_>>().join("; ")
            )
        }
        // 64 bits too: what is beyond 2^53 is rounded.
        Shape::S8
        | Shape::U8
        | Shape::S16
        | Shape::U16
        | Shape::S32
        | Shape::U32
        | Shape::S64
        | Shape::U64
        | Shape::F32
        | Shape::F64 => "number".to_owned(),
    }
}

fn tagged(name: &str, payload: Option<&Shape>) -> String {
    let tag = json!(name);
    match payload {
        None => format!("{{ tag: {tag} }}"),
        Some(payload) => format!("{{ tag: {tag}; val: {} }}", shape(payload)),
    }
}

/// What the prelude adds of the web.
const FETCH: &str = include_str!("fetch.d.ts");

const TAKES: &str = "a String takes it";
