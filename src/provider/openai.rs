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

use super::connection::Connection;
use super::http::stream_answer;
use super::{AnswerStream, Provider, ProviderError};
use crate::transcript::CompletionRequest;

/// An endpoint that speaks chat completions.
pub(super) struct OpenAi {
    /// Posts to `/chat/completions`.
    pub connection: Connection,
    /// The server has refused `stream_options`; it is not sent again.
    pub refuses_usage: Arc<AtomicBool>,
}

impl Provider for OpenAi {
    fn id(&self) -> &str {
        &self.connection.id
    }

    fn wire_body(&self, request: &CompletionRequest) -> Value {
        let asks_usage = !self.refuses_usage.load(Ordering::Relaxed);
        let known = self.connection.catalogue.find(&request.model);
        wire::encode(request, &self.connection.id, known.as_ref(), asks_usage)
    }

    fn stream(&self, request: CompletionRequest, cancel: CancellationToken) -> AnswerStream {
        let refuses_usage = self.refuses_usage.clone();
        let mend = move |refusal: &ProviderError, body: &Value| {
            let second = without_usage(refusal, body)?;
            refuses_usage.store(true, Ordering::Relaxed);
            Some(second)
        };
        let call = self.connection.call(
            ("authorization", "Bearer "),
            self.wire_body(&request),
            Some(Box::new(mend)),
        );
        let Connection { id, catalogue, .. } = &self.connection;
        let decoder = decode::Decoder::new(catalogue.lookup(&request.model), id);
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
