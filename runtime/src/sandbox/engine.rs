//! The engine: what is compiled for it is deterministic, and its instances come from a pool.

use wasmtime::{
    Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig, Result,
};

use super::Settings;
use super::limits::TABLE_ELEMENTS;

pub(super) fn engine(settings: &Settings) -> Result<Engine> {
    let mut config = Config::new();
    config
        .wasm_component_model(true)
        .consume_fuel(true)
        // What async components need costs every other call 2.8 times (measured); they are refused
        // when their interface is read.
        .concurrency_support(false)
        // The same instructions give the same bits on every machine.
        .cranelift_nan_canonicalization(true)
        .relaxed_simd_deterministic(true)
        .memory_init_cow(true)
        .max_wasm_stack(WASM_STACK)
        .async_stack_size(ASYNC_STACK)
        .wasm_backtrace_max_frames(None)
        .allocation_strategy(InstanceAllocationStrategy::Pooling(pool(settings.openings)));
    Engine::new(&config)
}

/// A pool for so many openings, in the proportions that were measured with doors of all languages:
/// Python takes 38 core instances an opening.
fn pool(openings: u32) -> PoolingAllocationConfig {
    let mut pool = PoolingAllocationConfig::default();
    pool.total_component_instances(openings)
        .total_core_instances(openings * CORE_INSTANCES)
        .total_memories(openings * MEMORIES)
        .total_tables(openings * MEMORIES)
        .total_stacks(openings)
        .max_core_instances_per_component(CORE_INSTANCES_OF_ONE)
        .max_memories_per_component(MEMORIES_OF_ONE)
        .max_tables_per_component(MEMORIES_OF_ONE)
        .max_component_instance_size(INSTANCE_SIZE)
        .max_core_instance_size(INSTANCE_SIZE)
        .table_elements(TABLE_ELEMENTS)
        .linear_memory_keep_resident(MEMORY_KEPT)
        .table_keep_resident(TABLE_KEPT)
        .async_stack_keep_resident(TABLE_KEPT)
        .pagemap_scan(Enabled::Auto);
    pool
}

/// Stack of a guest in bytes, as wasmtime has it by default.
const WASM_STACK: usize = 512 << 10;
/// Stack of a guest and of the host calls under it, in bytes.
const ASYNC_STACK: usize = 2 << 20;
/// Core instances in the pool for each opening (PERFORMANCE: 40,000 for 1,000).
const CORE_INSTANCES: u32 = 40;
/// Memories and tables in the pool for each opening (PERFORMANCE: 3,000 for 1,000).
const MEMORIES: u32 = 3;
/// Core instances of one door: twice what Python needs.
const CORE_INSTANCES_OF_ONE: u32 = 80;
/// Memories, and tables, of one door.
const MEMORIES_OF_ONE: u32 = 8;
/// Bytes that the host keeps of one instance: StarlingMonkey's is the largest seen.
const INSTANCE_SIZE: usize = 1 << 20;
/// Bytes of a memory that stay mapped between two openings; resetting them is cheaper than mapping.
const MEMORY_KEPT: usize = 1 << 20;
/// Bytes of a table and of a stack that stay mapped.
const TABLE_KEPT: usize = 64 << 10;
