//! A conversation in the making, and chance that is the same each time.

use std::sync::Arc;

use plimsoll::transcript::{
    AssistantMessage, AssistantPart, EntryBody, EntryId, Message, Part, StopReason, Timestamp,
    ToolCall, ToolResult, Transcript,
};
use serde_json::{Value, json};

/// Numbers that look like chance and are the same in every run.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// From 0 up to and without `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end.max(1)
    }

    pub fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// True in so many cases of a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// As many hexadecimal digits.
    pub fn hex(&mut self, digits: usize) -> String {
        (0..digits)
            .map(|_| char::from_digit(self.below(16) as u32, 16).unwrap_or('0'))
            .collect()
    }
}

/// A conversation.
#[derive(Default)]
pub struct Talk {
    pub transcript: Transcript,
    calls: usize,
}

impl Talk {
    fn add(&mut self, message: Message) {
        let number = self.transcript.len() as u32 + 1;
        let id = EntryId::new(format!("{:08x}", number.wrapping_mul(0x9e37_79b1)));
        let time = Timestamp(1_770_000_000_000 + i64::from(number) * 17_000);
        let body = EntryBody::Message(Arc::new(message));
        self.transcript.append(id, time, body).expect("a new id");
    }

    pub fn user(&mut self, text: impl Into<String>) {
        self.add(Message::user_text(text));
    }

    pub fn say(&mut self, text: impl Into<String>) {
        self.add(Message::Assistant(AssistantMessage {
            content: vec![AssistantPart::Text(text.into())],
            ..AssistantMessage::default()
        }));
    }

    fn call(&mut self, text: &str, tool: &str, arguments: Value, output: &str, is_error: bool) {
        self.calls += 1;
        let id = format!("call_{}", self.calls);
        let mut content = Vec::new();
        if !text.is_empty() {
            content.push(AssistantPart::Text(text.to_owned()));
        }
        content.push(AssistantPart::ToolCall(ToolCall {
            id: id.clone(),
            name: tool.to_owned(),
            arguments,
            malformed: None,
        }));
        self.add(Message::Assistant(AssistantMessage {
            content,
            stop: StopReason::ToolUse,
            ..AssistantMessage::default()
        }));
        self.add(Message::ToolResult(ToolResult {
            call_id: id,
            tool_name: tool.to_owned(),
            content: vec![Part::Text(output.to_owned())],
            is_error,
            details: None,
        }));
    }

    pub fn read(&mut self, text: &str, path: &str, content: &str) {
        self.call(text, "read", json!({ "path": path }), content, false);
    }

    pub fn edit(&mut self, text: &str, path: &str, old: &str, new: &str) {
        let arguments = json!({"path": path, "old": old, "new": new});
        self.call(
            text,
            "edit",
            arguments,
            &format!("edited {path}: 1 place"),
            false,
        );
    }

    pub fn write(&mut self, text: &str, path: &str, content: &str) {
        let arguments = json!({"path": path, "content": content});
        self.call(text, "write", arguments, &format!("wrote {path}"), false);
    }

    pub fn run(&mut self, text: &str, command: &str, output: &str, is_error: bool) {
        self.call(
            text,
            "bash",
            json!({ "command": command }),
            output,
            is_error,
        );
    }

    /// A list of steps, of which the first so many are done.
    pub fn plan(&mut self, steps: &[String], done: usize) {
        let item = |(at, step): (usize, &String)| {
            let status = if at < done { "completed" } else { "pending" };
            json!({"content": step, "status": status})
        };
        let todos: Vec<Value> = steps.iter().enumerate().map(item).collect();
        self.call("", "todo_write", json!({ "todos": todos }), "noted", false);
    }

    pub fn fetch(&mut self, text: &str, url: &str, page: &str) {
        self.call(text, "fetch", json!({ "url": url }), page, false);
    }
}
