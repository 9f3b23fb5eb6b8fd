//! An entry as the line that is appended. Fields that other programs rely on are always
//! there, zeros where we know nothing; what only we know goes into `plimsoll…` fields.

use serde_json::{Map, Value, json};

use super::body::NO_ENTRY;
use super::message::{PAUSED, REFUSAL};
use super::{child, compaction, decision, files, import, measurement};
use crate::session::time;
use crate::transcript::{
    AssistantMessage, AssistantPart, BashExecution, CacheDiagnosis, Compaction, Decision, Entry,
    EntryBody, EntryId, Message, Part, StopReason, Timestamp, ToolCall, ToolResult, Usage,
};

/// `api` of our assistant messages. Other programs return signed reasoning only to the
/// `api` that signed it, so a name that is not an API keeps them from returning ours.
const API: &str = "plimsoll";

/// The line of an entry, without a line end.
pub(in crate::session) fn to_line(entry: &Entry) -> String {
    let mut line = Map::new();
    let mut put = |key: &str, value: Value| {
        line.insert(key.to_owned(), value);
    };
    put("type", json!(kind(&entry.body)));
    put("id", json!(entry.id.as_str()));
    put(
        "parentId",
        json!(entry.parent.as_ref().map(EntryId::as_str)),
    );
    put("timestamp", json!(time::to_rfc3339(entry.timestamp)));
    for (key, value) in fields(entry) {
        put(key, value);
    }
    Value::Object(line).to_string()
}

fn kind(body: &EntryBody) -> &str {
    match body {
        EntryBody::Message(_) => "message",
        EntryBody::Compaction(_) => "compaction",
        EntryBody::BranchSummary { .. } => "branch_summary",
        EntryBody::ContextEdit { .. } | EntryBody::Decision(Decision::Replay { .. }) => {
            "context_edit"
        }
        EntryBody::CustomMessage { .. } => "custom_message",
        EntryBody::Decision(_)
        | EntryBody::Measurement(_)
        | EntryBody::Expense(_)
        | EntryBody::Files(_)
        | EntryBody::Child(_)
        | EntryBody::Import(_)
        | EntryBody::Custom { .. } => "custom",
        EntryBody::Label { .. } => "label",
        EntryBody::SessionInfo { .. } => "session_info",
        EntryBody::ModelChange { .. } => "model_change",
        EntryBody::ThinkingLevelChange { .. } => "thinking_level_change",
        EntryBody::Unknown { kind } => kind,
    }
}

fn fields(entry: &Entry) -> Vec<(&'static str, Value)> {
    match &entry.body {
        EntryBody::Message(message) => vec![("message", message_value(message, entry.timestamp))],
        EntryBody::Compaction(compaction) => compaction_fields(compaction, &entry.id),
        EntryBody::BranchSummary { from, summary } => vec![
            (
                "fromId",
                json!(from.as_ref().map_or(NO_ENTRY, EntryId::as_str)),
            ),
            ("summary", json!(summary)),
        ],
        EntryBody::ContextEdit {
            target,
            replacement,
        } => edit_fields(target, replacement.as_deref()),
        EntryBody::CustomMessage {
            custom_type,
            content,
            display,
        } => vec![
            ("customType", json!(custom_type)),
            ("content", part_values(content)),
            ("display", json!(display)),
        ],
        // To other programs: the message as it stood before is gone.
        EntryBody::Decision(Decision::Replay {
            original,
            replay,
            stripped,
        }) => vec![
            ("targetId", json!(original.as_str())),
            ("replacement", Value::Null),
            (
                "plimsollReplay",
                json!({ "replay": replay.as_str(), "stripped": stripped }),
            ),
        ],
        EntryBody::Decision(_)
        | EntryBody::Measurement(_)
        | EntryBody::Expense(_)
        | EntryBody::Files(_)
        | EntryBody::Child(_)
        | EntryBody::Import(_) => custom_fields(&entry.body),
        EntryBody::Custom { custom_type } => vec![("customType", json!(custom_type))],
        EntryBody::Label { target, label } => vec![
            ("targetId", json!(target.as_str())),
            ("label", json!(label)),
        ],
        EntryBody::SessionInfo { name } => vec![("name", json!(name))],
        EntryBody::ModelChange { provider, model } => {
            vec![("provider", json!(provider)), ("modelId", json!(model))]
        }
        EntryBody::ThinkingLevelChange { level } => vec![("thinkingLevel", json!(level))],
        EntryBody::Unknown { .. } => Vec::new(),
    }
}

fn edit_fields(target: &EntryId, replacement: Option<&[Part]>) -> Vec<(&'static str, Value)> {
    let replacement = replacement.map(|parts| json!({ "content": part_values(parts) }));
    vec![
        ("targetId", json!(target.as_str())),
        ("replacement", json!(replacement)),
    ]
}

/// The fields that other programs keep without knowing them.
fn custom_fields(body: &EntryBody) -> Vec<(&'static str, Value)> {
    let (custom_type, data) = match body {
        EntryBody::Decision(decision) => decision::write(decision),
        EntryBody::Measurement(measurement) => measurement::write(measurement),
        EntryBody::Expense(expense) => measurement::write_expense(expense),
        EntryBody::Files(record) => files::write(record),
        EntryBody::Child(link) => child::write(link),
        EntryBody::Import(record) => import::write(record),
        _ => return Vec::new(),
    };
    vec![("customType", json!(custom_type)), ("data", data)]
}

fn compaction_fields(compaction: &Compaction, id: &EntryId) -> Vec<(&'static str, Value)> {
    // Other programs expect an id: with the compaction's own, they keep nothing either.
    let first_kept = compaction.first_kept.as_ref().unwrap_or(id);
    let (summary, details) = compaction::values(compaction);
    vec![
        ("summary", summary),
        ("firstKeptEntryId", json!(first_kept.as_str())),
        ("tokensBefore", json!(compaction.tokens_before)),
        ("details", details),
        ("fromHook", json!(compaction.from_hook)),
    ]
}

fn message_value(message: &Message, at: Timestamp) -> Value {
    let mut value = match message {
        Message::User(user) => json!({ "role": "user", "content": part_values(&user.content) }),
        Message::Assistant(assistant) => assistant_value(assistant),
        Message::ToolResult(result) => tool_result_value(result),
        Message::BashExecution(run) => bash_value(run),
    };
    value["timestamp"] = json!(at.0);
    value
}

fn assistant_value(message: &AssistantMessage) -> Value {
    let content: Vec<Value> = message.content.iter().map(assistant_part_value).collect();
    let stop = match message.stop {
        StopReason::Stop | StopReason::Refusal | StopReason::Paused => "stop",
        StopReason::Length => "length",
        StopReason::ToolUse => "toolUse",
        StopReason::Error => "error",
        StopReason::Aborted => "aborted",
    };
    let mut value = json!({
        "role": "assistant",
        "content": content,
        "api": API,
        "provider": message.provider,
        "model": message.model,
        "usage": usage_value(message.usage.unwrap_or_default()),
        "stopReason": stop,
    });
    if message.stop == StopReason::Refusal {
        value["plimsollStop"] = json!(REFUSAL);
    }
    if message.stop == StopReason::Paused {
        value["plimsollStop"] = json!(PAUSED);
    }
    if let Some(error) = &message.error {
        value["errorMessage"] = json!(error);
    }
    if let Some(id) = &message.response_id {
        value["responseId"] = json!(id);
    }
    if let Some(cache) = &message.cache {
        value["plimsollCache"] = cache_value(cache);
    }
    value
}

fn cache_value(diagnosis: &CacheDiagnosis) -> Value {
    match diagnosis {
        CacheDiagnosis::Same => json!({ "finding": "same" }),
        CacheDiagnosis::Unknown { reason } => json!({ "finding": "unknown", "reason": reason }),
        CacheDiagnosis::Changed {
            reason,
            missed_tokens,
        } => {
            let mut value = json!({ "finding": "changed", "reason": reason });
            if let Some(tokens) = missed_tokens {
                value["missedTokens"] = json!(tokens);
            }
            value
        }
    }
}

fn assistant_part_value(part: &AssistantPart) -> Value {
    match part {
        AssistantPart::Text(text) => json!({ "type": "text", "text": text }),
        AssistantPart::Thinking { text, signature } => {
            let mut value = json!({ "type": "thinking", "thinking": text });
            if let Some(signature) = signature {
                value["thinkingSignature"] = json!(signature);
            }
            value
        }
        AssistantPart::RedactedThinking { data } => json!({
            "type": "thinking",
            "thinking": "",
            "thinkingSignature": data,
            "redacted": true,
        }),
        AssistantPart::ToolCall(call) => tool_call_value(call),
    }
}

/// Other programs rely on `arguments` being an object.
fn tool_call_value(call: &ToolCall) -> Value {
    let mut value = json!({ "type": "toolCall", "id": call.id, "name": call.name });
    let raw = match (&call.malformed, &call.arguments) {
        (Some(raw), _) => Some(raw.clone()),
        (None, Value::Object(_) | Value::Null) => None,
        (None, other) => Some(other.to_string()),
    };
    if let Some(raw) = raw {
        value["arguments"] = json!({});
        value["partialJson"] = json!(raw);
    } else {
        value["arguments"] = call.arguments.clone();
    }
    value
}

fn usage_value(usage: Usage) -> Value {
    let mut cost = json!({ "input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0 });
    cost["total"] = json!(usage.cost_usd.unwrap_or(0.0));
    if usage.cost_usd.is_none() {
        cost["plimsollUnknown"] = json!(true);
    }
    let mut value = json!({
        "input": usage.input_tokens,
        "output": usage.output_tokens,
        "cacheRead": usage.cache_read_tokens,
        "cacheWrite": usage.cache_write_tokens,
        "totalTokens": usage.prompt_tokens().saturating_add(usage.output_tokens),
        "cost": cost,
    });
    if usage.cache_write_hour_tokens > 0 {
        value["cacheWrite1h"] = json!(usage.cache_write_hour_tokens);
    }
    if usage.reasoning_tokens > 0 {
        value["reasoning"] = json!(usage.reasoning_tokens);
    }
    if let Some(cut) = usage.server_cut_tokens {
        value["plimsollServerCut"] = json!(cut);
    }
    if let Some(expected) = usage.expected {
        value["plimsollExpected"] = json!(expected.tokens);
        if expected.uncertain_tokens > 0 {
            value["plimsollUncertain"] = json!(expected.uncertain_tokens);
        }
    }
    value
}

fn tool_result_value(result: &ToolResult) -> Value {
    let mut value = json!({
        "role": "toolResult",
        "toolCallId": result.call_id,
        "toolName": result.tool_name,
        "content": part_values(&result.content),
        "isError": result.is_error,
    });
    if let Some(details) = &result.details {
        value["details"] = details.clone();
    }
    value
}

fn bash_value(run: &BashExecution) -> Value {
    let mut value = json!({
        "role": "bashExecution",
        "command": run.command,
        "output": run.output,
        "exitCode": run.exit_code,
        "cancelled": run.exit_code.is_none() && run.job.is_none(),
        "truncated": false,
        "excludeFromContext": run.excluded,
    });
    if let Some(job) = run.job {
        value["plimsollJob"] = json!(job);
    }
    if let Some(files) = &run.files {
        value["details"] = files.clone();
    }
    value
}

fn part_values(parts: &[Part]) -> Value {
    parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => json!({ "type": "text", "text": text }),
            Part::Image(image) => {
                let mut value =
                    json!({ "type": "image", "data": image.data, "mimeType": image.mime });
                if let Some(name) = &image.name {
                    value["name"] = json!(name);
                }
                value
            }
        })
        .collect()
}
