//! The first line of a session file. Lenient in reading, exact in writing.

use serde::Deserialize;
use serde_json::json;

use super::record::RecordTime;
use super::time;
use crate::transcript::Timestamp;

/// Who, where and when a session began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The session's id.
    pub id: String,
    /// When it began.
    pub timestamp: Timestamp,
    /// The working directory.
    pub cwd: String,
    /// The file of the session this one was forked from.
    pub parent_session: Option<String>,
    /// Version of the format in the file; new files get [`Header::VERSION`].
    pub version: u32,
    /// `(provider, model)` at the start, in version 1 only.
    pub(super) legacy_model: Option<(String, String)>,
    /// Reasoning level at the start, in version 1 only.
    pub(super) legacy_thinking: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct HeaderRecord {
    #[serde(rename = "type")]
    kind: String,
    version: Option<u32>,
    id: String,
    timestamp: Option<RecordTime>,
    cwd: Option<String>,
    parent_session: Option<String>,
    branched_from: Option<String>,
    provider: Option<String>,
    model_id: Option<String>,
    thinking_level: Option<String>,
}

impl Header {
    /// The version that is written.
    pub const VERSION: u32 = 3;

    /// The header of a new session.
    pub fn new(id: impl Into<String>, timestamp: Timestamp, cwd: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            timestamp,
            cwd: cwd.into(),
            version: Self::VERSION,
            ..Self::default()
        }
    }

    /// Reads a first line; `None` when it is not a session header.
    pub(super) fn from_line(line: &str) -> Option<Self> {
        let record: HeaderRecord = serde_json::from_str(line).ok()?;
        (record.kind == "session").then(|| Self {
            id: record.id,
            timestamp: record
                .timestamp
                .and_then(RecordTime::get)
                .unwrap_or_default(),
            cwd: record.cwd.unwrap_or_default(),
            parent_session: record.parent_session.or(record.branched_from),
            version: record.version.unwrap_or(1),
            legacy_model: record.provider.zip(record.model_id),
            legacy_thinking: record.thinking_level,
        })
    }

    /// The line, without a line end.
    pub(super) fn to_line(&self) -> String {
        let mut value = json!({
            "type": "session",
            "version": Self::VERSION,
            "id": self.id,
            "timestamp": time::to_rfc3339(self.timestamp),
            "cwd": self.cwd,
        });
        if let (Some(parent), Some(object)) = (&self.parent_session, value.as_object_mut()) {
            object.insert("parentSession".to_owned(), json!(parent));
        }
        value.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_header_reads_back() {
        let mut header = Header::new("s1", Timestamp(1_795_222_163_267), "/w");
        header.parent_session = Some("/p.jsonl".to_owned());
        assert_eq!(
            header.to_line(),
            r#"{"type":"session","version":3,"id":"s1","timestamp":"2026-11-21T00:49:23.267Z","cwd":"/w","parentSession":"/p.jsonl"}"#
        );
        assert_eq!(Header::from_line(&header.to_line()), Some(header));
    }

    #[test]
    fn what_is_no_header_is_refused() {
        for line in [
            "",
            "{}",
            "[]",
            r#"{"type":"message","id":"a"}"#,
            r#"{"type":"session"}"#,
        ] {
            assert_eq!(Header::from_line(line), None, "{line}");
        }
    }
}
