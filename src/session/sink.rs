//! The few file operations that appending needs, behind a trait so that tests can make
//! each of them fail.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use super::private;

/// Where lines go.
pub(super) trait Sink: Send + Sync {
    /// Current length in bytes.
    fn length(&mut self) -> io::Result<u64>;
    /// Writes all of `bytes` at the end, in one system call if the system takes them.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Cuts off what lies beyond `length`.
    fn truncate(&mut self, length: u64) -> io::Result<()>;
    /// Waits until everything is on the disk.
    fn sync(&mut self) -> io::Result<()>;
}

/// A session file opened for appending.
#[derive(Debug)]
pub(super) struct FileSink {
    appender: File,
    // Not every system lets a handle for appending cut the file.
    cutter: File,
}

impl FileSink {
    /// Opens an existing file.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self {
            appender: OpenOptions::new().append(true).open(path)?,
            cutter: OpenOptions::new().write(true).open(path)?,
        })
    }

    /// Creates a file that must not exist yet.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        drop(private::create_new(path)?);
        Self::open(path)
    }
}

impl Sink for FileSink {
    fn length(&mut self) -> io::Result<u64> {
        Ok(self.cutter.metadata()?.len())
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.appender.write_all(bytes)
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.cutter.set_len(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.appender.sync_data()
    }
}
