//! OpenAI chat completions, and the many servers that speak it.
//!
//! `wire` encodes (pure, same request gives the same bytes), `decode` is a state
//! machine over server-sent events; this file only joins them to HTTP.

pub(super) mod decode;
mod wire;

pub(super) use wire::is_reasoning_name;
use wire::{LIMIT, REASONING_LIMIT};

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
    /// What is not sent any more.
    pub learned: Arc<Dialect>,
}

/// What a server refused once and is spared from then on.
#[derive(Debug, Default)]
pub(super) struct Dialect {
    /// `stream_options`, unknown to old servers.
    refuses_usage: AtomicBool,
    /// The limit of the answer goes by the other of its two names.
    other_limit: AtomicBool,
}

impl Provider for OpenAi {
    fn id(&self) -> &str {
        &self.connection.id
    }

    fn wire_body(&self, request: &CompletionRequest) -> Value {
        let known = self.connection.catalogue.find(&request.model);
        let mut body = wire::encode(request, &self.connection.id, known.as_ref());
        if self.learned.refuses_usage.load(Ordering::Relaxed) {
            without_usage(&mut body);
        }
        if self.learned.other_limit.load(Ordering::Relaxed) {
            rename_limit(&mut body);
        }
        body
    }

    fn stream(&self, request: CompletionRequest, cancel: CancellationToken) -> AnswerStream {
        let learned = self.learned.clone();
        let mend = move |refusal: &ProviderError, body: &Value| mended(&learned, refusal, body);
        let call = self.connection.call(
            ("authorization", "Bearer "),
            self.wire_body(&request),
            Some(Box::new(mend)),
        );
        let info = self.connection.info_for(&request);
        let decoder = decode::Decoder::new(info, &self.connection.id);
        stream_answer(call, decoder, cancel)
    }
}

/// The body without what the refusal is about.
fn mended(learned: &Dialect, refusal: &ProviderError, body: &Value) -> Option<Value> {
    /// How servers say that they do not know a field.
    const UNKNOWN: [&str; 6] = [
        "unsupported",
        "not supported",
        "unrecognized",
        "unknown",
        "extra inputs",
        "extra_forbidden",
    ];
    let ProviderError::InvalidRequest { message } = refusal else {
        return None;
    };
    let message = message.to_lowercase();
    let mut second = body.clone();
    if message.contains("stream_options") || message.contains("include_usage") {
        without_usage(&mut second);
        learned.refuses_usage.store(true, Ordering::Relaxed);
    } else if (message.contains(LIMIT) || message.contains(REASONING_LIMIT))
        && UNKNOWN.iter().any(|words| message.contains(words))
    {
        rename_limit(&mut second);
        learned.other_limit.fetch_xor(true, Ordering::Relaxed);
    }
    Some(second)
}

fn without_usage(body: &mut Value) {
    if let Some(body) = body.as_object_mut() {
        body.shift_remove("stream_options");
    }
}

fn rename_limit(body: &mut Value) {
    let Some(body) = body.as_object_mut() else {
        return;
    };
    for (name, other) in [(LIMIT, REASONING_LIMIT), (REASONING_LIMIT, LIMIT)] {
        if let Some(limit) = body.shift_remove(name) {
            body.insert(other.to_owned(), limit);
            return;
        }
    }
}

#[cfg(test)]
mod tests;
