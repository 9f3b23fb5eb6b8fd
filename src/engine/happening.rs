//! What an engine is told of beside the conversation itself: new entries and where they come
//! from, turns that ended, sub-agents.

use crate::transcript::{Entry, Message, NoteKind};

/// Where an entry comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryOrigin {
    /// A person typed it.
    User,
    /// The model said it.
    Model,
    /// A tool, or a command of the user's.
    Tool,
    /// A hook.
    Hook,
    /// A note of this program, a summary, or another program's message.
    Note,
    /// A sub-agent.
    SubAgent,
}

impl EntryOrigin {
    /// The origin of an entry; `None` of one that says nothing to a model.
    pub fn of(entry: &Entry) -> Option<Self> {
        if !entry.body.speaks_to_model() {
            return None;
        }
        if let Some(message) = entry.message() {
            return Some(match message.as_ref() {
                Message::User(_) if entry.is_ask() => Self::User,
                Message::User(_) => Self::Note,
                Message::Assistant(_) => Self::Model,
                Message::ToolResult(_) | Message::BashExecution(_) => Self::Tool,
            });
        }
        Some(match entry.body.note_kind() {
            Some(NoteKind::Hook) => Self::Hook,
            Some(NoteKind::Agent) => Self::SubAgent,
            _ => Self::Note,
        })
    }

    /// The name in the protocol of engine programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Model => "model",
            Self::Tool => "tool",
            Self::Hook => "hook",
            Self::Note => "note",
            Self::SubAgent => "sub_agent",
        }
    }
}

/// How a turn ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndedTurn {
    /// `done`, `failed` or `stopped`.
    pub outcome: &'static str,
    /// Tokens of the newest prompt, as its provider counted them; `None` where it did not.
    pub prompt_tokens: Option<u64>,
    /// The estimate of that prompt.
    pub expected_tokens: u64,
}

/// A sub-agent that is about to start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubagentWish {
    /// The call that starts it: it names the sub-agent until its end.
    pub call: String,
    /// Which agent.
    pub agent: String,
    /// Its task.
    pub task: String,
    /// `none`, `summary` or `fork`; empty where the call does not say.
    pub inherit: String,
    /// The cap of its window in tokens.
    pub cap_tokens: Option<u64>,
    /// Tokens of its caller's context.
    pub caller_tokens: u64,
    /// For so long what is prepared counts: as long as the provider keeps the prompt that a
    /// fork begins with. A sub-agent that begins later begins without it.
    pub ttl_secs: u64,
}

/// How a sub-agent ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EndedSubagent {
    /// The call that started it.
    pub call: String,
    /// `done`, `failed`, `stopped` or `interrupted`; `not_started` of one that was prepared for
    /// and never began: what was prepared is taken back.
    pub reason: String,
    /// The beginning of what it found.
    pub result: String,
}
