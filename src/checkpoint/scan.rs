//! Which files are there, told by their stamps: two of these lists say what was changed
//! between them without reading a single file. Bounded in files and in time; what version
//! control ignores is left out, as it can be made again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ignore::{DirEntry, WalkBuilder, WalkParallel, WalkState};

use super::stamp::StatStamp;
use crate::clock::Stopwatch;
use crate::disk::ignores;

/// More files than this are not looked at: the look would be felt.
const MAX_FILES: usize = 50_000;
/// Threads that look.
const THREADS: usize = 2;
/// Files that a thread hands over at once, and between two looks at the clock.
const BATCH: usize = 512;

/// Why the files were not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnseenReason {
    /// There are too many.
    TooMany,
    /// It took longer than this.
    TooSlow(Duration),
}

impl UnseenReason {
    pub(super) fn words(self) -> String {
        match self {
            Self::TooMany => format!("there are more than {MAX_FILES} files"),
            Self::TooSlow(limit) => {
                format!("the scan took longer than {} ms", limit.as_millis())
            }
        }
    }
}

/// All files below some folders at a moment.
#[derive(Debug, Default)]
pub(super) struct FolderScan {
    pub(super) files: BTreeMap<PathBuf, StatStamp>,
    /// Working trees of version control inside, e.g. submodules.
    pub(super) repositories: BTreeSet<PathBuf>,
    /// Folders that could not be read: nothing is known of what lies in them.
    closed: BTreeSet<PathBuf>,
}

impl FolderScan {
    /// Looks, not longer than `limit`. Folders that lie in another one of the list are
    /// looked at once.
    pub(super) fn of(roots: &[PathBuf], limit: Duration) -> Result<Self, UnseenReason> {
        Self::within(roots, MAX_FILES, limit)
    }

    pub(super) fn could_see(&self, path: &Path) -> bool {
        self.closed.is_empty() || !path.ancestors().any(|it| self.closed.contains(it))
    }

    fn within(roots: &[PathBuf], max_files: usize, limit: Duration) -> Result<Self, UnseenReason> {
        let repositories: Arc<Mutex<BTreeSet<PathBuf>>> = Arc::default();
        let Some(walk) = walk(roots, &repositories) else {
            return Ok(Self::default());
        };
        let began = Stopwatch::start();
        let found: Mutex<FoundFile> = Mutex::default();
        let (is_slow, is_full) = (AtomicBool::new(false), AtomicBool::new(false));
        walk.run(|| {
            let mut own = ScanBatch {
                found: FoundFile::default(),
                all: &found,
            };
            let (is_slow, is_full) = (&is_slow, &is_full);
            Box::new(move |entry| {
                match entry {
                    Ok(entry) => own.take(entry),
                    Err(error) => own.found.closed.extend(path_of(&error)),
                }
                if own.found.files.len() >= BATCH {
                    is_full.fetch_or(own.hand_over() > max_files, Ordering::Relaxed);
                    is_slow.fetch_or(began.elapsed() > limit, Ordering::Relaxed);
                }
                if is_full.load(Ordering::Relaxed) || is_slow.load(Ordering::Relaxed) {
                    WalkState::Quit
                } else {
                    WalkState::Continue
                }
            })
        });
        let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        if is_full.into_inner() || found.files.len() > max_files {
            return Err(UnseenReason::TooMany);
        }
        if is_slow.into_inner() {
            return Err(UnseenReason::TooSlow(limit));
        }
        let mut repositories = repositories.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Self {
            files: found.files.into_iter().collect(),
            repositories: std::mem::take(&mut repositories),
            closed: found.closed.into_iter().collect(),
        })
    }
}

/// All that is not ignored below these folders. Notes which folders are working trees of
/// version control, whose own folder is not entered.
fn walk(roots: &[PathBuf], repositories: &Arc<Mutex<BTreeSet<PathBuf>>>) -> Option<WalkParallel> {
    let (first, others) = roots.split_first()?;
    let mut builder = WalkBuilder::new(first);
    for root in others {
        builder.add(root);
    }
    let repositories = Arc::clone(repositories);
    builder
        .hidden(false)
        .require_git(false)
        .git_global(false)
        .follow_links(false)
        .threads(THREADS);
    ignores::guard(&mut builder, first, move |entry| {
        if entry.depth() == 0 || entry.file_name() != ".git" {
            return true;
        }
        if let Some(folder) = entry.path().parent() {
            let mut known = repositories.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert(folder.to_owned());
        }
        false
    });
    Some(builder.build_parallel())
}

/// The folder that an error is about.
fn path_of(error: &ignore::Error) -> Option<PathBuf> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path.clone()),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            path_of(err)
        }
        _ => None,
    }
}

#[derive(Default)]
struct FoundFile {
    files: Vec<(PathBuf, StatStamp)>,
    closed: Vec<PathBuf>,
}

/// The finds of one thread that are not handed over yet.
struct ScanBatch<'a> {
    found: FoundFile,
    all: &'a Mutex<FoundFile>,
}

impl ScanBatch<'_> {
    fn take(&mut self, entry: DirEntry) {
        let is_file = entry.file_type().is_some_and(|kind| !kind.is_dir());
        if is_file && let Ok(metadata) = entry.metadata() {
            let stamp = StatStamp::of(&metadata);
            self.found.files.push((entry.into_path(), stamp));
        }
    }

    /// Answers how many there are now.
    fn hand_over(&mut self) -> usize {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.files.append(&mut self.found.files);
        all.closed.append(&mut self.found.closed);
        all.files.len()
    }
}

impl Drop for ScanBatch<'_> {
    fn drop(&mut self) {
        self.hand_over();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_mins(1);

    #[test]
    fn ignored_files_are_left_out_and_limits_hold() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().to_owned();
        for name in [
            ".git/config",
            "target/x",
            "src/a.rs",
            ".hidden",
            "b.log",
            "sub/.git",
            "sub/c",
        ] {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, name).unwrap();
        }
        std::fs::write(root.join(".gitignore"), "target\n*.log\n").unwrap();
        let roots = [root.clone(), root.join("src")];
        let scan = FolderScan::of(&roots, LIMIT).unwrap();
        let names: Vec<_> = scan
            .files
            .keys()
            .map(|path| path.strip_prefix(&root).unwrap().to_str().unwrap())
            .collect();
        assert_eq!(names, [".gitignore", ".hidden", "src/a.rs", "sub/c"]);
        let repositories: Vec<_> = scan.repositories.iter().collect();
        assert_eq!(repositories, [&root, &root.join("sub")]);
        let few = FolderScan::within(&roots, 1, LIMIT);
        assert_eq!(few.unwrap_err(), UnseenReason::TooMany);
        assert!(FolderScan::of(&[], LIMIT).unwrap().files.is_empty());
    }

    #[test]
    fn what_lies_in_an_unreadable_folder_is_not_known() {
        use std::os::unix::fs::PermissionsExt;
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("closed");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("a"), "x").unwrap();
        let mode = |mode| {
            std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        mode(0);
        let is_closed = std::fs::read_dir(&folder).is_err();
        let scan = FolderScan::of(&[home.path().to_owned()], LIMIT).unwrap();
        mode(0o700);
        // The superuser reads everything.
        assert_eq!(scan.could_see(&folder.join("a")), !is_closed);
        assert!(scan.could_see(&home.path().join("b")));
    }
}
