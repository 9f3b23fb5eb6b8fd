//! The keys by which calls and their results are compared. Knows nothing of lists and views.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use crate::transcript::{Message, ToolCall};

/// The keys by which calls and their results are compared: numbers, because every result of a
/// long session is compared before every request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallKey {
    /// Of the tool and all arguments.
    pub(super) identity: u64,
    /// Of the file that it is about.
    pub(super) path: Option<u64>,
    /// The access to that file.
    pub(super) access: FileAccess,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum FileAccess {
    /// Holds these lines of it.
    Read(LineRange),
    /// Rewrites all of it. An edit does not: the rest is only known from the read.
    Write,
    Other,
}

/// The lines of a file that a result holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineRange {
    pub from: u64,
    /// The line after the last one.
    pub to: u64,
    /// They are all lines that the file had.
    pub is_whole_file: bool,
}

impl CallKey {
    pub(super) fn of(call: &ToolCall, result: &Message) -> Self {
        Self {
            identity: hash(&format!("{} {}", call.name, call.arguments)),
            path: path_of(call).map(hash),
            access: match call.name.as_str() {
                "read" => FileAccess::Read(LineRange::of(call, result)),
                "write" => FileAccess::Write,
                _ => FileAccess::Other,
            },
        }
    }
}

impl LineRange {
    fn of(call: &ToolCall, result: &Message) -> Self {
        let from = call.arguments.get("offset").and_then(Value::as_u64);
        let from = from.unwrap_or(1).max(1);
        let held = body_lines(result).count() as u64;
        Self {
            from,
            to: from.saturating_add(held),
            is_whole_file: from == 1 && detail(result, "total") == Some(held),
        }
    }
}

/// The lines of a file in what a read answered, without the closing notice. Where a log does
/// not say how many they are, all lines count: then only a result that says the same word
/// for word holds them.
pub(super) fn body_lines(result: &Message) -> impl Iterator<Item = String> {
    let text = result.text();
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let shown = detail(result, "lines").map_or(usize::MAX, |lines| lines as usize);
    lines.into_iter().take(shown)
}

fn detail(result: &Message, name: &str) -> Option<u64> {
    match result {
        Message::ToolResult(result) => result.details.as_ref()?.get(name)?.as_u64(),
        Message::User(_) | Message::Assistant(_) | Message::BashExecution(_) => None,
    }
}

/// A number that is equal for equal texts, in every run.
pub(super) fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Only tools that name one file have a path in this sense.
pub(super) fn path_of(call: &ToolCall) -> Option<&str> {
    matches!(call.name.as_str(), "read" | "write")
        .then(|| call.arguments.get("path").and_then(Value::as_str))
        .flatten()
}
