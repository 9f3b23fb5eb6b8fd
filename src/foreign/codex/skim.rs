//! Large rollouts: nine tenths of them are histories that compactions repeat, and events for the
//! screen. Which record a line holds is seen at its beginning; what does not count is not parsed.

use std::borrow::Cow;
use std::io::{self, BufRead, Read as _};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::foreign::source::{self, SourceError};

/// Larger files are skimmed; of smaller ones everything is read.
const LARGE_BYTES: u64 = 48 * 1024 * 1024;
/// Bytes of a line that tell what it is.
const HEAD_BYTES: usize = 240;
/// Events that change the conversation; all others are for the screen.
const EVENTS: [&str; 7] = [
    "\"task_started\"",
    "\"task_complete\"",
    "\"turn_aborted\"",
    "\"token_count\"",
    "\"thread_rolled_back\"",
    "\"item_completed\"",
    "\"exec_command_end\"",
];

/// How a large file is read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Skim {
    /// Whether anything is skipped at all.
    is_on: bool,
    /// The line of the newest compaction, counted from 1.
    newest_compaction: usize,
}

/// What a line is worth.
pub(super) enum LineWorth {
    /// All of it.
    Whole,
    /// Nothing: it repeats for the screen what other records hold.
    Nothing,
    /// A compaction that a newer one replaced: its summary, and of the history that it repeats
    /// what tells which messages stayed.
    Older(Value),
}

impl Skim {
    /// Finds the newest compaction of a large file.
    pub(super) fn of(path: &Path) -> Result<Self, SourceError> {
        let is_large = path.metadata().is_ok_and(|it| it.len() > LARGE_BYTES);
        if !is_large {
            return Ok(Self::default());
        }
        let newest = newest_compaction(path).map_err(SourceError::io(path))?;
        Ok(Self {
            is_on: true,
            newest_compaction: newest,
        })
    }

    pub(super) fn worth(self, text: &str, line: usize) -> LineWorth {
        if !self.is_on {
            return LineWorth::Whole;
        }
        let head = head_of(text.as_bytes());
        if is_of(&head, "compacted") && line < self.newest_compaction {
            return older(text).map_or(LineWorth::Whole, LineWorth::Older);
        }
        let is_event = is_of(&head, "event_msg") && !EVENTS.iter().any(|it| head.contains(it));
        if is_event || is_of(&head, "world_state") {
            return LineWorth::Nothing;
        }
        LineWorth::Whole
    }
}

/// Whether the beginning of a line says that its record is of a type.
fn is_of(head: &str, kind: &str) -> bool {
    head.contains(&format!("\"type\":\"{kind}\""))
}

fn head_of(line: &[u8]) -> String {
    let head = line.get(..HEAD_BYTES).unwrap_or(line);
    String::from_utf8_lossy(head).replace("\": \"", "\":\"")
}

/// The line of the newest compaction, by the beginnings of the lines; 0 when there is none.
fn newest_compaction(path: &Path) -> io::Result<usize> {
    let mut reader = source::lines_of(path)?;
    let (mut line, mut newest) = (0, 0);
    let mut head = Vec::with_capacity(HEAD_BYTES);
    loop {
        head.clear();
        let taken = (&mut reader)
            .take(HEAD_BYTES as u64)
            .read_until(b'\n', &mut head)?;
        if taken == 0 {
            return Ok(newest);
        }
        line += 1;
        if !head.ends_with(b"\n") {
            reader.skip_until(b'\n')?;
        }
        if is_of(&head_of(&head), "compacted") {
            newest = line;
        }
    }
}

/// The record of an older compaction as it is read.
#[derive(Deserialize, Serialize)]
struct OlderRecord<'a> {
    timestamp: Option<Value>,
    ordinal: Option<u64>,
    #[serde(rename = "type", default)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    payload: OlderPayload<'a>,
}

#[derive(Deserialize, Serialize)]
struct OlderPayload<'a> {
    #[serde(borrow, default)]
    message: Cow<'a, str>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    replacement_history: Option<Vec<OlderItem<'a>>>,
}

/// What tells which message an item of a history is. Its images, which are most of it, are
/// with the message itself.
#[derive(Deserialize, Serialize)]
struct OlderItem<'a> {
    #[serde(borrow, default)]
    id: Option<Cow<'a, str>>,
    #[serde(rename = "type", borrow, default)]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    role: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    content: Option<Vec<OlderPart<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    internal_chat_message_metadata_passthrough: Option<Value>,
}

#[derive(Deserialize, Serialize)]
struct OlderPart<'a> {
    #[serde(rename = "type", borrow, default)]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    text: Option<Cow<'a, str>>,
    /// What stands for an image that no message of the path has.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    image_url: Option<&'static str>,
}

/// A compaction with as much of the history that it repeats as tells what it kept.
fn older(text: &str) -> Option<Value> {
    const IMAGE: &str = "an image that an older compaction repeats";
    let mut record: OlderRecord<'_> = serde_json::from_str(text).ok()?;
    let items = record.payload.replacement_history.iter_mut().flatten();
    for part in items.flat_map(|item| item.content.iter_mut().flatten()) {
        part.image_url = (part.kind == "input_image").then_some(IMAGE);
    }
    serde_json::to_value(record).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_file_is_read_from_its_newest_compaction() {
        let old = r#"{"timestamp":"t","type":"compacted","payload":{"message":"old","replacement_history":[{"type":"message","id":"m1","role":"user","content":[{"type":"input_image","image_url":"data:x"}],"x":[1]},{"type":"reasoning"}]}}"#;
        let new = r#"{"timestamp":"t","type":"compacted","payload":{"message":"new","replacement_history":[]}}"#;
        let delta = r#"{"timestamp":"t","type":"event_msg","payload":{"type":"agent_message","message":"x"}}"#;
        let usage = r#"{"timestamp":"t","type":"event_msg","payload":{"type":"token_count"}}"#;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rollout.jsonl");
        std::fs::write(&path, format!("{old}\n{delta}\n\n{new}\n{usage}\n")).unwrap();
        assert_eq!(newest_compaction(&path).unwrap(), 4);
        assert!(
            matches!(Skim::of(&path).unwrap().worth(old, 1), LineWorth::Whole),
            "small"
        );
        let skim = Skim {
            is_on: true,
            newest_compaction: 4,
        };
        let LineWorth::Older(record) = skim.worth(old, 1) else {
            panic!("an older compaction")
        };
        let payload = &record["payload"];
        assert_eq!(payload["message"], "old");
        let items = payload["replacement_history"].as_array().unwrap();
        assert_eq!((items.len(), &items[0]["id"]), (2, &Value::from("m1")));
        assert!(!record.to_string().contains("data:"), "{record}");
        let oldest = r#"{"type":"compacted","payload":{"message":"m"}}"#;
        let LineWorth::Older(record) = skim.worth(oldest, 1) else {
            panic!("an older compaction")
        };
        assert!(record["payload"].get("replacement_history").is_none());
        assert!(matches!(skim.worth(new, 4), LineWorth::Whole));
        assert!(matches!(skim.worth(delta, 2), LineWorth::Nothing));
        assert!(matches!(skim.worth(usage, 5), LineWorth::Whole));
    }
}
