//! What a server of chat completions refused once and is spared from then on.
//!
//! Learned from refusals, kept for the run: the first request is tried again within
//! itself, those after it are right at once.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

use serde_json::{Value, json};

use super::wire::{LIMIT, REASONING_LIMIT, Returned};
use crate::provider::{ProviderError, affinity};

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
    /// Which conversation a request belongs to, unknown to accounts and proxies.
    refuses_cache_key: AtomicBool,
    /// Wants the reasoning of every earlier answer.
    wants_reasoning: AtomicBool,
    /// Does not know the fields of reasoning.
    refuses_reasoning: AtomicBool,
    /// By the model's id: behind one address there may be many kinds.
    models: RwLock<BTreeMap<String, Habits>>,
}

/// What is known of one model of a server.
#[derive(Debug, Default)]
struct Habits {
    /// The name that the limit of the answer goes by, when it is not the usual one.
    limit: Option<&'static str>,
    effort: Effort,
}

/// What is sent for how much to reason.
#[derive(Debug, Default)]
enum Effort {
    #[default]
    AsAsked,
    Left,
    None,
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
        if self.refuses_cache_key.load(Ordering::Relaxed) {
            affinity::remove(body);
        }
        let Some(body) = body.as_object_mut() else {
            return;
        };
        if self.refuses_usage.load(Ordering::Relaxed) {
            body.shift_remove("stream_options");
        }
        let models = self.models.read().unwrap_or_else(PoisonError::into_inner);
        let model = body.get("model").and_then(Value::as_str);
        let Some(habits) = model.and_then(|model| models.get(model)) else {
            return;
        };
        if let Some(limit) = habits.limit
            && let Some(tokens) = body.shift_remove(other(limit))
        {
            body.insert(limit.to_owned(), tokens);
        }
        match habits.effort {
            Effort::AsAsked => {}
            Effort::Left => {
                body.shift_remove(EFFORT);
            }
            Effort::None => {
                body.insert(EFFORT.to_owned(), json!("none"));
            }
        }
    }

    /// Remembers what the refusal of `body` is about; false when nothing is to be learned.
    /// Whether the request is written in another way then, its body shows: an earlier one may
    /// have learned the same while this one was on its way.
    pub(super) fn learn(&self, refusal: &ProviderError, body: &Value) -> bool {
        let ProviderError::InvalidRequest { message } = refusal else {
            return false;
        };
        let message = message.to_lowercase();
        let says = |words: &str| message.contains(words);
        let is_unknown = UNKNOWN.iter().any(|words| says(words));
        if says("stream_options") || says("include_usage") {
            self.refuses_usage.store(true, Ordering::Relaxed);
        } else if says(affinity::FIELD) {
            self.refuses_cache_key.store(true, Ordering::Relaxed);
        } else if is_unknown && (says(LIMIT) || says(REASONING_LIMIT)) {
            let refused = [LIMIT, REASONING_LIMIT]
                .into_iter()
                .find(|name| body.get(*name).is_some());
            self.change(body, |habits| habits.limit = refused.map(other));
        } else if says(REASONING) || says(DETAILS) {
            let learned = if is_unknown {
                &self.refuses_reasoning
            } else {
                &self.wants_reasoning
            };
            learned.store(true, Ordering::Relaxed);
        } else if says(EFFORT) || says("reasoning effort") {
            // Some models take tools only where they are told not to reason.
            let effort = if says("to 'none'") {
                Effort::None
            } else {
                Effort::Left
            };
            self.change(body, |habits| habits.effort = effort);
        } else {
            return false;
        }
        true
    }

    fn change(&self, body: &Value, change: impl FnOnce(&mut Habits)) {
        let model = body["model"].as_str().unwrap_or_default().to_owned();
        let mut models = self.models.write().unwrap_or_else(PoisonError::into_inner);
        change(models.entry(model).or_default());
    }
}

/// The other of the two names of the answer's limit.
fn other(limit: &str) -> &'static str {
    if limit == LIMIT {
        REASONING_LIMIT
    } else {
        LIMIT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(message: &str) -> ProviderError {
        ProviderError::InvalidRequest {
            message: message.to_owned(),
        }
    }

    fn applied(dialect: &Dialect, model: &str) -> Value {
        let mut body = json!({"model": model, "max_tokens": 9, "reasoning_effort": "low"});
        dialect.apply(&mut body);
        body
    }

    #[test]
    fn two_requests_that_are_refused_at_once_learn_the_same() {
        let dialect = Dialect::default();
        let body = applied(&dialect, "a");
        for _ in 0..2 {
            assert!(dialect.learn(
                &refusal("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'."),
                &body
            ));
        }
        let learned = applied(&dialect, "a");
        assert!(learned.get("max_tokens").is_none());
        assert_eq!(learned["max_completion_tokens"], 9);
        for _ in 0..2 {
            assert!(dialect.learn(&refusal("reasoning_content must be returned"), &body));
            assert_eq!(dialect.returned("kimi"), Returned::All);
        }
    }

    #[test]
    fn what_one_model_refuses_is_sent_to_the_others_of_its_server() {
        let dialect = Dialect::default();
        let before = applied(&dialect, "b");
        let body = applied(&dialect, "a");
        assert!(dialect.learn(&refusal("max_tokens is unknown"), &body));
        assert!(dialect.learn(&refusal("reasoning_effort is not supported"), &body));
        assert_eq!(applied(&dialect, "b"), before);
        assert_eq!(
            applied(&dialect, "a"),
            json!({"model": "a", "max_completion_tokens": 9})
        );
        assert!(!dialect.learn(&refusal("the messages are wrong"), &body));
        assert!(!dialect.learn(&ProviderError::Cancelled, &body));
    }
}
