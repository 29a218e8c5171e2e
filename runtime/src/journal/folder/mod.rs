//! The journals of a loop folder: `runs/<id>.jsonl`, one file a run.

#[cfg(all(test, unix))]
mod process_tests;
mod run_file;
mod runs_dir;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use loop_spec::Stamped;

use self::run_file::Mark;
use self::runs_dir::RunsDir;
use super::{AppendError, Journal, ReadError, RunId, RunKey, RunReading, Tenant};

/// The runs of a loop folder, all of the tenant `local`. Clones share what they remember.
///
/// Every append is on the disk when it returns. It takes the file's lock, so other handles and other
/// processes can use the same folder; what the file is like is remembered from one append to the
/// next, so an append costs the same after ten records as after ten thousand. File work blocks, so
/// it is done on tokio's threads for that.
///
/// Run files that are symbolic links are refused: a stranger's folder must not make Doorlist write
/// elsewhere.
#[derive(Clone, Debug)]
pub struct FolderJournal {
    folder: Arc<Folder>,
}

impl FolderJournal {
    /// The journals of the loop folder at `loop_dir`. Its `runs/` is made by the first append.
    ///
    /// # Errors
    /// There is no such folder.
    pub fn open(loop_dir: &Path) -> Result<Self, ReadError> {
        Self::in_folder(loop_dir, "runs")
    }

    /// The journals of a loop folder's sessions, which lie in its `sessions/`.
    ///
    /// # Errors
    /// There is no such folder.
    pub fn sessions(loop_dir: &Path) -> Result<Self, ReadError> {
        Self::in_folder(loop_dir, "sessions")
    }

    fn in_folder(loop_dir: &Path, name: &'static str) -> Result<Self, ReadError> {
        Ok(Self {
            folder: Arc::new(Folder {
                dir: RunsDir::open(loop_dir, name)?,
                marks: Mutex::default(),
            }),
        })
    }

    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Folder) -> T + Send + 'static,
    ) -> T {
        let folder = Arc::clone(&self.folder);
        match tokio::task::spawn_blocking(move || work(&folder)).await {
            Ok(done) => done,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // The runtime goes down before the work began, and with it who waits here.
                Err(_) => std::future::pending().await,
            },
        }
    }
}

#[async_trait]
impl Journal for FolderJournal {
    async fn append(
        &self,
        run: &RunKey,
        expected: u64,
        entries: &[Stamped],
    ) -> Result<u64, AppendError> {
        let (key, entries) = (run.clone(), entries.to_vec());
        self.blocking(move |folder| folder.append(&key, expected, &entries))
            .await
    }

    async fn read(&self, run: &RunKey, from: u64) -> Result<RunReading, ReadError> {
        let key = run.clone();
        self.blocking(move |folder| folder.read(&key, from)).await
    }

    async fn runs(&self, tenant: &Tenant) -> Result<Vec<RunKey>, ReadError> {
        let tenant = tenant.clone();
        self.blocking(move |folder| folder.runs(&tenant)).await
    }
}

#[derive(Debug)]
struct Folder {
    dir: RunsDir,
    /// How each run's file was after our last append to it.
    marks: Mutex<HashMap<RunId, Mark>>,
}

impl Folder {
    fn append(&self, key: &RunKey, expected: u64, entries: &[Stamped]) -> Result<u64, AppendError> {
        self.check_tenant(&key.tenant)?;
        let file = match self.dir.open_run(&key.run, true)? {
            Some(file) => file,
            None if expected > 0 => return Err(AppendError::Conflict { expected, found: 0 }),
            None if entries.is_empty() => return Ok(0),
            None => self.dir.make_run(&key.run)?,
        };
        let file = file.lock_to_write()?;
        let remembered = self.remembered(&key.run);
        let mark = file.mark(remembered.as_ref())?;
        let found = mark.chain.next();
        if found != expected {
            return Err(AppendError::Conflict { expected, found });
        }
        if entries.is_empty() {
            return Ok(expected);
        }
        let mark = file.append(&mark, entries)?;
        if remembered.is_none() {
            // The file may be new, made by us or by a writer that was killed before it did this.
            self.dir.sync(&file, entries)?;
        }
        let next = mark.chain.next();
        self.remember(&key.run, mark);
        Ok(next)
    }

    fn read(&self, key: &RunKey, from: u64) -> Result<RunReading, ReadError> {
        self.check_tenant(&key.tenant)?;
        let Some(file) = self.dir.open_run(&key.run, false)? else {
            return Ok(RunReading::default());
        };
        let reading = file.lock_to_read()?.reading()?;
        let mut records = reading.records;
        records.drain(
            ..records
                .len()
                .min(usize::try_from(from).unwrap_or(usize::MAX)),
        );
        let torn = reading.torn;
        Ok(RunReading { records, torn })
    }

    fn runs(&self, tenant: &Tenant) -> Result<Vec<RunKey>, ReadError> {
        self.check_tenant(tenant)?;
        let mut found = Vec::new();
        for run in self.dir.run_ids()? {
            match self.first_time(&run) {
                Ok(None) => {}
                // A damaged run stays in sight; its time is not known.
                time => found.push((time.ok().flatten(), run)),
            }
        }
        found.sort();
        let key = |(_, run)| RunKey {
            tenant: tenant.clone(),
            run,
        };
        Ok(found.into_iter().map(key).collect())
    }

    fn first_time(&self, run: &RunId) -> Result<Option<u64>, ReadError> {
        match self.dir.open_run(run, false)? {
            Some(file) => file.lock_to_read()?.first_time(),
            None => Ok(None),
        }
    }

    fn check_tenant(&self, tenant: &Tenant) -> Result<(), ReadError> {
        if *tenant == Tenant::local() {
            return Ok(());
        }
        Err(ReadError::OtherTenant {
            place: self.dir.place(),
            tenant: tenant.to_string(),
        })
    }

    fn remembered(&self, run: &RunId) -> Option<Mark> {
        // A mark is only ever replaced as a whole, and checked against the file before use.
        let marks = self.marks.lock().unwrap_or_else(PoisonError::into_inner);
        marks.get(run).cloned()
    }

    fn remember(&self, run: &RunId, mark: Mark) {
        let mut marks = self.marks.lock().unwrap_or_else(PoisonError::into_inner);
        marks.insert(run.clone(), mark);
    }
}
