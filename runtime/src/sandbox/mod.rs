//! Where doors are opened: one engine, and a fresh instance in a store of its own for every opening.
//!
//! A door that is granted nothing is opened in the *inert world*: WASI is there, so that the runtime
//! of every language starts, but there are no files, no environment and no network, output is kept
//! for the trace, the clock stands at the opening's time (sleeping moves it and returns at once), and
//! random numbers come from the opening's seed. The same component, arguments, time and seed give the
//! same values and the same fuel. Each grant ends that for its own part.
//!
//! ```
//! use std::sync::Arc;
//! use doorlist::grants::Grants;
//! use doorlist::sandbox::{Export, Limits, Opening, Sandbox, Settings};
//! use loop_spec::Digest;
//! use wasmtime::component::Val;
//!
//! # tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(async {
//! let bytes: Arc<[u8]> = wat::parse_str(
//!     r#"(component
//!         (core module $m (func (export "double") (param i32) (result i32)
//!             (i32.mul (local.get 0) (i32.const 2))))
//!         (core instance $i (instantiate $m))
//!         (func (export "double") (param "number" u32) (result u32)
//!             (canon lift (core func $i "double"))))"#,
//! )?.into();
//! let sandbox = Sandbox::new(Settings::default())?;
//! let door = sandbox.compile(&bytes, &Digest::of(&bytes)).await?;
//! let export = Export { interface: None, function: "double" };
//! let opening =
//!     Opening { time: 0, seed: 0, limits: Limits::default(), grants: Grants::default() };
//! let opened = door.open(&export, vec![Val::U32(21)], opening).await;
//! assert_eq!(opened.outcome.unwrap(), [Val::U32(42)]);
//! assert!(opened.fuel > 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```

mod cache;
mod compiled;
mod counters;
mod engine;
mod fault;
mod inert_clock;
mod limiter;
mod limits;
mod opening;
mod printed;
mod settings;
mod world;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use loop_spec::Digest;
use tokio::sync::Semaphore;
use wasmtime::Engine;
use wasmtime::component::{Component, Linker};

pub use compiled::{Compiled, Export};
pub use counters::Counters;
pub use fault::Fault;
pub use limits::Limits;
pub use opening::{Opened, Opening};
pub use printed::Printed;
pub use settings::Settings;

use cache::Cache;
use counters::Counting;
use world::World;

/// What counts the fuel, as the journal records it beside the fuel.
pub const ENGINE: &str = "wasmtime 48, cranelift";

/// One engine with what was compiled for it. Clones share it.
#[derive(Clone)]
pub struct Sandbox(Arc<Inner>);

struct Inner {
    engine: Engine,
    linker: Linker<World>,
    cache: Option<Cache>,
    compiled: Mutex<HashMap<Digest, Compiled>>,
    /// How many components are compiled at once.
    queue: Arc<Semaphore>,
    counting: Arc<Counting>,
}

/// Why there is no sandbox.
#[derive(Debug, thiserror::Error)]
#[error("expected an engine for WebAssembly on this machine: {source:#}")]
pub struct SandboxError {
    /// What the engine says.
    source: wasmtime::Error,
}

/// Why a component could not be compiled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// The bytes are no component that this engine takes.
    #[error("{component}: expected a component that can be compiled: {source:#}")]
    Refused {
        /// Digest of the bytes.
        component: Digest,
        /// What the engine says.
        source: wasmtime::Error,
    },
    /// An import is not there.
    #[error("{component}: expected imports that the host offers: {source:#}")]
    Imports {
        /// Digest of the bytes.
        component: Digest,
        /// What the engine says.
        source: wasmtime::Error,
    },
    /// The compiler itself failed.
    #[error("{component}: the compiler stopped: {why}")]
    Stopped {
        /// Digest of the bytes.
        component: Digest,
        /// Why.
        why: String,
    },
}

impl Sandbox {
    /// An engine with these settings.
    ///
    /// # Errors
    /// When this machine cannot run WebAssembly so.
    pub fn new(settings: Settings) -> Result<Self, SandboxError> {
        let made = || {
            let engine = engine::engine(&settings)?;
            let linker = world::linker(&engine)?;
            let cache = settings
                .cache
                .as_deref()
                .map(|dir| Cache::new(dir, &engine));
            Ok(Self(Arc::new(Inner {
                engine,
                linker,
                cache,
                compiled: Mutex::default(),
                queue: Arc::new(Semaphore::new(settings.compilers)),
                counting: Arc::default(),
            })))
        };
        made().map_err(|source| SandboxError { source })
    }

    /// What this sandbox did so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.0.counting.read()
    }

    /// The compiled form of `bytes`, whose digest is `digest`: from memory, from the cache on disk,
    /// or from the compiler, of which only so many run at once.
    ///
    /// # Errors
    /// When the bytes are no component that can be opened here.
    pub async fn compile(
        &self,
        bytes: &Arc<[u8]>,
        digest: &Digest,
    ) -> Result<Compiled, CompileError> {
        if let Some(compiled) = self.known(digest) {
            return Ok(compiled);
        }
        // Never closed, so that a permit always comes.
        let _turn = self.0.queue.clone().acquire_owned().await;
        if let Some(compiled) = self.known(digest) {
            return Ok(compiled);
        }
        let (sandbox, bytes, component) = (self.clone(), bytes.clone(), *digest);
        let compiled = tokio::task::spawn_blocking(move || sandbox.prepare(&bytes, component))
            .await
            .map_err(|join| CompileError::Stopped {
                component,
                why: join.to_string(),
            })??;
        let mut known = self
            .0
            .compiled
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        Ok(known.entry(*digest).or_insert(compiled).clone())
    }

    fn known(&self, digest: &Digest) -> Option<Compiled> {
        self.0
            .compiled
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(digest)
            .cloned()
    }

    fn prepare(&self, bytes: &[u8], digest: Digest) -> Result<Compiled, CompileError> {
        let component = self.load(bytes, digest)?;
        let pre = self.0.linker.instantiate_pre(&component);
        let pre = pre.map_err(|source| CompileError::Imports {
            component: digest,
            source,
        })?;
        Ok(Compiled::new(pre, self.0.counting.clone()))
    }

    fn load(&self, bytes: &[u8], digest: Digest) -> Result<Component, CompileError> {
        let cached = self
            .0
            .cache
            .as_ref()
            .and_then(|cache| cache.load(&digest, &self.0.engine));
        if let Some(component) = cached {
            self.0.counting.loaded();
            return Ok(component);
        }
        self.0.counting.compiled();
        let component = Component::from_binary(&self.0.engine, bytes).map_err(|source| {
            CompileError::Refused {
                component: digest,
                source,
            }
        })?;
        if let Some(cache) = &self.0.cache {
            cache.store(&digest, &component);
        }
        Ok(component)
    }
}
