//! Which program wrote a file: by what it holds, not by its name.

use std::path::Path;

use serde_json::Value;

use super::database;
use super::program::ForeignProgram;
use super::source::{self, SourceError};

/// How much of a file is looked at, in bytes.
const PROBE_BYTES: u64 = 64 * 1024;
/// How `SQLite` files begin.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// Judges a file by its beginning; `None` when it is of no program known here.
pub(super) fn recognise(path: &Path) -> Result<Option<ForeignProgram>, SourceError> {
    let probe = source::beginning(path, PROBE_BYTES)?;
    if probe.starts_with(SQLITE) {
        return database::recognise(path);
    }
    let text = String::from_utf8_lossy(&probe);
    let text = text.trim_start_matches('\u{feff}');
    Ok(of_text(text, path))
}

fn of_text(text: &str, path: &Path) -> Option<ForeignProgram> {
    let first = source::json_objects(text).next();
    // One of ours, whatever is talked about in it.
    if first.is_some_and(|it| it.get("type").is_some_and(|kind| kind == "session")) {
        return None;
    }
    let whole = source::json_objects(text).find_map(|object| of_object(&object));
    whole.or_else(|| {
        let is_markdown = path.extension().is_some_and(|it| it == "md");
        let opens = text
            .lines()
            .any(|it| it.starts_with("# aider chat started at "));
        if opens || is_markdown && text.lines().any(|it| it.starts_with("#### ")) {
            return Some(ForeignProgram::Aider);
        }
        // A first object that is longer than what is looked at.
        let begins = |word: &str| text.contains(word);
        if begins("\"session_meta\"") && begins("\"payload\"") {
            Some(ForeignProgram::Codex)
        } else if begins("\"projectHash\"") {
            Some(ForeignProgram::GeminiCli)
        } else if begins("\"parentUuid\"") && begins("\"parts\"") {
            Some(ForeignProgram::QwenCode)
        } else if begins("\"parentUuid\"") {
            Some(ForeignProgram::ClaudeCode)
        } else if begins("\"info\"") && begins("\"ses_") {
            Some(ForeignProgram::OpenCode)
        } else if begins("\"system_prompt\"") && begins("\"messages\"") {
            Some(ForeignProgram::Cline)
        } else {
            None
        }
    })
}

fn of_object(object: &Value) -> Option<ForeignProgram> {
    let has = |key: &str| object.get(key).is_some();
    let is_text = |key: &str| object.get(key).is_some_and(Value::is_string);
    if has("payload") && is_text("type") {
        return Some(ForeignProgram::Codex);
    }
    if is_text("sessionId") && has("projectHash") {
        return Some(ForeignProgram::GeminiCli);
    }
    if is_text("uuid") && is_text("sessionId") {
        let message = object.get("message");
        let is_qwen = has("provenance") || message.is_some_and(|it| it.get("parts").is_some());
        return Some(if is_qwen {
            ForeignProgram::QwenCode
        } else {
            ForeignProgram::ClaudeCode
        });
    }
    if has("system_prompt") && has("messages") {
        return Some(ForeignProgram::Cline);
    }
    let info = object.get("info").and_then(|it| it.get("id")?.as_str());
    if has("messages") && info.is_some_and(|id| id.starts_with("ses_")) {
        return Some(ForeignProgram::OpenCode);
    }
    let is_claude = matches!(
        object.get("type").and_then(Value::as_str),
        Some("file-history-snapshot" | "custom-title" | "ai-title" | "last-prompt")
    );
    (is_claude || is_text("type") && is_text("leafUuid")).then_some(ForeignProgram::ClaudeCode)
}
