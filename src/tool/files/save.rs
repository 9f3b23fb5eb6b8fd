//! Puts a changed file on disk: whole or not at all, and not over somebody else's change.
//! What it was before is kept, and in the log, before the file changes.

use std::io::{self, Write};
use std::path::Path;

use serde_json::{Value, json};

use super::read_log::{FileStamp, ReadState};
use crate::checkpoint::FileDifference;
use crate::disk::open_folder::{OpenFolder, ReachError};
use crate::tool::outcome::ToolError;
use crate::tool::place::path::ResolvedPath;
use crate::tool::scope::{ToolJob, ToolScope};
use crate::transcript::{FileCause, FileChange, FileRecord, FileState};

/// Permissions of a new file; the process's mask applies.
const NEW_FILE_MODE: u32 = 0o666;

/// The details of a change for the interface.
pub(in crate::tool) fn details(change: &FileDifference, path: &ResolvedPath) -> Value {
    json!({
        "diff": change.diff,
        "path": path.shown,
        "added": change.added,
        "removed": change.removed,
    })
}

/// Refuses to touch a file that was not read, or that changed since.
pub(in crate::tool) fn check_read(path: &ResolvedPath, scope: &ToolScope) -> Result<(), ToolError> {
    match scope.reads.check(&path.absolute) {
        ReadState::Unchanged => Ok(()),
        ReadState::Changed => Err(changed(path)),
        ReadState::NeverRead => Err(ToolError(format!(
            "{} exists and has not been read in this session; nothing was changed. \
             Read it first, then try again.",
            path.shown
        ))),
    }
}

fn changed(path: &ResolvedPath) -> ToolError {
    ToolError(format!(
        "{} was changed by something else since it was read; nothing was changed. \
         Read it again, then repeat the change on what it says now.",
        path.shown
    ))
}

/// Replaces the file's content through a temporary file beside it. `expected` is the state
/// that the change is based on, `None` for a file that must not exist yet. Permissions stay;
/// missing folders are made. Nothing is changed after a stop, and nothing where a link leads
/// that came up meanwhile. The read log knows the new state afterwards.
pub(in crate::tool) fn save(
    path: &ResolvedPath,
    content: &[u8],
    expected: Option<FileStamp>,
    job: &ToolJob,
) -> Result<(), ToolError> {
    let scope = &job.scope;
    let failed = |error: io::Error| {
        ToolError(format!(
            "{} cannot be written: {error}. What was there before is unchanged.",
            path.shown
        ))
    };
    if job.cancel.is_cancelled() {
        return Err(ToolError(
            "Stopped by the user; nothing was changed.".to_owned(),
        ));
    }
    let (folder, name) = reach(path, failed)?;
    let mut temporary = folder.temporary_file(NEW_FILE_MODE).map_err(failed)?;
    temporary.file.write_all(content).map_err(failed)?;
    if expected.is_some() {
        let metadata = folder.metadata(name).map_err(|_| changed(path))?;
        // Renaming over a write-protected file would work, but is not what its owner wants.
        if metadata.permissions().readonly() {
            return Err(ToolError(format!(
                "{} is write-protected; nothing was changed.",
                path.shown
            )));
        }
        temporary
            .file
            .set_permissions(metadata.permissions())
            .map_err(failed)?;
    }
    temporary.file.sync_all().map_err(failed)?;
    let before = scope.watch.keep_file(&path.absolute);
    let after = scope.watch.keep_content(content, &temporary.file);
    note_change(path, before, after.clone(), job);
    match expected {
        Some(_) if stamp(&folder, name) != expected => return Err(changed(path)),
        Some(_) => temporary.replace(name).map_err(failed)?,
        None => temporary.create(name).map_err(failed)?,
    }
    scope.watch.written(&path.absolute, &after);
    let stamp = stamp(&folder, name).ok_or_else(|| changed(path))?;
    scope.reads.record(&path.absolute, stamp);
    Ok(())
}

/// The state of a file in a folder; `None` when it is gone, or a link by now.
fn stamp(folder: &OpenFolder, name: &Path) -> Option<FileStamp> {
    FileStamp::of_metadata(&folder.metadata(name).ok()?).ok()
}

/// The folder of a resolved path, and the file's name in it.
fn reach(
    path: &ResolvedPath,
    failed: impl Fn(io::Error) -> ToolError,
) -> Result<(OpenFolder, &Path), ToolError> {
    let name = path.absolute.file_name().map(Path::new);
    let (Some(folder), Some(name)) = (path.absolute.parent(), name) else {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    };
    match OpenFolder::reach(folder) {
        Ok(folder) => Ok((folder, name)),
        Err(ReachError::Io(error)) => Err(failed(error)),
        Err(ReachError::Link) => Err(ToolError(format!(
            "{} was not written: a folder on its way became a link after the call was agreed \
             to. Nothing was changed; see what is there, then call again.",
            path.shown
        ))),
    }
}

/// Writes down what is about to change, and waits until that is in the log.
fn note_change(path: &ResolvedPath, before: FileState, after: FileState, job: &ToolJob) {
    // A name that is not text cannot be in the log.
    if let Some(path) = path.absolute.to_str() {
        job.note(FileRecord {
            cause: FileCause::Tool,
            jobs: Vec::new(),
            changes: vec![FileChange {
                path: path.to_owned(),
                before,
                after,
            }],
            unlisted: 0,
            unseen: None,
        });
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::tool::place::path::resolve;
    use crate::tool::test_scope::{TestScope, names};

    #[test]
    fn a_change_in_between_wins_and_leaves_no_temporary_file() {
        let t = TestScope::new();
        t.write("a", "mine");
        let path = resolve("a", &t.scope).unwrap();
        let stamp = FileStamp::of(&path.absolute).unwrap();
        t.write("a", "theirs!");
        let error = save(&path, b"new", Some(stamp), &t.job()).unwrap_err();
        assert!(error.0.contains("changed by something else"), "{error}");
        assert_eq!(t.content("a"), "theirs!");
        save(&path, b"new", None, &t.job()).unwrap_err();
        assert_eq!(t.content("a"), "theirs!");
        assert_eq!(names(&t.path("")), ["a"]);
    }

    #[test]
    fn permissions_stay_and_write_protection_counts() {
        let t = TestScope::new();
        let path = resolve("run.sh", &t.scope).unwrap();
        let mode = |mode| {
            let permissions = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(&path.absolute, permissions).unwrap();
        };
        t.write("run.sh", "a");
        mode(0o750);
        let stamp = FileStamp::of(&path.absolute).unwrap();
        save(&path, b"b", Some(stamp), &t.job()).unwrap();
        let now = std::fs::metadata(&path.absolute).unwrap();
        assert_eq!(now.permissions().mode() & 0o777, 0o750);
        mode(0o444);
        let stamp = FileStamp::of(&path.absolute).unwrap();
        let error = save(&path, b"c", Some(stamp), &t.job()).unwrap_err();
        assert!(error.0.contains("write-protected"));
        assert_eq!(t.content("run.sh"), "b");
    }
}
