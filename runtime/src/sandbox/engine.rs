//! The engine: what makes an opening cheap, and what makes it repeatable.

use wasmtime::{
    Config, Enabled, Engine, InstanceAllocationStrategy, OperatorCost, PoolingAllocationConfig,
    Result,
};

use super::limits::TABLE_ELEMENTS;
use super::settings::Settings;

/// Fuel between two yields to the host: some milliseconds at most. Yielding more often than every
/// 100,000 costs time; less often lets one door delay the others and its own deadline.
pub const YIELD_INTERVAL: u64 = 1_000_000;

/// Fuel for each page of 64 KiB that a memory grows by, the most that wasmtime can charge.
pub const MEMORY_PAGE_FUEL: u8 = 255;

/// Bytes of stack that a door's nested calls may take.
pub const STACK: usize = 512 << 10;

pub(super) fn engine(settings: &Settings) -> Result<Engine> {
    let mut config = config();
    config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool(settings)));
    Engine::new(&config)
}

/// An engine that compiles for [`engine`], and reserves nothing to open what it compiled.
pub(super) fn compiler() -> Result<Engine> {
    Engine::new(&config())
}

/// All that compiled code depends on.
fn config() -> Config {
    let mut config = Config::new();
    config.memory_init_cow(true);
    config.max_wasm_stack(STACK);
    config.async_stack_size(STACK + HOST_STACK);
    // Makes every async call 2.8 times as expensive, and serves only components of the async ABI.
    config.concurrency_support(false);
    meter(&mut config);
    repeatable(&mut config);
    config
}

fn meter(config: &mut Config) {
    let mut cost = OperatorCost::new();
    cost.variable.memory_grow_per_page = MEMORY_PAGE_FUEL;
    config.consume_fuel(true).operator_cost(cost);
}

/// Leaves out, or pins down, whatever may differ between two processors or two runs.
fn repeatable(config: &mut Config) {
    config
        .cranelift_nan_canonicalization(true)
        .wasm_simd(true)
        .wasm_relaxed_simd(true)
        .relaxed_simd_deterministic(true)
        .wasm_multi_memory(true)
        .wasm_tail_call(true)
        .wasm_extended_const(true)
        .wasm_memory64(false)
        .wasm_custom_page_sizes(false)
        .wasm_wide_arithmetic(false)
        .shared_memory(false);
}

fn pool(settings: &Settings) -> PoolingAllocationConfig {
    let live = settings.openings.get();
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(live)
        .total_stacks(live)
        .total_core_instances(live.saturating_mul(CORE_INSTANCES))
        .total_memories(live.saturating_mul(MEMORIES))
        .total_tables(live.saturating_mul(MEMORIES))
        .max_core_instances_per_component(MOST_CORE_INSTANCES)
        .max_memories_per_component(MOST_MEMORIES)
        .max_tables_per_component(MOST_MEMORIES)
        .max_memories_per_module(MOST_OF_A_MODULE)
        .max_tables_per_module(MOST_OF_A_MODULE)
        .max_memory_size(settings.memory)
        .table_elements(TABLE_ELEMENTS)
        .pagemap_scan(Enabled::Auto)
        .linear_memory_keep_resident(1 << 20)
        .table_keep_resident(64 << 10)
        .async_stack_keep_resident(64 << 10);
    pool
}

/// Bytes of a fiber's stack beyond the guest's own, for the host's functions that it calls.
const HOST_STACK: usize = 512 << 10;

/// Core instances that are set aside for each opening: a packed CPython takes 38.
const CORE_INSTANCES: u32 = 40;

/// Memories and tables that are set aside for each opening: most doors take one or two of each.
const MEMORIES: u32 = 3;

/// The most that one component may take of what is set aside for all.
const MOST_CORE_INSTANCES: u32 = 100;
const MOST_MEMORIES: u32 = 50;
const MOST_OF_A_MODULE: u32 = 10;
