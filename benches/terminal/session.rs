//! A session file with as many messages as one likes: questions, answers with prose and
//! code, calls of a tool and their results.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

/// Writes a session whose last answer is numbered `messages - 1`.
pub fn long_session(path: &Path, messages: usize) -> Result<()> {
    let header = json!({
        "type": "session", "version": 3, "id": "01990000-0000-7000-8000-000000000001",
        "timestamp": "2026-01-01T00:00:00.000Z", "cwd": path.parent(),
    });
    let mut text = format!("{header}\n");
    for number in 0..messages {
        let parent = number.checked_sub(1).map(|before| format!("{before:08x}"));
        let line = json!({
            "type": "message", "id": format!("{number:08x}"), "parentId": parent,
            "timestamp": "2026-01-01T00:00:00.000Z", "message": message(number, messages),
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
        1 => json!({
            "role": "assistant", "provider": "offline", "model": "offline", "stopReason": "toolUse",
            "content": [{"type": "toolCall", "id": format!("c{call}"), "name": "read",
                         "arguments": {"path": "mill.txt"}}],
        }),
        2 => json!({
            "role": "toolResult", "toolCallId": format!("c{call}"), "toolName": "read",
            "content": [{"type": "text", "text": "the wheel turns the shaft\n".repeat(12)}],
            "isError": false,
        }),
        _ => json!({
            "role": "assistant", "provider": "offline", "model": "offline", "stopReason": "stop",
            "content": [{"type": "text", "text": format!(
                "Here is **why**, in short:\n\n- water falls\n- the wheel turns\n\n\
                 ```rust\nfn mill() -> u32 {{\n    42\n}}\n```\n\nThat was answer {number}"
            )}],
        }),
    }
}
