//! Watches over the files of a session: keeps what a tool is about to change, and finds
//! out what a command has changed from two looks at the tree.
//!
//! The look before a command tells what somebody else changed since the last one. Where
//! the tree is too large for that, the times of the files do. No command waits for a look
//! longer than its limit; what could not be looked at then is said, and is listed with the
//! next look that succeeds.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use tokio::sync::oneshot;

use super::comparison::{ScanComparison, ScanInterval};
use super::git::GitIndex;
use super::scan::{FolderScan, UnseenReason};
use super::stamp::StatStamp;
use super::store::{ContentStore, MAX_KEPT_BYTES, hash_of, mode_of};
use crate::clock::{self, Stopwatch};
use crate::transcript::{FileCause, FileLedger, FileRecord, FileState};

/// Bytes that are kept around one command.
pub(super) const MAX_BYTES: u64 = 64 * 1024 * 1024;
/// The first look: nobody waits for it as long as no command comes.
const FIRST_LIMIT: Duration = Duration::from_secs(3);
/// How long a command may be held up by a look before it,
const BEFORE_LIMIT: Duration = Duration::from_millis(150);
/// and its result by the one after it.
const AFTER_LIMIT: Duration = Duration::from_millis(400);
/// How long somebody waits who asked for the list itself.
const ASKED_LIMIT: Duration = Duration::from_secs(2);
/// Repositories inside others that are asked what files were.
const MAX_REPOSITORIES: usize = 16;

/// A record that has to be in the log before its writer goes on.
#[derive(Debug)]
pub struct PendingRecord {
    /// The pending change.
    pub record: FileRecord,
    /// To be answered, or dropped, when it is in the log.
    pub done: oneshot::Sender<()>,
}

/// The cause of changes since a look.
#[derive(Clone, Debug)]
pub struct ChangeSource {
    /// The kind of cause.
    pub cause: FileCause,
    /// Jobs that ran meanwhile, ascending.
    pub jobs: Vec<u64>,
}

/// The moment from which on changes are a command's.
#[derive(Debug)]
pub struct ScanMoment {
    since: SystemTime,
    limit: Duration,
    /// The list is of this moment; else times have to tell what is older.
    is_fresh: bool,
    unseen: Option<UnseenReason>,
    indexes: Vec<GitIndex>,
}

/// Keeps what files were before a session changes them.
#[derive(Debug)]
pub struct FileWatch {
    store: Arc<ContentStore>,
    roots: Vec<PathBuf>,
    seen: Mutex<SeenFiles>,
}

/// The known state of files.
#[derive(Debug, Default)]
struct SeenFiles {
    kept: HashMap<PathBuf, KeptContent>,
    /// The newest look.
    last: Option<FolderScan>,
    /// It took longer than a command may be held up.
    is_slow: bool,
    /// When the first command began that could not be looked at after its end.
    owed: Option<SystemTime>,
}

/// The content of a file with this stamp.
#[derive(Debug)]
struct KeptContent {
    stamp: StatStamp,
    state: FileState,
    /// Whether another content would show in the stamp.
    is_settled: bool,
}

impl FileWatch {
    /// Watches these folders; those that are not there are left out.
    pub fn new(store: ContentStore, roots: &[PathBuf]) -> Self {
        Self::over(Arc::new(store), roots)
    }

    /// The watch over other folders; what was kept of files is in the store of before.
    #[must_use]
    pub fn with_roots(&self, roots: &[PathBuf]) -> Self {
        Self::over(Arc::clone(&self.store), roots)
    }

    fn over(store: Arc<ContentStore>, roots: &[PathBuf]) -> Self {
        let roots = roots.iter().filter_map(|it| it.canonicalize().ok());
        let roots: BTreeSet<PathBuf> = roots.collect();
        Self {
            store,
            roots: roots.into_iter().collect(),
            seen: Mutex::default(),
        }
    }

    /// Where contents are kept.
    pub fn store(&self) -> &ContentStore {
        &self.store
    }

    /// Keeps the content at a path.
    pub fn keep_file(&self, path: &Path) -> FileState {
        let stamp = StatStamp::at(path);
        let state = self.store.state(path);
        self.lock().remember(path, stamp, &state);
        state
    }

    /// The state that a file is about to have. Its content is kept as well, so that it is
    /// known should a command change it next.
    /// `file` has the permissions that it will have.
    pub fn keep_content(&self, bytes: &[u8], file: &std::fs::File) -> FileState {
        let mode = file.metadata().ok().map(|it| mode_of(&it));
        let fits = bytes.len() as u64 <= MAX_KEPT_BYTES;
        let kept = if fits {
            self.store.keep(bytes).ok()
        } else {
            None
        };
        FileState::Content {
            hash: kept.unwrap_or_else(|| hash_of(bytes)),
            bytes: bytes.len() as u64,
            mode,
        }
    }

    /// A file was written by the session: no command did that.
    pub fn written(&self, path: &Path, state: &FileState) {
        let stamp = StatStamp::at(path);
        let mut seen = self.lock();
        seen.remember(path, stamp, state);
        seen.list(path, stamp);
    }

    /// Files were put back by the session: what is there now is looked at again, whatever
    /// should be.
    pub fn put_back(&self, path: &Path) {
        let state = self.keep_file(path);
        self.written(path, &state);
    }

    /// Looks for the first time, so that the first command need not wait for it.
    pub fn look_early(&self) {
        if self.lock().last.is_some() {
            return;
        }
        let began = Stopwatch::start();
        if let Ok(scan) = FolderScan::of(&self.roots, FIRST_LIMIT) {
            let mut seen = self.lock();
            seen.is_slow = began.elapsed() > BEFORE_LIMIT;
            seen.last.get_or_insert(scan);
        }
    }

    /// Looks at the files before a command, unless that was done right now. What the
    /// session has changed before is kept again when somebody else changed it since.
    pub fn before_command(&self, ledger: &FileLedger, has_looked: bool) -> ScanMoment {
        let mut look = ScanMoment {
            since: clock::system_time(),
            limit: AFTER_LIMIT,
            is_fresh: false,
            unseen: None,
            indexes: Vec::new(),
        };
        let (has_list, is_hopeless) = {
            let seen = self.lock();
            (seen.last.is_some(), seen.is_slow || seen.owed.is_some())
        };
        if has_looked && !self.is_owing() {
            look.is_fresh = true;
            look.indexes = self
                .lock()
                .last
                .as_ref()
                .map_or_else(Vec::new, |it| self.indexes(it));
        } else if !(has_list && is_hopeless) {
            match self.scan(ledger, BEFORE_LIMIT) {
                Ok(scan) => {
                    look.is_fresh = true;
                    look.indexes = self.indexes(&scan);
                    self.lock().last = Some(scan);
                }
                Err(UnseenReason::TooSlow(_)) if has_list => self.lock().is_slow = true,
                Err(why) => {
                    look.unseen = Some(why);
                    self.lock().last = None;
                    return look;
                }
            }
        }
        self.keep_anew(ledger);
        look
    }

    /// Keeps the present state of files that the session changed before.
    fn keep_anew(&self, ledger: &FileLedger) {
        let mut left = MAX_BYTES;
        for path in ledger.files.keys().map(PathBuf::from) {
            let stamp = StatStamp::at(&path);
            self.lock().list(&path, stamp);
            let Some(stamp) = stamp else { continue };
            let is_known = self.kept_at(&path, &stamp).is_some() && !self.is_in_doubt(&path);
            if !is_known && stamp.bytes <= left {
                left -= stamp.bytes;
                self.keep_file(&path);
            }
        }
    }

    /// From the newest look on, for what jobs did since. `None` before the first.
    pub fn since_last_look(&self) -> Option<ScanMoment> {
        let seen = self.lock();
        let last = seen.last.as_ref()?;
        Some(ScanMoment {
            since: seen.owed.unwrap_or(SystemTime::UNIX_EPOCH),
            limit: ASKED_LIMIT,
            is_fresh: seen.owed.is_none(),
            unseen: None,
            indexes: self.indexes(last),
        })
    }

    /// Whether something was done that could not be looked at yet.
    pub fn is_owing(&self) -> bool {
        self.lock().owed.is_some()
    }

    /// The changes since a look. `None` when there are none.
    pub fn after_command(
        &self,
        look: &ScanMoment,
        doing: ChangeSource,
        ledger: &FileLedger,
    ) -> Option<FileRecord> {
        let began = Stopwatch::start();
        let new = match look.unseen {
            Some(why) => Err(why),
            None => self.scan(ledger, look.limit),
        };
        let mut seen = self.lock();
        let old = seen.last.take();
        let (old, new) = match (old, new) {
            (Some(old), Ok(new)) => (old, new),
            (None, Ok(new)) => {
                seen.last = Some(new);
                return None;
            }
            (old, Err(why)) => {
                // What was not compared now is with the next list, if there is one.
                if matches!(why, UnseenReason::TooSlow(_)) && old.is_some() {
                    seen.owed.get_or_insert(look.since);
                    seen.last = old;
                }
                return Some(unseen(doing, why));
            }
        };
        seen.is_slow = began.elapsed() > BEFORE_LIMIT;
        let owed = seen.owed.take();
        drop(seen);
        let span = ScanInterval {
            since: owed.map_or(look.since, |owed| owed.min(look.since)),
            is_exact: look.is_fresh && owed.is_none(),
        };
        let comparison = ScanComparison::new(self, &old, &new, span, &look.indexes);
        let record = comparison.record(doing);
        self.lock().last = Some(new);
        record
    }

    /// All files of the tree, and those that the session has changed wherever they are.
    fn scan(&self, ledger: &FileLedger, limit: Duration) -> Result<FolderScan, UnseenReason> {
        let mut scan = FolderScan::of(&self.roots, limit)?;
        for path in ledger.files.keys().map(PathBuf::from) {
            if !scan.files.contains_key(&path)
                && let Some(stamp) = StatStamp::at(&path)
            {
                scan.files.insert(path, stamp);
            }
        }
        Ok(scan)
    }

    /// The state of files in version control: of the repositories around the roots and of
    /// those inside.
    fn indexes(&self, scan: &FolderScan) -> Vec<GitIndex> {
        let inside = scan.repositories.iter().take(MAX_REPOSITORIES);
        let folders: BTreeSet<&PathBuf> = self.roots.iter().chain(inside).collect();
        let indexes = folders.into_iter().filter_map(|it| GitIndex::around(it));
        indexes.collect()
    }

    /// The known content of a file with this stamp.
    pub(super) fn kept_at(&self, path: &Path, stamp: &StatStamp) -> Option<FileState> {
        let seen = self.lock();
        let kept = seen.kept.get(path)?;
        (kept.stamp == *stamp).then(|| kept.state.clone())
    }

    /// Whether a file may have another content than the one that is kept, with the same
    /// stamp: it was looked at in the instant in which it changed.
    pub(super) fn is_in_doubt(&self, path: &Path) -> bool {
        let seen = self.lock();
        seen.kept.get(path).is_some_and(|it| !it.is_settled)
    }

    pub(super) fn is_root(&self, folder: &Path) -> bool {
        self.roots.iter().any(|root| root == folder)
    }

    fn lock(&self) -> MutexGuard<'_, SeenFiles> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SeenFiles {
    fn remember(&mut self, path: &Path, stamp: Option<StatStamp>, state: &FileState) {
        let is_kept = matches!(state, FileState::Content { .. } | FileState::Link { .. });
        let Some(stamp) = stamp.filter(|_| is_kept) else {
            self.kept.remove(path);
            return;
        };
        let kept = KeptContent {
            stamp,
            state: state.clone(),
            is_settled: stamp.is_settled(clock::system_time()),
        };
        self.kept.insert(path.to_owned(), kept);
    }

    /// Puts a file on the list as it is now.
    fn list(&mut self, path: &Path, stamp: Option<StatStamp>) {
        if let Some(last) = &mut self.last {
            match stamp {
                Some(stamp) => last.files.insert(path.to_owned(), stamp),
                None => last.files.remove(path),
            };
        }
    }
}

fn unseen(doing: ChangeSource, why: UnseenReason) -> FileRecord {
    FileRecord {
        cause: doing.cause,
        jobs: doing.jobs,
        changes: Vec::new(),
        unlisted: 0,
        unseen: Some(why.words()),
    }
}

#[cfg(test)]
mod tests;
