//! Messages and their parts, in the superset that all supported providers need.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::{CacheDiagnosis, Usage};

/// A message of the conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// Typed by a person, or injected in the user role.
    User(UserMessage),
    /// Written by a model.
    Assistant(AssistantMessage),
    /// The answer of a tool to one call.
    ToolResult(ToolResult),
    /// A command that the user ran with `!`.
    BashExecution(BashExecution),
}

/// In a message of the user: what follows was given by an MCP server, and nobody typed it.
pub const SERVER_TEXT: &str = "\n<mcp>\n";

/// A message in the user role. Never empty in anything that is sent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UserMessage {
    /// Text and images in order.
    pub content: Vec<Part>,
}

/// Text or an image.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Plain text.
    Text(String),
    /// An attachment.
    Image(Image),
}

/// An image or a PDF, held as base64.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// Base64 of the bytes, without a `data:` prefix.
    pub data: Arc<str>,
    /// E.g. `image/png`, `application/pdf`.
    pub mime: String,
    /// File name, when known.
    pub name: Option<String>,
}

/// A model's answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AssistantMessage {
    /// Thinking, text and tool calls in the order they arrived.
    pub content: Vec<AssistantPart>,
    /// Provider id, e.g. `anthropic`.
    pub provider: String,
    /// Model id as the provider names it.
    pub model: String,
    /// The usage reported for the request that produced this.
    pub usage: Option<Usage>,
    /// Why the answer ended.
    pub stop: StopReason,
    /// The error, when `stop` is `Error` or `Aborted`.
    pub error: Option<String>,
    /// The server's id of the answer, where the next request names it.
    pub response_id: Option<String>,
    /// What the server said of its prompt cache.
    pub cache: Option<CacheDiagnosis>,
}

/// One block of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum AssistantPart {
    /// Visible text.
    Text(String),
    /// Reasoning, with the provider's signature that must be returned unchanged.
    Thinking {
        /// The reasoning text.
        text: String,
        /// Opaque; present only for providers that sign.
        signature: Option<String>,
    },
    /// Reasoning that the provider encrypted, or the summary that it made of everything
    /// before (see [`is_server_summary`]).
    RedactedThinking {
        /// Opaque data, returned unchanged.
        data: String,
    },
    /// A request to run a tool.
    ToolCall(ToolCall),
}

/// How the JSON of a summary begins that a server made; encrypted reasoning is base64.
const SERVER_SUMMARY: &str = "{\"type\":\"compaction\"";

/// Whether the data of a [`AssistantPart::RedactedThinking`] is the server's own summary of
/// everything before, as the JSON block that goes back to it.
pub fn is_server_summary(data: &str) -> bool {
    data.starts_with(SERVER_SUMMARY)
}

/// A request of the model to run a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// The provider's id of this call; some providers reuse ids.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments, an object; an empty one where they are malformed. `Null` where a
    /// foreign log holds none.
    pub arguments: Value,
    /// The raw text, when what the model wrote was not a JSON object.
    pub malformed: Option<String>,
}

impl ToolCall {
    /// The arguments as an object; empty when they are none.
    pub fn arguments_object(&self) -> Map<String, Value> {
        self.arguments.as_object().cloned().unwrap_or_default()
    }
}

/// Why an answer ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StopReason {
    /// The model was done.
    #[default]
    Stop,
    /// The output limit or the window was reached.
    Length,
    /// The model wants its tool calls answered.
    ToolUse,
    /// The model declined to answer.
    Refusal,
    /// The server took a break in a long answer; it goes on when the answer is sent back.
    Paused,
    /// The provider or the connection failed in the middle.
    Error,
    /// The user stopped it.
    Aborted,
}

impl StopReason {
    /// An answer that ended like this is incomplete: its calls are not carried out
    /// and not completed by repair.
    pub fn is_broken(self) -> bool {
        matches!(self, Self::Error | Self::Aborted)
    }
}

/// A tool's answer to one call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolResult {
    /// The call this answers.
    pub call_id: String,
    /// The tool's name.
    pub tool_name: String,
    /// The content for the model.
    pub content: Vec<Part>,
    /// Whether the tool failed.
    pub is_error: bool,
    /// Structured data for the UI; never reaches a model, a summariser or a count.
    pub details: Option<Value>,
}

/// A command that the user ran from the composer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BashExecution {
    /// The command line.
    pub command: String,
    /// Standard output and error, interleaved.
    pub output: String,
    /// Exit code; `None` when it was killed, or has not ended.
    pub exit_code: Option<i32>,
    /// It was sent to the background, and goes on as this job.
    pub job: Option<u64>,
    /// Which files it changed and removed, as a tool result says it: for lists of files,
    /// never for a model.
    pub files: Option<Value>,
    /// Run with `!!`: kept out of the model's context.
    pub excluded: bool,
}

impl Message {
    /// A user message of one text.
    pub fn user_text(text: impl Into<String>) -> Self {
        Self::User(UserMessage {
            content: vec![Part::Text(text.into())],
        })
    }

    /// A user message of a text, when there is any, and attachments after it.
    pub fn user_parts(text: String, images: Vec<Image>) -> Self {
        let text = (!text.is_empty()).then_some(Part::Text(text));
        let images = images.into_iter().map(Part::Image);
        Self::User(UserMessage {
            content: text.into_iter().chain(images).collect(),
        })
    }

    /// All text of the message that a model reads, parts joined by newlines. Tool
    /// calls and thinking are not text.
    pub fn text(&self) -> String {
        match self {
            Self::User(user) => parts_text(&user.content),
            Self::Assistant(assistant) => assistant.text(),
            Self::ToolResult(result) => parts_text(&result.content),
            Self::BashExecution(run) => run.as_user_text(),
        }
    }

    /// The images of the message, in order.
    pub fn images(&self) -> impl Iterator<Item = &Image> {
        let parts: &[Part] = match self {
            Self::User(user) => &user.content,
            Self::ToolResult(result) => &result.content,
            Self::Assistant(_) | Self::BashExecution(_) => &[],
        };
        parts.iter().filter_map(|part| match part {
            Part::Image(image) => Some(image),
            Part::Text(_) => None,
        })
    }
}

impl AssistantMessage {
    /// The visible text, blocks joined by newlines.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for part in &self.content {
            if let AssistantPart::Text(text) = part {
                push_line(&mut out, text);
            }
        }
        out
    }

    /// The tool calls in order.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.content.iter().filter_map(|part| match part {
            AssistantPart::ToolCall(call) => Some(call),
            _ => None,
        })
    }

    /// What the model says on its way to its calls where it says it as reasoning and in no text
    /// beside it, as Claude does since 5.1: the newest of it, at most 400 characters.
    pub fn words_on_the_way(&self) -> Option<&str> {
        /// As much as the notes between calls need; reasoning in full is longer.
        const CHARS: usize = 400;
        if !self.model.contains("claude") || self.tool_calls().next().is_none() {
            return None;
        }
        let mut newest = None;
        for part in &self.content {
            match part {
                AssistantPart::Text(text) if !text.trim().is_empty() => return None,
                AssistantPart::Thinking { text, .. } if !text.trim().is_empty() => {
                    newest = Some(text.trim());
                }
                AssistantPart::Text(_)
                | AssistantPart::Thinking { .. }
                | AssistantPart::RedactedThinking { .. }
                | AssistantPart::ToolCall(_) => {}
            }
        }
        let words = newest?;
        let end = words.char_indices().nth(CHARS).map(|(end, _)| end);
        words.get(..end.unwrap_or(words.len()))
    }

    /// Whether there is neither a word nor a call in it; reasoning alone is not an answer.
    pub fn says_nothing(&self) -> bool {
        self.content.iter().all(|part| match part {
            AssistantPart::Text(text) => text.trim().is_empty(),
            AssistantPart::ToolCall(_) => false,
            AssistantPart::Thinking { .. } | AssistantPart::RedactedThinking { .. } => true,
        })
    }
}

impl ToolResult {
    /// The text of the result, parts joined by newlines.
    pub fn text(&self) -> String {
        parts_text(&self.content)
    }
}

impl BashExecution {
    /// How it ended, in words.
    pub fn ending(&self) -> String {
        match (self.exit_code, self.job) {
            (Some(code), _) => format!("exit code {code}"),
            (None, Some(job)) => format!("continues as job {job}"),
            (None, None) => "killed".to_owned(),
        }
    }

    /// How the model is told what the user ran. No output closes its own fence.
    pub fn as_user_text(&self) -> String {
        let output = self.output.trim_end();
        let runs = output.split(|c| c != '`').map(str::len);
        let fence = "`".repeat(runs.max().unwrap_or(0).max(2) + 1);
        format!(
            "I ran `{}` ({}):\n{fence}\n{output}\n{fence}",
            self.command,
            self.ending(),
        )
    }
}

fn parts_text(parts: &[Part]) -> String {
    let mut out = String::new();
    for part in parts {
        if let Part::Text(text) = part {
            push_line(&mut out, text);
        }
    }
    out
}

fn push_line(out: &mut String, text: &str) {
    if !out.is_empty() && !text.is_empty() {
        out.push('\n');
    }
    out.push_str(text);
}
