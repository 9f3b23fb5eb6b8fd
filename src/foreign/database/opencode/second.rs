//! The second generation: `session_message`, ordered by `seq`.

use std::sync::Arc;

use serde_json::Value;

use super::frames::{self, Assembly, INJECTED, ToolOutcome, ToolUse};
use crate::foreign::conversation::SourcePlace;
use crate::foreign::database::{DatabaseRow, ForeignDatabase};
use crate::foreign::entry_tree::CompactionFacts;
use crate::foreign::parts;
use crate::foreign::source::SourceError;
use crate::transcript::{AssistantMessage, BashExecution, EntryBody, Message, Part};

/// Rows without content for the model.
const QUIET: [&str; 4] = [
    "agent-switched",
    "model-switched",
    "location-switched",
    "idle",
];

/// The rows of a session.
pub(super) fn messages(
    database: &ForeignDatabase,
    session: &str,
) -> Result<Vec<DatabaseRow>, SourceError> {
    if !database.has("session_message", "session_id") {
        return Ok(Vec::new());
    }
    let columns = ["id", "type", "time_created", "data"];
    database.rows(
        "session_message",
        &columns,
        Some(("session_id", session)),
        "seq",
    )
}

/// Reads the rows of a session.
pub(super) fn read(rows: &[DatabaseRow], assembly: &mut Assembly<'_>) {
    for row in rows {
        let at = parts::time_of_number(row.number("time_created"));
        let place = assembly.begin(row.text("id"), at);
        match row.json("data") {
            Ok(data) => message(row.text("type"), &data, &place, assembly),
            Err(reason) => assembly.draft.lose(place, reason),
        }
    }
}

fn message(kind: &str, data: &Value, place: &SourcePlace, assembly: &mut Assembly<'_>) {
    let text = |key: &str| parts::text(data, key).to_owned();
    match kind {
        "user" => {
            let mut typed = vec![Part::Text(text("text"))];
            for file in parts::list(data, "files") {
                let name = Some(parts::text(file, "name")).filter(|it| !it.is_empty());
                let (shelf, draft) = (&mut assembly.shelf, &mut *assembly.draft);
                typed.push(shelf.part_of_url(parts::text(file, "uri"), name, place, draft));
            }
            assembly.user(typed, Vec::new());
        }
        "assistant" => answer(data, place, assembly),
        "system" | "synthetic" => assembly.user(Vec::new(), vec![Part::Text(text("text"))]),
        "compaction" => {
            let facts = CompactionFacts {
                summary: text("summary"),
                is_auto: text("reason") == "auto",
                model: "opencode".to_owned(),
                ..CompactionFacts::default()
            };
            assembly.compaction("", facts);
            // What is kept is a text, not rows.
            let recent = vec![Part::Text(text("recent"))];
            if !parts::is_blank(&recent) {
                assembly.add("/recent", parts::injected(INJECTED, recent));
            }
        }
        "shell" => {
            let metadata = data.get("metadata").unwrap_or(data);
            let run = BashExecution {
                command: text("command"),
                output: text("output"),
                exit_code: metadata
                    .get("exit")
                    .and_then(Value::as_i64)
                    .map_or(Some(0), |code| i32::try_from(code).ok()),
                ..BashExecution::default()
            };
            assembly.add(
                "",
                EntryBody::Message(Arc::new(Message::BashExecution(run))),
            );
        }
        quiet if QUIET.contains(&quiet) => {}
        other => assembly.draft.meet_unknown(other, place.clone()),
    }
}

fn answer(data: &Value, place: &SourcePlace, assembly: &mut Assembly<'_>) {
    let model = data.get("model").unwrap_or(&Value::Null);
    let (stop, error) = frames::ending(data);
    let mut answer = AssistantMessage {
        provider: parts::text(model, "providerID").to_owned(),
        model: parts::text(model, "id").to_owned(),
        usage: frames::usage(data),
        stop,
        error,
        ..AssistantMessage::default()
    };
    if !data.get("content").is_some_and(Value::is_array) {
        assembly
            .draft
            .lose(place.clone(), "an answer without `content` was left out");
    }
    let mut uses = Vec::new();
    for part in parts::list(data, "content") {
        match parts::text(part, "type") {
            "text" if parts::flag(part, "ignored") => {}
            "text" => frames::push_text(&mut answer, parts::text(part, "text")),
            "reasoning" => frames::push_reasoning(&mut answer, parts::text(part, "text")),
            "tool" => uses.push(tool_use(part, place, assembly)),
            other => assembly
                .draft
                .meet_unknown(&format!("content/{other}"), place.clone()),
        }
    }
    assembly.answer(answer, uses);
}

fn tool_use(part: &Value, place: &SourcePlace, assembly: &mut Assembly<'_>) -> ToolUse {
    let state = part.get("state").unwrap_or(&Value::Null);
    let mut content = Vec::new();
    let outcome = match parts::text(state, "status") {
        "completed" => {
            let attachments = parts::list(state, "attachments");
            for item in parts::list(state, "content").iter().chain(attachments) {
                if parts::text(item, "type") == "text" {
                    content.push(Part::Text(parts::text(item, "text").to_owned()));
                    continue;
                }
                let url = ["uri", "url"].map(|key| parts::text(item, key));
                let url = url
                    .into_iter()
                    .find(|it| !it.is_empty())
                    .unwrap_or_default();
                let (shelf, draft) = (&mut assembly.shelf, &mut *assembly.draft);
                content.push(shelf.part_of_url(url, None, place, draft));
            }
            Some(frames::failed_command(state))
        }
        "error" => {
            let error = state.get("error").unwrap_or(&Value::Null);
            let words = error
                .as_str()
                .unwrap_or_else(|| parts::text(error, "message"));
            content.push(Part::Text(words.to_owned()));
            Some(true)
        }
        _ => {
            assembly
                .draft
                .lose(place.clone(), "a call without a result");
            None
        }
    };
    let time = part.get("time").unwrap_or(&Value::Null);
    ToolUse {
        id: parts::text(part, "id").to_owned(),
        name: parts::text(part, "name").to_owned(),
        input: state.get("input").cloned().unwrap_or(Value::Null),
        result: outcome.map(|is_error| ToolOutcome {
            content,
            is_error,
            is_pruned: parts::number(time, "pruned") > 0,
        }),
    }
}
