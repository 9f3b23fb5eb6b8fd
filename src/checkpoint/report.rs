//! The changes of a session, file by file: the state before it against the present state.

use std::path::Path;

use super::difference::FileDifference;
use super::shown;
use super::store::{ContentStore, MAX_KEPT_BYTES, present};
use crate::disk::open;
use crate::transcript::{ChangedBy, FileLedger, FileState, TrackedFile};

/// Bytes of diffs in a report; what comes after has only its name.
const MAX_DIFF_BYTES: usize = 4 * 1024 * 1024;
/// As much of a content as is looked at to tell text from other data.
const SNIFF_BYTES: usize = 8 * 1024;

/// All that a session has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangesReport {
    /// In the order of their paths.
    pub files: Vec<ChangedFile>,
    /// Changes of commands that were too many to be listed.
    pub unlisted: u64,
    /// Why what some command changed is not known.
    pub unseen: Option<String>,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// Absolute path.
    pub path: String,
    /// The path as people read it.
    pub shown: String,
    /// The kind of change.
    pub kind: ChangeKind,
    /// Causes besides tools.
    pub by: ChangedBy,
    /// It is not as the session left it: somebody else changed it since.
    pub changed_since: bool,
    /// The difference; empty when there is none to show.
    pub difference: FileDifference,
    /// Why there is none, or what else there is to say.
    pub note: Option<String>,
}

/// The kind of change to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// It was not there.
    Added,
    /// It was, and is another.
    Modified,
    /// It was, and is not.
    Deleted,
}

impl ChangeKind {
    /// One word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Modified => "modified",
            Self::Deleted => "deleted",
        }
    }
}

/// Compares what was with what is.
pub fn report(store: &ContentStore, ledger: &FileLedger, cwd: &Path) -> ChangesReport {
    let mut room = MAX_DIFF_BYTES;
    let files = ledger
        .files
        .iter()
        .filter_map(|(path, tracked)| {
            let file = changed(store, path, tracked, cwd, room > 0)?;
            room = room.saturating_sub(file.difference.diff.len());
            Some(file)
        })
        .collect();
    ChangesReport {
        files,
        unlisted: ledger.unlisted,
        unseen: ledger.unseen.clone(),
    }
}

fn changed(
    store: &ContentStore,
    path: &str,
    tracked: &TrackedFile,
    cwd: &Path,
    has_room: bool,
) -> Option<ChangedFile> {
    let now = present(Path::new(path));
    if now == tracked.original {
        return None;
    }
    let kind = match (&tracked.original, &now) {
        (FileState::Absent, _) => ChangeKind::Added,
        (_, FileState::Absent) => ChangeKind::Deleted,
        _ => ChangeKind::Modified,
    };
    let name = shown(path, cwd);
    let (difference, note) = if has_room {
        compare(store, &name, Path::new(path), &tracked.original, &now)
    } else {
        let note = "too many changes to compare".to_owned();
        (FileDifference::default(), Some(note))
    };
    Some(ChangedFile {
        path: path.to_owned(),
        shown: name,
        kind,
        by: tracked.by.clone(),
        changed_since: now != tracked.latest && now != tracked.penultimate,
        difference,
        note,
    })
}

/// One side of a comparison.
enum ReportSide {
    Nothing,
    Text(String),
    Other(String),
}

fn compare(
    store: &ContentStore,
    name: &str,
    path: &Path,
    old: &FileState,
    new: &FileState,
) -> (FileDifference, Option<String>) {
    let before = side(old, |hash| store.get(hash).ok());
    let after = side(new, |_| open::read_unlinked(path, MAX_KEPT_BYTES).ok());
    let (before, after) = match (before, after) {
        (ReportSide::Other(why), _) | (_, ReportSide::Other(why)) => {
            return (FileDifference::default(), Some(why));
        }
        (before, after) => (before, after),
    };
    let text = |side: &ReportSide| match side {
        ReportSide::Text(text) => Some(text.clone()),
        ReportSide::Nothing | ReportSide::Other(_) => None,
    };
    let difference =
        FileDifference::between(name, text(&before).as_deref(), text(&after).as_deref());
    (difference, mode_note(old, new))
}

fn side(state: &FileState, load: impl FnOnce(&str) -> Option<Vec<u8>>) -> ReportSide {
    match state {
        FileState::Absent => ReportSide::Nothing,
        FileState::Unknown { why } => ReportSide::Other(why.clone()),
        FileState::Link { target } => ReportSide::Text(format!("link to {target}\n")),
        FileState::Content { hash, .. } => match load(hash) {
            None => ReportSide::Other("its earlier content is missing".to_owned()),
            Some(bytes) if bytes.iter().take(SNIFF_BYTES).any(|byte| *byte == 0) => {
                ReportSide::Other("not text".to_owned())
            }
            Some(bytes) => ReportSide::Text(String::from_utf8_lossy(&bytes).into_owned()),
        },
    }
}

fn mode_note(old: &FileState, new: &FileState) -> Option<String> {
    let mode = |state: &FileState| match state {
        FileState::Content { mode, .. } => *mode,
        _ => None,
    };
    let (old, new) = (mode(old)?, mode(new)?);
    (old != new).then(|| format!("permissions {old:o} → {new:o}"))
}

#[cfg(test)]
mod tests {
    use super::super::store::MEGABYTE;
    use super::*;
    use crate::transcript::{FileCause, FileChange, FileRecord};

    #[test]
    fn a_report_compares_the_beginning_with_now() {
        let home = tempfile::tempdir().unwrap();
        let cwd = home.path();
        let store = ContentStore::temporary(MEGABYTE);
        let write = |name: &str, text: &[u8]| {
            std::fs::write(cwd.join(name), text).unwrap();
            store.state(&cwd.join(name))
        };
        let unknown = FileState::Unknown {
            why: "content before unknown".to_owned(),
        };
        let mut changes = Vec::new();
        let mut change = |name: &str, before: FileState, after: FileState| {
            changes.push(FileChange {
                path: cwd.join(name).display().to_string(),
                before,
                after,
            });
        };
        let old = write("edited", b"one\ntwo\n");
        change("edited", old, write("edited", b"one\n2\n"));
        change("new", FileState::Absent, write("new", b"x\n"));
        let gone = write("gone", b"x\n");
        std::fs::remove_file(cwd.join("gone")).unwrap();
        change("gone", gone, FileState::Absent);
        let back = write("back", b"same\n");
        change("back", back.clone(), back);
        let old = write("image", b"\0a");
        change("image", old, write("image", b"\0b"));
        change("foreign", unknown, write("foreign", b"y\n"));
        change("later", FileState::Absent, write("later", b"ours\n"));
        write("later", b"theirs\n");
        let mut ledger = FileLedger::default();
        ledger.add(&FileRecord {
            cause: FileCause::Command,
            jobs: Vec::new(),
            changes,
            unlisted: 2,
            unseen: None,
        });
        let report = report(&store, &ledger, cwd);
        let told: Vec<String> = report
            .files
            .iter()
            .map(|it| {
                let (plus, minus) = (it.difference.added, it.difference.removed);
                let since = if it.changed_since { " since" } else { "" };
                let note = it.note.as_deref().unwrap_or("");
                format!(
                    "{} {} +{plus} -{minus}{since} {note}",
                    it.shown,
                    it.kind.name()
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                "edited modified +1 -1 ",
                "foreign modified +0 -0 content before unknown",
                "gone deleted +0 -1 ",
                "image modified +0 -0 not text",
                "later added +1 -0 since ",
                "new added +1 -0 ",
            ]
        );
        assert_eq!(report.unlisted, 2);
    }
}
