//! The floor: wasmtime alone. A tuned pool, imports resolved once, fuel, a typed and synchronous
//! call; no limits but fuel, no clock, no world of its own.

use std::hint::black_box;

use wasmtime::component::{
    Component, ComponentExportIndex, ComponentNamedList, InstancePre, Lift, Linker, Lower,
    ResourceTable,
};
use wasmtime::{
    Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig, Store,
};
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};

use crate::doors::{Door, ITEMS, PAGE};

pub struct Floor {
    engine: Engine,
}

/// A door that is ready to be called.
pub struct Prepared {
    pre: InstancePre<World>,
    export: ComponentExportIndex,
    call: fn(&Prepared),
    imports: bool,
}

struct World {
    /// Only where the door imports something.
    wasi: Option<WasiCtx>,
    table: ResourceTable,
}

type Counts = Vec<(String, u32)>;

impl Floor {
    pub fn new() -> Self {
        let mut pool = PoolingAllocationConfig::new();
        pool.pagemap_scan(Enabled::Auto)
            .total_core_instances(10_000)
            .linear_memory_keep_resident(1 << 20)
            .table_keep_resident(64 << 10);
        let mut config = Config::new();
        config
            .consume_fuel(true)
            .concurrency_support(false)
            .allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
        Self {
            engine: Engine::new(&config).unwrap(),
        }
    }

    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    pub fn prepare(&self, door: &Door) -> Prepared {
        let mut linker = Linker::new(&self.engine);
        wasmtime_wasi::p2::add_to_linker_sync(&mut linker).unwrap();
        let component = Component::from_binary(&self.engine, &door.bytes).unwrap();
        let interface = door
            .interface
            .map(|interface| component.get_export_index(None, interface).unwrap());
        Prepared {
            export: component
                .get_export_index(interface.as_ref(), door.function)
                .unwrap(),
            imports: component.component_type().imports(&self.engine).len() > 0,
            pre: linker.instantiate_pre(&component).unwrap(),
            call: match door.name {
                "min" => |door| door.typed::<_, (Counts,)>((&ITEMS[..],)),
                "settled" => |door| {
                    let [top, line, history, close] = PAGE;
                    door.typed::<_, (Result<(), String>,)>((top, line, history, close));
                },
                "fridge" => |door| door.typed::<_, (Result<Counts, String>,)>((&ITEMS[..],)),
                name => panic!("the types of `{name}` are not known"),
            },
        }
    }
}

impl Prepared {
    /// One opening, from an empty store to one that is gone.
    pub fn call(&self) {
        (self.call)(self);
    }

    fn typed<P, R>(&self, params: P)
    where
        P: ComponentNamedList + Lower,
        R: ComponentNamedList + Lift,
    {
        let world = World {
            wasi: self.imports.then(WasiCtx::default),
            table: ResourceTable::new(),
        };
        let mut store = Store::new(self.pre.engine(), world);
        store.set_fuel(500_000_000).unwrap();
        let instance = self.pre.instantiate(&mut store).unwrap();
        let function = instance
            .get_typed_func::<P, R>(&mut store, self.export)
            .unwrap();
        black_box(function.call(&mut store, params).unwrap());
    }
}

impl WasiView for World {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: self.wasi.as_mut().expect("only a door with imports asks"),
            table: &mut self.table,
        }
    }
}
