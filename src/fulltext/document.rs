//! The searchable parts of a session: messages, calls, results and summaries, each with the
//! entry that it is in.

use crate::transcript::{
    AssistantPart, Entry, EntryBody, EntryId, Message, Part, Timestamp, Transcript,
};

/// Characters of a text that are indexed from its beginning,
const HEAD_CHARS: usize = 16_000;
/// and from its end.
const TAIL_CHARS: usize = 4_000;

/// A part of a session that can be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Document {
    pub entry: EntryId,
    pub role: DocumentRole,
    /// The tool, of a call or a result.
    pub tool: String,
    pub is_error: bool,
    pub at: Timestamp,
    pub text: String,
}

/// What a part of a session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DocumentRole {
    User,
    Assistant,
    Call,
    Result,
    Summary,
    Note,
}

impl DocumentRole {
    const ALL: [Self; 6] = [
        Self::User,
        Self::Assistant,
        Self::Call,
        Self::Result,
        Self::Summary,
        Self::Note,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Call => "tool_call",
            Self::Result => "tool_result",
            Self::Summary => "summary",
            Self::Note => "note",
        }
    }

    /// The name that is written for a number of the index.
    pub(super) fn name_of(number: i64) -> &'static str {
        let found = usize::try_from(number)
            .ok()
            .and_then(|at| Self::ALL.get(at));
        found.map_or("", |role| role.name())
    }

    pub(super) fn number(self) -> i64 {
        self as i64
    }
}

/// All parts of a session, on all branches, in file order.
pub(super) fn documents(transcript: &Transcript) -> Vec<Document> {
    let mut found = Vec::new();
    for entry in transcript.entries() {
        add_entry(entry, &mut found);
    }
    found
}

fn add_entry(entry: &Entry, found: &mut Vec<Document>) {
    let mut add = |role: DocumentRole, tool: &str, is_error: bool, text: &str| {
        if !text.trim().is_empty() {
            found.push(Document {
                entry: entry.id.clone(),
                role,
                tool: tool.to_owned(),
                is_error,
                at: entry.timestamp,
                text: shortened(text),
            });
        }
    };
    match &entry.body {
        EntryBody::Message(message) => match message.as_ref() {
            Message::User(_) => add(DocumentRole::User, "", false, &message.text()),
            Message::Assistant(answer) => {
                for part in &answer.content {
                    if let AssistantPart::Text(text) = part {
                        add(DocumentRole::Assistant, "", false, text);
                    }
                    if let AssistantPart::ToolCall(call) = part {
                        let arguments = argument_text(&call.arguments);
                        let text = call.malformed.as_ref().unwrap_or(&arguments);
                        add(DocumentRole::Call, &call.name, false, text);
                    }
                }
            }
            Message::ToolResult(result) => {
                let (name, fails) = (&result.tool_name, result.is_error);
                add(DocumentRole::Result, name, fails, &message.text());
            }
            Message::BashExecution(run) => {
                let fails = run.exit_code.is_some_and(|code| code != 0);
                let text = format!("{}\n{}", run.command, run.output);
                add(DocumentRole::Result, "shell", fails, &text);
            }
        },
        EntryBody::Compaction(compaction) => {
            add(DocumentRole::Summary, "", false, &compaction.summary);
        }
        EntryBody::BranchSummary { summary, .. } => {
            add(DocumentRole::Summary, "", false, summary);
        }
        EntryBody::CustomMessage { content, .. } => {
            let texts = content.iter().filter_map(|part| match part {
                Part::Text(text) => Some(text.as_str()),
                Part::Image(_) => None,
            });
            let text = texts.collect::<Vec<_>>().join("\n");
            add(DocumentRole::Note, "", false, &text);
        }
        _ => {}
    }
}

/// The texts of a call's arguments, without the names and signs of JSON.
fn argument_text(arguments: &serde_json::Value) -> String {
    use serde_json::Value;
    let mut out = String::new();
    let mut open = vec![arguments];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => {
                out.push_str(text);
                out.push('\n');
            }
            Value::Number(number) => {
                out.push_str(&number.to_string());
                out.push('\n');
            }
            Value::Array(items) => open.extend(items.iter().rev()),
            Value::Object(members) => open.extend(members.values().rev()),
            Value::Null | Value::Bool(_) => {}
        }
    }
    out
}

/// The beginning and the end of a long text: outputs say what they are first and how they
/// ended last.
fn shortened(text: &str) -> String {
    let ends = |from: usize| text.char_indices().nth(from).map(|(at, _)| at);
    let Some(head) = ends(HEAD_CHARS) else {
        return text.to_owned();
    };
    let tail = text
        .char_indices()
        .rev()
        .nth(TAIL_CHARS - 1)
        .map_or(head, |(at, _)| at.max(head));
    let (head_text, rest) = text.split_at(head);
    let (_, tail_text) = rest.split_at(tail - head);
    format!("{head_text}\n…\n{tail_text}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_keeps_both_ends() {
        let text = format!("begin {} end", "漢字 ".repeat(20_000));
        let short = shortened(&text);
        assert!(short.starts_with("begin") && short.ends_with(" end"));
        assert_eq!(short.chars().count(), HEAD_CHARS + TAIL_CHARS + 3);
        assert_eq!(shortened("short"), "short");
        let between = "x".repeat(HEAD_CHARS + 10);
        assert_eq!(shortened(&between).matches('x').count(), HEAD_CHARS + 10);
    }

    #[test]
    fn arguments_are_read_in_their_order() {
        let arguments = serde_json::json!({"command": "ls -l", "n": [1, "two"], "flag": true});
        assert_eq!(argument_text(&arguments), "ls -l\n1\ntwo\n");
    }
}
