//! Two lists of files, and what was done between them. What a file was before is known
//! from an earlier checkpoint, from version control, or because it was only moved;
//! otherwise it is said that it is not known.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::git::GitIndex;
use super::scan::FolderScan;
use super::stamp::{FileIdentity, StatStamp, changed, is_after};
use super::store::{MAX_KEPT_BYTES, present};
use super::watch::{ChangeSource, FileWatch, MAX_BYTES};
use crate::transcript::{FileChange, FileRecord, FileState};

/// Changes of one command that are listed.
const MAX_LISTED: usize = 1_000;
/// The reason given for a file whose former content is unknown.
const UNKNOWN_BEFORE: &str = "content before unknown";
/// Files that say which others are not looked at.
const IGNORE_FILES: [&str; 2] = [".gitignore", ".ignore"];

/// The time between two lists.
pub(super) struct ScanInterval {
    /// When that began which the changes are ascribed to.
    pub(super) since: SystemTime,
    /// The older list is of that moment. Otherwise somebody else may have changed files
    /// between it and then, and what they were is not known for sure.
    pub(super) is_exact: bool,
}

/// Two lists of the same files.
pub(super) struct ScanComparison<'a> {
    watch: &'a FileWatch,
    old: &'a FolderScan,
    new: &'a FolderScan,
    span: ScanInterval,
    changed: Vec<&'a PathBuf>,
    unlisted: u64,
    indexes: &'a [GitIndex],
}

impl<'a> ScanComparison<'a> {
    pub(super) fn new(
        watch: &'a FileWatch,
        old: &'a FolderScan,
        new: &'a FolderScan,
        span: ScanInterval,
        indexes: &'a [GitIndex],
    ) -> Self {
        let mut comparison = Self {
            watch,
            old,
            new,
            span,
            changed: Vec::new(),
            unlisted: 0,
            indexes,
        };
        comparison.find();
        comparison
    }

    /// Finds what changed, in the order of the paths.
    fn find(&mut self) {
        let (old, new) = (&self.old.files, &self.new.files);
        let differs = |path: &&PathBuf| old.get(*path) != new.get(*path);
        let paths: BTreeSet<&PathBuf> = old.keys().chain(new.keys()).collect();
        let has_rules = |path: &&PathBuf| IGNORE_FILES.iter().any(|name| path.ends_with(name));
        let has_new_rules = paths.iter().filter(|it| has_rules(it)).any(differs);
        let is_certain = self.span.is_exact && !has_new_rules;
        let gone = old.iter().filter(|(path, _)| !new.contains_key(*path));
        let gone: HashSet<FileIdentity> = gone.map(|(_, stamp)| stamp.identity()).collect();
        let is_new = |path: &Path, stamp: &StatStamp| {
            let came = || gone.contains(&stamp.identity()) && self.came_with_a_folder(path);
            is_certain || stamp.is_after(self.span.since) || came()
        };
        let mut changed: Vec<&PathBuf> = paths
            .into_iter()
            .filter(|path| self.is_changed(path, is_new))
            // A name that is not text cannot be in the log.
            .filter(|path| path.to_str().is_some())
            .collect();
        self.unlisted = changed.len().saturating_sub(MAX_LISTED) as u64;
        changed.truncate(MAX_LISTED);
        self.changed = changed;
    }

    fn is_changed(&self, path: &Path, is_new: impl Fn(&Path, &StatStamp) -> bool) -> bool {
        let ScanInterval { since, is_exact } = self.span;
        match (self.old.files.get(path), self.new.files.get(path)) {
            (None, None) => false,
            (Some(old), Some(new)) if old == new => self.watch.is_in_doubt(path),
            (Some(old), Some(new)) => {
                let is_other = !old.is_same_content(new) || old.mode != new.mode;
                // E.g. only the number of its names changed; or it was changed, and its
                // time set back: that can be told where the content is known.
                let may_be_other = is_other || self.watch.kept_at(path, old).is_some();
                may_be_other && (is_exact || new.is_after(since))
            }
            // It may only be ignored, or not to be seen, from now on.
            (Some(_), None) => {
                self.new.could_see(path) && is_gone(path) && (is_exact || self.left_a_trace(path))
            }
            // It may have been there, and was ignored.
            (None, Some(new)) => self.old.could_see(path) && is_new(path, new),
        }
    }

    /// Whether the folder that a file is gone from changed in this time.
    fn left_a_trace(&self, path: &Path) -> bool {
        let there = path
            .ancestors()
            .skip(1)
            .find_map(|it| std::fs::symlink_metadata(it).ok());
        there.is_some_and(|it| is_after(changed(&it), self.span.since))
    }

    /// Whether one of its folders was moved in this time: that does not touch the file.
    fn came_with_a_folder(&self, path: &Path) -> bool {
        path.ancestors()
            .skip(1)
            .take_while(|it| !self.watch.is_root(it))
            .filter_map(|it| std::fs::symlink_metadata(it).ok())
            .any(|it| is_after(changed(&it), self.span.since))
    }

    /// The change to record; `None` when nothing changed.
    pub(super) fn record(&self, doing: ChangeSource) -> Option<FileRecord> {
        if self.changed.is_empty() {
            return None;
        }
        // Before what is there now takes its place.
        let known: Vec<Option<FileState>> = self
            .changed
            .iter()
            .map(|path| self.watch.kept_at(path, self.old.files.get(*path)?))
            .collect();
        let mut left = MAX_BYTES;
        let after: Vec<FileState> = self
            .changed
            .iter()
            .map(|path| self.after(path, &mut left))
            .collect();
        let before = self.before(known, &after);
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
            cause: doing.cause,
            jobs: doing.jobs,
            changes,
            unlisted: self.unlisted,
            unseen: None,
        })
    }

    fn after(&self, path: &Path, left: &mut u64) -> FileState {
        let Some(stamp) = self.new.files.get(path) else {
            return FileState::Absent;
        };
        // A file that is too large is not read, and costs nothing.
        let cost = if stamp.bytes > MAX_KEPT_BYTES {
            0
        } else {
            stamp.bytes
        };
        if cost > *left {
            return FileState::Unknown {
                why: "not kept: a command changed too much at once".to_owned(),
            };
        }
        *left -= cost;
        match self.watch.keep_file(path) {
            // What cannot be kept is known again by its hash.
            FileState::Unknown { .. } => present(path),
            kept => kept,
        }
    }

    fn before(&self, known: Vec<Option<FileState>>, after: &[FileState]) -> Vec<FileState> {
        let moved = self.moved(after);
        let mut unknown = Vec::new();
        let mut before: Vec<FileState> = Vec::with_capacity(after.len());
        for ((path, after), known) in self.changed.iter().zip(after).zip(known) {
            let Some(stamp) = self.old.files.get(*path) else {
                before.push(FileState::Absent);
                continue;
            };
            let state = known
                .or_else(|| self.before_by_mode(path, stamp, after))
                .or_else(|| moved.get(&stamp.identity()).map(|&it| it.clone()));
            if state.is_none() {
                unknown.push((before.len(), (*path).clone(), *stamp));
            }
            let why = UNKNOWN_BEFORE.to_owned();
            before.push(state.unwrap_or(FileState::Unknown { why }));
        }
        if self.span.is_exact {
            self.ask_version_control(&unknown, &mut before);
        }
        before
    }

    /// Only the permissions changed.
    fn before_by_mode(&self, path: &Path, old: &StatStamp, after: &FileState) -> Option<FileState> {
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

    /// The contents of new files, by the facts that a move does not change.
    fn moved<'b>(&self, after: &'b [FileState]) -> HashMap<FileIdentity, &'b FileState> {
        let pairs = self.changed.iter().zip(after);
        pairs
            .filter(|(path, _)| !self.old.files.contains_key(**path))
            .filter(|(_, state)| !matches!(state, FileState::Unknown { .. }))
            .filter_map(|(path, state)| Some((self.new.files.get(*path)?.identity(), state)))
            .collect()
    }

    fn ask_version_control(
        &self,
        unknown: &[(usize, PathBuf, StatStamp)],
        before: &mut [FileState],
    ) {
        let mut left = MAX_BYTES;
        let wanted: Vec<(PathBuf, StatStamp)> = unknown
            .iter()
            .filter(|(_, _, stamp)| {
                let fits = !stamp.is_link && stamp.bytes <= left.min(MAX_KEPT_BYTES);
                left -= if fits { stamp.bytes } else { 0 };
                fits
            })
            .map(|(_, path, stamp)| (path.clone(), *stamp))
            .collect();
        for index in self.indexes {
            if wanted.is_empty() {
                return;
            }
            let contents = index.contents(&wanted);
            for (at, path, stamp) in unknown {
                if let Some(content) = contents.get(path)
                    && let Ok(hash) = self.watch.store().keep(content)
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

/// Whether no file is there any more. A folder that cannot be entered does not tell.
fn is_gone(path: &Path) -> bool {
    match std::fs::symlink_metadata(path) {
        Ok(metadata) => metadata.is_dir(),
        Err(error) => matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
    }
}
