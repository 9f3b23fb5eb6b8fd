//! OpenAI Responses, used statelessly: nothing is stored there, and the reasoning of a
//! tool loop travels back and forth encrypted.
//!
//! `wire` encodes a request into a `body` (pure, same request gives the same bytes),
//! `decode` is a state machine over typed events, `refusals` is what was learned about a
//! server; this file only joins them to HTTP.

mod body;
pub(super) mod decode;
pub(super) mod refusals;
mod wire;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use self::body::{CacheOptions, InputItem, ResponsesBody};
use self::refusals::{OmittedFields, ResponsesRefusals};
use self::wire::ResponsesTarget;
use crate::provider::error::ProviderError;
use crate::provider::http::call::{HttpCall, KeyHeader};
use crate::provider::http::connection::ProviderConnection;
use crate::provider::http::stream::stream_answer;
use crate::provider::openai::model_names::tells_of_its_cache;
use crate::provider::protocol::Protocol;
use crate::provider::protocol::body::json;
use crate::provider::protocol::conversation_key;
use crate::provider::service::{AnswerStream, Provider};
use crate::transcript::CompletionRequest;

/// An endpoint that speaks Responses.
#[derive(Clone)]
pub(super) struct ResponsesProvider {
    /// Posts to `/responses`.
    pub connection: ProviderConnection,
    /// The fields that are not sent any more.
    pub learned: Arc<ResponsesRefusals>,
}

impl ResponsesProvider {
    /// Whether the answer is to say what the prompt cache missed.
    fn is_compared(&self, request: &CompletionRequest) -> bool {
        self.connection.quirks.tells_of_its_cache
            && tells_of_its_cache(&request.model.model)
            && request.cache.diagnosis
    }

    fn body<'a>(
        &self,
        request: &'a CompletionRequest,
        omitted: OmittedFields,
    ) -> ResponsesBody<'a> {
        let known = self.connection.catalogue.find(&request.model);
        let reasoning = self.connection.reasoning(&request.model);
        let target = ResponsesTarget {
            provider: &self.connection.id,
            known: known.as_ref(),
            reasoning: &reasoning,
            omitted,
        };
        let mut body = wire::encode(request, target);
        body.prompt_cache_options = self
            .is_compared(request)
            .then(|| request.last_response_id(&self.connection.id))
            .flatten()
            .filter(|_| !omitted.cache_options)
            .map(|id| CacheOptions {
                comparison_response_id: id.to_owned(),
            });
        body
    }

    /// The fields left out of a request because they were refused before.
    fn omitted(&self, request: &CompletionRequest) -> OmittedFields {
        self.learned.omitted(&request.model.model)
    }
}

impl Provider for ResponsesProvider {
    fn id(&self) -> &str {
        &self.connection.id
    }

    fn wire_body(&self, request: &CompletionRequest) -> Value {
        self.dressed(request, &self.body(request, self.omitted(request)))
    }

    fn stream(&self, request: CompletionRequest, cancel: CancellationToken) -> AnswerStream {
        let body = self.body(&request, self.omitted(&request));
        let is_compaction = |item: &InputItem<'_>| matches!(item, InputItem::Compaction(_));
        let reads_summary = body.input.iter().any(is_compaction);
        let call = HttpCall {
            headers: conversation_key::headers(&self.connection, &request),
            ..self.connection.call(
                KeyHeader::BEARER,
                self.dressed(&request, &body),
                Some(Box::new(self.clone().fix(request.clone()))),
            )
        };
        let info = self.connection.info_for(&request);
        let is_compared = self.is_compared(&request);
        let decoder = decode::ResponsesDecoder::new(info);
        let decoder = decoder.after_summary(reads_summary).compared(is_compared);
        stream_answer(call, decoder, cancel)
    }
}

impl ResponsesProvider {
    /// The body as JSON, with what the user adds to it.
    fn dressed(&self, request: &CompletionRequest, body: &ResponsesBody<'_>) -> Value {
        let model = &request.model;
        self.connection
            .with_fields(Protocol::Responses, model, json(body))
    }

    /// The next try of a refused request: without what the refusal is about.
    fn fix(
        self,
        request: CompletionRequest,
    ) -> impl Fn(&ProviderError, &Value) -> Option<Value> + Send + Sync {
        // Refused for this request alone, also in the tries after the next one.
        let drops_items = AtomicBool::new(false);
        move |refusal, body| {
            let mut omitted = self.learned.learn(refusal, body)?;
            omitted.reasoning_items |= drops_items.load(Ordering::Relaxed);
            drops_items.store(omitted.reasoning_items, Ordering::Relaxed);
            Some(self.dressed(&request, &self.body(&request, omitted)))
        }
    }
}

#[cfg(test)]
mod tests;
