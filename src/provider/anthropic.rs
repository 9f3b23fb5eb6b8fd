//! Anthropic Messages: requests, streaming answers, prompt-cache breakpoints.
//!
//! `wire` encodes (pure, same request gives the same bytes), `reasoning` knows how each
//! generation is asked to think, `decode` is a state machine over server-sent events; this
//! file only joins them to HTTP.

pub(super) mod decode;
mod reasoning;
mod wire;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::connection::Connection;
use super::http::{Call, stream_answer};
use super::{AnswerStream, Provider, ProviderError};
use crate::transcript::CompletionRequest;

/// The version of the API that is spoken, as a header.
pub(super) const VERSION: (&str, &str) = ("anthropic-version", "2023-06-01");

/// Allows `thinking.block_binding`: a pruned history then loses its old reasoning
/// instead of being refused.
const BINDING_BETA: &str = "thinking-binding-controls-2026-08-01";

/// Allows what `context_management` asks for.
const CLEARING_BETA: &str = "context-management-2025-06-27";
const COMPACTION_BETA: &str = "compact-2026-01-12";
const BETA_HEADER: &str = "anthropic-beta";

/// An endpoint that speaks Anthropic Messages.
pub(super) struct Anthropic {
    /// Posts to `/v1/messages`.
    pub connection: Connection,
}

impl Provider for Anthropic {
    fn id(&self) -> &str {
        &self.connection.id
    }

    fn wire_body(&self, request: &CompletionRequest) -> Value {
        wire::encode(request, &self.connection.id)
    }

    fn stream(&self, request: CompletionRequest, cancel: CancellationToken) -> AnswerStream {
        let body = self.wire_body(&request);
        let reads_summary = holds_summary(&body);
        let call = Call {
            headers: self.headers_for(&body),
            ..self
                .connection
                .call(("x-api-key", ""), body, Some(Box::new(without_thinking)))
        };
        let info = self.connection.info_for(&request);
        let decoder = decode::Decoder::new(info, &self.connection.id);
        stream_answer(call, decoder.after_summary(reads_summary), cancel)
    }
}

/// Whether the server goes on from a summary of its own rather than from the beginning.
fn holds_summary(body: &Value) -> bool {
    let messages = body["messages"].as_array().into_iter().flatten();
    messages
        .filter_map(|message| message["content"].as_array())
        .flatten()
        .any(|block| block["type"] == "compaction")
}

impl Anthropic {
    /// The headers that a body needs; betas that the user names are asked for as well.
    fn headers_for(&self, body: &Value) -> Vec<(String, String)> {
        let mut betas = Vec::new();
        if body.pointer("/thinking/block_binding").is_some() {
            betas.push(BINDING_BETA);
        }
        betas.extend(
            match body
                .pointer("/context_management/edits/0/type")
                .and_then(Value::as_str)
            {
                Some(wire::CLEAR_TOOL_USES) => Some(CLEARING_BETA),
                Some(wire::COMPACT) => Some(COMPACTION_BETA),
                _ => None,
            },
        );
        let mut headers = vec![(VERSION.0.to_owned(), VERSION.1.to_owned())];
        for (name, value) in &self.connection.headers {
            if name.eq_ignore_ascii_case(BETA_HEADER) {
                betas.push(value);
            } else {
                headers.push((name.clone(), value.clone()));
            }
        }
        if !betas.is_empty() {
            headers.push((BETA_HEADER.to_owned(), betas.join(",")));
        }
        headers
    }
}

/// How the server says that it is the reasoning of earlier answers which it refuses.
const ABOUT_THE_HISTORY: [&str; 6] = [
    "signature",
    "bound",
    "cannot be modified",
    "must start with",
    "final block",
    "final position",
];

/// What asks for reasoning, and how a server says that it does not know it.
const ASKING: [&str; 4] = ["thinking", "adaptive", "effort", "output_config"];
const UNKNOWN: [&str; 5] = [
    "not supported",
    "does not support",
    "unsupported",
    "extra inputs",
    "does not match any of the expected tags",
];

/// Reasoning that the server does not accept any more (another account, a changed
/// history behind a proxy) is left out rather than failing every further request.
fn without_thinking(refusal: &ProviderError, body: &Value) -> Option<Value> {
    let ProviderError::InvalidRequest { message } = refusal else {
        return None;
    };
    let about_thinking =
        message.contains("thinking") && ABOUT_THE_HISTORY.iter().any(|word| message.contains(word));
    let about_binding = message.contains("block_binding") || message.contains("anthropic-beta");
    let about_asking = ASKING.iter().any(|word| message.contains(word))
        && UNKNOWN.iter().any(|words| message.contains(words));
    if !about_thinking && !about_binding && !about_asking {
        return None;
    }
    let mut body = body.clone();
    // With a budget, a tool loop has to begin with reasoning: without it goes without.
    if (about_asking || body.pointer("/thinking/budget_tokens").is_some())
        && let Some(body) = body.as_object_mut()
    {
        body.shift_remove("thinking");
        body.shift_remove("output_config");
    }
    if let Some(thinking) = body.get_mut("thinking").and_then(Value::as_object_mut) {
        thinking.shift_remove("block_binding");
    }
    for message in body.get_mut("messages")?.as_array_mut()? {
        if let Some(blocks) = message.get_mut("content").and_then(Value::as_array_mut) {
            blocks.retain(|block| {
                !matches!(
                    block.get("type").and_then(Value::as_str),
                    Some("thinking" | "redacted_thinking")
                )
            });
        }
    }
    body.get_mut("messages")?.as_array_mut()?.retain(|message| {
        message
            .get("content")
            .and_then(Value::as_array)
            .is_none_or(|blocks| !blocks.is_empty())
    });
    Some(body)
}

#[cfg(test)]
mod tests;
