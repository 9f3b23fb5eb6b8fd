//! Puts a changed file on disk: whole or not at all, and not over somebody else's change.
//! Also the diff that shows the change.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use similar::{ChangeTag, TextDiff};

use super::path::ResolvedPath;
use super::{FileStamp, ReadState, ToolError, ToolScope};

/// Unchanged lines around a change.
const CONTEXT_LINES: usize = 3;

/// After this the diff may be larger than the shortest one.
const DIFF_TIME: Duration = Duration::from_millis(300);

/// A longer diff is cut for the screen.
const MAX_DIFF_BYTES: usize = 200 * 1024;

/// A change as people read it.
pub(super) struct Change {
    /// Unified diff with `---`/`+++` header; empty when nothing changes.
    pub(super) diff: String,
    /// Lines added.
    pub(super) added: usize,
    /// Lines removed.
    pub(super) removed: usize,
}

impl Change {
    /// Compares two texts; `old` is `None` for a new file.
    pub(super) fn between(shown: &str, old: Option<&str>, new: &str) -> Self {
        let before = if old.is_some() { shown } else { "/dev/null" };
        let diff = TextDiff::configure()
            .timeout(DIFF_TIME)
            .diff_lines(old.unwrap_or(""), new);
        let count = |tag| {
            diff.iter_all_changes()
                .filter(|change| change.tag() == tag)
                .count()
        };
        let text = diff
            .unified_diff()
            .context_radius(CONTEXT_LINES)
            .header(before, shown)
            .to_string();
        Self {
            added: count(ChangeTag::Insert),
            removed: count(ChangeTag::Delete),
            diff: cut(text),
        }
    }

    /// What the UI shows of it.
    pub(super) fn details(&self, path: &ResolvedPath) -> Value {
        json!({
            "diff": self.diff,
            "path": path.shown,
            "added": self.added,
            "removed": self.removed,
        })
    }
}

fn cut(diff: String) -> String {
    if diff.len() <= MAX_DIFF_BYTES {
        return diff;
    }
    let mut out = String::new();
    for line in diff.split_inclusive('\n') {
        if out.len() + line.len() > MAX_DIFF_BYTES {
            break;
        }
        out.push_str(line);
    }
    out.push_str("\\ The diff is longer than can be shown here\n");
    out
}

/// Refuses to touch a file that was not read, or that changed since.
pub(super) fn check_read(path: &ResolvedPath, scope: &ToolScope) -> Result<(), ToolError> {
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
/// missing folders are made. The read log knows the new state afterwards.
pub(super) fn save(
    path: &ResolvedPath,
    content: &[u8],
    expected: Option<FileStamp>,
    scope: &ToolScope,
) -> Result<(), ToolError> {
    let failed = |error: io::Error| {
        ToolError(format!(
            "{} cannot be written: {error}. What was there before is unchanged.",
            path.shown
        ))
    };
    let folder = path.absolute.parent().unwrap_or(Path::new("/"));
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut temporary = new_file(folder).map_err(failed)?;
    temporary.write_all(content).map_err(failed)?;
    if let Some(expected) = expected {
        let metadata = std::fs::metadata(&path.absolute).map_err(failed)?;
        // Renaming over a write-protected file would work, but is not what its owner wants.
        if metadata.permissions().readonly() {
            return Err(ToolError(format!(
                "{} is write-protected; nothing was changed.",
                path.shown
            )));
        }
        temporary
            .as_file()
            .set_permissions(metadata.permissions())
            .map_err(failed)?;
        temporary.as_file().sync_all().map_err(failed)?;
        if FileStamp::of(&path.absolute).map_err(failed)? != expected {
            return Err(changed(path));
        }
        temporary
            .persist(&path.absolute)
            .map_err(|e| failed(e.error))?;
    } else {
        temporary.as_file().sync_all().map_err(failed)?;
        temporary
            .persist_noclobber(&path.absolute)
            .map_err(|e| failed(e.error))?;
    }
    let stamp = FileStamp::of(&path.absolute).map_err(failed)?;
    scope.reads.record(&path.absolute, stamp);
    Ok(())
}

/// A temporary file with the permissions of a normal new file (the process's mask applies).
fn new_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".plim-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        const NEW_FILE_MODE: u32 = 0o666;
        builder.permissions(std::fs::Permissions::from_mode(NEW_FILE_MODE));
    }
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::super::resolve;
    use super::super::test_scope::{TestScope, names};
    use super::*;

    #[test]
    fn a_diff_counts_and_names() {
        let change = Change::between("a.txt", Some("one\ntwo\n"), "one\n2\n3\n");
        assert_eq!((change.added, change.removed), (2, 1));
        assert_eq!(
            change.diff,
            "--- a.txt\n+++ a.txt\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+3\n"
        );
        let new = Change::between("a.txt", None, "x\n");
        assert!(new.diff.starts_with("--- /dev/null\n+++ a.txt\n"));
        assert_eq!(Change::between("a", Some("x"), "x").diff, "");
    }

    #[test]
    fn a_huge_diff_is_cut_at_a_line() {
        let change = Change::between("a", None, &"0123456789\n".repeat(60_000));
        assert!(change.diff.len() <= MAX_DIFF_BYTES + 100);
        assert!(change.diff.ends_with("shown here\n"));
        assert_eq!(change.added, 60_000);
    }

    #[test]
    fn a_change_in_between_wins_and_leaves_no_temporary_file() {
        let t = TestScope::new();
        t.write("a", "mine");
        let path = resolve("a", &t.scope).unwrap();
        let stamp = FileStamp::of(&path.absolute).unwrap();
        t.write("a", "theirs!");
        let error = save(&path, b"new", Some(stamp), &t.scope).unwrap_err();
        assert!(error.0.contains("changed by something else"), "{error}");
        assert_eq!(t.content("a"), "theirs!");
        save(&path, b"new", None, &t.scope).unwrap_err();
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
        save(&path, b"b", Some(stamp), &t.scope).unwrap();
        let now = std::fs::metadata(&path.absolute).unwrap();
        assert_eq!(now.permissions().mode() & 0o777, 0o750);
        mode(0o444);
        let stamp = FileStamp::of(&path.absolute).unwrap();
        let error = save(&path, b"c", Some(stamp), &t.scope).unwrap_err();
        assert!(error.0.contains("write-protected"));
        assert_eq!(t.content("run.sh"), "b");
    }
}
