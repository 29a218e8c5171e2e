//! The sandbox: one engine, and the components it has compiled.

use std::sync::Arc;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::task::spawn_blocking;
use wasmtime::Engine;
use wasmtime::component::{Component, Linker};

use super::apart::Compiling;
use super::cache::{Cache, CacheFault, deserialize};
use super::compiled::Compiled;
use super::counters::{Counters, Counting};
use super::engine::engine;
use super::error::{CompileError, SandboxError};
use super::fault::Fault;
use super::features;
use super::kept::Kept;
use super::linker::linker;
use super::network::Resolver;
use super::settings::Settings;
use super::state::State;
use super::workers::Workers;
use crate::Artifact;

/// One engine with room for [`Settings::openings`] openings. Clones share it.
#[derive(Clone)]
pub struct Sandbox {
    shared: Arc<Shared>,
    kept: Arc<Kept>,
}

/// What a compiled component needs of its sandbox.
pub(super) struct Shared {
    pub(super) engine: Engine,
    pub(super) linker: Linker<State>,
    pub(super) counters: Counting,
    settings: Settings,
    cache: Result<Cache, CacheFault>,
    live: Semaphore,
    /// A place for each that waits to be live.
    waiting: Semaphore,
    pub(super) workers: Workers,
    compiles: Arc<Semaphore>,
}

impl Sandbox {
    /// Starts an engine. A cache that cannot be used is no error, see [`Sandbox::cache_fault`].
    ///
    /// # Errors
    /// When the machine refuses the address space, or has no compiler for its processor.
    pub fn new(settings: Settings) -> Result<Self, SandboxError> {
        let failed = |error: wasmtime::Error| SandboxError {
            what: format!("{error:#}"),
        };
        let engine = engine(&settings).map_err(failed)?;
        let shared = Shared {
            linker: linker(&engine).map_err(failed)?,
            cache: Cache::open(settings.cache.as_deref(), &engine),
            counters: Counting::default(),
            live: Semaphore::new(settings.openings.get() as usize),
            waiting: Semaphore::new(settings.waiting.get() as usize),
            workers: Workers::new(settings.workers),
            compiles: Arc::new(Semaphore::new(settings.compilers.get() as usize)),
            engine,
            settings,
        };
        let kept = Arc::new(Kept::new(shared.settings.kept));
        Ok(Self {
            shared: Arc::new(shared),
            kept,
        })
    }

    /// The component `bytes` ready to be opened: as it is in memory, else from the cache on disk,
    /// else compiled. Several callers that ask for one component at once wait for one compilation.
    ///
    /// # Errors
    /// When `bytes` are not what `digest` names, or not a component that doors can be made of.
    pub async fn compile(&self, component: &Artifact) -> Result<Compiled, CompileError> {
        let place = self.kept.place(&component.digest());
        let compiled = place.get_or_try_init(|| self.make(component)).await?;
        Ok(compiled.clone())
    }

    /// What was done so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.shared.counters.read()
    }

    /// Why nothing is kept on disk, when a directory was given and cannot be used.
    #[must_use]
    pub fn cache_fault(&self) -> Option<&CacheFault> {
        self.shared
            .cache
            .as_ref()
            .err()
            .filter(|fault| **fault != CacheFault::NotAsked)
    }

    async fn make(&self, artifact: &Artifact) -> Result<Compiled, CompileError> {
        let limit = self.shared.settings.component;
        if artifact.len() > limit {
            return Err(CompileError::TooLarge {
                found: artifact.len(),
                limit,
            });
        }
        let component = match self.load(artifact).await? {
            Some(component) => component,
            None => self.fresh(artifact).await?,
        };
        Compiled::new(&component, Arc::clone(&self.shared)).map_err(|error| CompileError::Import {
            what: format!("{error:#}"),
        })
    }

    /// The component from the cache.
    async fn load(&self, artifact: &Artifact) -> Result<Option<Component>, CompileError> {
        let (shared, digest) = (Arc::clone(&self.shared), artifact.digest());
        blocking(move || {
            let loaded = shared
                .cache()
                .and_then(|cache| cache.load(&shared.engine, &digest));
            if loaded.is_some() {
                shared.counters.count_loaded();
            }
            Ok(loaded)
        })
        .await
    }

    /// The component, compiled when it is its turn.
    async fn fresh(&self, artifact: &Artifact) -> Result<Component, CompileError> {
        let (shared, artifact) = (Arc::clone(&self.shared), artifact.clone());
        let turn = Arc::clone(&self.shared.compiles).acquire_owned().await;
        shared.counters.count_compiled();
        let code = match &shared.settings.compiling {
            Compiling::Here => None,
            Compiling::Apart(apart) => Some(apart.compile(&artifact).await?),
        };
        blocking(move || {
            let _turn = turn;
            let component = match code {
                None => features::check(&artifact)
                    .and_then(|()| Component::from_binary(&shared.engine, &artifact)),
                Some(code) => deserialize(&shared.engine, &code),
            };
            let component = component.map_err(|error| CompileError::Invalid {
                what: format!("{error:#}"),
            })?;
            if let Some(cache) = shared.cache() {
                cache.store(&component, &artifact.digest());
            }
            Ok(component)
        })
        .await
    }
}

impl Shared {
    /// The right to be live. The future waits for its turn.
    ///
    /// # Errors
    /// Too many wait already.
    pub(super) async fn turn(&self) -> Result<SemaphorePermit<'_>, Fault> {
        if let Ok(live) = self.live.try_acquire() {
            return Ok(live);
        }
        let host = |what| Fault::Host { what };
        let busy = || host(format!("{} openings wait already", self.settings.waiting));
        let _place = self.waiting.try_acquire().map_err(|_| busy())?;
        let live = self.live.acquire().await;
        live.map_err(|_| host("the sandbox is closed".to_owned()))
    }

    pub(super) fn resolver(&self) -> Arc<dyn Resolver> {
        Arc::clone(&self.settings.resolver)
    }

    fn cache(&self) -> Option<&Cache> {
        self.cache.as_ref().ok()
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, CompileError> + Send + 'static,
) -> Result<T, CompileError> {
    spawn_blocking(work).await.unwrap_or_else(|error| {
        Err(CompileError::Host {
            what: error.to_string(),
        })
    })
}
