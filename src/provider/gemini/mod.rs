//! Gemini's own protocol, `streamGenerateContent` with server-sent events.
//!
//! `wire` encodes (pure, same request gives the same bytes), `schema` brings the schemas
//! of tools into the subset that Gemini takes, `decode` is a state machine over chunks;
//! this file only joins them to HTTP.

pub(super) mod decode;
mod schema;
mod wire;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::connection::Connection;
use super::http::address::with_query;
use super::http::{Call, stream_answer};
use super::{AnswerStream, Provider, ProviderError};
use crate::transcript::CompletionRequest;

/// Marks a signature that came with text rather than with a call: it goes back in a part
/// of its own. Signatures are base64 and have no colon.
const OF_TEXT: &str = "text:";

/// An endpoint that speaks Gemini.
pub(super) struct Gemini {
    /// Its address is what precedes `/MODEL:streamGenerateContent`.
    pub connection: Connection,
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

impl Provider for Gemini {
    fn id(&self) -> &str {
        &self.connection.id
    }

    fn wire_body(&self, request: &CompletionRequest) -> Value {
        wire::encode(request, &self.connection.id)
    }

    fn stream(&self, request: CompletionRequest, cancel: CancellationToken) -> AnswerStream {
        let call = Call {
            url: request_url(&self.connection.url, &request.model.model),
            ..self.connection.call(
                ("x-goog-api-key", ""),
                self.wire_body(&request),
                Some(Box::new(without_signatures)),
            )
        };
        let info = self.connection.info_for(&request);
        let decoder = decode::Decoder::new(info, &self.connection.id);
        stream_answer(call, decoder, cancel)
    }
}

/// Signatures that the server does not accept any more (another account, a changed
/// history) are excused rather than failing every further request.
fn without_signatures(refusal: &ProviderError, body: &Value) -> Option<Value> {
    let ProviderError::InvalidRequest { message } = refusal else {
        return None;
    };
    let message = message.to_lowercase();
    if !message.contains("signature") {
        return None;
    }
    let mut second = body.clone();
    for content in second.get_mut("contents")?.as_array_mut()? {
        let Some(parts) = content.get_mut("parts").and_then(Value::as_array_mut) else {
            continue;
        };
        wire::excuse(parts);
    }
    (second != *body).then_some(second)
}

#[cfg(test)]
mod tests;
