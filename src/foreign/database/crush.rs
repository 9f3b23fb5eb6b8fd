//! crush: `SQLite`, one database per project. A summary is a message; all before it has left
//! the window.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use crate::foreign::conversation::{ForeignSession, SessionDraft, SourcePlace};
use crate::foreign::database::{self, DatabaseRow, ForeignDatabase};
use crate::foreign::entry_tree::{CompactionFacts, KeptPart};
use crate::foreign::parts::{self, ImageShelf};
use crate::foreign::program::ForeignProgram;
use crate::foreign::source::{self, SourceError};
use crate::transcript::{
    AssistantMessage, AssistantPart, BashExecution, EntryBody, EntryId, Message, Part, StopReason,
    ToolResult,
};

/// The type of what the program injected.
const INJECTED: &str = "crush.injected";
/// Lists of projects are shorter.
const MAX_LIST_BYTES: u64 = 4 * 1024 * 1024;

/// Reads a session, the newest when none is named, and its sub-agents.
pub(in crate::foreign) fn read(
    path: &Path,
    which: Option<&str>,
) -> Result<ForeignSession, SourceError> {
    database::read_with(ForeignProgram::Crush, path, which, read_session)
}

/// Reads several sessions.
pub(in crate::foreign) fn read_each(
    path: &Path,
    sessions: &[String],
    visit: &mut dyn FnMut(Result<ForeignSession, SourceError>),
) {
    database::read_each_with(path, sessions, read_session, visit);
}

/// The project of a database: what a list of projects beside it says, else the folder above
/// `.crush`.
pub(in crate::foreign) fn directory_of(path: &Path) -> String {
    let data = path.parent().unwrap_or(Path::new("."));
    let above = data.parent().unwrap_or(data);
    let listed = || {
        let list = crate::disk::open::read_text(&above.join("projects.json"), MAX_LIST_BYTES);
        let list: Value = serde_json::from_str(&list.ok()?).ok()?;
        let projects = parts::list(&list, "projects");
        let is_this = |it: &&Value| Path::new(parts::text(it, "data_dir")) == data;
        let only = match projects {
            [only] => Some(only),
            _ => None,
        };
        let found = projects.iter().find(is_this).or(only)?;
        parts::some_text(found, "path")
    };
    listed().unwrap_or_else(|| above.display().to_string())
}

fn read_session(
    database: &ForeignDatabase,
    session: &str,
    depth: usize,
) -> Result<ForeignSession, SourceError> {
    let columns = ["id", "parent_session_id", "title", "created_at"];
    let head = database.session_row("sessions", &columns, session)?;
    let head = head.ok_or_else(|| database.no_session(session))?;
    let mut draft = SessionDraft::new(source::origin(
        ForeignProgram::Crush,
        "messages",
        &database.path,
    ));
    session.clone_into(&mut draft.origin.session);
    let at = parts::time_of_number(head.number("created_at"));
    draft.note_facts(at, Some(&directory_of(&database.path)), None);
    draft.title = head.some_text("title");
    draft.parent = head.some_text("parent_session_id");
    let columns = [
        "id",
        "role",
        "parts",
        "model",
        "provider",
        "is_summary_message",
        "created_at",
    ];
    let filter = Some(("session_id", session));
    // Times are whole seconds: many tie.
    let rows = database.rows("messages", &columns, filter, "created_at, rowid")?;
    draft.origin.records = rows.len() as u64;
    let mut assembly = CrushAssembly {
        draft: &mut draft,
        shelf: ImageShelf::default(),
        leaf: None,
        names: HashMap::new(),
    };
    for row in &rows {
        assembly.place(row);
    }
    let leaf = assembly.leaf;
    let mut children = Vec::new();
    if depth > 1 {
        let all = database.children_of("sessions", "parent_session_id", session)?;
        for id in all.iter().filter(|id| !id.starts_with("title-")) {
            children.push(read_session(database, id, depth - 1)?);
        }
    }
    Ok(draft.finish(leaf, children))
}

struct CrushAssembly<'a> {
    draft: &'a mut SessionDraft,
    shelf: ImageShelf,
    leaf: Option<EntryId>,
    names: HashMap<String, String>,
}

/// The parts of a row.
#[derive(Default)]
struct CrushParts {
    shown: Vec<Part>,
    answer: Vec<AssistantPart>,
    results: Vec<ToolResult>,
    runs: Vec<BashExecution>,
    stop: StopReason,
    error: Option<String>,
}

impl CrushAssembly<'_> {
    fn add(&mut self, row: &DatabaseRow, suffix: &str, body: EntryBody) {
        let at = parts::time_of_number(row.number("created_at"));
        let key = format!("{}{suffix}", row.text("id"));
        self.leaf = Some(self.draft.tree.add(self.leaf.as_ref(), &key, at, body));
    }

    fn place(&mut self, row: &DatabaseRow) {
        let place = SourcePlace::Row(row.text("id").to_owned());
        let list = match row.json("parts") {
            Ok(Value::Array(list)) => list,
            Ok(_) => return self.draft.lose(place, "its parts are no list"),
            Err(reason) => return self.draft.lose(place, reason),
        };
        let read = self.read(&list, &place);
        if row.number("is_summary_message") != 0 {
            return self.summary(row, &read);
        }
        match row.text("role") {
            "assistant" => self.answer(row, read),
            "user" => {
                for (number, run) in read.runs.into_iter().enumerate() {
                    let body = EntryBody::Message(Arc::new(Message::BashExecution(run)));
                    self.add(row, &format!("/run/{number}"), body);
                }
                if !parts::is_blank(&read.shown) {
                    self.add(row, "", parts::typed(read.shown));
                }
            }
            "tool" => self.results(row, read.results, &place),
            "system" => {
                if !parts::is_blank(&read.shown) {
                    self.add(row, "", parts::injected(INJECTED, read.shown));
                }
            }
            other => self.draft.meet_unknown(&format!("role/{other}"), place),
        }
    }

    fn read(&mut self, list: &[Value], place: &SourcePlace) -> CrushParts {
        let mut read = CrushParts::default();
        for part in list {
            let data = part.get("data").unwrap_or(&Value::Null);
            let text = |key: &str| parts::text(data, key).to_owned();
            match parts::text(part, "type") {
                "text" => {
                    read.shown.push(Part::Text(text("text")));
                    if !parts::text(data, "text").is_empty() {
                        read.answer.push(AssistantPart::Text(text("text")));
                    }
                }
                "reasoning" => read.answer.push(AssistantPart::Thinking {
                    text: text("thinking"),
                    signature: Some(text("signature")).filter(|it| !it.is_empty()),
                }),
                "image_url" => {
                    let url = parts::text(data, "url");
                    read.shown
                        .push(self.shelf.part_of_url(url, None, place, self.draft));
                }
                "binary" => {
                    let (base64, mime) = (parts::text(data, "Data"), parts::text(data, "MIMEType"));
                    let name = Some(parts::text(data, "Path")).filter(|it| !it.is_empty());
                    read.shown
                        .push(self.shelf.part(base64, mime, name, place, self.draft));
                }
                "tool_call" => {
                    self.names.insert(text("id"), text("name"));
                    read.answer
                        .push(parts::call(&text("id"), &text("name"), data.get("input")));
                }
                "tool_result" => {
                    let result = self.result(data, place);
                    read.results.push(result);
                }
                "shell_command" => read.runs.push(shell_command(data)),
                "finish" => (read.stop, read.error) = ending(data),
                other => self
                    .draft
                    .meet_unknown(&format!("part/{other}"), place.clone()),
            }
        }
        read
    }

    fn result(&mut self, data: &Value, place: &SourcePlace) -> ToolResult {
        let text = |key: &str| parts::text(data, key).to_owned();
        let mut content = vec![Part::Text(text("content"))];
        let (base64, mime) = (parts::text(data, "data"), parts::text(data, "mime_type"));
        if !base64.is_empty() {
            content.push(self.shelf.part(base64, mime, None, place, self.draft));
        }
        ToolResult {
            call_id: text("tool_call_id"),
            tool_name: text("name"),
            content,
            is_error: parts::flag(data, "is_error"),
            details: None,
        }
    }

    fn summary(&mut self, row: &DatabaseRow, read: &CrushParts) {
        let path = self.draft.tree.path(self.leaf.as_ref());
        let facts = CompactionFacts {
            summary: parts::joined_text(&read.shown),
            model: format!("{}/{}", row.text("provider"), row.text("model")),
            ..CompactionFacts::default()
        };
        let body = self
            .draft
            .tree
            .compaction(&path, &KeptPart::default(), facts);
        self.add(row, "", body);
    }

    fn answer(&mut self, row: &DatabaseRow, read: CrushParts) {
        if read.answer.is_empty() && read.error.is_none() {
            return;
        }
        let has_calls = read
            .answer
            .iter()
            .any(|it| matches!(it, AssistantPart::ToolCall(_)));
        let stop = match read.stop {
            StopReason::Stop if has_calls => StopReason::ToolUse,
            stop => stop,
        };
        let message = AssistantMessage {
            content: read.answer,
            provider: row.text("provider").to_owned(),
            model: row.text("model").to_owned(),
            stop,
            error: read.error,
            ..AssistantMessage::default()
        };
        self.add(
            row,
            "",
            EntryBody::Message(Arc::new(Message::Assistant(message))),
        );
    }

    fn results(&mut self, row: &DatabaseRow, results: Vec<ToolResult>, place: &SourcePlace) {
        for result in results {
            if !self.names.contains_key(&result.call_id) {
                let call = &result.call_id;
                let reason = format!("a result of the call {call:?}, which the conversation lacks");
                self.draft.lose(place.clone(), reason);
                continue;
            }
            let suffix = format!("/{}", result.call_id);
            self.add(row, &suffix, parts::result(result));
        }
    }
}

/// A command that the person ran.
fn shell_command(data: &Value) -> BashExecution {
    let code = data.get("exit_code").and_then(Value::as_i64);
    BashExecution {
        command: parts::text(data, "command").to_owned(),
        output: parts::text(data, "output").to_owned(),
        exit_code: code.and_then(|code| i32::try_from(code).ok()),
        ..BashExecution::default()
    }
}

/// How an answer ended.
fn ending(data: &Value) -> (StopReason, Option<String>) {
    let message = parts::some_text(data, "message");
    match parts::text(data, "reason") {
        "max_tokens" => (StopReason::Length, None),
        "canceled" => (StopReason::Aborted, message),
        "error" => (StopReason::Error, message),
        "content_filter" => (StopReason::Refusal, None),
        _ => (StopReason::Stop, None),
    }
}
