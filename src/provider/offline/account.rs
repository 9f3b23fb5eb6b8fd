//! Short factual accounts: of what tools returned, and of the conversation.
//!
//! Nothing is concluded and nothing made up: counts and quotations only.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;

use crate::transcript::{Message, Part, RequestMessage, ToolCall, ToolResult};

/// Lines quoted of one result.
const QUOTED_LINES: usize = 12;
/// Characters quoted of one line.
const QUOTED_CHARS: usize = 160;
/// Requests quoted in an account of the conversation.
const QUOTED_ASKS: usize = 5;

/// The tool results in `messages`, in words; `None` when there are none.
pub(super) fn of_results(messages: &[RequestMessage]) -> Option<String> {
    let mut calls: Vec<&ToolCall> = Vec::new();
    let mut parts = Vec::new();
    for item in messages {
        match &*item.message {
            Message::Assistant(assistant) => calls.extend(assistant.tool_calls()),
            Message::ToolResult(result) => {
                let call = calls.iter().rev().find(|call| call.id == result.call_id);
                parts.push(of_result(result, call.copied()));
            }
            _ => {}
        }
    }
    (!parts.is_empty()).then(|| parts.join("\n\n"))
}

fn of_result(result: &ToolResult, call: Option<&ToolCall>) -> String {
    let text = result.text();
    let lines: Vec<&str> = text.lines().collect();
    let what = title(&result.tool_name, call);
    let outcome = if result.is_error {
        "failed"
    } else {
        "answered"
    };
    let has_image = result
        .content
        .iter()
        .any(|part| matches!(part, Part::Image(_)));
    if lines.is_empty() {
        let held = if has_image {
            "an attachment"
        } else {
            "nothing"
        };
        return format!("`{what}` {outcome} with {held}.");
    }
    let count = counted(lines.len(), "line");
    let chars = counted(text.chars().count(), "character");
    let mut out = format!("`{what}` {outcome} with {count}, {chars}:\n\n```\n");
    for line in lines.iter().take(QUOTED_LINES) {
        out.push_str(&shortened(&line.replace("```", "'''"), QUOTED_CHARS));
        out.push('\n');
    }
    out.push_str("```");
    if lines.len() > QUOTED_LINES {
        let more = counted(lines.len() - QUOTED_LINES, "more line");
        let _ = write!(out, "\n({more} in the result above)");
    }
    out
}

/// The tool with the argument that matters most.
fn title(tool: &str, call: Option<&ToolCall>) -> String {
    let argument = call.and_then(|call| {
        ["command", "pattern", "path"]
            .iter()
            .find_map(|key| call.arguments.get(*key).and_then(Value::as_str))
    });
    match argument {
        Some(argument) => format!(
            "{tool} {}",
            shortened(&argument.replace('`', "'"), QUOTED_CHARS)
        ),
        None => tool.to_owned(),
    }
}

/// The content of a conversation, in words.
pub(super) fn of_conversation(messages: &[RequestMessage]) -> String {
    let mut asks: Vec<String> = Vec::new();
    let mut answers = 0_usize;
    let mut summaries = 0_usize;
    let mut tools: BTreeMap<&str, usize> = BTreeMap::new();
    let mut failed = 0_usize;
    let mut files: Vec<&str> = Vec::new();
    for item in messages {
        match &*item.message {
            Message::User(_) if item.is_summary => summaries += 1,
            Message::User(_) | Message::BashExecution(_) => asks.push(item.message.text()),
            Message::Assistant(assistant) => {
                answers += 1;
                for call in assistant.tool_calls() {
                    *tools.entry(call.name.as_str()).or_default() += 1;
                    let path = call.arguments.get("path").and_then(Value::as_str);
                    files.extend(path.filter(|path| !files.contains(path)));
                }
            }
            Message::ToolResult(result) => failed += usize::from(result.is_error),
        }
    }
    let mut out = format!(
        "In view: {}, {}, {}.",
        counted(asks.len(), "message of yours"),
        counted(answers, "answer"),
        counted(summaries, "summary")
    );
    if !tools.is_empty() {
        let used: Vec<String> = tools
            .iter()
            .map(|(name, n)| format!("{name} {n}×"))
            .collect();
        let _ = write!(out, "\nTools: {}; {failed} failed.", used.join(", "));
    }
    if !files.is_empty() {
        let _ = write!(out, "\nPaths: {}.", files.join(", "));
    }
    out.push_str("\nYou asked, newest last:");
    for ask in asks.iter().skip(asks.len().saturating_sub(QUOTED_ASKS)) {
        let first = ask.lines().next().unwrap_or_default();
        let _ = write!(out, "\n- {}", shortened(first, QUOTED_CHARS));
    }
    out
}

fn counted(count: usize, noun: &str) -> String {
    let plural = match (count, noun) {
        (1, _) => noun.to_owned(),
        (_, "message of yours") => "messages of yours".to_owned(),
        (_, "summary") => "summaries".to_owned(),
        _ => format!("{noun}s"),
    };
    format!("{count} {plural}")
}

fn shortened(text: &str, max_chars: usize) -> String {
    if text.chars().count() <= max_chars {
        return text.to_owned();
    }
    text.chars().take(max_chars).chain(['…']).collect()
}
