//! Fields that a server of chat completions refused once and does not get again.
//!
//! Learned from refusals, kept for the run: the first request is tried again within
//! itself, those after it are right at once.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

use serde_json::Value;

use super::body::ChatBody;
use crate::provider::error::ProviderError;
use crate::provider::protocol::conversation_key;
use crate::provider::protocol::quirks::ReturnedReasoning;

/// Fields as servers name them when they refuse one.
const LIMIT: &str = "max_tokens";
const REASONING_LIMIT: &str = "max_completion_tokens";
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

/// The refusals of one server.
#[derive(Debug, Default)]
pub(in crate::provider) struct ChatRefusals {
    /// `stream_options`, unknown to old servers.
    refuses_usage: AtomicBool,
    /// Which conversation a request belongs to, unknown to accounts and proxies.
    refuses_cache_key: AtomicBool,
    /// Wants the reasoning of every earlier answer.
    wants_reasoning: AtomicBool,
    /// Does not know the fields of reasoning.
    refuses_reasoning: AtomicBool,
    /// By the model's id: one address may serve many kinds.
    models: RwLock<BTreeMap<String, ModelHabits>>,
}

/// The habits of one model of a server.
#[derive(Debug, Default)]
struct ModelHabits {
    /// The name that the limit of the answer goes by, when it is not the usual one.
    limit: Option<LimitName>,
    effort: EffortHabit,
}

/// The names of the limit of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LimitName {
    MaxTokens,
    MaxCompletionTokens,
}

/// The form in which the effort of reasoning is sent.
#[derive(Clone, Copy, Debug, Default)]
enum EffortHabit {
    #[default]
    AsAsked,
    LeftOut,
    None,
}

impl ChatRefusals {
    /// The earlier reasoning returned to a server that is known to want `usual`.
    pub(super) fn returned(&self, usual: ReturnedReasoning) -> ReturnedReasoning {
        if self.refuses_reasoning.load(Ordering::Relaxed) {
            ReturnedReasoning::Nothing
        } else if self.wants_reasoning.load(Ordering::Relaxed) {
            ReturnedReasoning::All
        } else {
            usual
        }
    }

    /// Brings a body into the form that the server takes.
    pub(super) fn apply(&self, body: &mut ChatBody<'_>) {
        if self.refuses_cache_key.load(Ordering::Relaxed) {
            body.prompt_cache_key = None;
        }
        if self.refuses_usage.load(Ordering::Relaxed) {
            body.stream_options = None;
        }
        let models = self.models.read().unwrap_or_else(PoisonError::into_inner);
        let Some(habits) = models.get(body.model) else {
            return;
        };
        if let Some(name) = habits.limit {
            let limit = body.max_tokens.take().or(body.max_completion_tokens.take());
            match name {
                LimitName::MaxTokens => body.max_tokens = limit,
                LimitName::MaxCompletionTokens => body.max_completion_tokens = limit,
            }
        }
        match habits.effort {
            EffortHabit::AsAsked => {}
            EffortHabit::LeftOut => {
                body.reasoning_effort = None;
                body.reasoning = None;
                body.thinking = None;
                body.enable_thinking = None;
            }
            EffortHabit::None => body.reasoning_effort = Some("none"),
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
        } else if says(conversation_key::FIELD) {
            self.refuses_cache_key.store(true, Ordering::Relaxed);
        } else if is_unknown && (says(LIMIT) || says(REASONING_LIMIT)) {
            let limit = if body.get(LIMIT).is_some() {
                Some(LimitName::MaxCompletionTokens)
            } else {
                body.get(REASONING_LIMIT).map(|_| LimitName::MaxTokens)
            };
            self.change(body, |habits| habits.limit = limit);
        } else if says(REASONING) || says(DETAILS) {
            let learned = if is_unknown {
                &self.refuses_reasoning
            } else {
                &self.wants_reasoning
            };
            learned.store(true, Ordering::Relaxed);
        } else if is_about_effort(&message, body) {
            // Some models take tools only where they are told not to reason.
            let effort = if says("to 'none'") {
                EffortHabit::None
            } else {
                EffortHabit::LeftOut
            };
            self.change(body, |habits| habits.effort = effort);
        } else {
            return false;
        }
        true
    }

    fn change(&self, body: &Value, change: impl FnOnce(&mut ModelHabits)) {
        let model = body["model"].as_str().unwrap_or_default().to_owned();
        let mut models = self.models.write().unwrap_or_else(PoisonError::into_inner);
        change(models.entry(model).or_default());
    }
}

/// Whether a refusal is about how much to reason, or about a switch that was sent.
fn is_about_effort(message: &str, body: &Value) -> bool {
    /// How a model is said to reason in any case.
    const CANNOT: [&str; 3] = ["mandatory", "cannot be disabled", "not allowed"];
    let says = |words: &str| message.contains(words);
    let is_refused = |field: &str| {
        let is_unknown = UNKNOWN.iter().chain(&CANNOT).any(|words| says(words));
        body.get(field).is_some() && says(field) && is_unknown
    };
    says(EFFORT)
        || says("reasoning effort")
        || ["reasoning", "thinking", "enable_thinking"]
            .into_iter()
            .any(is_refused)
}

#[cfg(test)]
mod tests {
    use serde_json::json as value;

    use super::*;
    use crate::provider::protocol::body::json;

    fn refusal(message: &str) -> ProviderError {
        ProviderError::InvalidRequest {
            message: message.to_owned(),
        }
    }

    fn applied(refusals: &ChatRefusals, model: &str) -> Value {
        let mut body = ChatBody {
            model,
            stream: true,
            stream_options: None,
            max_tokens: Some(9),
            max_completion_tokens: None,
            reasoning_effort: Some("low"),
            reasoning: None,
            thinking: None,
            enable_thinking: None,
            tools: Vec::new(),
            cache_control: None,
            messages: Vec::new(),
            prompt_cache_key: None,
        };
        refusals.apply(&mut body);
        json(&body)
    }

    #[test]
    fn two_requests_that_are_refused_at_once_learn_the_same() {
        let refusals = ChatRefusals::default();
        let body = applied(&refusals, "a");
        for _ in 0..2 {
            assert!(refusals.learn(
                &refusal("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'."),
                &body
            ));
        }
        let learned = applied(&refusals, "a");
        assert!(learned.get("max_tokens").is_none());
        assert_eq!(learned["max_completion_tokens"], 9);
        for _ in 0..2 {
            assert!(refusals.learn(&refusal("reasoning_content must be returned"), &body));
            assert_eq!(
                refusals.returned(ReturnedReasoning::Marked),
                ReturnedReasoning::All
            );
        }
    }

    #[test]
    fn what_one_model_refuses_is_sent_to_the_others_of_its_server() {
        let refusals = ChatRefusals::default();
        let before = applied(&refusals, "b");
        let body = applied(&refusals, "a");
        assert!(refusals.learn(&refusal("max_tokens is unknown"), &body));
        assert!(refusals.learn(&refusal("reasoning_effort is not supported"), &body));
        assert_eq!(applied(&refusals, "b"), before);
        assert_eq!(
            applied(&refusals, "a"),
            value!({"model": "a", "stream": true, "max_completion_tokens": 9, "messages": []})
        );
        assert!(!refusals.learn(&refusal("the messages are wrong"), &body));
        assert!(!refusals.learn(&ProviderError::Cancelled, &body));
    }
}
