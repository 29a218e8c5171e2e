//! Tests of doors as data: tables of each type, each refusal with its message, and random values
//! through a real component.

mod catalogue;
mod echo;
mod forms;
mod misfits;
mod reading;
mod telling;

use super::{Case, Field, Function, Shape};

/// A function of one parameter `v` that returns the same type.
fn echoing(shape: Shape) -> Function {
    function([("v", shape.clone())], Some(shape))
}

fn function<const N: usize>(
    parameters: [(&str, Shape); N],
    result: impl Into<Option<Shape>>,
) -> Function {
    Function {
        interface: None,
        name: "f".to_owned(),
        parameters: parameters.into_iter().map(field).collect(),
        result: result.into(),
        docs: None,
        command: None,
    }
}

fn field((name, shape): (&str, Shape)) -> Field {
    let name = name.to_owned();
    Field { name, shape }
}

fn list(item: Shape) -> Shape {
    Shape::List(Box::new(item))
}

fn option(some: Shape) -> Shape {
    Shape::Option(Box::new(some))
}

fn result(ok: impl Into<Option<Shape>>, error: impl Into<Option<Shape>>) -> Shape {
    Shape::Result {
        ok: ok.into().map(Box::new),
        error: error.into().map(Box::new),
    }
}

fn record<const N: usize>(fields: [(&str, Shape); N]) -> Shape {
    Shape::Record(fields.into_iter().map(field).collect())
}

fn variant<const N: usize>(cases: [(&str, Option<Shape>); N]) -> Shape {
    let case = |(name, payload): (&str, Option<Shape>)| Case {
        name: name.to_owned(),
        payload,
    };
    Shape::Variant(cases.into_iter().map(case).collect())
}

fn names<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).to_vec()
}

/// A component whose text is `fields`.
fn component(fields: &str) -> Vec<u8> {
    wat::parse_str(format!("(component {fields})")).unwrap()
}

/// A component that exports functions without parameters or results, and imports nothing.
fn exporting(functions: &[&str]) -> Vec<u8> {
    let exports: String = functions
        .iter()
        .map(|name| format!("(func (export \"{name}\") (canon lift (core func 0 \"f\")))"))
        .collect();
    component(&format!(
        "(core module (func (export \"f\"))) (core instance (instantiate 0)) {exports}"
    ))
}
