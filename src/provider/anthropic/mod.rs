//! Anthropic Messages: requests, streaming answers, prompt-cache breakpoints.
//!
//! `wire` encodes (pure, same request gives the same bytes), `reasoning` knows how each
//! generation is asked to think, `attachments` which images go out, `breakpoints` where the
//! cache is written and found, `mend` what is left out of a body that was refused, `decode`
//! is a state machine over server-sent events; this file joins them to HTTP.

mod attachments;
mod breakpoints;
pub(super) mod decode;
mod mend;
mod reasoning;
mod wire;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::connection::Connection;
use super::http::{Call, stream_answer};
use super::{AnswerStream, Provider};
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
                .call(("x-api-key", ""), body, Some(Box::new(mend::mended)))
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

#[cfg(test)]
mod tests;
