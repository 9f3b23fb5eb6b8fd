//! A request on its way to a model, in no provider's format.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::{CacheWishes, EntryId, Message, StopReason, ThinkingLevel};

/// Names a model: `provider/model`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ModelRef {
    /// Provider id, e.g. `anthropic`.
    pub provider: String,
    /// Model id as the provider names it; may itself contain slashes.
    pub model: String,
}

impl ModelRef {
    /// From its two parts.
    pub fn new(provider: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            provider: provider.into(),
            model: model.into(),
        }
    }

    /// The model's id for people: of a file, as some servers name what they run, its name alone.
    pub fn short_id(&self) -> &str {
        let id = self.model.as_str();
        let extension = Path::new(id).extension();
        let has_extension = extension.is_some_and(|it| it.eq_ignore_ascii_case("gguf"));
        let has_drive = id.get(1..3) == Some(":\\");
        let is_file = id.starts_with(['/', '~', '.']) || has_drive || has_extension;
        let name = id.rsplit(['/', '\\']).next().unwrap_or(id);
        if is_file && !name.is_empty() {
            name
        } else {
            id
        }
    }

    /// `provider/model` for people.
    pub fn label(&self) -> String {
        format!("{}/{}", self.provider, self.short_id())
    }
}

impl fmt::Display for ModelRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.provider, self.model)
    }
}

/// A tool as it is offered to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSchema {
    /// `[A-Za-z0-9_-]{1,64}`.
    pub name: String,
    /// The description and the use.
    pub description: String,
    /// JSON Schema of its arguments, an object.
    pub parameters: Value,
}

/// Tools of the list that belong together: those of a server, or those that reach tools of
/// servers outside the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerGroup {
    /// The server, or servers, for people.
    pub name: String,
    /// The names of the tools in the list.
    pub tools: Vec<String>,
}

impl ServerGroup {
    /// Whether a tool of the list is one of these.
    pub fn has(&self, tool: &ToolSchema) -> bool {
        self.tools.contains(&tool.name)
    }
}

/// Edits of a prompt that a server may make, on top of those made here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ServerContext {
    /// Nothing.
    #[default]
    Off,
    /// It replaces the oldest tool results by a placeholder.
    ClearToolUses,
    /// It puts a summary of its own in the place of everything before.
    Compact,
}

impl ServerContext {
    /// The name in settings and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::ClearToolUses => "clear-tool-uses",
            Self::Compact => "compact",
        }
    }
}

/// Edits of a prompt that the server is asked to make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServerEdits {
    /// What.
    pub context: ServerContext,
    /// From this size of the prompt on; `None` leaves it to the server.
    pub from_tokens: Option<u64>,
}

/// Everything that a provider needs to produce one answer. The same value always
/// encodes to the same bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct CompletionRequest {
    /// The model that will answer.
    pub model: ModelRef,
    /// The system prompt; empty means none.
    pub system: Arc<str>,
    /// Tools on offer, in a stable order; empty means none.
    pub tools: Arc<[ToolSchema]>,
    /// The conversation. Already repaired: every call is answered directly after its
    /// message, in call order, and nothing is empty.
    pub messages: Vec<RequestMessage>,
    /// Output tokens asked for.
    pub max_output_tokens: u64,
    /// The window that the user says the model has: an answer that fills it without an
    /// error is known by it where nobody else says how large it is.
    pub window_tokens: Option<u64>,
    /// How hard to think: a level that the model has, `Off` where it can be, or `Default`.
    pub thinking: ThinkingLevel,
    /// Edits of the prompt that the server may make.
    pub server: ServerEdits,
    /// A key that is equal for all requests that begin alike, and meaningless otherwise: some
    /// services send those with one key to the machine that has their beginning in its cache.
    /// ASCII letters and digits.
    pub cache_key: Option<Arc<str>>,
    /// What is asked of the server's prompt cache.
    pub cache: CacheWishes,
}

impl CompletionRequest {
    /// The server's id of the newest answer of this very model, where it was noted.
    pub fn last_response_id(&self, provider: &str) -> Option<&str> {
        let answers = self.messages.iter().rev();
        let mut answers = answers.filter_map(|item| match &*item.message {
            Message::Assistant(answer) => Some(answer),
            _ => None,
        });
        let newest = answers
            .find(|answer| answer.provider == provider && answer.model == self.model.model)?;
        newest.response_id.as_deref()
    }

    /// Whether the last message is an answer that is to be gone on with.
    pub fn ends_paused(&self) -> bool {
        match self.messages.last().map(|last| &*last.message) {
            Some(Message::Assistant(answer)) => answer.stop == StopReason::Paused,
            _ => false,
        }
    }
}

/// One message of a request, with the entry it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct RequestMessage {
    /// `None` for pending input and for what repair made up.
    pub entry: Option<EntryId>,
    /// The sent message. `BashExecution` never occurs here: it was turned into a user message.
    pub message: Arc<Message>,
    /// Whether this is the summary of a compaction: a good place for a cache breakpoint.
    pub is_summary: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_of_a_file_is_shown_by_its_name() {
        for (id, shown) in [
            ("/models/tiny.gguf", "tiny.gguf"),
            ("models/tiny.gguf", "tiny.gguf"),
            ("C:\\models\\tiny", "tiny"),
            ("./tiny", "tiny"),
            ("Qwen/Qwen3-32B", "Qwen/Qwen3-32B"),
            ("gpt-5", "gpt-5"),
            ("/", "/"),
            ("漢/漢", "漢/漢"),
            ("", ""),
        ] {
            let model = ModelRef::new("p", id);
            assert_eq!(model.short_id(), shown);
            assert_eq!(model.label(), format!("p/{shown}"));
        }
    }
}
