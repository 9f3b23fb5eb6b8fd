//! Gemini's own protocol, `streamGenerateContent` with server-sent events.
//!
//! `wire` encodes a request into a `body` (pure, same request gives the same bytes), `schema`
//! brings the schemas of tools into the subset that Gemini takes, `decode` is a state machine
//! over chunks; this file only joins them to HTTP.

mod body;
pub(super) mod decode;
mod schema;
mod wire;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::provider::error::ProviderError;
use crate::provider::http::address::with_query;
use crate::provider::http::call::{HttpCall, KeyHeader};
use crate::provider::http::connection::ProviderConnection;
use crate::provider::http::stream::stream_answer;
use crate::provider::protocol::Protocol;
use crate::provider::protocol::body::json;
use crate::provider::service::{AnswerStream, Provider};
use crate::transcript::CompletionRequest;

/// An endpoint that speaks Gemini.
pub(super) struct GeminiProvider {
    /// Its address is what precedes `/MODEL:streamGenerateContent`.
    pub connection: ProviderConnection,
}

/// Where the requests for a model go.
pub(super) fn request_url(models_url: &str, model: &str) -> String {
    let model = model.strip_prefix("models/").unwrap_or(model);
    let (models_url, query) = models_url.split_at(models_url.find('?').unwrap_or(models_url.len()));
    let url = format!("{models_url}/{model}:streamGenerateContent?alt=sse");
    with_query(&url, query)
}

/// A model's name as the interface writes it: `models/gemini-2.5-pro`.
pub(super) fn model_name(model: &str) -> String {
    format!("models/{}", model.strip_prefix("models/").unwrap_or(model))
}

impl Provider for GeminiProvider {
    fn id(&self) -> &str {
        &self.connection.id
    }

    fn wire_body(&self, request: &CompletionRequest) -> Value {
        let facts = self.connection.reasoning(&request.model);
        let body = json(&wire::encode(request, &self.connection.id, &facts));
        self.connection
            .with_fields(Protocol::Gemini, &request.model, body)
    }

    fn stream(&self, request: CompletionRequest, cancel: CancellationToken) -> AnswerStream {
        let again = self.connection.clone();
        let asked = request.clone();
        // Signatures that the server does not accept any more (another account, a changed
        // history) are excused rather than failing every further request.
        let fix = move |refusal: &ProviderError, _: &Value| {
            is_about_signatures(refusal).then(|| {
                let facts = again.reasoning(&asked.model);
                let body = json(&wire::excuse(wire::encode(&asked, &again.id, &facts)));
                again.with_fields(Protocol::Gemini, &asked.model, body)
            })
        };
        let call = HttpCall {
            url: request_url(&self.connection.url, &request.model.model),
            ..self.connection.call(
                KeyHeader::X_GOOG_API_KEY,
                self.wire_body(&request),
                Some(Box::new(fix)),
            )
        };
        let info = self.connection.info_for(&request);
        stream_answer(call, decode::GeminiDecoder::new(info), cancel)
    }
}

fn is_about_signatures(refusal: &ProviderError) -> bool {
    match refusal {
        ProviderError::InvalidRequest { message } => message.to_lowercase().contains("signature"),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
