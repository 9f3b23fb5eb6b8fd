//! Chunks of a chat completion → [`StreamEvent`]s. Pure.
//!
//! Tolerant of what compatibles do to tool calls (`calls`), of reasoning under several
//! names, in the text (`think`) or to be returned (`details`), of usage in any chunk, of a
//! missing `[DONE]`. Strict about one thing: an answer that says nothing of its end has
//! ended early.

mod calls;
pub(super) mod details;
mod think;

use std::collections::VecDeque;

use serde_json::{Value, json};

use self::calls::ChatCalls;
use self::details::{DetailList, words};
use self::think::ThinkSplitter;
use crate::provider::catalogue::cost::priced;
use crate::provider::error::ProviderError;
use crate::provider::event::StreamEvent;
use crate::provider::overflow::{Refusal, classify};
use crate::provider::protocol::decode::AnswerDecoder;
use crate::provider::protocol::decode::{event_json, is_error};
use crate::provider::protocol::sse::SseEvent;
use crate::transcript::{ModelInfo, StopReason, Usage};

/// Reasons for which an answer ends because the window is full: Mistral's own, and those of
/// models behind proxies that speak other formats.
const WINDOW_FULL: &[&str] = &[
    "model_length",
    "model_context_window_exceeded",
    "context_length_exceeded",
];

/// The state of one answer.
pub(in crate::provider) struct ChatDecoder {
    info: ModelInfo,
    calls: ChatCalls,
    think: ThinkSplitter,
    details: DetailList,
    /// Reasoning came as plain text: what its entries say is the same once more.
    has_plain_reasoning: bool,
    usage: Usage,
    finish: Option<String>,
    refused: bool,
    produced: bool,
    done: bool,
}

impl ChatDecoder {
    /// For an answer of this model.
    pub(in crate::provider) fn new(info: ModelInfo) -> Self {
        Self {
            info,
            calls: ChatCalls::default(),
            think: ThinkSplitter::default(),
            details: DetailList::default(),
            has_plain_reasoning: false,
            usage: Usage::default(),
            finish: None,
            refused: false,
            produced: false,
            done: false,
        }
    }

    fn delta(&mut self, delta: &Value, out: &mut VecDeque<StreamEvent>) {
        let reasoning = ["reasoning_content", "reasoning", "reasoning_text"]
            .into_iter()
            .map(|name| &delta[name])
            .find_map(|field| field.as_str().filter(|text| !text.is_empty()));
        self.has_plain_reasoning |= reasoning.is_some();
        let details = &delta["reasoning_details"];
        let reasoning = match reasoning {
            Some(text) => text.to_owned(),
            None if self.has_plain_reasoning => String::new(),
            None => words(details),
        };
        if !reasoning.is_empty() {
            self.think.is_told_apart(out);
            out.push_back(StreamEvent::Thinking(reasoning));
        }
        self.details.take(details);
        self.content(&delta["content"], out);
        if let Some(text) = delta["refusal"].as_str().filter(|text| !text.is_empty()) {
            self.refused = true;
            self.think.flush(out);
            out.push_back(StreamEvent::Text(text.to_owned()));
        }
        for call in delta["tool_calls"].as_array().into_iter().flatten() {
            self.call(call, out);
        }
        // As calls were before there could be several.
        if let Some(call) = delta.get("function_call").filter(|call| call.is_object()) {
            self.call(&json!({"index": 0, "function": call}), out);
        }
    }

    fn call(&mut self, call: &Value, out: &mut VecDeque<StreamEvent>) {
        self.produced = true;
        self.think.flush(out);
        self.calls.take(call, out);
    }

    /// Text, or Mistral's list of text and reasoning parts.
    fn content(&mut self, content: &Value, out: &mut VecDeque<StreamEvent>) {
        if let Some(text) = content.as_str().filter(|text| !text.is_empty()) {
            self.produced = true;
            self.think.push(text, out);
        }
        for part in content.as_array().into_iter().flatten() {
            if let Some(text) = part["text"].as_str().filter(|text| !text.is_empty()) {
                self.produced = true;
                self.think.push(text, out);
            }
            for thought in part["thinking"].as_array().into_iter().flatten() {
                if let Some(text) = thought["text"].as_str() {
                    self.think.is_told_apart(out);
                    out.push_back(StreamEvent::Thinking(text.to_owned()));
                }
            }
        }
    }

    fn count(&mut self, usage: &Value, out: &mut VecDeque<StreamEvent>) {
        if !usage.is_object() {
            return;
        }
        let number = |value: &Value| value.as_u64().unwrap_or_default();
        let details = &usage["prompt_tokens_details"];
        let cached = number(&details["cached_tokens"]);
        // The names that DeepSeek and Moonshot have for the same thing.
        let cached = cached
            .max(number(&usage["prompt_cache_hit_tokens"]))
            .max(number(&usage["cached_tokens"]));
        let written = number(&details["cache_write_tokens"]);
        let counted = Usage {
            input_tokens: number(&usage["prompt_tokens"])
                .saturating_sub(cached)
                .saturating_sub(written),
            output_tokens: number(&usage["completion_tokens"]),
            reasoning_tokens: number(&usage["completion_tokens_details"]["reasoning_tokens"]),
            cache_read_tokens: cached,
            cache_write_tokens: written,
            cache_write_hour_tokens: 0,
            cost_usd: usage["cost"].as_f64(),
            server_cut_tokens: None,
            expected: None,
        };
        self.usage = priced(counted, &self.info);
        out.push_back(StreamEvent::Usage(self.usage));
    }

    fn stop_reason(&self) -> StopReason {
        match self.finish.as_deref() {
            Some(
                "content_filter" | "sensitive" | "safety" | "refusal" | "guardrail_intervened",
            ) => StopReason::Refusal,
            Some("length" | "max_tokens") => StopReason::Length,
            Some(reason) if WINDOW_FULL.contains(&reason) => StopReason::Length,
            _ if self.refused => StopReason::Refusal,
            // Some servers say `stop` after calls, some say `tool_calls` without any.
            _ if !self.calls.is_empty() => StopReason::ToolUse,
            _ => StopReason::Stop,
        }
    }
}

fn failure(body: &str) -> ProviderError {
    let refusal = Refusal {
        body,
        ..Refusal::default()
    };
    classify(refusal, None)
}

/// Reasons that say that the server gave up.
const FAILED: [&str; 4] = [
    "error",
    "network_error",
    "abort",
    "insufficient_system_resource",
];

impl AnswerDecoder for ChatDecoder {
    fn event(
        &mut self,
        event: &SseEvent,
        out: &mut VecDeque<StreamEvent>,
    ) -> Result<(), ProviderError> {
        let Some(data) = event_json(event)? else {
            self.done = true;
            return Ok(());
        };
        if is_error(event, &data) {
            // Some send an error besides saying that the answer is as long as it may be.
            let said = data["choices"][0]["finish_reason"].as_str();
            if self.produced && said.or(self.finish.as_deref()) == Some("length") {
                self.finish = Some("length".to_owned());
                self.count(&data["usage"], out);
                self.done = true;
                return Ok(());
            }
            return Err(failure(&event.data));
        }
        let choice = &data["choices"][0];
        // Whole answers of servers that cannot stream have a message instead.
        let delta = choice.get("delta").unwrap_or(&choice["message"]);
        self.delta(delta, out);
        if let Some(reason) = choice["finish_reason"].as_str().filter(|r| !r.is_empty()) {
            if FAILED.contains(&reason) {
                return Err(failure("the provider failed during the answer"));
            }
            self.finish = Some(reason.to_owned());
        }
        // Groq puts its counts elsewhere, some compatibles into the choice.
        let places = [&data["usage"], &data["x_groq"]["usage"], &choice["usage"]];
        if let Some(usage) = places.into_iter().find(|usage| usage.is_object()) {
            self.count(usage, out);
        }
        Ok(())
    }

    fn end(
        &mut self,
        out: &mut VecDeque<StreamEvent>,
    ) -> Result<Option<StopReason>, ProviderError> {
        // `[DONE]` after an answer is an end as well, if a bare one.
        if self.finish.is_none() && !(self.done && self.produced) {
            return Ok(None);
        }
        self.think.flush(out);
        self.calls.flush(out);
        out.extend(self.details.finish().map(StreamEvent::ThinkingSignature));
        Ok(Some(self.stop_reason()))
    }

    fn window_is_full(&self) -> bool {
        let reason = self.finish.as_deref();
        reason.is_some_and(|reason| WINDOW_FULL.contains(&reason))
    }

    fn is_done(&self) -> bool {
        self.done
    }

    fn counted(&self) -> (Usage, Option<u64>) {
        (self.usage, self.info.window_tokens)
    }
}
