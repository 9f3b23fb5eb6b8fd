//! Anthropic Messages: requests, streaming answers, prompt-cache breakpoints.
//!
//! `wire` encodes a request into a `body` (pure, same request gives the same bytes),
//! `reasoning` knows how each generation is asked to think, `attachments` which images go
//! out, `breakpoints` where the cache is written and found,
//! `cache` what else is asked of it, `fix` what is left out of a body
//! that was refused, `decode` is a state machine over server-sent events; this file joins
//! them to HTTP.

mod attachments;
mod body;
mod breakpoints;
mod cache;
pub(super) mod decode;
mod fix;
pub(super) mod reasoning;
mod wire;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use self::body::{
    BlockBinding, ContentBlock, MessagesBody, ServerEditKind, ThinkingDisplay, ThinkingRequest,
};
use crate::provider::http::call::{HttpCall, KeyHeader};
use crate::provider::http::connection::ProviderConnection;
use crate::provider::http::stream::stream_answer;
use crate::provider::protocol::Protocol;
use crate::provider::protocol::body::json;
use crate::provider::service::{AnswerStream, Provider};
use crate::transcript::CompletionRequest;

/// The version of the API that is spoken, as a header.
pub(super) const VERSION: (&str, &str) = ("anthropic-version", "2023-06-01");

/// Allows `thinking.block_binding`: a pruned history then loses its old reasoning
/// instead of being refused.
const BINDING_BETA: &str = "thinking-binding-controls-2026-08-01";

/// Allows `thinking.display` to be `updates`: what is said between tool calls can be read,
/// the rest of the reasoning is not waited for.
const UPDATES_BETA: &str = "thinking-display-updates-2026-08-18";

/// Allows what `context_management` asks for.
const CLEARING_BETA: &str = "context-management-2025-06-27";
const COMPACTION_BETA: &str = "compact-2026-01-12";
const BETA_HEADER: &str = "anthropic-beta";

/// An endpoint that speaks Anthropic Messages.
pub(super) struct AnthropicProvider {
    /// Posts to `/v1/messages`.
    pub connection: ProviderConnection,
}

impl Provider for AnthropicProvider {
    fn id(&self) -> &str {
        &self.connection.id
    }

    fn wire_body(&self, request: &CompletionRequest) -> Value {
        let body = json(&self.body(request));
        self.connection
            .with_fields(Protocol::Anthropic, &request.model, body)
    }

    fn stream(&self, request: CompletionRequest, cancel: CancellationToken) -> AnswerStream {
        let body = self.body(&request);
        let is_compared = body.diagnostics.is_some();
        let reads_summary = holds_summary(&body);
        let call = HttpCall {
            headers: self.headers_for(&body),
            ..self.connection.call(
                KeyHeader::X_API_KEY,
                self.connection
                    .with_fields(Protocol::Anthropic, &request.model, json(&body)),
                Some(Box::new(fix::fixed)),
            )
        };
        let info = self.connection.info_for(&request);
        let decoder = decode::AnthropicDecoder::new(info);
        let decoder = decoder.after_summary(reads_summary).compared(is_compared);
        stream_answer(call, decoder, cancel)
    }
}

/// Whether the server goes on from a summary of its own rather than from the beginning.
fn holds_summary(body: &MessagesBody<'_>) -> bool {
    let mut blocks = body.messages.iter().flat_map(|message| &message.blocks);
    blocks.any(|block| matches!(block, ContentBlock::ServerSummary(_)))
}

impl AnthropicProvider {
    fn body<'a>(&self, request: &'a CompletionRequest) -> MessagesBody<'a> {
        let facts = self.connection.reasoning(&request.model);
        let mut body = wire::encode(request, &self.connection.id, &facts);
        if self.connection.quirks.tells_of_its_cache {
            cache::ask(&mut body, request, &self.connection.id);
        }
        body
    }

    /// The headers that a body needs; betas that the user names are asked for as well.
    fn headers_for(&self, body: &MessagesBody<'_>) -> Vec<(String, String)> {
        let mut betas = Vec::new();
        if let Some(ThinkingRequest::Adaptive {
            display,
            block_binding,
        }) = &body.thinking
        {
            betas.extend(block_binding.as_ref().map(|_: &BlockBinding| BINDING_BETA));
            betas.extend((*display == ThinkingDisplay::Updates).then_some(UPDATES_BETA));
        }
        let edits = body.context_management.iter().flat_map(|it| &it.edits);
        betas.extend(edits.map(|edit| match edit.kind {
            ServerEditKind::ClearToolUses => CLEARING_BETA,
            ServerEditKind::Compact => COMPACTION_BETA,
        }));
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
