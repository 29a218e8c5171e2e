//! Threads of the guests' own.

use std::future::{Future, poll_fn};
use std::num::NonZeroU32;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::Poll;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio_util::task::AbortOnDropHandle;

/// Where openings run that do not end at once, so that no number of spinning doors takes the threads
/// of the host.
///
/// An opening begins where it is awaited and stays there up to its first yield, which is at most
/// [`YIELD_INTERVAL`](super::YIELD_INTERVAL) of fuel away: most are over by then, and a change of
/// threads costs as much as all of them. What goes on goes on here.
pub(super) struct Workers {
    threads: NonZeroU32,
    /// Made when the first opening needs it.
    runtime: Mutex<Option<Runtime>>,
}

/// One opening, from its turn to its answer.
pub(super) type Work<T> = Pin<Box<dyn Future<Output = T> + Send>>;

impl Workers {
    pub(super) fn new(threads: NonZeroU32) -> Self {
        Self {
            threads,
            runtime: Mutex::default(),
        }
    }

    /// The output of `work`, which ends with this future when that is dropped.
    ///
    /// # Errors
    /// The threads cannot be made, or `work` panicked.
    pub(super) async fn run<T: Send + 'static>(&self, mut work: Work<T>) -> Result<T, String> {
        let begun = poll_fn(|cx| Poll::Ready(work.as_mut().poll(cx))).await;
        match begun {
            Poll::Ready(output) => Ok(output),
            Poll::Pending => self.run_away(work).await,
        }
    }

    /// The same for `work` that nothing of may run where it is awaited.
    ///
    /// # Errors
    /// As for [`run`](Self::run).
    pub(super) async fn run_away<T: Send + 'static>(&self, work: Work<T>) -> Result<T, String> {
        let handle = self.handle().map_err(|error| error.to_string())?;
        let going_on = AbortOnDropHandle::new(handle.spawn(work));
        going_on.await.map_err(|error| error.to_string())
    }

    fn handle(&self) -> std::io::Result<Handle> {
        let mut runtime = self.runtime.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(runtime) = &*runtime {
            return Ok(runtime.handle().clone());
        }
        let made = Builder::new_multi_thread()
            .worker_threads(self.threads.get() as usize)
            .thread_name("doors")
            .enable_all()
            .build()?;
        let handle = made.handle().clone();
        *runtime = Some(made);
        Ok(handle)
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        let runtime = self
            .runtime
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(runtime) = runtime.take() {
            // The last handle on a sandbox may go in the middle of anything, where nobody may wait.
            runtime.shutdown_background();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::time::Duration;

    use tokio::time::timeout;

    fn one() -> Workers {
        Workers::new(NonZeroU32::MIN)
    }

    fn here() -> Option<String> {
        std::thread::current().name().map(str::to_owned)
    }

    #[tokio::test]
    async fn what_ends_at_once_ends_where_it_is_awaited() {
        let workers = one();
        let ran = workers.run(Box::pin(async { here() })).await;
        assert_eq!(ran, Ok(here()));
        assert!(workers.runtime.lock().unwrap().is_none());
    }

    #[tokio::test]
    async fn what_yields_goes_on_at_the_guests_own_threads() {
        let work = async {
            tokio::task::yield_now().await;
            here()
        };
        assert_eq!(
            one().run(Box::pin(work)).await,
            Ok(Some("doors".to_owned()))
        );
    }

    #[tokio::test]
    async fn what_must_not_begin_where_it_is_awaited_does_not() {
        let ran = one().run_away(Box::pin(async { here() })).await;
        assert_eq!(ran, Ok(Some("doors".to_owned())));
    }

    #[tokio::test]
    async fn what_is_given_up_ends() {
        let (workers, held) = (one(), Arc::new(()));
        let inside = held.clone();
        let work = workers.run(Box::pin(async move {
            std::future::pending::<()>().await;
            drop(inside);
        }));
        assert!(timeout(Duration::ZERO, work).await.is_err());
        while Arc::strong_count(&held) > 1 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn a_panic_is_told_and_the_next_is_unharmed() {
        let workers = one();
        let panics = async {
            tokio::task::yield_now().await;
            panic!("a fault of the host");
        };
        let told = workers.run::<()>(Box::pin(panics)).await.unwrap_err();
        assert!(told.contains("a fault of the host"), "{told}");
        assert_eq!(workers.run(Box::pin(async { 1 })).await, Ok(1));
    }
}
