//! A journal in memory: the reference for what a journal does, and for tests.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use loop_spec::journal::Unwritable;
use loop_spec::{RECORD_VERSION, Record, Stamped};

use super::{AppendError, Journal, ReadError, RunKey, RunReading, Tenant};

/// Runs in memory. Clones share them, as two handles on one place do.
#[derive(Clone, Debug, Default)]
pub struct MemoryJournal {
    runs: Arc<Mutex<Runs>>,
}

impl MemoryJournal {
    /// A journal without runs.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn lock(&self) -> MutexGuard<'_, Runs> {
        // No step under this lock leaves the runs half changed, so a panic elsewhere is no reason.
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Journal for MemoryJournal {
    async fn append(
        &self,
        run: &RunKey,
        expected: u64,
        entries: &[Stamped],
    ) -> Result<u64, AppendError> {
        let mut runs = self.lock();
        let found = runs.get(run).map_or(0, Vec::len) as u64;
        if found != expected {
            return Err(AppendError::Conflict { expected, found });
        }
        // What a file could not give back is refused here too, so that no test passes on memory alone.
        Unwritable::check(entries)?;
        let records = (expected..).zip(entries).map(|(seq, stamped)| Record {
            v: RECORD_VERSION,
            seq,
            time: stamped.time,
            entry: stamped.entry.clone(),
        });
        match runs.get_mut(run) {
            Some(kept) => kept.extend(records),
            None if entries.is_empty() => {}
            None => drop(runs.insert(run.clone(), records.collect())),
        }
        Ok(expected + entries.len() as u64)
    }

    async fn read(&self, run: &RunKey, from: u64) -> Result<RunReading, ReadError> {
        let runs = self.lock();
        let records = runs.get(run).into_iter().flatten();
        Ok(RunReading {
            records: records
                .filter(|record| record.seq >= from)
                .cloned()
                .collect(),
            torn: None,
        })
    }

    async fn runs(&self, tenant: &Tenant) -> Result<Vec<RunKey>, ReadError> {
        let runs = self.lock();
        let mut found: Vec<_> = runs
            .iter()
            .filter(|(run, _)| run.tenant == *tenant)
            .map(|(run, records)| (records.first().map(|record| record.time), run))
            .collect();
        found.sort();
        Ok(found.into_iter().map(|(_, run)| run.clone()).collect())
    }
}

type Runs = BTreeMap<RunKey, Vec<Record>>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::conformance::conformance;

    #[tokio::test(flavor = "multi_thread")]
    async fn memory_conforms() {
        conformance(MemoryJournal::new, MemoryJournal::clone).await;
    }
}
