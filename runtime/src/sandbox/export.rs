//! The functions that a component exports.

use std::collections::HashMap;
use std::fmt;

use wasmtime::Engine;
use wasmtime::component::types::{ComponentFunc, ComponentItem};
use wasmtime::component::{Component, ComponentExportIndex};

/// The name of an exported function: of the component itself, or of an interface it exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Export<'a> {
    /// The interface in full, for example `shop:fridge/door@1.0.0`.
    pub interface: Option<&'a str>,
    /// The function.
    pub function: &'a str,
}

impl fmt::Display for Export<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.interface {
            Some(interface) => write!(f, "{interface}#{}", self.function),
            None => f.write_str(self.function),
        }
    }
}

/// Where each exported function is: found once a component, not once a call.
pub(super) struct Exports {
    root: Functions,
    interfaces: HashMap<Box<str>, Functions>,
}

/// Where a function is and what it takes.
#[derive(Clone, Copy)]
pub(super) struct ExportedFunction {
    pub(super) index: ComponentExportIndex,
    pub(super) params: usize,
    pub(super) results: usize,
}

type Functions = HashMap<Box<str>, ExportedFunction>;

impl Exports {
    pub(super) fn of(component: &Component, engine: &Engine) -> Self {
        let mut exports = Self {
            root: HashMap::new(),
            interfaces: HashMap::new(),
        };
        for (name, item) in component.component_type().exports(engine) {
            match item.ty {
                ComponentItem::ComponentFunc(func) => {
                    exports.root.extend(exported(component, None, name, &func));
                }
                ComponentItem::ComponentInstance(interface) => {
                    let Some(at) = component.get_export_index(None, name) else {
                        continue;
                    };
                    let functions = interface.exports(engine).filter_map(|(name, item)| {
                        let ComponentItem::ComponentFunc(func) = item.ty else {
                            return None;
                        };
                        exported(component, Some(&at), name, &func)
                    });
                    exports.interfaces.insert(name.into(), functions.collect());
                }
                _ => {}
            }
        }
        exports
    }

    pub(super) fn find(&self, export: &Export<'_>) -> Option<&ExportedFunction> {
        let functions = match export.interface {
            Some(interface) => self.interfaces.get(interface)?,
            None => &self.root,
        };
        functions.get(export.function)
    }
}

fn exported(
    component: &Component,
    interface: Option<&ComponentExportIndex>,
    name: &str,
    func: &ComponentFunc,
) -> Option<(Box<str>, ExportedFunction)> {
    let index = component.get_export_index(interface, name)?;
    let (params, results) = (func.params().len(), func.results().len());
    Some((
        name.into(),
        ExportedFunction {
            index,
            params,
            results,
        },
    ))
}
