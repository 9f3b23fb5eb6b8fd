//! File changes as `custom` lines: other programs keep them and send nothing of them.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::transcript::{EntryId, FileCause, FileChange, FileRecord, FileState};

const FILES: &str = "plimsoll.files";

/// The record that a `custom` line holds, when it is one of these.
pub(super) fn read(custom_type: &str, data: &str) -> Option<FileRecord> {
    if custom_type != FILES {
        return None;
    }
    let line: FilesLine = serde_json::from_str(data).ok()?;
    let cause = match line.cause.as_str() {
        "tool" => FileCause::Tool,
        "command" => FileCause::Command,
        "userCommand" => FileCause::UserCommand,
        "job" => FileCause::Job,
        "rewind" => FileCause::Rewind {
            from: line.from.map(EntryId::new),
            undoes: line.undoes.map(EntryId::new),
        },
        _ => return None,
    };
    let changes = line.changes.into_iter().map(|it| FileChange {
        path: it.path,
        before: it.before.into(),
        after: it.after.into(),
    });
    Some(FileRecord {
        cause,
        jobs: line.jobs,
        changes: changes.collect(),
        unlisted: line.unlisted,
        unseen: line.unseen,
    })
}

/// `customType` and `data` of a record.
pub(super) fn write(record: &FileRecord) -> (&'static str, Value) {
    let (cause, from, undoes) = match &record.cause {
        FileCause::Tool => ("tool", None, None),
        FileCause::Command => ("command", None, None),
        FileCause::UserCommand => ("userCommand", None, None),
        FileCause::Job => ("job", None, None),
        FileCause::Rewind { from, undoes } => ("rewind", from.as_ref(), undoes.as_ref()),
    };
    let changes = record.changes.iter().map(|it| ChangeFields {
        path: it.path.clone(),
        before: (&it.before).into(),
        after: (&it.after).into(),
    });
    let line = FilesLine {
        cause: cause.to_owned(),
        from: from.map(|id| id.as_str().to_owned()),
        undoes: undoes.map(|id| id.as_str().to_owned()),
        jobs: record.jobs.clone(),
        changes: changes.collect(),
        unlisted: record.unlisted,
        unseen: record.unseen.clone(),
    };
    (FILES, json!(line))
}

#[derive(Serialize, Deserialize)]
struct FilesLine {
    cause: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    undoes: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    jobs: Vec<u64>,
    #[serde(default)]
    changes: Vec<ChangeFields>,
    #[serde(default, skip_serializing_if = "is_zero")]
    unlisted: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unseen: Option<String>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks with a reference"
)]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[derive(Serialize, Deserialize)]
struct ChangeFields {
    path: String,
    before: StateFields,
    after: StateFields,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "camelCase")]
enum StateFields {
    Absent,
    Content {
        hash: String,
        bytes: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mode: Option<u32>,
    },
    Link {
        target: String,
    },
    Unknown {
        #[serde(default)]
        why: String,
    },
}

impl From<StateFields> for FileState {
    fn from(state: StateFields) -> Self {
        match state {
            StateFields::Absent => Self::Absent,
            StateFields::Content { hash, bytes, mode } => Self::Content { hash, bytes, mode },
            StateFields::Link { target } => Self::Link { target },
            StateFields::Unknown { why } => Self::Unknown { why },
        }
    }
}

impl From<&FileState> for StateFields {
    fn from(state: &FileState) -> Self {
        match state.clone() {
            FileState::Absent => Self::Absent,
            FileState::Content { hash, bytes, mode } => Self::Content { hash, bytes, mode },
            FileState::Link { target } => Self::Link { target },
            FileState::Unknown { why } => Self::Unknown { why },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written_and_unknown_ones_are_left_alone() {
        let content = FileState::Content {
            hash: "ab".repeat(32),
            bytes: 7,
            mode: Some(0o755),
        };
        let why = "larger than 10 MB".to_owned();
        let states = [
            FileState::Absent,
            content,
            FileState::Link {
                target: "../x".to_owned(),
            },
            FileState::Unknown { why },
        ];
        let changes = states.windows(2).map(|pair| FileChange {
            path: "/w/漢 \"字\"".to_owned(),
            before: pair[0].clone(),
            after: pair[1].clone(),
        });
        let record = FileRecord {
            cause: FileCause::Rewind {
                from: Some(EntryId::new("a")),
                undoes: None,
            },
            jobs: vec![2, 5],
            changes: changes.collect(),
            unlisted: 3,
            unseen: Some("too large".to_owned()),
        };
        let (custom_type, data) = write(&record);
        assert_eq!(read(custom_type, &data.to_string()), Some(record.clone()));
        for cause in [
            FileCause::Tool,
            FileCause::Command,
            FileCause::UserCommand,
            FileCause::Job,
        ] {
            let record = FileRecord {
                cause,
                ..record.clone()
            };
            let (custom_type, data) = write(&record);
            assert_eq!(read(custom_type, &data.to_string()), Some(record));
        }
        assert_eq!(read(custom_type, r#"{"cause":"later","changes":[]}"#), None);
        assert_eq!(read("plimsoll.prune", &data.to_string()), None);
    }
}
