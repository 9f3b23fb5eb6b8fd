//! Puts files back: first a plan that says of each file what would happen, then the deed,
//! file by file, each whole or not at all.
//!
//! What somebody else changed since the session wrote it is left alone unless that is
//! asked for; and nothing is written over that is not kept first.

use std::io::{self, Write};
use std::path::Path;

use super::shown;
use super::store::{Store, present};
use crate::transcript::{FileChange, FileState};

/// A file that should be put back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Absolute path.
    pub path: String,
    /// What should be there.
    pub desired: FileState,
    /// What the session left there.
    pub expected: FileState,
    /// What was there before that: a killed program may not have come further.
    pub before_expected: FileState,
}

/// What would happen to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
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
    /// The same for people.
    pub shown: String,
    /// What would happen.
    pub fate: Fate,
    /// What should be there.
    pub desired: FileState,
    /// What is there.
    pub present: FileState,
}

/// What became of files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// Put back or given their earlier content.
    pub restored: u64,
    /// Removed.
    pub removed: u64,
    /// Left as they are because somebody else changed them.
    pub left: u64,
    /// Not done, with the reason: shown path first.
    pub failed: Vec<(String, String)>,
}

/// Says what would happen. Changes nothing.
pub fn plan(store: &Store, wanted: Vec<Wanted>, cwd: &Path) -> Vec<PlannedFile> {
    wanted
        .into_iter()
        .map(|it| {
            let now = present(Path::new(&it.path));
            PlannedFile {
                shown: shown(&it.path, cwd),
                fate: fate(store, &it, &now),
                path: it.path,
                desired: it.desired,
                present: now,
            }
        })
        .collect()
}

fn fate(store: &Store, wanted: &Wanted, now: &FileState) -> Fate {
    match &wanted.desired {
        FileState::Unknown { why } => return Fate::Impossible(why.clone()),
        desired if desired == now => return Fate::AsItWas,
        FileState::Content { hash, .. } if !store.has(hash) => {
            return Fate::Impossible("its earlier content is missing".to_owned());
        }
        _ => {}
    }
    if let FileState::Unknown { why } = now {
        return Fate::Impossible(format!("what is there now cannot be kept: {why}"));
    }
    if *now != wanted.expected && *now != wanted.before_expected {
        return Fate::ChangedSince;
    }
    match (&wanted.desired, now) {
        (FileState::Absent, _) => Fate::Remove,
        (_, FileState::Absent) => Fate::Recreate,
        _ => Fate::Restore,
    }
}

/// What is going to change, with all that is there now kept; and what is not going to.
/// `overwrite` takes in what somebody else changed. To be written into the log before
/// [`apply`].
pub fn keep_first(
    store: &Store,
    planned: &[PlannedFile],
    overwrite: bool,
) -> (Vec<FileChange>, Applied) {
    let mut changes = Vec::new();
    let mut applied = Applied::default();
    for file in planned {
        match &file.fate {
            Fate::AsItWas => continue,
            Fate::ChangedSince if !overwrite => {
                applied.left += 1;
                continue;
            }
            Fate::Impossible(why) => {
                applied.failed.push((file.shown.clone(), why.clone()));
                continue;
            }
            Fate::Restore | Fate::Recreate | Fate::Remove | Fate::ChangedSince => {}
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
pub fn apply(store: &Store, changes: &[FileChange], cwd: &Path, applied: &mut Applied) {
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

fn put(store: &Store, change: &FileChange, cwd: &Path) -> io::Result<()> {
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
            let mut temporary = tempfile::Builder::new()
                .prefix(".plim-")
                .suffix(".tmp")
                .tempfile_in(folder)?;
            temporary.write_all(&bytes)?;
            set_mode(temporary.as_file(), *mode)?;
            temporary.as_file().sync_all()?;
            temporary.persist(path)?;
            Ok(())
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
        Err(io::Error::other("its folder is a link now"))
    }
}

fn set_mode(file: &std::fs::File, mode: Option<u32>) -> io::Result<()> {
    #[cfg(unix)]
    if let Some(mode) = mode {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(std::fs::Permissions::from_mode(mode))?;
    }
    #[cfg(not(unix))]
    let _ = (file, mode);
    Ok(())
}

#[cfg(unix)]
fn put_link(path: &Path, folder: &Path, target: &str) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let nest = tempfile::Builder::new()
        .prefix(".plim-")
        .tempdir_in(folder)?;
    let link = nest.path().join("link");
    std::os::unix::fs::symlink(target, &link)?;
    std::fs::rename(&link, path)
}

#[cfg(not(unix))]
fn put_link(_path: &Path, _folder: &Path, _target: &str) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
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
