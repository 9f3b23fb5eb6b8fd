//! The writer of a session. Lines are written whole and in order; what could not be
//! written waits in memory and is tried again, so that nothing is dropped silently and no
//! torn line is left in the middle. What the disk has not confirmed is remembered, too: only
//! what it has confirmed is saved.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::journal::DraftLeftover;
use self::journal::StreamJournal;
use self::lock::{LockAttempt, SessionLock};
use self::sink::{FileSink, LogSink};
use super::access::Access;
use super::error::SessionError;
use super::header::Header;
use super::load::{LoadedSession, Problem};
use super::load::{ParsedFile, load, parse};
use super::record::{read_line, to_line};
use super::{paths, time};
use crate::disk::{open, private};
use crate::transcript::{Entry, EntryBody, Message, Timestamp};

pub(super) mod journal;
pub(super) mod lock;
mod sink;
#[cfg(test)]
mod tests;

/// How sure to be that an entry survives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// The death of this process.
    Buffered,
    /// The death of the machine.
    Flush,
}

/// Where lines go.
enum LogTarget {
    /// Nowhere.
    Memory,
    /// A file that is made with the first line: an empty session leaves none.
    NotYet,
    /// The file, with the lock that makes us its writer.
    Open {
        sink: Box<dyn LogSink>,
        _lock: Option<SessionLock>,
    },
    /// A file that others write.
    ReadOnly(Access),
}

/// Loads a session with the part of an answer that was arriving when its program was killed.
/// Nothing is written.
///
/// # Errors
///
/// As those of [`super::load::load`].
pub fn load_broken_off(path: &Path) -> Result<LoadedSession, SessionError> {
    let mut loaded = load(path)?;
    if let DraftLeftover::Recovered(entry) = journal::leftover(path, &loaded.transcript) {
        // Its id is not in the log.
        let _ = loaded.transcript.push(Arc::new(*entry));
    }
    Ok(loaded)
}

/// The log of one session.
pub struct SessionLog {
    path: Option<PathBuf>,
    target: LogTarget,
    /// Lines with their line ends that are not in the file yet.
    unsaved: VecDeque<Vec<u8>>,
    /// Where the file ends once the rest of a failed write is cut off.
    cut_to: Option<u64>,
    /// The last line in the file lacks its line end.
    needs_line_end: bool,
    /// Written pieces, with their offsets, that the disk has not confirmed.
    unconfirmed: Vec<(u64, Vec<u8>)>,
    /// The disk is to be asked.
    needs_sync: bool,
    /// It was asked, and failed: it may have forgotten what it had not written.
    is_doubtful: bool,
}

/// Why what waits could not be written.
enum WriteFault {
    Failed(io::Error),
    /// Another process is making the file.
    Held(Option<u32>),
}

impl From<io::Error> for WriteFault {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

impl SessionLog {
    /// A new session at `path`, which must not exist. Nothing is on disk until the first
    /// entry is appended.
    pub fn create(path: impl Into<PathBuf>, header: &Header) -> Self {
        let mut log = Self::with_target(Some(path.into()), LogTarget::NotYet);
        log.unsaved.push_back(line_bytes(header.to_line()));
        log
    }

    /// A session that is nowhere on disk.
    pub fn in_memory() -> Self {
        Self::with_target(None, LogTarget::Memory)
    }

    /// Opens a session to go on with it. Moves a torn last line into a file of its own, turns
    /// the draft of an answer that was cut off into an aborted entry, and reports both. When
    /// another process is writing it (or the system forbids), the result is read-only and
    /// nothing on disk is changed: see [`LoadedSession::access`]. `now` is for the name of the torn
    /// line's file.
    pub fn open(path: &Path, now: Timestamp) -> Result<(Self, LoadedSession), SessionError> {
        // Before anything is made beside it.
        open::following(path).map_err(SessionError::io(path))?;
        let lock = SessionLock::acquire(path);
        let bytes = open::read(path, u64::MAX).map_err(SessionError::io(path))?;
        let parsed = parse(&bytes, path)?;
        let opened = match lock {
            Ok(LockAttempt::Busy(pid)) => Err(Access::Held { pid }),
            Err(error) => Err(Access::Denied(error.to_string())),
            Ok(LockAttempt::Held(_)) if parsed.header.version > Header::VERSION => {
                Err(Access::Newer(parsed.header.version))
            }
            Ok(LockAttempt::Held(lock)) => match FileSink::open(path) {
                Ok(sink) => Ok((lock, sink)),
                Err(error) => Err(Access::Denied(error.to_string())),
            },
        };
        match opened {
            Ok((lock, sink)) => Self::go_on(path, now, &bytes, parsed, sink, lock),
            Err(access) => {
                let target = LogTarget::ReadOnly(access.clone());
                let log = Self::with_target(Some(path.to_owned()), target);
                Ok((log, parsed.into_loaded(access)))
            }
        }
    }

    fn go_on(
        path: &Path,
        now: Timestamp,
        bytes: &[u8],
        parsed: ParsedFile,
        mut sink: FileSink,
        lock: SessionLock,
    ) -> Result<(Self, LoadedSession), SessionError> {
        let mut torn = None;
        if let Some(range) = parsed.torn.clone() {
            let rest = bytes.get(range.clone()).unwrap_or_default();
            torn = Some(set_aside(path, rest, now).map_err(SessionError::io(path))?);
            sink.truncate(range.start as u64)
                .map_err(SessionError::io(path))?;
        }
        let target = LogTarget::Open {
            sink: Box::new(sink),
            _lock: Some(lock),
        };
        let mut log = Self::with_target(Some(path.to_owned()), target);
        log.needs_line_end = parsed.is_unterminated;
        let mut loaded = parsed.into_loaded(Access::Write);
        loaded.torn = torn;
        log.recover(path, &mut loaded, now);
        Ok((log, loaded))
    }

    /// Appends what was left of a streaming answer.
    fn recover(&mut self, path: &Path, loaded: &mut LoadedSession, now: Timestamp) {
        let mut report = |what: String| {
            loaded.problems.push(Problem { line: 0, what });
        };
        match journal::leftover(path, &loaded.transcript) {
            DraftLeftover::None => journal::clear(path),
            DraftLeftover::Useless(why) => {
                // The next answer needs its place.
                let kept = match journal::set_aside(path, now) {
                    Ok(aside) => format!("it is kept in {}", aside.display()),
                    Err(error) => format!("it could not be moved: {error}"),
                };
                report(format!(
                    "the saved part of an unfinished answer was not used: {why}; {kept}"
                ));
            }
            DraftLeftover::Recovered(entry) => {
                if let Err(error) = self.append(&entry, Durability::Flush) {
                    report(error.to_string());
                }
                let id = entry.id.clone();
                if loaded.transcript.push(Arc::from(entry)).is_ok() {
                    loaded.recovered = Some(id);
                }
            }
        }
    }

    fn with_target(path: Option<PathBuf>, target: LogTarget) -> Self {
        Self {
            path,
            target,
            unsaved: VecDeque::new(),
            cut_to: None,
            needs_line_end: false,
            unconfirmed: Vec::new(),
            needs_sync: false,
            is_doubtful: false,
        }
    }

    /// The session's file, if it has (or will have) one.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// How many lines are in memory only.
    pub fn unsaved(&self) -> usize {
        match self.target {
            // The header of a session without entries is no loss.
            LogTarget::NotYet => self.unsaved.len().saturating_sub(1),
            _ => self.unsaved.len(),
        }
    }

    /// The journal for the next answer.
    pub fn journal(&self) -> StreamJournal {
        match self.target {
            LogTarget::Open { .. } => StreamJournal::new(self.path()),
            _ => StreamJournal::new(None),
        }
    }

    /// Appends an entry after those that still wait. After an error the entry is kept (or,
    /// with [`SessionError::Unconfirmed`], written): do not append it again.
    pub fn append(&mut self, entry: &Entry, durability: Durability) -> Result<(), SessionError> {
        if matches!(self.target, LogTarget::Memory) {
            return Ok(());
        }
        self.unsaved.push_back(line_bytes(to_line(entry)));
        self.needs_sync |= durability == Durability::Flush;
        self.save()?;
        if is_answer(entry)
            && let Some(path) = &self.path
        {
            journal::clear(path);
        }
        Ok(())
    }

    /// Whether some of what waits, or of what the disk has not confirmed, was said by
    /// somebody: losing it would cost more than a setting.
    pub(super) fn holds_words(&self) -> bool {
        let unconfirmed = self.unconfirmed.iter().map(|(_, bytes)| bytes);
        let mut lines = unconfirmed
            .chain(&self.unsaved)
            .flat_map(|bytes| bytes.split(|byte| *byte == b'\n'));
        lines.any(|line| {
            let text = String::from_utf8_lossy(line);
            read_line(&text).is_ok_and(|line| line.body.speaks_to_model())
        })
    }

    /// The part of the file that holds whole lines, if there is a file.
    pub(super) fn written(&self) -> Option<Vec<u8>> {
        let (LogTarget::Open { .. }, Some(path)) = (&self.target, &self.path) else {
            return None;
        };
        let mut bytes = std::fs::read(path).ok()?;
        if let Some(length) = self.cut_to.and_then(|length| usize::try_from(length).ok()) {
            bytes.truncate(length);
        }
        if bytes.last().is_some_and(|last| *last != b'\n') {
            bytes.push(b'\n');
        }
        bytes.extend(self.unsaved.iter().flatten());
        Some(bytes)
    }

    /// Writes what waits and asks the disk to confirm everything. Without an error all of
    /// the session is there. The log can be used on after one.
    pub fn close(&mut self) -> Result<(), SessionError> {
        if matches!(self.target, LogTarget::Memory) || self.is_only_begun() {
            return Ok(());
        }
        self.needs_sync = true;
        self.save()?;
        match (&self.target, &self.path) {
            (LogTarget::Open { sink, .. }, Some(path)) if !sink.is_at(path) => {
                Err(SessionError::Gone { path: path.clone() })
            }
            _ => Ok(()),
        }
    }

    /// Whether there is a file, and this process is its writer.
    pub fn is_written(&self) -> bool {
        matches!(self.target, LogTarget::Open { .. })
    }

    /// Whether nothing was said yet: what waits is at most a header.
    fn is_only_begun(&self) -> bool {
        !self.is_written() && self.unsaved() == 0
    }

    /// Writes everything that waits, in order.
    fn save(&mut self) -> Result<(), SessionError> {
        let path = self.path.clone().unwrap_or_default();
        if let LogTarget::ReadOnly(access) = &self.target {
            return Err(SessionError::ReadOnly {
                path,
                access: access.clone(),
                unsaved: self.unsaved.len(),
            });
        }
        match self.drain() {
            Ok(()) => {}
            Err(WriteFault::Failed(source)) => {
                return Err(SessionError::Unsaved {
                    path,
                    source,
                    unsaved: self.unsaved(),
                });
            }
            Err(WriteFault::Held(pid)) => {
                return Err(SessionError::ReadOnly {
                    path,
                    access: Access::Held { pid },
                    unsaved: self.unsaved(),
                });
            }
        }
        if self.needs_sync {
            self.confirm()
                .map_err(|source| SessionError::Unconfirmed { path, source })?;
        }
        Ok(())
    }

    /// Asks the disk for what it has not confirmed.
    fn confirm(&mut self) -> io::Result<()> {
        let LogTarget::Open { sink, .. } = &mut self.target else {
            return Ok(());
        };
        if !self.unconfirmed.is_empty() {
            if self.is_doubtful {
                for (offset, bytes) in &self.unconfirmed {
                    sink.rewrite(*offset, bytes)?;
                }
            }
            self.is_doubtful = true;
            sink.sync()?;
            self.unconfirmed.clear();
        }
        self.is_doubtful = false;
        self.needs_sync = false;
        Ok(())
    }

    fn drain(&mut self) -> Result<(), WriteFault> {
        if matches!(self.target, LogTarget::NotYet)
            && let Some(path) = self.path.clone()
        {
            self.begin(&path)?;
        }
        let LogTarget::Open { sink, .. } = &mut self.target else {
            return Ok(());
        };
        while let Some(line) = self.unsaved.front_mut() {
            if let Some(length) = self.cut_to {
                sink.truncate(length)?;
                self.cut_to = None;
            }
            if self.needs_line_end {
                line.insert(0, b'\n');
                self.needs_line_end = false;
            }
            // Asked each time: a program that ignores the lock may have written, too.
            let length = sink.length()?;
            if let Err(error) = sink.append(line) {
                if sink.truncate(length).is_err() {
                    self.cut_to = Some(length);
                }
                return Err(WriteFault::Failed(error));
            }
            let line = self.unsaved.pop_front().unwrap_or_default();
            self.unconfirmed.push((length, line));
        }
        Ok(())
    }

    /// Makes the file of a new session with everything that waits, and this process its
    /// writer. A file without a byte in it is one that somebody was kept from beginning.
    fn begin(&mut self, path: &Path) -> Result<(), WriteFault> {
        let folder = path.parent().unwrap_or(Path::new("."));
        private::create_folder(folder)?;
        let lock = match SessionLock::acquire(path)? {
            LockAttempt::Held(lock) => lock,
            LockAttempt::Busy(pid) => return Err(WriteFault::Held(pid)),
        };
        let sink = if is_unbegun(path) {
            FileSink::open_new(path, folder)?
        } else {
            let all: Vec<u8> = self.unsaved.iter().flatten().copied().collect();
            let sink = FileSink::create(path, folder, &all)?;
            self.unsaved.clear();
            self.unconfirmed.push((0, all));
            sink
        };
        self.target = LogTarget::Open {
            sink: Box::new(sink),
            _lock: Some(lock),
        };
        Ok(())
    }
}

/// Whether a file is there in which nothing was ever written.
pub fn is_unbegun(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|it| it.is_file() && it.len() == 0)
}

impl Drop for SessionLog {
    fn drop(&mut self) {
        if let Err(error) = self.close() {
            tracing::error!("{error}");
        }
    }
}

fn line_bytes(line: String) -> Vec<u8> {
    let mut bytes = line.into_bytes();
    bytes.push(b'\n');
    bytes
}

fn is_answer(entry: &Entry) -> bool {
    match &entry.body {
        EntryBody::Message(message) => matches!(message.as_ref(), Message::Assistant(_)),
        _ => false,
    }
}

/// Copies a torn last line to a file of its own, before it is cut off.
fn set_aside(session: &Path, bytes: &[u8], now: Timestamp) -> io::Result<PathBuf> {
    let path = paths::beside(session, &format!("torn-{}", time::to_file_name(now)));
    let mut file = private::append_unlinked(&path)?;
    file.write_all(bytes)?;
    file.sync_data()?;
    Ok(path)
}
