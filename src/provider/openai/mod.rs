//! OpenAI chat completions, and the many servers that speak it.
//!
//! `wire` encodes (pure, same request gives the same bytes), `decode` is a state
//! machine over server-sent events, `dialect` is what was learned about a server; this file
//! only joins them to HTTP.

pub(super) mod decode;
mod dialect;
mod wire;

pub(super) use dialect::Dialect;
pub(super) use wire::is_reasoning_name;

use std::sync::Arc;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::connection::Connection;
use super::http::{Call, stream_answer};
use super::{AnswerStream, Provider, ProviderError, affinity};
use crate::transcript::CompletionRequest;

/// An endpoint that speaks chat completions.
pub(super) struct OpenAi {
    /// Posts to `/chat/completions`.
    pub connection: Connection,
    /// What is not sent any more.
    pub learned: Arc<Dialect>,
}

impl Provider for OpenAi {
    fn id(&self) -> &str {
        &self.connection.id
    }

    fn wire_body(&self, request: &CompletionRequest) -> Value {
        let Connection { id, catalogue, .. } = &self.connection;
        let known = catalogue.find(&request.model);
        let mut body = wire::encode(request, id, known.as_ref(), self.learned.returned(id));
        if affinity::knows_field(&self.connection.url) {
            affinity::insert(request, &mut body);
        }
        self.learned.apply(&mut body);
        body
    }

    fn stream(&self, request: CompletionRequest, cancel: CancellationToken) -> AnswerStream {
        let again = Self {
            connection: self.connection.clone(),
            learned: self.learned.clone(),
        };
        let asked = request.clone();
        let mend = move |refusal: &ProviderError, body: &Value| {
            let has_learned = again.learned.learn(refusal, body);
            has_learned.then(|| again.wire_body(&asked))
        };
        let call = Call {
            headers: affinity::headers(&self.connection, &request),
            ..self.connection.call(
                ("authorization", "Bearer "),
                self.wire_body(&request),
                Some(Box::new(mend)),
            )
        };
        let info = self.connection.info_for(&request);
        let decoder = decode::Decoder::new(info, &self.connection.id);
        stream_answer(call, decoder, cancel)
    }
}

#[cfg(test)]
mod tests;
