//! The texts of messages that are read for facts.

use serde_json::Value;

use crate::transcript::{Message, ToolCall};

use super::branch::SaidMessage;

/// Longer arguments are the content of a file, in bytes: who writes one need not remember it.
const MAX_ARGUMENT_BYTES: usize = 2_000;
/// How deep arguments are read.
const MAX_DEPTH: usize = 8;

/// Hands over all that a message says: its text and the arguments of its calls.
pub(super) fn each_text(said: &SaidMessage, found: &mut impl FnMut(&str)) {
    found(&said.message.text());
    if let Message::Assistant(assistant) = said.message.as_ref() {
        for call in assistant.tool_calls() {
            each_argument(call, usize::MAX, found);
        }
    }
}

/// Hands over what a person or a model wrote in a message: not what a tool answered, not what a
/// program put in, and no content of files.
pub(super) fn each_written_text(said: &SaidMessage, found: &mut impl FnMut(&str)) {
    match said.message.as_ref() {
        Message::User(_) if said.is_typed => found(&said.message.text()),
        Message::User(_) | Message::ToolResult(_) => {}
        Message::BashExecution(run) => found(&run.command),
        Message::Assistant(assistant) => {
            found(&assistant.text());
            for call in assistant.tool_calls() {
                each_argument(call, MAX_ARGUMENT_BYTES, found);
            }
        }
    }
}

fn each_argument(call: &ToolCall, max_bytes: usize, found: &mut impl FnMut(&str)) {
    let mut stack = vec![(&call.arguments, 0)];
    while let Some((value, depth)) = stack.pop() {
        match value {
            Value::String(text) if text.len() <= max_bytes => found(text),
            Value::Array(items) if depth < MAX_DEPTH => {
                stack.extend(items.iter().rev().map(|item| (item, depth + 1)));
            }
            Value::Object(map) if depth < MAX_DEPTH => {
                stack.extend(map.values().rev().map(|item| (item, depth + 1)));
            }
            _ => {}
        }
    }
}

/// Paragraphs and list items of prose, without code blocks, divided into sentences.
pub(super) fn each_sentence<'a>(text: &'a str, found: &mut impl FnMut(&'a str)) {
    let mut is_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
            continue;
        }
        if is_code {
            continue;
        }
        let mut from = 0;
        let mut previous = ' ';
        for (at, c) in line.char_indices() {
            let is_end = matches!(previous, '.' | '!' | '?') && c.is_whitespace()
                || matches!(previous, '。' | '！' | '？');
            if is_end {
                found(line.get(from..at).unwrap_or_default().trim());
                from = at;
            }
            previous = c;
        }
        found(line.get(from..).unwrap_or_default().trim());
    }
}
