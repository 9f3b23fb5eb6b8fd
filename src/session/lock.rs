//! One writer per session: an advisory lock on a file beside it that holds the writer's
//! pid. The system releases the lock when its holder dies, so a stale lock file is simply
//! taken over; its text is only for people.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::{paths, private};

/// How often to start over when the lock file vanishes between opening and locking it.
const MAX_ATTEMPTS: u32 = 5;
/// A pid has at most this many bytes as text.
const MAX_PID_BYTES: u64 = 20;

/// The right to write to a session; given back when dropped.
#[derive(Debug)]
pub(super) struct SessionLock {
    file: File,
    path: PathBuf,
}

/// What trying to lock gave.
#[derive(Debug)]
pub(super) enum Attempt {
    /// This process may write.
    Held(SessionLock),
    /// Another one may; its pid, when it can be read.
    Busy(Option<u32>),
}

impl SessionLock {
    /// Tries to become the writer of a session without waiting.
    pub(super) fn acquire(session: &Path) -> io::Result<Attempt> {
        let path = paths::beside(session, "lock");
        for _ in 0..MAX_ATTEMPTS {
            let mut file = private::options()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(Attempt::Busy(read_pid(&mut file))),
                // Some network file systems have no locks: better unguarded than unsaved.
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
            // The former holder removes the file when it is done: a lock on a file that is
            // no longer there keeps nobody out.
            if !is_at(&file, &path) {
                continue;
            }
            file.set_len(0)?;
            write!(file, "{}", std::process::id())?;
            return Ok(Attempt::Held(Self { file, path }));
        }
        Err(io::Error::other("the lock file keeps vanishing"))
    }
}

impl Drop for SessionLock {
    fn drop(&mut self) {
        // Removed while it is still held, so that nobody else's file is removed.
        let _ = std::fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

fn read_pid(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.take(MAX_PID_BYTES).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (file.metadata(), path.metadata()) {
        (Ok(ours), Ok(there)) => ours.dev() == there.dev() && ours.ino() == there.ino(),
        _ => false,
    }
}

/// Elsewhere an open file cannot be removed.
#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> bool {
    true
}
