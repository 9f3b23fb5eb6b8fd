//! The files that were read, to refuse changes that are based on an outdated picture of a
//! file.
//!
//! It holds modification times and lengths, not contents: a change that keeps both goes
//! unnoticed.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// Which files were read, with the modification time and length seen then. Keys are
/// resolved paths.
#[derive(Debug, Default)]
pub struct ReadLog {
    seen: Mutex<HashMap<PathBuf, FileStamp>>,
}

/// A file's modification time and length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp {
    /// Modification time.
    pub modified: SystemTime,
    /// Length in bytes.
    pub length: u64,
}

/// The log's knowledge of a file's present state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadState {
    /// It is as it was when it was read or written last.
    Unchanged,
    /// It was read, and something else changed or removed it since.
    Changed,
    /// Nothing in this session has read it.
    NeverRead,
}

impl FileStamp {
    /// The stamp of a file now, symlinks followed.
    pub fn of(path: &Path) -> io::Result<Self> {
        Self::of_metadata(&std::fs::metadata(path)?)
    }

    /// The stamp in what is known of a file.
    pub fn of_metadata(metadata: &std::fs::Metadata) -> io::Result<Self> {
        Ok(Self {
            modified: metadata.modified()?,
            length: metadata.len(),
        })
    }
}

impl ReadLog {
    /// Notes that the file was seen in this state. Take the stamp before reading, so that
    /// a change during the read shows.
    pub fn record(&self, path: &Path, stamp: FileStamp) {
        self.lock().insert(path.to_owned(), stamp);
    }

    /// Compares the file as it is now with what was seen.
    pub fn check(&self, path: &Path) -> ReadState {
        let Some(seen) = self.lock().get(path).copied() else {
            return ReadState::NeverRead;
        };
        match FileStamp::of(path) {
            Ok(now) if now == seen => ReadState::Unchanged,
            _ => ReadState::Changed,
        }
    }

    // A panic while the lock was held leaves a complete map behind: inserts are all there is.
    fn lock(&self) -> MutexGuard<'_, HashMap<PathBuf, FileStamp>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_follow_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        std::fs::write(&path, "one").unwrap();
        let log = ReadLog::default();
        assert_eq!(log.check(&path), ReadState::NeverRead);
        log.record(&path, FileStamp::of(&path).unwrap());
        assert_eq!(log.check(&path), ReadState::Unchanged);
        std::fs::write(&path, "longer").unwrap();
        assert_eq!(log.check(&path), ReadState::Changed);
        log.record(&path, FileStamp::of(&path).unwrap());
        assert_eq!(log.check(&path), ReadState::Unchanged);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(log.check(&path), ReadState::Changed);
    }
}
