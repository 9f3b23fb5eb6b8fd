//! Watches over the files of a session: keeps what a tool is about to change, and finds
//! out what a command has changed from two looks at the tree.
//!
//! What a file was before a command is known from an earlier checkpoint, from version
//! control, or because it was only moved; otherwise it is said that it is not known.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::git::Index;
use super::scan::{Scan, Stamp, Unseen};
use super::store::{MAX_KEPT_BYTES, Store, hash_of, mode_of};
use crate::transcript::{FileCause, FileChange, FileLedger, FileRecord, FileState};

/// Changes of one command that are listed.
const MAX_LISTED: usize = 1_000;
/// Bytes of them that are kept.
const MAX_BYTES: u64 = 64 * 1024 * 1024;
/// What is said of what a file was.
const UNKNOWN_BEFORE: &str = "content before unknown";

/// A record that has to be in the log before its writer goes on.
#[derive(Debug)]
pub struct Noted {
    /// What is about to change.
    pub record: FileRecord,
    /// To be answered, or dropped, when it is in the log.
    pub done: oneshot::Sender<()>,
}

/// How the files were before a command.
#[derive(Debug)]
pub struct Look {
    scan: Result<Scan, Unseen>,
    indexes: Vec<Index>,
}

/// See the module's description.
#[derive(Debug)]
pub struct Watch {
    store: Store,
    roots: Vec<PathBuf>,
    seen: Mutex<Seen>,
}

/// What is known of files as they are now.
#[derive(Debug, Default)]
struct Seen {
    /// Contents that are kept, with the stamp of the file that has them.
    kept: HashMap<PathBuf, (Stamp, FileState)>,
    /// The newest look.
    last: Option<Scan>,
}

impl Watch {
    /// Watches these folders; those that are not there are left out.
    pub fn new(store: Store, roots: &[PathBuf]) -> Self {
        let roots = roots.iter().filter_map(|it| it.canonicalize().ok());
        let roots: BTreeSet<PathBuf> = roots.collect();
        Self {
            store,
            roots: roots.into_iter().collect(),
            seen: Mutex::default(),
        }
    }

    /// Where contents are kept.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// What is at a path, kept.
    pub fn keep_file(&self, path: &Path) -> FileState {
        let stamp = Stamp::at(path);
        let state = self.store.state(path);
        self.remember(path, stamp, &state);
        state
    }

    /// The state that a file is about to have. Its content is kept as well, so that it is
    /// known should a command change it next.
    /// `file` has the permissions that it will have.
    pub fn keep_content(&self, bytes: &[u8], file: &std::fs::File) -> FileState {
        let mode = file.metadata().ok().and_then(|it| mode_of(&it));
        let hash = match self.store.keep(bytes) {
            Ok(hash) if bytes.len() as u64 <= MAX_KEPT_BYTES => hash,
            _ => hash_of(bytes),
        };
        FileState::Content {
            hash,
            bytes: bytes.len() as u64,
            mode,
        }
    }

    /// A file was written by the session.
    pub fn written(&self, path: &Path, state: &FileState) {
        let stamp = Stamp::at(path);
        self.remember(path, stamp, state);
        let mut seen = self.lock();
        if let Some(last) = &mut seen.last {
            match stamp {
                Some(stamp) => last.files.insert(path.to_owned(), stamp),
                None => last.files.remove(path),
            };
        }
    }

    fn remember(&self, path: &Path, stamp: Option<Stamp>, state: &FileState) {
        let is_kept = matches!(state, FileState::Content { .. } | FileState::Link { .. });
        let mut seen = self.lock();
        match stamp {
            Some(stamp) if is_kept => seen.kept.insert(path.to_owned(), (stamp, state.clone())),
            _ => seen.kept.remove(path),
        };
    }

    /// Looks at the files before a command. What the session has changed before is kept
    /// anew when somebody else changed it since.
    pub fn before_command(&self, ledger: &FileLedger) -> Look {
        let scan = self.scan(ledger);
        if let Ok(scan) = &scan {
            let mut left = MAX_BYTES;
            for path in ledger.files.keys().map(PathBuf::from) {
                let Some(stamp) = scan.files.get(&path) else {
                    continue;
                };
                if self.kept_at(&path, stamp).is_none() && stamp.bytes <= left {
                    left -= stamp.bytes;
                    self.keep_file(&path);
                }
            }
        }
        let indexes = self.roots.iter().filter_map(|it| Index::around(it));
        Look {
            indexes: indexes.collect(),
            scan,
        }
    }

    /// The newest look, for what jobs did since.
    pub fn since_last_look(&self) -> Option<Look> {
        let last = self.lock().last.clone()?;
        Some(Look {
            scan: Ok(last),
            indexes: Vec::new(),
        })
    }

    /// What changed since a look. `None` when nothing did.
    pub fn after_command(
        &self,
        before: Look,
        cause: FileCause,
        ledger: &FileLedger,
    ) -> Option<FileRecord> {
        let unseen = |why: Unseen| {
            Some(FileRecord {
                cause: cause.clone(),
                changes: Vec::new(),
                unlisted: 0,
                unseen: Some(why.words()),
            })
        };
        let old = match before.scan {
            Ok(scan) => scan,
            Err(why) => return unseen(why),
        };
        let new = match self.scan(ledger) {
            Ok(scan) => scan,
            Err(why) => return unseen(why),
        };
        let comparison = Comparison::new(&old, &new, before.indexes);
        let record = comparison.record(self, cause);
        self.lock().last = Some(new);
        record
    }

    /// All files of the tree, and those that the session has changed wherever they are.
    fn scan(&self, ledger: &FileLedger) -> Result<Scan, Unseen> {
        let mut scan = Scan::of(&self.roots)?;
        for path in ledger.files.keys().map(PathBuf::from) {
            if !scan.files.contains_key(&path)
                && let Some(stamp) = Stamp::at(&path)
            {
                scan.files.insert(path, stamp);
            }
        }
        Ok(scan)
    }

    /// What a file with this stamp is known to hold.
    fn kept_at(&self, path: &Path, stamp: &Stamp) -> Option<FileState> {
        let seen = self.lock();
        let (at, state) = seen.kept.get(path)?;
        (at == stamp).then(|| state.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Two looks at the same files.
struct Comparison<'a> {
    old: &'a Scan,
    new: &'a Scan,
    changed: Vec<&'a PathBuf>,
    unlisted: u64,
    indexes: Vec<Index>,
}

impl<'a> Comparison<'a> {
    fn new(old: &'a Scan, new: &'a Scan, indexes: Vec<Index>) -> Self {
        let paths: BTreeSet<&PathBuf> = old.files.keys().chain(new.files.keys()).collect();
        let mut changed: Vec<&PathBuf> = paths
            .into_iter()
            .filter(|path| old.files.get(*path) != new.files.get(*path))
            // A name that is no text cannot stand in the log.
            .filter(|path| path.to_str().is_some())
            .collect();
        let unlisted = changed.len().saturating_sub(MAX_LISTED) as u64;
        changed.truncate(MAX_LISTED);
        Self {
            old,
            new,
            changed,
            unlisted,
            indexes,
        }
    }

    fn record(&self, watch: &Watch, cause: FileCause) -> Option<FileRecord> {
        if self.changed.is_empty() {
            return None;
        }
        // Before what is there now takes its place.
        let known: Vec<Option<FileState>> = self
            .changed
            .iter()
            .map(|path| watch.kept_at(path, self.old.files.get(*path)?))
            .collect();
        let mut left = MAX_BYTES;
        let after: Vec<FileState> = self
            .changed
            .iter()
            .map(|path| self.after(path, watch, &mut left))
            .collect();
        let before = self.before(watch, known, &after);
        let changes: Vec<FileChange> = self
            .changed
            .iter()
            .zip(before.into_iter().zip(after))
            .filter(|(_, (before, after))| before != after)
            .map(|(path, (before, after))| FileChange {
                path: path.display().to_string(),
                before,
                after,
            })
            .collect();
        (!changes.is_empty() || self.unlisted > 0).then_some(FileRecord {
            cause,
            changes,
            unlisted: self.unlisted,
            unseen: None,
        })
    }

    fn after(&self, path: &Path, watch: &Watch, left: &mut u64) -> FileState {
        let Some(stamp) = self.new.files.get(path) else {
            return FileState::Absent;
        };
        if stamp.bytes > *left {
            return FileState::Unknown {
                why: "not kept: a command changed too much at once".to_owned(),
            };
        }
        *left -= stamp.bytes.min(*left);
        watch.keep_file(path)
    }

    fn before(
        &self,
        watch: &Watch,
        known: Vec<Option<FileState>>,
        after: &[FileState],
    ) -> Vec<FileState> {
        let moved = self.moved(after);
        let mut unknown = Vec::new();
        let mut before: Vec<FileState> = Vec::with_capacity(after.len());
        for ((path, after), known) in self.changed.iter().zip(after).zip(known) {
            let Some(stamp) = self.old.files.get(*path) else {
                before.push(FileState::Absent);
                continue;
            };
            let state = self
                .before_by_mode(path, stamp, after)
                .or(known)
                .or_else(|| moved.get(stamp).map(|&it| it.clone()));
            if state.is_none() {
                unknown.push((before.len(), (*path).clone(), *stamp));
            }
            let why = UNKNOWN_BEFORE.to_owned();
            before.push(state.unwrap_or(FileState::Unknown { why }));
        }
        self.ask_version_control(watch, &unknown, &mut before);
        before
    }

    /// Only the permissions changed.
    fn before_by_mode(&self, path: &Path, old: &Stamp, after: &FileState) -> Option<FileState> {
        let new = self.new.files.get(path)?;
        let FileState::Content { hash, bytes, .. } = after else {
            return None;
        };
        old.is_same_content(new).then(|| FileState::Content {
            hash: hash.clone(),
            bytes: *bytes,
            mode: old.mode,
        })
    }

    /// What files hold that were not there before, by their identity.
    fn moved<'b>(&self, after: &'b [FileState]) -> HashMap<&Stamp, &'b FileState> {
        let pairs = self.changed.iter().zip(after);
        pairs
            .filter(|(path, _)| !self.old.files.contains_key(**path))
            .filter(|(_, state)| !matches!(state, FileState::Unknown { .. }))
            .filter_map(|(path, state)| Some((self.new.files.get(*path)?, state)))
            .collect()
    }

    fn ask_version_control(
        &self,
        watch: &Watch,
        unknown: &[(usize, PathBuf, Stamp)],
        before: &mut [FileState],
    ) {
        let mut left = MAX_BYTES;
        let wanted: Vec<(PathBuf, Stamp)> = unknown
            .iter()
            .filter(|(_, _, stamp)| {
                let fits = !stamp.is_link && stamp.bytes <= left.min(MAX_KEPT_BYTES);
                left -= if fits { stamp.bytes } else { 0 };
                fits
            })
            .map(|(_, path, stamp)| (path.clone(), *stamp))
            .collect();
        for index in &self.indexes {
            if wanted.is_empty() {
                return;
            }
            let contents = index.contents(&wanted);
            for (at, path, stamp) in unknown {
                if let Some(content) = contents.get(path)
                    && let Ok(hash) = watch.store.keep(content)
                    && let Some(state) = before.get_mut(*at)
                {
                    *state = FileState::Content {
                        hash,
                        bytes: stamp.bytes,
                        mode: stamp.mode,
                    };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
