//! One opening: a store, an instance, a call, and everything dropped.

use wasmtime::component::{InstancePre, Val};
use wasmtime::{Result, Store};

use super::compiled::Exported;
use super::world::World;
use super::{Fault, Limits, Printed};
use crate::grants::Grants;

/// What an opening is given beside its arguments.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// The inert world's clock, in microseconds since the Unix epoch.
    pub time: u64,
    /// The seed of the inert world's random numbers.
    pub seed: u64,
    /// Its limits.
    pub limits: Limits,
    /// What it is granted.
    pub grants: Grants,
}

/// What came of an opening.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// What it returned, or why it did not.
    pub outcome: Result<Vec<Val>, Fault>,
    /// Fuel used; never more than the limit. Exact, but for traps, where up to
    /// one yield interval may be missing.
    pub fuel: u64,
    /// What it printed.
    pub printed: Printed,
}

impl Opened {
    pub(super) fn host_fault(what: String) -> Self {
        let outcome = Err(Fault::Host { what });
        Self {
            outcome,
            fuel: 0,
            printed: Printed::default(),
        }
    }
}

pub(super) async fn open(
    pre: &InstancePre<World>,
    exported: &Exported,
    arguments: &[Val],
    opening: Opening,
) -> Opened {
    let mut store = match store(pre, &opening) {
        Ok(store) => store,
        Err(fault) => return Opened::host_fault(fault),
    };
    let limits = &opening.limits;
    let call = call(pre, &mut store, exported, arguments);
    let outcome = match tokio::time::timeout(limits.time, call).await {
        Ok(Ok(results)) => Ok(results),
        Ok(Err(error)) => Err(Fault::of(&error, limits)),
        Err(_) => Err(Fault::Time { limit: limits.time }),
    };
    let left = store.get_fuel().unwrap_or(0);
    let fuel = limits.fuel.saturating_sub(left);
    Opened {
        outcome,
        fuel,
        printed: store.data().printed(),
    }
}

fn store(pre: &InstancePre<World>, opening: &Opening) -> Result<Store<World>, String> {
    let world = World::new(opening).map_err(|ungranted| ungranted.to_string())?;
    let mut store = Store::new(pre.engine(), world);
    store.limiter(|world| &mut world.limiter);
    let limits = &opening.limits;
    store.set_hostcall_fuel(HOSTCALL_FUEL.max(limits.output.saturating_mul(2)));
    store
        .set_fuel(limits.fuel)
        .and_then(|()| store.fuel_async_yield_interval(Some(YIELD_INTERVAL)))
        .map_err(|error| format!("{error:#}"))?;
    Ok(store)
}

async fn call(
    pre: &InstancePre<World>,
    store: &mut Store<World>,
    exported: &Exported,
    arguments: &[Val],
) -> Result<Vec<Val>> {
    let instance = pre.instantiate_async(&mut *store).await?;
    let function = instance
        .get_func(&mut *store, exported.index)
        .expect("the index was looked up as that of a function of this component");
    let mut results = vec![Val::Bool(false); exported.results];
    function
        .call_async(&mut *store, arguments, &mut results)
        .await?;
    Ok(results)
}

/// After so much fuel a guest lets others run, and its timer fire: about half a millisecond. Below
/// 100,000 it would cost (measured).
const YIELD_INTERVAL: u64 = 1_000_000;
/// Bytes that the host copies for a guest in one call, so that a list whose elements all alias the
/// same bytes cannot grow without end on this side.
const HOSTCALL_FUEL: usize = 4 << 20;
