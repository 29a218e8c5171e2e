//! Where runs are kept: one journal a run, behind one trait.
//!
//! A journal knows no machine and makes no ids and no times: entries come in stamped, runs are named
//! by the caller. [`Journal::append`] is the only write. It names the number of records that the
//! writer believes are there and fails when that is not so; nothing else makes one writer of a run.
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! use doorlist::journal::{Journal, MemoryJournal, RunKey};
//! use loop_spec::{Entry, Payload, Stamped};
//!
//! let journal = MemoryJournal::new();
//! let run = RunKey::local("fridge-1").unwrap();
//! let payload = Payload::of(&serde_json::json!({})).unwrap();
//! let entry = Entry { kind: "started".into(), payload };
//! let next = journal.append(&run, 0, &[Stamped { time: 0, entry }]).await.unwrap();
//! assert_eq!(next, 1);
//! assert_eq!(journal.read(&run, 0).await.unwrap().records.len(), 1);
//! # });
//! ```

pub mod conformance;
mod error;
mod folder;
mod key;
mod memory;

use async_trait::async_trait;
use loop_spec::{Record, Stamped, journal::TornTail};

pub use error::{AppendError, ReadError};
pub use folder::FolderJournal;
pub use key::{BadId, RunId, RunKey, Tenant};
pub use memory::MemoryJournal;

/// A place that keeps the journals of runs. [`conformance`] says what every one of them must do.
#[async_trait]
pub trait Journal: Send + Sync {
    /// Adds `entries` behind the `expected` records of `run` and says how many there are then. The
    /// first append, with `expected` 0, makes the run.
    ///
    /// All of `entries` are kept durably when this returns, or none, whatever happens meanwhile.
    /// Where the future is dropped before it is done, either is possible: read the run to know.
    ///
    /// # Errors
    /// [`AppendError::Conflict`] when the run has another number of records; else why the entries
    /// could not be kept. What was there before is never lost.
    async fn append(
        &self,
        run: &RunKey,
        expected: u64,
        entries: &[Stamped],
    ) -> Result<u64, AppendError>;

    /// The records of `run` from the sequence `from` on. A run that nobody made has no records.
    ///
    /// # Errors
    /// The journal is damaged or cannot be read.
    async fn read(&self, run: &RunKey, from: u64) -> Result<RunReading, ReadError>;

    /// The runs of `tenant` that have a record, by the time of their first one, the newest last.
    ///
    /// # Errors
    /// The place cannot be read. A run that is damaged is among the runs.
    async fn runs(&self, tenant: &Tenant) -> Result<Vec<RunKey>, ReadError>;
}

/// What a journal says of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunReading {
    /// The records asked for, in sequence.
    pub records: Vec<Record>,
    /// An append that was interrupted, for a notice to the person. It does not count, and the next
    /// append cuts it off.
    pub torn: Option<TornTail>,
}

/// A run of this machine under the number behind all that are there: the number is what a person types.
///
/// # Errors
/// The place cannot be read.
pub async fn next_run(journal: &dyn Journal) -> Result<RunKey, ReadError> {
    let runs = journal.runs(&Tenant::local()).await?;
    let numbers = runs.iter().filter_map(|key| key.run.as_str().parse().ok());
    let next: u64 = numbers.max().unwrap_or(0) + 1;
    Ok(RunKey::local(&next.to_string()).expect("a number is an id"))
}
