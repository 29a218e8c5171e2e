//! A journal whose process dies at a chosen append.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use doorlist::journal::{
    AppendError, FolderJournal, Journal, ReadError, RunKey, RunReading, Tenant,
};
use loop_spec::Stamped;

/// Appends to a folder's journal so often, and then no more.
pub(crate) struct Mortal {
    journal: FolderJournal,
    left: AtomicUsize,
    death: Death,
}

/// When the process dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Death {
    /// Before the entry is on the disk.
    Before,
    /// When the entry is on the disk, and nothing came of it yet.
    After,
}

impl Mortal {
    /// Lives for `appends` appends, and dies at the next one.
    pub(crate) fn new(journal: FolderJournal, appends: usize, death: Death) -> Self {
        let left = AtomicUsize::new(appends);
        Self {
            journal,
            left,
            death,
        }
    }
}

#[async_trait]
impl Journal for Mortal {
    async fn append(
        &self,
        run: &RunKey,
        expected: u64,
        entries: &[Stamped],
    ) -> Result<u64, AppendError> {
        let lives = self
            .left
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
                left.checked_sub(1)
            });
        if lives.is_ok() || self.death == Death::After {
            let next = self.journal.append(run, expected, entries).await?;
            if lives.is_ok() {
                return Ok(next);
            }
        }
        Err(AppendError::NotWritten {
            place: DIED.to_owned(),
            entries: String::new(),
            source: io::Error::other("the process is dead"),
        })
    }

    async fn read(&self, run: &RunKey, from: u64) -> Result<RunReading, ReadError> {
        self.journal.read(run, from).await
    }

    async fn runs(&self, tenant: &Tenant) -> Result<Vec<RunKey>, ReadError> {
        self.journal.runs(tenant).await
    }
}

/// What its last error names as the place.
pub(crate) const DIED: &str = "a dead process";
