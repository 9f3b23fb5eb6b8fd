//! gemini-cli: a log of messages and patches. A message with a known id replaces it, `$set`
//! changes facts or replaces the list, `$rewindTo` cuts it. A replaced list that begins with a
//! summary is a compression: what was held is before it, its known tail is kept.

mod assembly;
mod log;

use std::path::Path;

use serde_json::Value;

use self::assembly::GeminiAssembly;
use self::log::GeminiLog;
use super::conversation::{ForeignSession, SessionDraft, SourcePlace};
use super::parts;
use super::program::ForeignProgram;
use super::source::{self, SourceError, files_below};

/// Reads a chat and its sub-agents.
pub(super) fn read(path: &Path) -> Result<ForeignSession, SourceError> {
    read_chat(path, true)
}

fn read_chat(path: &Path, with_children: bool) -> Result<ForeignSession, SourceError> {
    let is_one_object = path.extension().is_some_and(|it| it == "json");
    let generation = if is_one_object { "object" } else { "patch-log" };
    let mut draft = SessionDraft::new(source::origin(ForeignProgram::GeminiCli, generation, path));
    let mut log = GeminiLog::default();
    if is_one_object {
        let (bytes, sha256) = source::whole(path)?;
        let text = String::from_utf8_lossy(&bytes);
        draft.origin.bytes = bytes.len() as u64;
        draft.origin.sha256 = sha256;
        match source::record::<Value>(&text) {
            Ok(object) => {
                GeminiLog::facts(&object, &mut draft);
                for (at, message) in parts::list(&object, "messages").iter().enumerate() {
                    log.message(message.clone(), at + 1, &mut draft);
                }
            }
            Err(reason) => draft.lose(SourcePlace::Whole, reason),
        }
    } else {
        let read = source::each_line(path, |line| {
            let value: Value = source::record(line.text)?;
            log.line(value, line.number, &mut draft);
            Ok(())
        })?;
        read.account(&mut draft);
    }
    if draft.cwd.is_empty() {
        draft.cwd = directory_of(path).unwrap_or_default();
    }
    let leaf = GeminiAssembly::new(&mut draft, &log).run();
    let mut children = Vec::new();
    let session = draft.origin.session.clone();
    let is_plain = !session.is_empty() && !session.contains(['/', '\\', '\0', '.']);
    if with_children
        && is_plain
        && let Some(folder) = path.parent()
    {
        for file in files_below(&folder.join(&session), 1) {
            match read_chat(&file, false) {
                Ok(mut child) => {
                    child.parent = Some(session.clone());
                    children.push(child);
                }
                Err(error) => draft.lose(SourcePlace::Whole, format!("a sub-agent: {error}")),
            }
        }
    }
    Ok(draft.finish(leaf, children))
}

/// Whether a file holds nothing but what the program writes at its start.
pub(super) fn is_start(path: &Path) -> bool {
    /// A longer one holds more.
    const MAX_BYTES: u64 = 64 * 1024;
    if path.metadata().is_ok_and(|it| it.len() >= MAX_BYTES) {
        return false;
    }
    let Ok(head) = source::beginning(path, MAX_BYTES) else {
        return false;
    };
    let head = String::from_utf8_lossy(&head);
    let mut lines = head.lines().filter(|line| !line.trim().is_empty());
    lines.all(|line| {
        let Ok(record) = serde_json::from_str::<Value>(line) else {
            return false;
        };
        let set = record.get("$set").unwrap_or(&record);
        let is_message = |it: &Value| it.get("content").is_some();
        let mut messages = parts::list(set, "messages")
            .iter()
            .chain(std::iter::once(&record))
            .filter(|it| is_message(it));
        messages.all(|it| it["content"].to_string().contains("<session_context>"))
            && record.get("type").is_none_or(|kind| kind == "user")
    })
}

/// The directory of the project that a chat belongs to: the file does not say it.
pub(super) fn directory_of(path: &Path) -> Option<String> {
    /// Such files hold a path.
    const MAX_BYTES: u64 = 1024 * 1024;
    let project = path
        .ancestors()
        .find(|it| it.file_name().is_some_and(|it| it == "chats"))?;
    let project = project.parent()?;
    let root = crate::disk::open::read_text(&project.join(".project_root"), MAX_BYTES);
    let root = root
        .ok()
        .map(|it| it.trim().to_owned())
        .filter(|it| !it.is_empty());
    root.or_else(|| {
        let name = project.file_name()?.to_str()?;
        let list = project.parent()?.parent()?.join("projects.json");
        let list = crate::disk::open::read_text(&list, MAX_BYTES).ok()?;
        let list: Value = serde_json::from_str(&list).ok()?;
        let projects = list.get("projects")?.as_object()?;
        let found = projects.iter().find(|(_, it)| it.as_str() == Some(name))?;
        Some(found.0.clone())
    })
}
