//! Openings of small hostile and curious doors, written in WebAssembly text.

mod cache;
mod compile;
mod inert_world;
mod limits;
mod opening;

use std::future::Future;
use std::path::Path;
use std::sync::Arc;

use wasmtime::component::Val;

use super::*;
use crate::Artifact;
use crate::grants::Grants;

/// A door in a sandbox, and what its openings are made with.
struct Door {
    sandbox: Sandbox,
    compiled: Compiled,
    opening: Opening,
}

impl Door {
    async fn hungry() -> Self {
        Self::of(include_str!("doors/hungry.wat")).await
    }

    async fn curious() -> Self {
        Self::of(include_str!("doors/curious.wat")).await
    }

    async fn of(wat: &str) -> Self {
        Self::within(sandbox(None), wat).await
    }

    async fn within(sandbox: Sandbox, wat: &str) -> Self {
        let compiled = compile(&sandbox, wat).await.unwrap();
        let opening = Opening {
            time: 1_750_000_000_000_000,
            ..Opening::default()
        };
        Self {
            sandbox,
            compiled,
            opening,
        }
    }

    fn limited(mut self, change: impl FnOnce(&mut Limits)) -> Self {
        change(&mut self.opening.limits);
        self
    }

    fn granted(mut self, grants: Grants) -> Self {
        self.opening.grants = grants;
        self
    }

    async fn call(&self, function: &str, params: &[Val]) -> Opened {
        let export = Export {
            interface: None,
            function,
        };
        self.compiled
            .open(&export, params.to_vec(), self.opening.clone())
            .await
    }

    async fn fault(&self, function: &str, params: &[Val]) -> Fault {
        self.call(function, params).await.outcome.unwrap_err()
    }

    async fn number(&self, function: &str, params: &[Val]) -> u64 {
        match self.call(function, params).await.outcome.as_deref() {
            Ok([Val::U32(number)]) => u64::from(*number),
            Ok([Val::U64(number)]) => *number,
            other => panic!("expected a number, found {other:?}"),
        }
    }
}

/// What `future` is after one poll; then it is dropped.
async fn one_poll<T>(future: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        biased;
        output = future => Some(output),
        () = std::future::ready(()) => None,
    }
}

fn sandbox(cache: Option<&Path>) -> Sandbox {
    Sandbox::new(Settings::for_one_loop(cache.map(Path::to_owned))).unwrap()
}

async fn compile(sandbox: &Sandbox, wat: &str) -> Result<Compiled, CompileError> {
    let component = Artifact::new(wat::parse_str(wat).unwrap());
    sandbox.compile(&component).await
}

fn counters(compiled: u64, loaded: u64, instantiated: u64) -> Counters {
    Counters {
        compiled,
        loaded,
        instantiated,
    }
}
