//! What an entry says, as one text: what recall gives back and the index reads.

use serde_json::Value;

use crate::transcript::{AssistantPart, Entry, EntryBody, Message, Part, ToolCall, UserMessage};

/// The tool that gives back what left the window. Its own calls and results are copies: they
/// are neither indexed nor given back.
pub const RECALL_TOOL: &str = "recall";

/// Who said it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpeakerKind {
    /// Typed by a person.
    User,
    /// Written by a model.
    Assistant,
    /// A tool.
    Tool,
    /// A command that a person ran.
    Command,
    /// A program, in the user role.
    Note,
    /// The summary of a branch that was left.
    Branch,
}

impl SpeakerKind {
    /// For people and models.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool result",
            Self::Command => "command of the user",
            Self::Note => "note",
            Self::Branch => "summary of a branch",
        }
    }
}

/// What an entry says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpokenText {
    /// Who said it.
    pub speaker: SpeakerKind,
    /// The tool of a result.
    pub tool: Option<String>,
    /// Every byte of a message, a result or the output of a command; an answer with its calls.
    pub text: String,
}

/// What an entry says; `None` when it says nothing, or only repeats what was recalled.
pub fn spoken_text(entry: &Entry) -> Option<SpokenText> {
    let spoken = match &entry.body {
        EntryBody::Message(message) => of_message(message)?,
        EntryBody::CustomMessage { content, .. } => SpokenText {
            speaker: SpeakerKind::Note,
            tool: None,
            text: text_of_parts(content),
        },
        EntryBody::BranchSummary { summary, .. } => SpokenText {
            speaker: SpeakerKind::Branch,
            tool: None,
            text: summary.clone(),
        },
        EntryBody::Compaction(_)
        | EntryBody::ContextEdit { .. }
        | EntryBody::Decision(_)
        | EntryBody::Measurement(_)
        | EntryBody::Expense(_)
        | EntryBody::Child(_)
        | EntryBody::Files(_)
        | EntryBody::Import(_)
        | EntryBody::Custom { .. }
        | EntryBody::Label { .. }
        | EntryBody::SessionInfo { .. }
        | EntryBody::ModelChange { .. }
        | EntryBody::ThinkingLevelChange { .. }
        | EntryBody::Unknown { .. } => return None,
    };
    (!spoken.text.trim().is_empty()).then_some(spoken)
}

fn of_message(message: &Message) -> Option<SpokenText> {
    let (speaker, tool, text) = match message {
        Message::User(_) => (SpeakerKind::User, None, message.text()),
        Message::Assistant(answer) => {
            let text = with_calls(&answer.content);
            (SpeakerKind::Assistant, None, text)
        }
        Message::ToolResult(result) if result.tool_name == RECALL_TOOL => return None,
        Message::ToolResult(result) => {
            let tool = Some(result.tool_name.clone()).filter(|name| !name.is_empty());
            (SpeakerKind::Tool, tool, message.text())
        }
        Message::BashExecution(_) => (SpeakerKind::Command, None, message.text()),
    };
    Some(SpokenText {
        speaker,
        tool,
        text,
    })
}

fn text_of_parts(parts: &[Part]) -> String {
    let content = parts.to_vec();
    Message::User(UserMessage { content }).text()
}

/// The words of an answer, and its calls with their arguments as they are meant: a string
/// without the escapes of JSON.
fn with_calls(parts: &[AssistantPart]) -> String {
    let mut lines = Vec::new();
    for part in parts {
        match part {
            AssistantPart::Text(text) => lines.push(text.clone()),
            AssistantPart::ToolCall(call) if call.name == RECALL_TOOL => {}
            AssistantPart::ToolCall(call) => lines.push(shown_call(call)),
            AssistantPart::Thinking { .. } | AssistantPart::RedactedThinking { .. } => {}
        }
    }
    lines.join("\n")
}

fn shown_call(call: &ToolCall) -> String {
    let mut out = format!("[call of {}]", call.name);
    for (name, value) in call.arguments_object() {
        let shown = match value {
            Value::String(text) => text,
            other => other.to_string(),
        };
        out.push('\n');
        out.push_str(&name);
        out.push_str(": ");
        out.push_str(&shown);
    }
    if let Some(malformed) = &call.malformed {
        out.push('\n');
        out.push_str(malformed);
    }
    out
}
