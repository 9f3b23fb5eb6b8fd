//! What a server of chat completions refused once and is spared from then on.
//!
//! Learned from refusals, kept for the run: the first request is tried again within
//! itself, those after it are right at once.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

use serde_json::{Value, json};

use super::wire::{LIMIT, REASONING_LIMIT, Returned};
use crate::provider::ProviderError;

const EFFORT: &str = "reasoning_effort";
const REASONING: &str = "reasoning_content";
const DETAILS: &str = "reasoning_details";

/// How servers say that they do not know a field.
const UNKNOWN: [&str; 7] = [
    "unsupported",
    "not supported",
    "does not support",
    "unrecognized",
    "unknown",
    "extra inputs",
    "extra_forbidden",
];

/// What is known of one server.
#[derive(Debug, Default)]
pub(in crate::provider) struct Dialect {
    /// `stream_options`, unknown to old servers.
    refuses_usage: AtomicBool,
    /// The limit of the answer goes by the other of its two names.
    other_limit: AtomicBool,
    /// Wants the reasoning of every earlier answer.
    wants_reasoning: AtomicBool,
    /// Does not know the fields of reasoning.
    refuses_reasoning: AtomicBool,
    /// By model: what is sent in place of an effort; `None` for nothing.
    efforts: RwLock<BTreeMap<String, Option<String>>>,
}

impl Dialect {
    /// What goes back of earlier reasoning to the provider `id`.
    pub(super) fn returned(&self, id: &str) -> Returned {
        if self.refuses_reasoning.load(Ordering::Relaxed) {
            Returned::Nothing
        } else if id == "deepseek" || self.wants_reasoning.load(Ordering::Relaxed) {
            Returned::All
        } else {
            Returned::Marked
        }
    }

    /// Brings a body into the form that the server takes.
    pub(super) fn apply(&self, body: &mut Value) {
        if self.refuses_usage.load(Ordering::Relaxed) {
            without_usage(body);
        }
        if self.other_limit.load(Ordering::Relaxed) {
            rename_limit(body);
        }
        let efforts = self.efforts.read().unwrap_or_else(PoisonError::into_inner);
        let model = body["model"].as_str().unwrap_or_default();
        if let Some(effort) = efforts.get(model) {
            set_effort(body, effort.as_deref());
        }
    }

    /// The body without what the refusal is about; the same one when that is in the
    /// messages, which have to be written again.
    pub(super) fn mended(&self, refusal: &ProviderError, body: &Value) -> Option<Value> {
        let ProviderError::InvalidRequest { message } = refusal else {
            return None;
        };
        let message = message.to_lowercase();
        let is_unknown = UNKNOWN.iter().any(|words| message.contains(words));
        let mut second = body.clone();
        if message.contains("stream_options") || message.contains("include_usage") {
            without_usage(&mut second);
            self.refuses_usage.store(true, Ordering::Relaxed);
        } else if is_unknown && (message.contains(LIMIT) || message.contains(REASONING_LIMIT)) {
            rename_limit(&mut second);
            self.other_limit.fetch_xor(true, Ordering::Relaxed);
        } else if message.contains(REASONING) || message.contains(DETAILS) {
            let learned = if is_unknown {
                &self.refuses_reasoning
            } else {
                &self.wants_reasoning
            };
            // Refused again in spite of it: there is no more to try.
            let is_new = !learned.swap(true, Ordering::Relaxed);
            return is_new.then_some(second);
        } else if message.contains(EFFORT) || message.contains("reasoning effort") {
            // Some models take tools only where they are told not to reason.
            let none = message.contains("to 'none'").then(|| "none".to_owned());
            set_effort(&mut second, none.as_deref());
            let mut efforts = self.efforts.write().unwrap_or_else(PoisonError::into_inner);
            let model = body["model"].as_str().unwrap_or_default();
            efforts.insert(model.to_owned(), none);
        } else {
            return None;
        }
        (second != *body).then_some(second)
    }
}

fn set_effort(body: &mut Value, effort: Option<&str>) {
    let Some(body) = body.as_object_mut() else {
        return;
    };
    match effort {
        Some(effort) => body.insert(EFFORT.to_owned(), json!(effort)),
        None => body.shift_remove(EFFORT),
    };
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
