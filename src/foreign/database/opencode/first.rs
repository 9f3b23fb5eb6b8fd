//! The first generation: `message` and `part`. A call and its result are one part.

use std::collections::HashMap;

use serde_json::Value;

use super::frames::{self, Assembly, ToolOutcome, ToolUse};
use crate::foreign::conversation::SourcePlace;
use crate::foreign::database::ForeignDatabase;
use crate::foreign::entry_tree::CompactionFacts;
use crate::foreign::parts;
use crate::foreign::source::SourceError;
use crate::transcript::{AssistantMessage, Part};

/// Parts without content for the model.
const QUIET: [&str; 6] = [
    "step-start",
    "step-finish",
    "snapshot",
    "patch",
    "agent",
    "retry",
];

/// A message with its parts, each with its row's id.
struct FirstMessage {
    id: String,
    data: Value,
    parts: Vec<(String, Value)>,
}

/// A compaction that was asked for and not written yet.
#[derive(Default)]
struct OpenCompaction {
    is_auto: bool,
    tail: String,
}

/// Reads the messages of a session.
pub(super) fn read(
    database: &ForeignDatabase,
    session: &str,
    assembly: &mut Assembly<'_>,
) -> Result<(), SourceError> {
    let filter = Some(("session_id", session));
    let columns = ["id", "message_id", "data"];
    let mut of_message: HashMap<String, Vec<(String, Value)>> = HashMap::new();
    for row in database.rows("part", &columns, filter, "id")? {
        let id = row.text("id").to_owned();
        match row.json("data") {
            Ok(data) => {
                of_message
                    .entry(row.text("message_id").to_owned())
                    .or_default()
                    .push((id, data));
            }
            Err(reason) => assembly.draft.lose(SourcePlace::Row(id), reason),
        }
    }
    let mut open = None;
    let columns = ["id", "data", "time_created"];
    for row in database.rows("message", &columns, filter, "time_created, id")? {
        let id = row.text("id").to_owned();
        let at = parts::time_of_number(row.number("time_created"));
        let place = assembly.begin(&id, at);
        match row.json("data") {
            Ok(data) => {
                let parts = of_message.remove(&id).unwrap_or_default();
                message(&FirstMessage { id, data, parts }, assembly, &mut open);
            }
            Err(reason) => assembly.draft.lose(place, reason),
        }
    }
    Ok(())
}

/// Reads the messages of an export: the same objects, with their ids inside.
pub(super) fn read_export(messages: &[Value], assembly: &mut Assembly<'_>) {
    let mut open = None;
    for exported in messages {
        let info = exported.get("info").unwrap_or(&Value::Null);
        let id = parts::text(info, "id").to_owned();
        let created = info.get("time").and_then(|it| it.get("created"));
        assembly.begin(&id, parts::time(created));
        let parts = parts::list(exported, "parts").iter();
        let parts = parts.map(|part| (parts::text(part, "id").to_owned(), part.clone()));
        let read = FirstMessage {
            id,
            data: info.clone(),
            parts: parts.collect(),
        };
        message(&read, assembly, &mut open);
    }
}

fn message(message: &FirstMessage, assembly: &mut Assembly<'_>, open: &mut Option<OpenCompaction>) {
    match parts::text(&message.data, "role") {
        "user" => user(message, assembly, open),
        "assistant" if parts::flag(&message.data, "summary") => summary(message, assembly, open),
        "assistant" => answer(message, assembly),
        other => {
            let place = SourcePlace::Row(message.id.clone());
            assembly
                .draft
                .meet_unknown(&format!("message/{other}"), place);
        }
    }
}

fn user(message: &FirstMessage, assembly: &mut Assembly<'_>, open: &mut Option<OpenCompaction>) {
    let (mut typed, mut injected) = (Vec::new(), Vec::new());
    for (id, part) in &message.parts {
        let place = SourcePlace::Row(id.clone());
        match parts::text(part, "type") {
            "text" if parts::flag(part, "ignored") => {}
            "text" => {
                let text = Part::Text(parts::text(part, "text").to_owned());
                if parts::flag(part, "synthetic") {
                    injected.push(text);
                } else {
                    typed.push(text);
                }
            }
            "file" => {
                let (url, name) = (parts::text(part, "url"), parts::text(part, "filename"));
                let is_text = parts::text(part, "mime").starts_with("text/");
                // Files of text are sent as text of their own, and only named here.
                if !is_text && (!name.is_empty() || url.starts_with("data:")) {
                    let (shelf, draft) = (&mut assembly.shelf, &mut *assembly.draft);
                    typed.push(shelf.part_of_url(url, Some(name), &place, draft));
                }
            }
            "compaction" => {
                *open = Some(OpenCompaction {
                    is_auto: parts::flag(part, "auto"),
                    tail: parts::text(part, "tail_start_id").to_owned(),
                });
            }
            "subtask" => injected.push(Part::Text(parts::text(part, "prompt").to_owned())),
            quiet if QUIET.contains(&quiet) => {}
            other => assembly.draft.meet_unknown(&format!("part/{other}"), place),
        }
    }
    assembly.user(typed, injected);
}

fn texts(message: &FirstMessage) -> String {
    let texts = message
        .parts
        .iter()
        .filter(|(_, it)| parts::text(it, "type") == "text");
    let texts: Vec<&str> = texts.map(|(_, it)| parts::text(it, "text")).collect();
    texts.join("\n")
}

fn model(data: &Value) -> (String, String) {
    let text = |key: &str| parts::text(data, key).to_owned();
    (text("providerID"), text("modelID"))
}

/// A summary that failed is followed by another attempt.
fn summary(message: &FirstMessage, assembly: &mut Assembly<'_>, open: &mut Option<OpenCompaction>) {
    let text = texts(message);
    let has_failed = message.data.get("error").is_some_and(Value::is_object);
    if text.trim().is_empty() || has_failed {
        let place = SourcePlace::Row(message.id.clone());
        assembly
            .draft
            .lose(place, "a summary that failed was left out");
        return;
    }
    let asked = open.take().unwrap_or_default();
    let (provider, model) = model(&message.data);
    let facts = CompactionFacts {
        summary: text,
        is_auto: asked.is_auto,
        model: format!("{provider}/{model}"),
        ..CompactionFacts::default()
    };
    assembly.compaction(&asked.tail, facts);
}

fn answer(message: &FirstMessage, assembly: &mut Assembly<'_>) {
    let (provider, model) = model(&message.data);
    let (stop, error) = frames::ending(&message.data);
    let mut answer = AssistantMessage {
        provider,
        model,
        usage: frames::usage(&message.data),
        stop,
        error,
        ..AssistantMessage::default()
    };
    let mut uses = Vec::new();
    for (id, part) in &message.parts {
        match parts::text(part, "type") {
            "text" if parts::flag(part, "ignored") => {}
            "text" => frames::push_text(&mut answer, parts::text(part, "text")),
            "reasoning" => frames::push_reasoning(&mut answer, parts::text(part, "text")),
            "tool" => uses.push(tool_use(id, part, assembly)),
            "file" | "compaction" | "subtask" => {}
            quiet if QUIET.contains(&quiet) => {}
            other => {
                let place = SourcePlace::Row(id.clone());
                assembly.draft.meet_unknown(&format!("part/{other}"), place);
            }
        }
    }
    assembly.answer(answer, uses);
}

fn tool_use(row: &str, part: &Value, assembly: &mut Assembly<'_>) -> ToolUse {
    let place = SourcePlace::Row(row.to_owned());
    let state = part.get("state").unwrap_or(&Value::Null);
    let mut content = Vec::new();
    let outcome = match parts::text(state, "status") {
        "completed" => {
            content.push(Part::Text(parts::text(state, "output").to_owned()));
            for file in parts::list(state, "attachments") {
                let (url, name) = (parts::text(file, "url"), parts::text(file, "filename"));
                let name = Some(name).filter(|it| !it.is_empty());
                let (shelf, draft) = (&mut assembly.shelf, &mut *assembly.draft);
                content.push(shelf.part_of_url(url, name, &place, draft));
            }
            Some(frames::failed_command(state))
        }
        "error" => {
            content.push(Part::Text(parts::text(state, "error").to_owned()));
            Some(true)
        }
        _ => {
            assembly.draft.lose(place, "a call without a result");
            None
        }
    };
    let time = state.get("time").unwrap_or(&Value::Null);
    ToolUse {
        id: parts::text(part, "callID").to_owned(),
        name: parts::text(part, "tool").to_owned(),
        input: state.get("input").cloned().unwrap_or(Value::Null),
        result: outcome.map(|is_error| ToolOutcome {
            content,
            is_error,
            is_pruned: parts::number(time, "compacted") > 0,
        }),
    }
}
