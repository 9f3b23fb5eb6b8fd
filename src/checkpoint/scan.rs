//! Which files are there, told by size, time and kind: two of these say what a command
//! changed without reading a single file. Bounded in files and in time; what version
//! control ignores is left out, as it can be made again.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use ignore::{WalkBuilder, WalkState};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::store::mode_of;

/// More files than this are not looked at: the look would be felt.
const MAX_FILES: usize = 50_000;
/// Nor for longer than this.
const MAX_TIME: Duration = Duration::from_millis(400);
/// Threads that look.
const THREADS: usize = 2;

/// What a file looks like from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stamp {
    pub(super) is_link: bool,
    pub(super) bytes: u64,
    pub(super) modified: Option<SystemTime>,
    pub(super) mode: Option<u32>,
    /// Tells a file from another one that was moved to its place.
    inode: u64,
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(metadata);
        #[cfg(not(unix))]
        let inode = 0;
        Self {
            is_link: metadata.is_symlink(),
            bytes: metadata.len(),
            modified: metadata.modified().ok(),
            mode: mode_of(metadata),
            inode,
        }
    }

    /// What is at a path now, links not followed; `None` for nothing and for folders.
    pub(super) fn at(path: &Path) -> Option<Self> {
        let metadata = std::fs::symlink_metadata(path).ok()?;
        (!metadata.is_dir()).then(|| Self::of(&metadata))
    }

    /// Whether only permissions differ: then the content is the same.
    pub(super) fn is_same_content(&self, other: &Self) -> bool {
        Self {
            mode: other.mode,
            ..*self
        } == *other
    }
}

/// Why the files were not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unseen {
    /// There are too many.
    TooMany,
    /// It took too long.
    TooSlow,
}

impl Unseen {
    /// In words.
    pub fn words(self) -> String {
        match self {
            Self::TooMany => format!("there are more than {MAX_FILES} files"),
            Self::TooSlow => format!("looking took longer than {} ms", MAX_TIME.as_millis()),
        }
    }
}

/// All files below some folders at a moment.
#[derive(Clone, Debug, Default)]
pub struct Scan {
    pub(super) files: BTreeMap<PathBuf, Stamp>,
}

impl Scan {
    /// Looks. Folders that lie in another one of the list are looked at once.
    ///
    /// # Errors
    ///
    /// It would take too long.
    pub fn of(roots: &[PathBuf]) -> Result<Self, Unseen> {
        Self::within(roots, MAX_FILES, MAX_TIME)
    }

    fn within(roots: &[PathBuf], max_files: usize, max_time: Duration) -> Result<Self, Unseen> {
        let Some((first, others)) = roots.split_first() else {
            return Ok(Self::default());
        };
        let mut builder = WalkBuilder::new(first);
        for root in others {
            builder.add(root);
        }
        builder
            .hidden(false)
            .require_git(false)
            .git_global(false)
            .follow_links(false)
            .threads(THREADS)
            .filter_entry(|entry| entry.depth() == 0 || entry.file_name() != ".git");
        let until = Instant::now() + max_time;
        let found: Mutex<Vec<(PathBuf, Stamp)>> = Mutex::default();
        let (is_slow, is_full) = (AtomicBool::new(false), AtomicBool::new(false));
        builder.build_parallel().run(|| {
            let mut own = Batch {
                files: Vec::new(),
                all: &found,
            };
            let (is_slow, is_full) = (&is_slow, &is_full);
            Box::new(move |entry| {
                let Ok(entry) = entry else {
                    return WalkState::Continue;
                };
                let is_file = entry.file_type().is_some_and(|kind| !kind.is_dir());
                if is_file && let Ok(metadata) = entry.metadata() {
                    own.files.push((entry.into_path(), Stamp::of(&metadata)));
                }
                if own.files.len() >= BATCH {
                    is_full.fetch_or(own.hand_over() > max_files, Ordering::Relaxed);
                    is_slow.fetch_or(Instant::now() > until, Ordering::Relaxed);
                }
                if is_full.load(Ordering::Relaxed) || is_slow.load(Ordering::Relaxed) {
                    WalkState::Quit
                } else {
                    WalkState::Continue
                }
            })
        });
        let found = found
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if is_full.into_inner() || found.len() > max_files {
            return Err(Unseen::TooMany);
        }
        if is_slow.into_inner() {
            return Err(Unseen::TooSlow);
        }
        Ok(Self {
            files: found.into_iter().collect(),
        })
    }
}

/// Files that a thread hands over at once, and between two looks at the clock.
const BATCH: usize = 512;

/// What one thread has found and not handed over yet.
struct Batch<'a> {
    files: Vec<(PathBuf, Stamp)>,
    all: &'a Mutex<Vec<(PathBuf, Stamp)>>,
}

impl Batch<'_> {
    /// Answers how many there are now.
    fn hand_over(&mut self) -> usize {
        let mut all = self
            .all
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        all.append(&mut self.files);
        all.len()
    }
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        self.hand_over();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_files_are_left_out_and_limits_hold() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().to_owned();
        for name in [".git/config", "target/x", "src/a.rs", ".hidden", "b.log"] {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, name).unwrap();
        }
        std::fs::write(root.join(".gitignore"), "target\n*.log\n").unwrap();
        let roots = [root.clone(), root.join("src")];
        let scan = Scan::of(&roots).unwrap();
        let names: Vec<_> = scan
            .files
            .keys()
            .map(|path| path.strip_prefix(&root).unwrap().to_str().unwrap())
            .collect();
        assert_eq!(names, [".gitignore", ".hidden", "src/a.rs"]);
        let few = Scan::within(&roots, 1, MAX_TIME);
        assert_eq!(few.unwrap_err(), Unseen::TooMany);
        assert!(Scan::of(&[]).unwrap().files.is_empty());
    }
}
