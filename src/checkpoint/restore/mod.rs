//! Puts files back: first a plan that says of each file what would happen, then the deed,
//! file by file, each whole or not at all.
//!
//! What somebody else changed since the session wrote it is left alone unless that is
//! asked for; and nothing is written over that is not kept first.

use std::io;
use std::path::{Component, Path, PathBuf};

use super::shown;
use super::store::{ContentStore, present};
use crate::disk::replace::WholeFile;
use crate::transcript::{FileChange, FileState};

/// Their content runs, or is version control's: no tool changes it without being asked.
const GUARDED_DIRS: [&str; 2] = [".git", ".plimsoll"];
/// Permissions that are put back. What runs with another user's rights is none of them.
const PERMISSIONS: u32 = 0o777;

/// A file that should be put back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedFile {
    /// Absolute path.
    pub path: String,
    /// The state to restore.
    pub desired: FileState,
    /// The state that the session left.
    pub expected: FileState,
    /// The state before that: a killed program may not have come further.
    pub before_expected: FileState,
}

/// The effect of a restore on a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileFate {
    /// It gets its earlier content, permissions or target.
    Restore,
    /// It is not there now, and is put back.
    Recreate,
    /// It was not there, and is removed.
    Remove,
    /// It is so already.
    AsItWas,
    /// Somebody else changed it since: it stays, unless told otherwise.
    ChangedSince,
    /// It cannot be done, for this reason.
    Impossible(String),
}

/// A file with what would happen to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedFile {
    /// Absolute path.
    pub path: String,
    /// The path as people read it.
    pub shown: String,
    /// The effect on it.
    pub fate: FileFate,
    /// The state to restore.
    pub desired: FileState,
    /// The present state.
    pub present: FileState,
}

/// The outcome of a restore.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RestoreReport {
    /// Put back or given their earlier content.
    pub restored: u64,
    /// Removed.
    pub removed: u64,
    /// Left as they are because somebody else changed them.
    pub left: u64,
    /// Not done, with the reason: shown path first.
    pub failed: Vec<(String, String)>,
}

/// Says what would happen. Changes nothing. A session may come from anybody: what its log
/// says of files counts below the working directory and `extra_dirs` alone.
pub fn plan(
    store: &ContentStore,
    wanted: Vec<WantedFile>,
    cwd: &Path,
    extra_dirs: &[PathBuf],
) -> Vec<PlannedFile> {
    let folders = extra_dirs.iter().map(|dir| cwd.join(dir));
    let folders: Vec<PathBuf> = folders
        .chain([cwd.to_owned()])
        .filter_map(|dir| dir.canonicalize().ok())
        .collect();
    wanted
        .into_iter()
        .map(|it| {
            let path = Path::new(&it.path);
            let (now, fate) = if let Some(why) = why_not(path, &folders) {
                // What is there is nobody's business.
                (FileState::Absent, FileFate::Impossible(why.to_owned()))
            } else {
                let now = present(path);
                let fate = fate(store, &it, &now);
                (now, fate)
            };
            PlannedFile {
                shown: shown(&it.path, cwd),
                fate,
                path: it.path,
                desired: it.desired,
                present: now,
            }
        })
        .collect()
}

/// Why a session may not put a file back, whatever its log says of it.
fn why_not(path: &Path, folders: &[PathBuf]) -> Option<&'static str> {
    const OUTSIDE: &str = "it is outside the folders of this session";
    let Some(inside) = folders.iter().find_map(|dir| path.strip_prefix(dir).ok()) else {
        return Some(OUTSIDE);
    };
    let mut parts = inside.components();
    if !parts.all(|part| matches!(part, Component::Normal(_))) {
        return Some(OUTSIDE);
    }
    let is_guarded = |part: Component<'_>| {
        let name = part.as_os_str();
        GUARDED_DIRS
            .iter()
            .any(|dir| name.eq_ignore_ascii_case(dir))
    };
    inside
        .components()
        .any(is_guarded)
        .then_some("it is in a protected folder")
}

fn fate(store: &ContentStore, wanted: &WantedFile, now: &FileState) -> FileFate {
    match &wanted.desired {
        FileState::Unknown { why } => return FileFate::Impossible(why.clone()),
        desired if desired == now => return FileFate::AsItWas,
        FileState::Content { hash, .. } if !store.has(hash) => {
            return FileFate::Impossible("its earlier content is missing".to_owned());
        }
        _ => {}
    }
    if let FileState::Unknown { why } = now {
        return FileFate::Impossible(format!("its present contents cannot be kept: {why}"));
    }
    if *now != wanted.expected && *now != wanted.before_expected {
        return FileFate::ChangedSince;
    }
    match (&wanted.desired, now) {
        (FileState::Absent, _) => FileFate::Remove,
        (_, FileState::Absent) => FileFate::Recreate,
        _ => FileFate::Restore,
    }
}

/// The planned changes, with the present contents kept; and the files that stay. `overwrite`
/// takes in what somebody else changed. To be written into the log before [`apply`].
pub fn keep_first(
    store: &ContentStore,
    planned: &[PlannedFile],
    overwrite: bool,
) -> (Vec<FileChange>, RestoreReport) {
    let mut changes = Vec::new();
    let mut applied = RestoreReport::default();
    for file in planned {
        match &file.fate {
            FileFate::AsItWas => continue,
            FileFate::ChangedSince if !overwrite => {
                applied.left += 1;
                continue;
            }
            FileFate::Impossible(why) => {
                applied.failed.push((file.shown.clone(), why.clone()));
                continue;
            }
            FileFate::Restore | FileFate::Recreate | FileFate::Remove | FileFate::ChangedSince => {}
        }
        let before = store.state(Path::new(&file.path));
        if before == file.present {
            changes.push(FileChange {
                path: file.path.clone(),
                before,
                after: file.desired.clone(),
            });
        } else {
            let why = match before {
                FileState::Unknown { why } => why,
                _ => "it changed just now".to_owned(),
            };
            applied.failed.push((file.shown.clone(), why));
        }
    }
    (changes, applied)
}

/// Does it, file by file; what cannot be done stays as it is and is said.
pub fn apply(
    store: &ContentStore,
    changes: &[FileChange],
    cwd: &Path,
    applied: &mut RestoreReport,
) {
    for change in changes {
        match put(store, change, cwd) {
            Ok(()) if change.after == FileState::Absent => applied.removed += 1,
            Ok(()) => applied.restored += 1,
            Err(error) => {
                let failure = (shown(&change.path, cwd), error.to_string());
                applied.failed.push(failure);
            }
        }
    }
}

fn put(store: &ContentStore, change: &FileChange, cwd: &Path) -> io::Result<()> {
    let path = Path::new(&change.path);
    let folder = path.parent().unwrap_or(Path::new("/"));
    check_folder(folder)?;
    if present(path) != change.before {
        return Err(io::Error::other("it changed just now"));
    }
    match &change.after {
        FileState::Absent => {
            std::fs::remove_file(path)?;
            remove_empty(folder, cwd);
            Ok(())
        }
        FileState::Content { hash, mode, .. } => {
            let bytes = store.get(hash)?;
            std::fs::create_dir_all(folder)?;
            let mode = mode.map(|mode| mode & PERMISSIONS);
            WholeFile::durable().with_mode(mode).replace(path, &bytes)
        }
        FileState::Link { target } => put_link(path, folder, target),
        FileState::Unknown { why } => Err(io::Error::other(why.clone())),
    }
}

/// The folder must not lead elsewhere now: paths were recorded without links.
fn check_folder(folder: &Path) -> io::Result<()> {
    let Some(there) = folder.ancestors().find(|it| it.symlink_metadata().is_ok()) else {
        return Ok(());
    };
    if there.canonicalize()? == there {
        Ok(())
    } else {
        Err(io::Error::other("its folder is now a link"))
    }
}

fn put_link(path: &Path, folder: &Path, target: &str) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let nest = tempfile::Builder::new()
        .prefix(".plim-")
        .tempdir_in(folder)?;
    let link = nest.path().join("link");
    std::os::unix::fs::symlink(target, &link)?;
    std::fs::rename(&link, path)
}

/// Removes folders that are empty now, up to the working directory.
fn remove_empty(folder: &Path, cwd: &Path) {
    let mut at = Some(folder);
    while let Some(folder) = at.filter(|it| *it != cwd && it.starts_with(cwd)) {
        if std::fs::remove_dir(folder).is_err() {
            return;
        }
        at = folder.parent();
    }
}

#[cfg(test)]
mod tests;
