//! OpenAI chat completions, and the many servers that speak it.
//!
//! `wire` encodes a request into a `body` (pure, same request gives the same bytes),
//! `decode` is a state machine over server-sent events, `refusals` is what was learned about
//! a server; this file only joins them to HTTP.

mod body;
pub(super) mod decode;
pub(super) mod model_names;
pub(super) mod refusals;
mod wire;

use std::sync::Arc;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use self::refusals::ChatRefusals;
use self::wire::ChatTarget;
use crate::provider::error::ProviderError;
use crate::provider::http::call::{HttpCall, KeyHeader};
use crate::provider::http::connection::ProviderConnection;
use crate::provider::http::stream::stream_answer;
use crate::provider::protocol::Protocol;
use crate::provider::protocol::body::json;
use crate::provider::protocol::conversation_key;
use crate::provider::protocol::quirks::Quirks;
use crate::provider::service::{AnswerStream, Provider};
use crate::transcript::CompletionRequest;

/// An endpoint that speaks chat completions.
pub(super) struct ChatProvider {
    /// Posts to `/chat/completions`.
    pub connection: ProviderConnection,
    /// The fields that are not sent any more.
    pub learned: Arc<ChatRefusals>,
}

impl Provider for ChatProvider {
    fn id(&self) -> &str {
        &self.connection.id
    }

    fn wire_body(&self, request: &CompletionRequest) -> Value {
        let quirks = self.connection.quirks;
        let known = self.connection.catalogue.find(&request.model);
        let reasoning = self.connection.reasoning(&request.model);
        let target = ChatTarget {
            provider: &self.connection.id,
            quirks: Quirks {
                reasoning: self.learned.returned(quirks.reasoning),
                ..quirks
            },
            known: known.as_ref(),
            reasoning: &reasoning,
        };
        let mut body = wire::encode(request, target);
        self.learned.apply(&mut body);
        self.connection
            .with_fields(Protocol::OpenAi, &request.model, json(&body))
    }

    fn stream(&self, request: CompletionRequest, cancel: CancellationToken) -> AnswerStream {
        let again = Self {
            connection: self.connection.clone(),
            learned: self.learned.clone(),
        };
        let asked = request.clone();
        let fix = move |refusal: &ProviderError, body: &Value| {
            let has_learned = again.learned.learn(refusal, body);
            has_learned.then(|| again.wire_body(&asked))
        };
        let call = HttpCall {
            headers: conversation_key::headers(&self.connection, &request),
            ..self.connection.call(
                KeyHeader::BEARER,
                self.wire_body(&request),
                Some(Box::new(fix)),
            )
        };
        let info = self.connection.info_for(&request);
        stream_answer(call, decode::ChatDecoder::new(info), cancel)
    }
}

#[cfg(test)]
mod tests;
