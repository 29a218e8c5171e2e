//! A compiled component, ready to be opened again and again.

use std::sync::Arc;

use wasmtime::component::types::ComponentItem;
use wasmtime::component::{ComponentExportIndex, InstancePre, Val};

use super::counters::Counting;
use super::opening::{Opened, Opening};
use super::world::World;

/// A compiled component with its imports linked. Clones share it.
#[derive(Clone)]
pub struct Compiled(Arc<Inner>);

struct Inner {
    pre: InstancePre<World>,
    exports: Vec<Exported>,
    counting: Arc<Counting>,
}

/// A function that a component exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Export<'a> {
    /// The interface it is part of, with its version, or `None` for a function of the component
    /// itself.
    pub interface: Option<&'a str>,
    /// Its name.
    pub function: &'a str,
}

/// An exported function, looked up once.
pub(super) struct Exported {
    interface: Option<String>,
    function: String,
    pub(super) index: ComponentExportIndex,
    pub(super) results: usize,
}

impl Compiled {
    pub(super) fn new(pre: InstancePre<World>, counting: Arc<Counting>) -> Self {
        let exports = exports(&pre);
        Self(Arc::new(Inner {
            pre,
            exports,
            counting,
        }))
    }

    /// Opens a fresh instance, calls one function of it, and drops it. The arguments must be of the
    /// function's types.
    ///
    /// Dropping the future at any point ends the opening and frees all that it held.
    pub async fn open(&self, export: &Export<'_>, arguments: Vec<Val>, opening: Opening) -> Opened {
        let found = self.0.exports.iter().find(|exported| exported.is(export));
        let Some(exported) = found else {
            return Opened::host_fault(format!("the component exports no `{}`", export.function));
        };
        self.0.counting.opened();
        super::opening::open(&self.0.pre, exported, &arguments, opening).await
    }
}

impl Exported {
    fn is(&self, export: &Export<'_>) -> bool {
        self.function == export.function && self.interface.as_deref() == export.interface
    }
}

/// Every exported function, of the component itself and of the interfaces that it exports.
fn exports(pre: &InstancePre<World>) -> Vec<Exported> {
    let (component, engine) = (pre.component(), pre.engine());
    let mut exports = Vec::new();
    let mut add = |interface: Option<(&str, &ComponentExportIndex)>, function: &str, results| {
        let within = interface.map(|(_, index)| index);
        if let Some(index) = component.get_export_index(within, function) {
            let interface = interface.map(|(name, _)| name.to_owned());
            exports.push(Exported {
                interface,
                function: function.to_owned(),
                index,
                results,
            });
        }
    };
    let ty = component.component_type();
    for (name, export) in ty.exports(engine) {
        match export.ty {
            ComponentItem::ComponentFunc(function) => add(None, name, function.results().len()),
            ComponentItem::ComponentInstance(instance) => {
                let Some(index) = component.get_export_index(None, name) else {
                    continue;
                };
                for (function, export) in instance.exports(engine) {
                    if let ComponentItem::ComponentFunc(ty) = export.ty {
                        add(Some((name, &index)), function, ty.results().len());
                    }
                }
            }
            _ => {}
        }
    }
    exports
}
