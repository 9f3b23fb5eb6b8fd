//! goose: `SQLite`. What the person sees and what the model sees are flags of each row; a
//! compaction hides the rows before it from the model.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use crate::foreign::conversation::{ForeignSession, SessionDraft, SourcePlace};
use crate::foreign::database::{self, ForeignDatabase};
use crate::foreign::entry_tree::CompactionFacts;
use crate::foreign::parts::{self, ImageShelf};
use crate::foreign::program::ForeignProgram;
use crate::foreign::source::{self, SourceError};
use crate::transcript::{
    AssistantMessage, AssistantPart, EntryBody, EntryId, Message, Part, StopReason, Timestamp,
    ToolResult, is_server_summary,
};

/// The type of what the program injected.
const INJECTED: &str = "goose.injected";
/// What is read of a session's row.
const SESSION_COLUMNS: [&str; 9] = [
    "id",
    "name",
    "description",
    "working_dir",
    "created_at",
    "provider_name",
    "model_config_json",
    "parent_session_id",
    "session_type",
];
/// What is read of a message's row.
const MESSAGE_COLUMNS: [&str; 6] = [
    "id",
    "message_id",
    "role",
    "content_json",
    "created_timestamp",
    "metadata_json",
];

/// Reads a session, the newest when none is named, and its sub-agents.
pub(in crate::foreign) fn read(
    path: &Path,
    which: Option<&str>,
) -> Result<ForeignSession, SourceError> {
    database::read_with(ForeignProgram::Goose, path, which, read_session)
}

/// Reads several sessions.
pub(in crate::foreign) fn read_each(
    path: &Path,
    sessions: &[String],
    visit: &mut dyn FnMut(Result<ForeignSession, SourceError>),
) {
    database::read_each_with(path, sessions, read_session, visit);
}

fn read_session(
    database: &ForeignDatabase,
    session: &str,
    depth: usize,
) -> Result<ForeignSession, SourceError> {
    let head = database.session_row("sessions", &SESSION_COLUMNS, session)?;
    let head = head.ok_or_else(|| database.no_session(session))?;
    let mut draft = SessionDraft::new(source::origin(
        ForeignProgram::Goose,
        "flags",
        &database.path,
    ));
    session.clone_into(&mut draft.origin.session);
    let at = parts::written_time(head.text("created_at"));
    draft.note_facts(at, Some(head.text("working_dir")), None);
    let version = database.rows("schema_version", &["version"], None, "version DESC")?;
    let version = version
        .first()
        .map(|it| format!("schema {}", it.number("version")));
    draft.note_facts(Timestamp(0), None, version.as_deref());
    let title = [head.text("name"), head.text("description")];
    draft.title = title
        .into_iter()
        .find(|it| !it.is_empty())
        .map(str::to_owned);
    draft.parent = head.some_text("parent_session_id");
    let config = head.json("model_config_json").unwrap_or(Value::Null);
    let model = parts::text(&config, "model_name").to_owned();
    let provider = head.text("provider_name").to_owned();
    let filter = Some(("session_id", session));
    let rows = database.rows("messages", &MESSAGE_COLUMNS, filter, "id")?;
    draft.origin.records = rows.len() as u64;
    let mut assembly = GooseAssembly {
        draft: &mut draft,
        shelf: ImageShelf::default(),
        leaf: None,
        names: HashMap::new(),
        seen_by_model: HashSet::new(),
        provider,
        model,
        is_after_summary: false,
    };
    let read: Vec<GooseRow> = rows.iter().filter_map(|row| assembly.row(row)).collect();
    let last_boundary = read.iter().rposition(GooseRow::is_boundary);
    for (at, row) in read.iter().enumerate() {
        let is_before = last_boundary.is_some_and(|boundary| at < boundary);
        assembly.place(row, is_before);
    }
    let leaf = assembly.leaf;
    let mut children = Vec::new();
    if depth > 1 {
        for id in database.children_of("sessions", "parent_session_id", session)? {
            children.push(read_session(database, &id, depth - 1)?);
        }
    }
    Ok(draft.finish(leaf, children))
}

struct GooseRow {
    id: String,
    is_user: bool,
    content: Vec<Value>,
    at: Timestamp,
    for_user: bool,
    for_model: bool,
}

impl GooseRow {
    /// A summary: the person never saw it. One that the model no longer sees is an older one.
    fn is_boundary(&self) -> bool {
        self.is_user && !self.for_user
    }

    /// A command of the program, or what it says of one: it never was for the model.
    fn is_for_screen(&self) -> bool {
        let is_note = |it: &Value| {
            matches!(
                parts::text(it, "type"),
                "systemNotification" | "toolConfirmationRequest"
            )
        };
        let is_command = |it: &Value| self.is_user && parts::text(it, "text").starts_with('/');
        !self.content.is_empty() && self.content.iter().all(|it| is_note(it) || is_command(it))
    }
}

struct GooseAssembly<'a> {
    draft: &'a mut SessionDraft,
    shelf: ImageShelf,
    leaf: Option<EntryId>,
    names: HashMap<String, String>,
    /// Entries that the model still sees.
    seen_by_model: HashSet<EntryId>,
    provider: String,
    model: String,
    is_after_summary: bool,
}

impl GooseAssembly<'_> {
    fn row(&mut self, row: &database::DatabaseRow) -> Option<GooseRow> {
        let id = match row.text("message_id") {
            "" => row.number("id").to_string(),
            id => id.to_owned(),
        };
        let content = match row.json("content_json") {
            Ok(Value::Array(content)) => content,
            Ok(_) => {
                self.draft
                    .lose(SourcePlace::Row(id), "its content is no list");
                return None;
            }
            Err(reason) => {
                self.draft.lose(SourcePlace::Row(id), reason);
                return None;
            }
        };
        let metadata = row.json("metadata_json").unwrap_or(Value::Null);
        let flag = |key: &str| metadata.get(key).and_then(Value::as_bool).unwrap_or(true);
        Some(GooseRow {
            id,
            is_user: row.text("role") == "user",
            content,
            at: parts::time_of_number(row.number("created_timestamp")),
            for_user: flag("userVisible"),
            for_model: flag("agentVisible"),
        })
    }

    fn add(&mut self, row: &GooseRow, suffix: &str, body: EntryBody) {
        let key = format!("{}{suffix}", row.id);
        let id = self.draft.tree.add(self.leaf.as_ref(), &key, row.at, body);
        if row.for_model {
            self.seen_by_model.insert(id.clone());
        }
        self.leaf = Some(id);
    }

    fn place(&mut self, row: &GooseRow, is_before_boundary: bool) {
        if row.is_for_screen() || !row.for_model && !is_before_boundary && !row.is_boundary() {
            return;
        }
        if row.is_boundary() {
            return self.boundary(row);
        }
        if !row.for_user {
            // The note that follows a summary.
            let content = self.texts(row);
            if row.for_model && self.is_after_summary && !parts::is_blank(&content) {
                self.add(row, "", parts::injected(INJECTED, content));
            }
            return;
        }
        self.is_after_summary = false;
        if row.is_user {
            self.user(row);
        } else {
            self.answer(row);
        }
    }

    fn boundary(&mut self, row: &GooseRow) {
        let summary = parts::joined_text(&self.texts(row));
        let path = self.draft.tree.path(self.leaf.as_ref());
        // Flags of an older compaction are gone: what it kept cannot be told.
        let kept = if row.for_model {
            self.seen_by_model.clone()
        } else {
            HashSet::new()
        };
        let part = self.draft.tree.kept_part(&path, &kept);
        let facts = CompactionFacts {
            summary,
            model: format!("{}/{}", self.provider, self.model),
            ..CompactionFacts::default()
        };
        let body = self.draft.tree.compaction(&path, &part, facts);
        self.add(row, "", body);
        self.is_after_summary = true;
    }

    /// Texts and images that the model has seen.
    fn shown(&mut self, content: &[Value], row: &str) -> Vec<Part> {
        let place = SourcePlace::Row(row.to_owned());
        let mut out = Vec::new();
        for item in content {
            let audience = item
                .get("annotations")
                .map_or(&[][..], |it| parts::list(it, "audience"));
            if !audience.is_empty() && !audience.iter().any(|it| it == "assistant") {
                continue;
            }
            match parts::text(item, "type") {
                "text" => out.push(Part::Text(parts::text(item, "text").to_owned())),
                "image" => {
                    let (data, mime) = (parts::text(item, "data"), parts::text(item, "mimeType"));
                    out.push(self.shelf.part(data, mime, None, &place, self.draft));
                }
                "resource" => {
                    let inner = item.get("resource").unwrap_or(&Value::Null);
                    out.push(Part::Text(parts::text(inner, "text").to_owned()));
                }
                _ => {}
            }
        }
        out
    }

    fn texts(&mut self, row: &GooseRow) -> Vec<Part> {
        self.shown(&row.content, &row.id)
    }

    fn user(&mut self, row: &GooseRow) {
        for item in &row.content {
            if parts::text(item, "type") == "toolResponse" {
                self.result(row, item);
            }
        }
        let typed = self.texts(row);
        if !parts::is_blank(&typed) {
            self.add(row, "", parts::typed(typed));
        }
    }

    fn result(&mut self, row: &GooseRow, item: &Value) {
        let call = parts::text(item, "id").to_owned();
        let Some(name) = self.names.get(&call).cloned() else {
            let reason = format!("a result of the call {call:?}, which the conversation lacks");
            return self.draft.lose(SourcePlace::Row(row.id.clone()), reason);
        };
        let said = item.get("toolResult").unwrap_or(&Value::Null);
        let value = said.get("value").unwrap_or(&Value::Null);
        let list = value
            .as_array()
            .map_or_else(|| parts::list(value, "content"), Vec::as_slice);
        let mut content = self.shown(list, &row.id);
        let has_failed = parts::text(said, "status") == "error";
        if has_failed {
            content.push(Part::Text(parts::text(said, "error").to_owned()));
        }
        let body = parts::result(ToolResult {
            tool_name: name,
            content,
            is_error: has_failed || parts::flag(value, "isError"),
            details: None,
            call_id: call.clone(),
        });
        self.add(row, &format!("/{call}"), body);
    }

    fn answer(&mut self, row: &GooseRow) {
        let mut content = Vec::new();
        let mut error = None;
        for item in &row.content {
            let text = |key: &str| parts::text(item, key).to_owned();
            match parts::text(item, "type") {
                "text" => content.push(AssistantPart::Text(text("text"))),
                "thinking" => content.push(AssistantPart::Thinking {
                    text: text("thinking"),
                    signature: Some(text("signature")).filter(|it| !it.is_empty()),
                }),
                "redactedThinking" if !is_server_summary(parts::text(item, "data")) => {
                    content.push(AssistantPart::RedactedThinking { data: text("data") });
                }
                "toolRequest" | "frontendToolRequest" => {
                    let id = text("id");
                    let said = item.get("toolCall").unwrap_or(&Value::Null);
                    let value = said.get("value").unwrap_or(&Value::Null);
                    let name = parts::text(value, "name");
                    let arguments = value.get("arguments").or_else(|| said.get("error"));
                    self.names.insert(id.clone(), name.to_owned());
                    content.push(parts::call(&id, name, arguments));
                }
                "error" => error = Some(text("message")),
                "systemNotification" | "toolConfirmationRequest" | "image" => {}
                other => {
                    let place = SourcePlace::Row(row.id.clone());
                    self.draft.meet_unknown(&format!("content/{other}"), place);
                }
            }
        }
        if content.is_empty() && error.is_none() {
            return;
        }
        let has_calls = content
            .iter()
            .any(|it| matches!(it, AssistantPart::ToolCall(_)));
        let message = AssistantMessage {
            content,
            provider: self.provider.clone(),
            model: self.model.clone(),
            stop: match (&error, has_calls) {
                (Some(_), _) => StopReason::Error,
                (None, true) => StopReason::ToolUse,
                (None, false) => StopReason::Stop,
            },
            error,
            ..AssistantMessage::default()
        };
        self.add(
            row,
            "",
            EntryBody::Message(Arc::new(Message::Assistant(message))),
        );
    }
}
