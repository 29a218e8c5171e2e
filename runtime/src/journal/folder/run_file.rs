//! One run's file: reading it, and adding to it so that it always stays valid.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};

use loop_spec::Stamped;
use loop_spec::journal::{Chain, Damage, Reading};

use crate::journal::{AppendError, ReadError, RunId};

/// A run's file, open but not locked.
pub(super) struct RunFile {
    run: RunId,
    file: File,
    place: String,
}

/// A run's file that no writer changes meanwhile. Dropped, it is free again.
pub(super) struct ReadLocked(RunFile);

/// A run's file that is ours alone. Dropped, it is free again.
pub(super) struct WriteLocked(RunFile);

/// Where a run's file ends and its journal goes on.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) chain: Chain,
    /// In bytes, without a torn tail.
    length: u64,
}

impl RunFile {
    pub(super) fn new(run: RunId, file: File, place: String) -> Self {
        Self { run, file, place }
    }

    pub(super) fn lock_to_read(self) -> Result<ReadLocked, ReadError> {
        self.file
            .lock_shared()
            .map_err(|source| self.unread(source))?;
        Ok(ReadLocked(self))
    }

    pub(super) fn lock_to_write(self) -> Result<WriteLocked, ReadError> {
        self.file.lock().map_err(|source| self.unread(source))?;
        Ok(WriteLocked(self))
    }

    fn reading(&self) -> Result<Reading, ReadError> {
        let mut bytes = Vec::new();
        let read = (&self.file)
            .rewind()
            .and_then(|()| (&self.file).read_to_end(&mut bytes));
        read.map_err(|source| self.unread(source))?;
        Reading::of(self.run.as_str(), &bytes).map_err(|damage| self.damaged(damage))
    }

    fn unread(&self, source: io::Error) -> ReadError {
        let place = self.place.clone();
        ReadError::Io { place, source }
    }

    fn damaged(&self, damage: Damage) -> ReadError {
        let place = self.place.clone();
        ReadError::Damaged { place, damage }
    }
}

impl ReadLocked {
    pub(super) fn reading(&self) -> Result<Reading, ReadError> {
        self.0.reading()
    }

    /// The time of the first record, if the first append was not interrupted. Reads no further.
    pub(super) fn first_time(&self) -> Result<Option<u64>, ReadError> {
        let mut lines = BufReader::new(&self.0.file);
        let (mut chain, mut time) = (Chain::start(self.0.run.as_str()), None);
        loop {
            let mut line = Vec::new();
            lines
                .read_until(b'\n', &mut line)
                .map_err(|source| self.0.unread(source))?;
            if line.pop() != Some(b'\n') {
                return Ok(None);
            }
            let record = chain.read(&line).map_err(|damage| self.0.damaged(damage))?;
            let first = *time.get_or_insert(record.time);
            if chain.is_whole() {
                return Ok(Some(first));
            }
        }
    }
}

impl WriteLocked {
    pub(super) fn place(&self) -> &str {
        &self.0.place
    }

    /// Where the journal goes on: as remembered where the file still ends like that, else read.
    ///
    /// The last checksum stands for all lines before it, so comparing the length and the last bytes
    /// tells whether another writer was here, however long the file is.
    pub(super) fn mark(&self, remembered: Option<&Mark>) -> Result<Mark, ReadError> {
        if let Some(mark) = remembered
            && self
                .still_ends_at(mark)
                .map_err(|source| self.0.unread(source))?
        {
            return Ok(mark.clone());
        }
        let Reading { chain, length, .. } = self.0.reading()?;
        Ok(Mark { chain, length })
    }

    /// Adds `entries` behind `mark`, in place of what an interrupted append left there.
    pub(super) fn append(&self, mark: &Mark, entries: &[Stamped]) -> Result<Mark, AppendError> {
        let (mut chain, mut text) = (mark.chain.clone(), Vec::new());
        chain.write(entries, &mut text)?;
        if let Err(source) = self.write(mark.length, &text) {
            let place = self.0.place.clone();
            let entries = described(entries);
            return Err(
                match self.cut(mark.length).and_then(|()| self.0.file.sync_data()) {
                    Ok(()) => AppendError::NotWritten {
                        place,
                        entries,
                        source,
                    },
                    Err(_) => AppendError::Unknown {
                        place,
                        entries,
                        source,
                    },
                },
            );
        }
        let length = mark.length + text.len() as u64;
        Ok(Mark { chain, length })
    }

    fn write(&self, at: u64, text: &[u8]) -> io::Result<()> {
        self.cut(at)?;
        (&self.0.file).seek(SeekFrom::Start(at))?;
        (&self.0.file).write_all(text)?;
        self.0.file.sync_data()
    }

    fn cut(&self, length: u64) -> io::Result<()> {
        if self.0.file.metadata()?.len() > length {
            self.0.file.set_len(length)?;
        }
        Ok(())
    }

    fn still_ends_at(&self, mark: &Mark) -> io::Result<bool> {
        if self.0.file.metadata()?.len() != mark.length {
            return Ok(false);
        }
        let expected = mark.chain.ending();
        let mut found = vec![0; expected.len()];
        (&self.0.file).seek(SeekFrom::Start(mark.length - expected.len() as u64))?;
        (&self.0.file).read_exact(&mut found)?;
        Ok(found == expected)
    }
}

/// How a message speaks of `entries`.
pub(super) fn described(entries: &[Stamped]) -> String {
    let kinds: Vec<_> = entries
        .iter()
        .map(|stamped| stamped.entry.kind.as_str())
        .collect();
    let noun = if entries.len() == 1 {
        "entry"
    } else {
        "entries"
    };
    format!("{} {noun} ({})", entries.len(), kinds.join(", "))
}
