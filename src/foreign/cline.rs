//! cline: one JSON object per session, rewritten whole, with blocks of the Anthropic API.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::conversation::{ForeignSession, SessionDraft, SourcePlace};
use super::parts::{self, ImageShelf};
use super::program::ForeignProgram;
use super::source::{self, SourceError};
use crate::transcript::{
    AssistantMessage, AssistantPart, EntryBody, EntryId, Message, Part, StopReason, ToolResult,
    is_server_summary,
};

/// The type of what the program injected.
const INJECTED: &str = "cline.injected";
/// How texts begin that the program put into the user's role.
const INJECTED_BEGINNINGS: [&str; 4] = [
    "<environment_details>",
    "<explicit_instructions",
    "[TASK RESUMPTION]",
    "<file_content",
];

/// Reads a session: an object with `messages`, or the list of them.
pub(super) fn read(path: &Path) -> Result<ForeignSession, SourceError> {
    let (bytes, sha256) = source::whole(path)?;
    let text = String::from_utf8_lossy(&bytes);
    let origin = source::origin(ForeignProgram::Cline, "messages", path);
    let mut draft = SessionDraft::new(origin);
    draft.origin.bytes = bytes.len() as u64;
    draft.origin.sha256 = sha256;
    let document: Value = match serde_json::from_str(text.trim_start_matches('\u{feff}')) {
        Ok(document) => document,
        Err(error) => {
            draft.lose(SourcePlace::Line(error.line()), error.to_string());
            return Ok(draft.finish(None, Vec::new()));
        }
    };
    draft.origin.session = match parts::text(&document, "sessionId") {
        "" => path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        id => id.to_owned(),
    };
    let version = document
        .get("version")
        .map(|it| it.to_string().trim_matches('"').to_owned());
    draft.origin.version = version;
    let messages = document
        .as_array()
        .map_or_else(|| parts::list(&document, "messages"), Vec::as_slice);
    draft.origin.records = messages.len() as u64;
    let mut assembly = ClineAssembly {
        draft: &mut draft,
        shelf: ImageShelf::default(),
        leaf: None,
        names: HashMap::new(),
    };
    for (number, message) in messages.iter().enumerate() {
        assembly.place(message, number + 1);
    }
    let leaf = assembly.leaf;
    Ok(draft.finish(leaf, Vec::new()))
}

struct ClineAssembly<'a> {
    draft: &'a mut SessionDraft,
    shelf: ImageShelf,
    leaf: Option<EntryId>,
    names: HashMap<String, String>,
}

impl ClineAssembly<'_> {
    fn add(&mut self, message: &Value, key: &str, body: EntryBody) {
        let at = parts::time(message.get("ts"));
        self.draft.note_facts(at, None, None);
        self.leaf = Some(self.draft.tree.add(self.leaf.as_ref(), key, at, body));
    }

    fn place(&mut self, message: &Value, number: usize) {
        let place = SourcePlace::Row(number.to_string());
        match parts::text(message, "role") {
            "user" => self.user(message, number, &place),
            "assistant" => self.answer(message, number, &place),
            other => self.draft.meet_unknown(&format!("role/{other}"), place),
        }
    }

    fn user(&mut self, message: &Value, number: usize, place: &SourcePlace) {
        let content = message.get("content").unwrap_or(&Value::Null);
        for block in parts::list(message, "content") {
            if parts::text(block, "type") == "tool_result" {
                self.result(message, block, number, place);
            }
        }
        let (mut typed, mut injected) = (Vec::new(), Vec::new());
        for part in parts::anthropic_parts(content, &mut self.shelf, place, self.draft) {
            match part {
                Part::Text(text) => {
                    let begins = text.trim_start();
                    if INJECTED_BEGINNINGS.iter().any(|it| begins.starts_with(it)) {
                        injected.push(Part::Text(text));
                    } else {
                        typed.push(Part::Text(without_envelope(&text).to_owned()));
                    }
                }
                image @ Part::Image(_) => typed.push(image),
            }
        }
        if !parts::is_blank(&typed) {
            self.add(message, &format!("{number}"), parts::typed(typed));
        }
        if !parts::is_blank(&injected) {
            let body = parts::injected(INJECTED, injected);
            self.add(message, &format!("{number}/injected"), body);
        }
    }

    fn result(&mut self, message: &Value, block: &Value, number: usize, place: &SourcePlace) {
        let call = parts::text(block, "tool_use_id").to_owned();
        let Some(name) = self.names.get(&call).cloned() else {
            let reason = format!("a result of the call {call:?}, which the conversation lacks");
            return self.draft.lose(place.clone(), reason);
        };
        let held = block.get("content").unwrap_or(&Value::Null);
        let content = parts::anthropic_parts(held, &mut self.shelf, place, self.draft);
        let key = format!("{number}/{call}");
        let body = parts::result(ToolResult {
            call_id: call,
            tool_name: name,
            content,
            is_error: parts::flag(block, "is_error"),
            details: None,
        });
        self.add(message, &key, body);
    }

    fn answer(&mut self, message: &Value, number: usize, place: &SourcePlace) {
        let mut content = Vec::new();
        match message.get("content") {
            Some(Value::String(text)) => content.push(AssistantPart::Text(text.clone())),
            _ => {
                for block in parts::list(message, "content") {
                    match parts::anthropic_answer_part(block) {
                        Some(AssistantPart::RedactedThinking { data })
                            if is_server_summary(&data) => {}
                        Some(part) => content.push(part),
                        None => {
                            let kind = parts::text(block, "type");
                            let reason = format!("a block of the unknown type {kind:?}");
                            self.draft.lose(place.clone(), reason);
                        }
                    }
                }
            }
        }
        if content.is_empty() {
            return;
        }
        let mut has_calls = false;
        for part in &content {
            if let AssistantPart::ToolCall(call) = part {
                has_calls = true;
                self.names.insert(call.id.clone(), call.name.clone());
            }
        }
        let model = message.get("modelInfo").unwrap_or(&Value::Null);
        let either = |a: &str, b: &str| match parts::text(model, a) {
            "" => parts::text(model, b).to_owned(),
            found => found.to_owned(),
        };
        let answer = AssistantMessage {
            content,
            provider: either("providerId", "provider"),
            model: either("modelId", "id"),
            stop: if has_calls {
                StopReason::ToolUse
            } else {
                StopReason::Stop
            },
            ..AssistantMessage::default()
        };
        let body = EntryBody::Message(Arc::new(Message::Assistant(answer)));
        self.add(message, &format!("{number}"), body);
    }
}

/// The text inside `<task>`.
fn without_envelope(text: &str) -> &str {
    let trimmed = text.trim();
    let inside = trimmed
        .strip_prefix("<task>")
        .and_then(|it| it.strip_suffix("</task>"));
    inside.map_or(text, str::trim)
}
