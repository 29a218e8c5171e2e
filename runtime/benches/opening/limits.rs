//! What each limit of an opening costs: the same door by wasmtime alone, with one limit after another.

use std::hint::black_box;
use std::time::{Duration, Instant};

use wasmtime::component::{Component, ComponentExportIndex, InstancePre, Linker};
use wasmtime::{CallHook, Engine, ResourceLimiter, Result, Store};

use crate::doors::{Door, ITEMS};
use crate::{CALLS, ROUNDS, median, time_of};

/// The door, ready to be called under some of the limits.
pub struct Ladder {
    pre: InstancePre<World>,
    export: ComponentExportIndex,
}

/// What the limits count in.
#[derive(Default)]
struct World {
    memory: usize,
    table: usize,
    host_calls: u64,
}

/// Each with all that stand before it.
const LIMITS: [&str; 7] = [
    "a plain call with fuel",
    "an async call",
    "a yield every 1,000,000",
    "memory and tables",
    "calls of the host",
    "bytes and resources",
    "time",
];

impl Ladder {
    pub fn new(engine: &Engine, door: &Door) -> Self {
        let component = Component::from_binary(engine, &door.bytes).unwrap();
        Self {
            export: component.get_export_index(None, door.function).unwrap(),
            pre: Linker::new(engine).instantiate_pre(&component).unwrap(),
        }
    }

    pub async fn print(&self) {
        let mut times = [const { Vec::new() }; LIMITS.len()];
        for _ in 0..ROUNDS {
            for (limits, times) in times.iter_mut().enumerate() {
                times.push(time_of(CALLS, async || self.open(limits).await).await);
            }
        }
        let mut before = 0.0;
        println!("{:<26}{:>12}   each with all before it", "limit", "adds");
        for (limit, times) in LIMITS.into_iter().zip(times) {
            let time = median(times).as_secs_f64() * 1e6;
            println!("{limit:<26}{:>+9.2} us", time - before);
            before = time;
        }
    }

    async fn open(&self, limits: usize) {
        let mut store = Store::new(self.pre.engine(), World::default());
        store.set_fuel(500_000_000).unwrap();
        if limits == 0 {
            let instance = self.pre.instantiate(&mut store).unwrap();
            let count = instance.get_typed_func::<(&[&str],), (Counts,)>(&mut store, self.export);
            black_box(count.unwrap().call(&mut store, (&ITEMS[..],)).unwrap());
            return;
        }
        if limits >= 2 {
            store.fuel_async_yield_interval(Some(1_000_000)).unwrap();
        }
        if limits >= 3 {
            store.limiter(|world| world);
        }
        if limits >= 4 {
            store.call_hook(|mut world, hook| {
                if matches!(hook, CallHook::CallingHost) {
                    world.data_mut().host_calls += 1;
                }
                Ok(())
            });
        }
        if limits >= 5 {
            store.set_hostcall_fuel(4 << 20);
            store.set_max_component_handles(10_000);
        }
        let call = async {
            let instance = self.pre.instantiate_async(&mut store).await.unwrap();
            let count = instance.get_typed_func::<(&[&str],), (Counts,)>(&mut store, self.export);
            let counts = count.unwrap().call_async(&mut store, (&ITEMS[..],)).await;
            black_box(counts.unwrap());
        };
        if limits >= 6 {
            let deadline = Instant::now() + Duration::from_secs(10);
            tokio::time::timeout_at(deadline.into(), call)
                .await
                .unwrap();
        } else {
            call.await;
        }
    }
}

type Counts = Vec<(String, u32)>;

impl ResourceLimiter for World {
    fn memory_growing(&mut self, now: usize, to: usize, _: Option<usize>) -> Result<bool> {
        self.memory += to - now;
        Ok(self.memory <= 64 << 20)
    }

    fn table_growing(&mut self, now: usize, to: usize, _: Option<usize>) -> Result<bool> {
        self.table += to - now;
        Ok(self.table <= 20_000)
    }
}
