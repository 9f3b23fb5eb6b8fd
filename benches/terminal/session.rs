//! Session files as long as one likes: questions, answers with prose and code, calls of a
//! tool and their results.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

/// The entries of one long turn.
#[derive(Clone, Copy)]
pub struct LongTurn {
    /// Calls of a tool, each with a result.
    pub calls: usize,
    /// Lines of such a result, 26 bytes each.
    pub result_lines: usize,
    /// Paragraphs of the answer, about 300 bytes each.
    pub paragraphs: usize,
}

impl Default for LongTurn {
    fn default() -> Self {
        Self {
            calls: 3,
            result_lines: 80,
            paragraphs: 8,
        }
    }
}

/// Writes a session of so many turns; the last line of an answer ends with its number.
pub fn long_turns_session(path: &Path, turns: usize, turn: LongTurn) -> Result<()> {
    let mut messages = Vec::new();
    for number in 0..turns {
        messages
            .push(json!({"role": "user", "content": format!("question {number}: and this mill?")}));
        for call in 0..turn.calls {
            let id = format!("c{number}-{call}");
            messages.push(call_message(&id));
            messages.push(result_message(&id, turn.result_lines));
        }
        let prose = "The *wheel* turns the shaft, and `the shaft` turns the stone. ".repeat(5);
        let text = format!(
            "{}end of answer {number}",
            format!("{prose}\n\n").repeat(turn.paragraphs)
        );
        messages.push(answer_message(&text));
    }
    write(path, &messages)
}

/// Writes a session whose last answer is numbered `messages - 1`.
pub fn long_session(path: &Path, messages: usize) -> Result<()> {
    let messages: Vec<Value> = (0..messages)
        .map(|number| message(number, messages))
        .collect();
    write(path, &messages)
}

fn write(path: &Path, messages: &[Value]) -> Result<()> {
    let header = json!({
        "type": "session", "version": 3, "id": "01990000-0000-7000-8000-000000000001",
        "timestamp": "2026-01-01T00:00:00.000Z", "cwd": path.parent(),
    });
    let mut text = format!("{header}\n");
    for (number, message) in messages.iter().enumerate() {
        let parent = number.checked_sub(1).map(|before| format!("{before:08x}"));
        let line = json!({
            "type": "message", "id": format!("{number:08x}"), "parentId": parent,
            "timestamp": "2026-01-01T00:00:00.000Z", "message": message,
        });
        writeln!(text, "{line}")?;
    }
    Ok(std::fs::write(path, text)?)
}

fn message(number: usize, messages: usize) -> Value {
    let kind = if number + 1 == messages {
        3
    } else {
        number % 4
    };
    let call = number - number % 4 + 1;
    match kind {
        0 => {
            json!({"role": "user", "content": format!("question {number}: how does the mill turn?")})
        }
        1 => call_message(&format!("c{call}")),
        2 => result_message(&format!("c{call}"), 12),
        _ => answer_message(&format!(
            "Here is **why**, in short:\n\n- water falls\n- the wheel turns\n\n\
             ```rust\nfn mill() -> u32 {{\n    42\n}}\n```\n\nThat was answer {number}"
        )),
    }
}

fn call_message(id: &str) -> Value {
    json!({
        "role": "assistant", "provider": "offline", "model": "offline", "stopReason": "toolUse",
        "content": [{"type": "toolCall", "id": id, "name": "read",
                     "arguments": {"path": "mill.txt"}}],
    })
}

fn result_message(id: &str, lines: usize) -> Value {
    json!({
        "role": "toolResult", "toolCallId": id, "toolName": "read",
        "content": [{"type": "text", "text": "the wheel turns the shaft\n".repeat(lines)}],
        "isError": false,
    })
}

fn answer_message(text: &str) -> Value {
    json!({
        "role": "assistant", "provider": "offline", "model": "offline", "stopReason": "stop",
        "content": [{"type": "text", "text": text}],
    })
}
