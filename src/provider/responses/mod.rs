//! OpenAI Responses, used statelessly: nothing is stored there, and the reasoning of a
//! tool loop travels back and forth encrypted.
//!
//! `wire` encodes (pure, same request gives the same bytes), `decode` is a state machine
//! over typed events; this file only joins them to HTTP.

pub(super) mod decode;
mod wire;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::connection::Connection;
use super::http::{Call, stream_answer};
use super::{AnswerStream, Provider, ProviderError, affinity};
use crate::transcript::CompletionRequest;

/// Fields that some accounts and servers refuse; learned from the first refusal.
#[derive(Debug, Default)]
pub(super) struct RefusedFields {
    /// Summaries of reasoning are for verified organisations.
    summary: AtomicBool,
    /// Encrypted reasoning, by models that do not reason.
    encrypted: AtomicBool,
    /// Whether a text was on the way or the answer, by older servers.
    phase: AtomicBool,
    /// Which conversation a request belongs to, by other people's servers.
    cache_key: AtomicBool,
    /// An effort of reasoning, by these models.
    efforts: RwLock<BTreeSet<String>>,
}

/// An endpoint that speaks Responses.
pub(super) struct Responses {
    /// Posts to `/responses`.
    pub connection: Connection,
    /// What is not sent any more.
    pub refused: Arc<RefusedFields>,
}

impl Provider for Responses {
    fn id(&self) -> &str {
        &self.connection.id
    }

    fn wire_body(&self, request: &CompletionRequest) -> Value {
        let known = self.connection.catalogue.find(&request.model);
        let mut body = wire::encode(request, &self.connection.id, known.as_ref());
        if !self.refused.cache_key.load(Ordering::Relaxed) {
            affinity::insert(request, &mut body);
        }
        let efforts = &self.refused.efforts;
        let efforts = efforts.read().unwrap_or_else(PoisonError::into_inner);
        if efforts.contains(&request.model.model) {
            without_effort(&mut body);
        }
        if self.refused.summary.load(Ordering::Relaxed) {
            without_summary(&mut body);
        }
        if self.refused.encrypted.load(Ordering::Relaxed) {
            without_encrypted(&mut body);
        }
        if self.refused.phase.load(Ordering::Relaxed) {
            without_phases(&mut body);
        }
        body
    }

    fn stream(&self, request: CompletionRequest, cancel: CancellationToken) -> AnswerStream {
        let refused = self.refused.clone();
        let mend = move |refusal: &ProviderError, body: &Value| mended(&refused, refusal, body);
        let call = Call {
            headers: affinity::headers(&self.connection, &request),
            ..self.connection.call(
                ("authorization", "Bearer "),
                self.wire_body(&request),
                Some(Box::new(mend)),
            )
        };
        let reads_summary = call.body["input"]
            .as_array()
            .is_some_and(|items| items.iter().any(|item| item["type"] == "compaction"));
        let info = self.connection.info_for(&request);
        let decoder = decode::Decoder::new(info, &self.connection.id);
        stream_answer(call, decoder.after_summary(reads_summary), cancel)
    }
}

/// The body without what the refusal is about.
fn mended(refused: &RefusedFields, refusal: &ProviderError, body: &Value) -> Option<Value> {
    let (ProviderError::InvalidRequest { message } | ProviderError::PermissionDenied { message }) =
        refusal
    else {
        return None;
    };
    let message = message.to_lowercase();
    let mut second = body.clone();
    if message.contains("summar") && without_summary(&mut second) {
        refused.summary.store(true, Ordering::Relaxed);
    } else if message.contains("encrypted") && message.contains("not supported") {
        without_encrypted(&mut second);
        refused.encrypted.store(true, Ordering::Relaxed);
    } else if message.contains(affinity::FIELD) {
        affinity::remove(&mut second);
        refused.cache_key.store(true, Ordering::Relaxed);
    } else if message.contains("phase") {
        without_phases(&mut second);
        refused.phase.store(true, Ordering::Relaxed);
    } else if message.contains("reasoning.effort") {
        // Not of the server but of the model: asked again of the next one.
        without_effort(&mut second);
        let model = body["model"].as_str()?.to_owned();
        let mut efforts = refused
            .efforts
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        efforts.insert(model);
    } else if message.contains("encrypted") || message.contains("'reasoning'") {
        // Another account or a changed history: the answer matters more than old reasoning.
        without_reasoning_items(&mut second);
    }
    (second != *body).then_some(second)
}

fn without_summary(body: &mut Value) -> bool {
    let reasoning = body.get_mut("reasoning").and_then(Value::as_object_mut);
    reasoning.is_some_and(|reasoning| reasoning.shift_remove("summary").is_some())
}

fn without_effort(body: &mut Value) {
    if let Some(body) = body.as_object_mut() {
        body.shift_remove("reasoning");
    }
}

fn without_encrypted(body: &mut Value) {
    if let Some(body) = body.as_object_mut() {
        body.shift_remove("include");
    }
    without_reasoning_items(body);
}

fn without_phases(body: &mut Value) {
    let items = body.get_mut("input").and_then(Value::as_array_mut);
    for item in items.into_iter().flatten() {
        item.as_object_mut().map(|item| item.shift_remove("phase"));
    }
}

fn without_reasoning_items(body: &mut Value) {
    if let Some(items) = body.get_mut("input").and_then(Value::as_array_mut) {
        items.retain(|item| !matches!(item["type"].as_str(), Some("reasoning" | "compaction")));
    }
}

#[cfg(test)]
mod tests;
