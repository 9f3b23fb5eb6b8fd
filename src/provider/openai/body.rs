//! The JSON body of `/chat/completions`, field by field.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

/// A request. Fields that are `None` or empty are left out.
#[derive(Serialize)]
pub(super) struct ChatBody<'a> {
    pub model: &'a str,
    pub stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream_options: Option<StreamOptions>,
    /// The limit of an answer in tokens; either this one or the next field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// Its name for models that reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_completion_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<ReasoningChoice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking: Option<ThinkingSwitch>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enable_thinking: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ChatTool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_control: Option<CacheMark>,
    pub messages: Vec<ChatMessage<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_cache_key: Option<&'a str>,
}

/// How much to reason, as `OpenRouter` is told.
#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
pub(super) enum ReasoningChoice {
    Switch { enabled: bool },
    Effort { effort: &'static str },
}

/// Whether to reason, as `DeepSeek` is told.
#[derive(Clone, Copy, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum ThinkingSwitch {
    Disabled,
}

/// The extra data of a stream.
#[derive(Serialize)]
pub(super) struct StreamOptions {
    pub include_usage: bool,
}

/// Where a prompt is kept in the cache.
#[derive(Clone, Copy, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum CacheMark {
    Ephemeral,
}

/// A tool on offer.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum ChatTool<'a> {
    Function { function: ChatFunction<'a> },
}

/// The function that a tool is.
#[derive(Serialize)]
pub(super) struct ChatFunction<'a> {
    pub name: &'a str,
    pub description: &'a str,
    /// JSON Schema, as the tool gives it.
    pub parameters: &'a Value,
}

#[derive(Clone, Serialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub(super) enum ChatMessage<'a> {
    System {
        content: &'a str,
    },
    User {
        content: ChatContent<'a>,
    },
    Assistant(ChatAnswer),
    Tool {
        tool_call_id: String,
        content: String,
    },
}

/// An answer that goes back.
#[derive(Clone, Default, Serialize)]
pub(super) struct ChatAnswer {
    /// `null` without text.
    pub content: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ChatCall>,
    /// Reasoning as the server marked it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasoning_details: Vec<Value>,
    /// Reasoning as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_content: Option<String>,
}

/// A call of an answer.
#[derive(Clone, Serialize)]
pub(super) struct ChatCall {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub function: CalledFunction,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra_content: Option<ExtraContent>,
}

/// The function that a call names.
#[derive(Clone, Serialize)]
pub(super) struct CalledFunction {
    pub name: String,
    /// JSON text.
    pub arguments: String,
}

/// Google's addition to a call.
#[derive(Clone, Serialize)]
pub(super) struct ExtraContent {
    pub google: GoogleContent,
}

/// The signature of the reasoning that led to a call.
#[derive(Clone, Serialize)]
pub(super) struct GoogleContent {
    pub thought_signature: &'static str,
}

/// The content of a user message.
#[derive(Clone, Serialize)]
#[serde(untagged)]
pub(super) enum ChatContent<'a> {
    Text(String),
    Parts(Vec<ChatPart<'a>>),
}

/// One of several parts.
#[derive(Clone, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum ChatPart<'a> {
    Text { text: Cow<'a, str> },
    ImageUrl { image_url: ImageUrl },
    File { file: ChatFile<'a> },
}

/// An image as a data URL.
#[derive(Clone, Serialize)]
pub(super) struct ImageUrl {
    pub url: String,
}

/// A document as a data URL.
#[derive(Clone, Serialize)]
pub(super) struct ChatFile<'a> {
    pub filename: &'a str,
    pub file_data: String,
}
