//! The JSON body of `streamGenerateContent`, field by field.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};

/// Marks a signature that came with text rather than with a call: it goes back in a part
/// of its own. Signatures are base64 and have no colon.
pub(super) const OF_TEXT: &str = "text:";

/// A request. Fields that are `None` or empty are left out.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GenerateBody<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_instruction: Option<SystemInstruction<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<[FunctionDeclarations<'a>; 1]>,
    pub generation_config: GenerationConfig,
    pub contents: Vec<GeminiContent<'a>>,
}

/// The system prompt.
#[derive(Serialize)]
pub(super) struct SystemInstruction<'a> {
    pub parts: [GeminiPart<'a>; 1],
}

/// The tools on offer.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FunctionDeclarations<'a> {
    pub function_declarations: Vec<FunctionDeclaration<'a>>,
}

/// A tool on offer.
#[derive(Serialize)]
pub(super) struct FunctionDeclaration<'a> {
    pub name: String,
    pub description: &'a str,
    /// The subset of JSON Schema that Gemini takes; `None` for a function without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Value>,
}

/// How to answer.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GenerationConfig {
    pub max_output_tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking_config: Option<ThinkingConfig>,
}

/// How to reason.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ThinkingConfig {
    pub include_thoughts: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking_level: Option<&'static str>,
    /// In tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thinking_budget: Option<u64>,
}

/// A message.
#[derive(Serialize)]
pub(super) struct GeminiContent<'a> {
    /// `user` or `model`.
    pub role: &'static str,
    pub parts: Vec<GeminiPart<'a>>,
    /// Function responses so far; they are the first parts.
    #[serde(skip)]
    pub responses: usize,
}

/// A part of a message.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GeminiPart<'a> {
    #[serde(flatten)]
    pub data: PartData<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thought_signature: Option<&'a str>,
}

/// The content of a part.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum PartData<'a> {
    Text(Cow<'a, str>),
    InlineData(InlineData<'a>),
    FunctionCall(FunctionCall),
    FunctionResponse(FunctionResponse),
}

/// An image or a document.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InlineData<'a> {
    pub mime_type: &'static str,
    /// In base64.
    pub data: &'a str,
}

/// A call of an answer.
#[derive(Serialize)]
pub(super) struct FunctionCall {
    /// Only calls that came with an id go back with one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub name: String,
    pub args: Map<String, Value>,
}

/// The result of a call.
#[derive(Serialize)]
pub(super) struct FunctionResponse {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub name: String,
    pub response: FunctionOutput,
}

/// How a call ended.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum FunctionOutput {
    Output(String),
    Error(String),
}

impl<'a> GeminiPart<'a> {
    /// A part without a signature.
    pub(super) fn new(data: PartData<'a>) -> Self {
        Self {
            data,
            thought_signature: None,
        }
    }

    /// A part of words.
    pub(super) fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::new(PartData::Text(text.into()))
    }

    /// Whether it is a call.
    pub(super) fn is_call(&self) -> bool {
        matches!(self.data, PartData::FunctionCall(_))
    }

    /// Whether it carries a signature and nothing else.
    pub(super) fn is_bare_signature(&self) -> bool {
        let is_empty = matches!(&self.data, PartData::Text(text) if text.is_empty());
        is_empty && self.thought_signature.is_some()
    }
}
