//! The few file operations that appending needs, as a trait so that tests can make
//! each of them fail.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::disk::replace::WholeFile;
use crate::disk::{open, private};

/// Where lines go.
pub(in crate::session) trait LogSink: Send + Sync {
    /// Current length in bytes.
    fn length(&mut self) -> io::Result<u64>;
    /// Writes all of `bytes` at the end, in one system call if the system takes them.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Writes `bytes` once more where they are already, at `offset`: a system whose sync
    /// failed may take them for written, and would not write them with the next one.
    fn rewrite(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()>;
    /// Cuts off what lies beyond `length`.
    fn truncate(&mut self, length: u64) -> io::Result<()>;
    /// Waits until everything is on the disk, the file's name included.
    fn sync(&mut self) -> io::Result<()>;
    /// Whether `path` still leads to what is written here.
    fn is_at(&self, path: &Path) -> bool;
}

/// A session file opened for appending.
#[derive(Debug)]
pub(in crate::session) struct FileSink {
    appender: File,
    // Not every system lets a handle for appending cut the file.
    cutter: File,
    /// The folder of a new file: its list of names is not on the disk yet.
    folder: Option<File>,
}

impl FileSink {
    /// Opens an existing file.
    pub(in crate::session) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self {
            appender: open::following_with_options(path, OpenOptions::new().append(true))?,
            cutter: open::following_with_options(path, OpenOptions::new().read(true).write(true))?,
            folder: None,
        })
    }

    /// Opens a file that was just made in `folder`.
    pub(in crate::session) fn open_new(path: &Path, folder: &Path) -> io::Result<Self> {
        Ok(Self {
            // Not every system lets a folder be opened.
            folder: File::open(folder).ok(),
            ..Self::open(path)?
        })
    }

    /// Makes a file that begins with `bytes`, in one step: nobody ever finds it without
    /// them. Fails when something of that name is there.
    pub(in crate::session) fn create(path: &Path, folder: &Path, bytes: &[u8]) -> io::Result<Self> {
        WholeFile::default().create(path, bytes)?;
        Self::open_new(path, folder)
    }
}

impl LogSink for FileSink {
    fn length(&mut self) -> io::Result<u64> {
        Ok(self.cutter.metadata()?.len())
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.appender.write_all(bytes)
    }

    fn rewrite(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut there = vec![0; bytes.len()];
        self.cutter.seek(SeekFrom::Start(offset))?;
        self.cutter.read_exact(&mut there)?;
        // A program that ignores the lock may have changed the file.
        if there != bytes {
            return Err(io::Error::other("another program has changed the file"));
        }
        self.cutter.seek(SeekFrom::Start(offset))?;
        self.cutter.write_all(bytes)
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.cutter.set_len(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.appender.sync_data()?;
        let Some(folder) = &self.folder else {
            return Ok(());
        };
        match folder.sync_all() {
            Err(error) if !is_unsupported(&error) => Err(error),
            _ => {
                self.folder = None;
                Ok(())
            }
        }
    }

    fn is_at(&self, path: &Path) -> bool {
        private::is_at(&self.cutter, path)
    }
}

/// Whether the system does not do such a thing at all, as opposed to failing at it.
fn is_unsupported(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput | io::ErrorKind::PermissionDenied
    )
}
