//! OpenAI chat completions, and the many servers that speak it.
//!
//! `wire` encodes (pure, same request gives the same bytes), `decode` is a state
//! machine over server-sent events; this file only joins them to HTTP.

pub(super) mod decode;
mod wire;

pub(super) use wire::is_reasoning_name;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::http::{Call, HttpClient, stream_answer};
use super::key::Key;
use super::{AnswerStream, Catalogue, Provider, ProviderError};
use crate::transcript::CompletionRequest;

/// An endpoint that speaks chat completions.
pub(super) struct OpenAi {
    /// Provider id.
    pub id: String,
    /// Address of `/chat/completions`.
    pub url: String,
    /// The key; local servers need none.
    pub key: Key,
    /// What to do about a missing or wrong key.
    pub key_hint: String,
    /// Further headers, in order.
    pub headers: Vec<(String, String)>,
    /// Shared HTTP client.
    pub client: Arc<HttpClient>,
    /// Windows, prices and abilities.
    pub catalogue: Arc<Catalogue>,
    /// The server has refused `stream_options`; it is not sent again.
    pub refuses_usage: Arc<AtomicBool>,
}

impl Provider for OpenAi {
    fn id(&self) -> &str {
        &self.id
    }

    fn wire_body(&self, request: &CompletionRequest) -> Value {
        let asks_usage = !self.refuses_usage.load(Ordering::Relaxed);
        let known = self.catalogue.find(&request.model);
        wire::encode(request, &self.id, known.as_ref(), asks_usage)
    }

    fn stream(&self, request: CompletionRequest, cancel: CancellationToken) -> AnswerStream {
        let refuses_usage = self.refuses_usage.clone();
        let mend = move |refusal: &ProviderError, body: &Value| {
            let second = without_usage(refusal, body)?;
            refuses_usage.store(true, Ordering::Relaxed);
            Some(second)
        };
        let call = Call {
            client: self.client.clone(),
            provider: self.id.clone(),
            url: self.url.clone(),
            headers: self.headers.clone(),
            key_header: ("authorization", "Bearer "),
            key: self.key.clone(),
            key_hint: self.key_hint.clone(),
            body: self.wire_body(&request),
            mend: Some(Box::new(mend)),
        };
        let decoder = decode::Decoder::new(self.catalogue.lookup(&request.model), &self.id);
        stream_answer(call, decoder, cancel)
    }
}

/// The body without the field that old servers do not know.
fn without_usage(refusal: &ProviderError, body: &Value) -> Option<Value> {
    let ProviderError::InvalidRequest { message } = refusal else {
        return None;
    };
    if !message.contains("stream_options") && !message.contains("include_usage") {
        return None;
    }
    let mut body = body.clone();
    body.as_object_mut()?.shift_remove("stream_options")?;
    Some(body)
}

#[cfg(test)]
mod tests;
