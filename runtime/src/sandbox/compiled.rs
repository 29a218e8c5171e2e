//! A compiled component, ready to be opened.

use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};
use wasmtime::component::{Component, InstancePre, Val};
use wasmtime::{CallHook, Store};

use super::export::{Export, ExportedFunction, Exports};
use super::fault::Fault;
use super::limits::Limits;
use super::opening::{Opened, Opening};
use super::sandbox::Shared;
use super::state::State;

/// A compiled component with its imports resolved: all that is done once a door and not once an
/// opening. Clones share it.
#[derive(Clone)]
pub struct Compiled(Arc<Inner>);

struct Inner {
    pre: InstancePre<State>,
    exports: Exports,
    sandbox: Arc<Shared>,
}

impl Compiled {
    pub(super) fn new(component: &Component, sandbox: Arc<Shared>) -> wasmtime::Result<Self> {
        let pre = sandbox.linker.instantiate_pre(component)?;
        let exports = Exports::of(component, &sandbox.engine);
        Ok(Self(Arc::new(Inner {
            pre,
            exports,
            sandbox,
        })))
    }

    /// Whether the component exports this function.
    #[must_use]
    pub fn exports(&self, export: &Export<'_>) -> bool {
        self.0.exports.find(export).is_some()
    }

    /// Calls `export` in a fresh instance, which is gone when this returns or is dropped.
    ///
    /// `params` must have the function's types; what does not is refused without a result. The
    /// clock of [`Limits::time`] starts when it is this opening's turn, see
    /// [`Settings::openings`](super::Settings::openings).
    pub async fn open(&self, export: &Export<'_>, params: Vec<Val>, opening: Opening) -> Opened {
        let function = match self.function(export, &params) {
            Ok(function) => *function,
            Err(fault) => return Opened::before_it_ran(fault),
        };
        let workers = &self.0.sandbox.workers;
        // Files and names are waited for in threads of the runtime that asks.
        let away = !opening.grants.dirs.is_empty() || !opening.grants.hosts.is_empty();
        let work = Box::pin(self.clone().open_at_its_turn(function, params, opening));
        let opened = match away {
            true => workers.run_away(work).await,
            false => workers.run(work).await,
        };
        opened.unwrap_or_else(|what| Opened::before_it_ran(Fault::Host { what }))
    }

    async fn open_at_its_turn(
        self,
        function: ExportedFunction,
        params: Vec<Val>,
        opening: Opening,
    ) -> Opened {
        let _turn = match self.0.sandbox.turn().await {
            Ok(turn) => turn,
            Err(fault) => return Opened::before_it_ran(fault),
        };
        let limits = opening.limits.clone();
        let resolver = self.0.sandbox.resolver();
        let state = State::new(opening, resolver);
        let mut store = match state.and_then(|state| self.store(state, &limits)) {
            Ok(store) => store,
            Err(fault) => return Opened::before_it_ran(fault),
        };
        let call = within(limits.time, self.call(&mut store, &function, &params)).await;
        let outcome = match call {
            Some(Ok(results)) => Ok(results),
            Some(Err(error)) => Err(Fault::of(&error, &limits)),
            None => Err(Fault::Time { limit: limits.time }),
        };
        opened(&mut store, outcome, &limits)
    }

    fn function(&self, export: &Export<'_>, params: &[Val]) -> Result<&ExportedFunction, Fault> {
        let function = self.0.exports.find(export).ok_or_else(|| Fault::Host {
            what: format!("the component does not export the function `{export}`"),
        })?;
        if function.params == params.len() {
            return Ok(function);
        }
        let (takes, got) = (function.params, params.len());
        Err(Fault::Host {
            what: format!("`{export}` takes {takes} arguments, {got} were given"),
        })
    }

    fn store(&self, state: State, limits: &Limits) -> Result<Store<State>, Fault> {
        let mut store = Store::new(&self.0.sandbox.engine, state);
        store.limiter(|state| &mut state.limiter);
        store.call_hook(|mut state, hook| match hook {
            CallHook::CallingHost => state.data_mut().call_host(),
            _ => Ok(()),
        });
        store.set_hostcall_fuel(limits.transfer());
        store.set_max_component_handles(limits.handles);
        store
            .set_fuel(limits.fuel)
            .and_then(|()| store.fuel_async_yield_interval(Some(super::YIELD_INTERVAL)))
            .map_err(|error| Fault::Host {
                what: error.to_string(),
            })?;
        Ok(store)
    }

    async fn call(
        &self,
        store: &mut Store<State>,
        function: &ExportedFunction,
        params: &[Val],
    ) -> wasmtime::Result<Vec<Val>> {
        self.0.sandbox.counters.count_instantiated();
        let instance = self.0.pre.instantiate_async(&mut *store).await?;
        let callee = instance
            .get_func(&mut *store, function.index)
            .ok_or_else(|| wasmtime::Error::msg("an export that was there is gone"))?;
        let mut results = vec![Val::Bool(false); function.results];
        callee.call_async(store, params, &mut results).await?;
        Ok(results)
    }
}

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compiled").finish_non_exhaustive()
    }
}

fn opened(store: &mut Store<State>, outcome: Result<Vec<Val>, Fault>, limits: &Limits) -> Opened {
    let fuel = match outcome {
        Err(Fault::Fuel { limit }) => limit,
        _ => limits.fuel.saturating_sub(store.get_fuel().unwrap_or(0)),
    };
    Opened {
        outcome,
        fuel,
        printed: store.data().printer.take(),
        answer: store.data().answer.take(),
        keys: store.data_mut().take_keys(),
        reached: store.data_mut().take_reached(),
    }
}

/// The output of `work`, unless it takes longer than `limit`.
///
/// The clock is read whenever the work yields as well as by a timer: a busy host fires its timers
/// late, and a guest that only computes would gain by it.
async fn within<T>(limit: Duration, work: impl Future<Output = T>) -> Option<T> {
    let Some(deadline) = Instant::now().checked_add(limit) else {
        return Some(work.await);
    };
    let mut work = pin!(work);
    let watched = poll_fn(|cx| match work.as_mut().poll(cx) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending if Instant::now() >= deadline => Poll::Ready(None),
        Poll::Pending => Poll::Pending,
    });
    timeout_at(deadline, watched).await.ok().flatten()
}
