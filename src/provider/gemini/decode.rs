//! Chunks of `streamGenerateContent` → [`StreamEvent`]s. Pure.
//!
//! Calls come whole. A signature is passed on before the call or after the text that it
//! came with, so that it can go back where it was. Unknown parts are ignored.

use std::collections::VecDeque;

use serde_json::Value;

use super::body::OF_TEXT;
use crate::provider::catalogue::cost::priced;
use crate::provider::error::ProviderError;
use crate::provider::event::StreamEvent;
use crate::provider::overflow::{Refusal, classify};
use crate::provider::protocol::decode::AnswerDecoder;
use crate::provider::protocol::decode::{event_json, is_error};
use crate::provider::protocol::sse::SseEvent;
use crate::transcript::{ModelInfo, StopReason, Usage};

/// The state of one answer.
pub(in crate::provider) struct GeminiDecoder {
    info: ModelInfo,
    usage: Usage,
    calls: u32,
    finish: Option<String>,
}

impl GeminiDecoder {
    /// For an answer of this model.
    pub(in crate::provider) fn new(info: ModelInfo) -> Self {
        Self {
            info,
            usage: Usage::default(),
            calls: 0,
            finish: None,
        }
    }

    fn part(&mut self, part: &Value, out: &mut VecDeque<StreamEvent>) {
        let signature = part["thoughtSignature"].as_str().filter(|s| !s.is_empty());
        if let Some(call) = part.get("functionCall") {
            out.extend(signature.map(|sign| StreamEvent::ThinkingSignature(sign.to_owned())));
            self.call(call, out);
            return;
        }
        if let Some(text) = part["text"].as_str().filter(|text| !text.is_empty()) {
            let text = text.to_owned();
            out.push_back(if part["thought"] == true {
                StreamEvent::Thinking(text)
            } else {
                StreamEvent::Text(text)
            });
        }
        let marked = signature.map(|sign| format!("{OF_TEXT}{sign}"));
        out.extend(marked.map(StreamEvent::ThinkingSignature));
    }

    fn call(&mut self, call: &Value, out: &mut VecDeque<StreamEvent>) {
        let index = self.calls;
        self.calls += 1;
        let text = |key: &str| call[key].as_str().unwrap_or_default().to_owned();
        out.push_back(StreamEvent::ToolCallStart {
            index,
            id: text("id"),
            name: text("name"),
        });
        if !call["args"].is_null() {
            let fragment = call["args"].to_string();
            out.push_back(StreamEvent::ToolCallArguments { index, fragment });
        }
    }

    /// Each chunk has the counts so far.
    fn count(&mut self, usage: &Value, out: &mut VecDeque<StreamEvent>) {
        if !usage.is_object() {
            return;
        }
        let number = |key: &str| usage[key].as_u64().unwrap_or_default();
        let cached = number("cachedContentTokenCount");
        let counted = Usage {
            input_tokens: number("promptTokenCount")
                .saturating_add(number("toolUsePromptTokenCount"))
                .saturating_sub(cached),
            output_tokens: number("candidatesTokenCount")
                .saturating_add(number("thoughtsTokenCount")),
            reasoning_tokens: number("thoughtsTokenCount"),
            cache_read_tokens: cached,
            ..Usage::default()
        };
        self.usage = priced(counted, &self.info);
        out.push_back(StreamEvent::Usage(self.usage));
    }

    fn stop_reason(&self, finish: &str) -> Result<StopReason, ProviderError> {
        match finish {
            "MAX_TOKENS" => Ok(StopReason::Length),
            "SAFETY"
            | "RECITATION"
            | "LANGUAGE"
            | "BLOCKLIST"
            | "PROHIBITED_CONTENT"
            | "SPII"
            | "IMAGE_SAFETY"
            | "IMAGE_PROHIBITED_CONTENT"
            | "IMAGE_RECITATION" => Ok(StopReason::Refusal),
            "MALFORMED_FUNCTION_CALL"
            | "MALFORMED_RESPONSE"
            | "UNEXPECTED_TOOL_CALL"
            | "TOO_MANY_TOOL_CALLS"
            | "MISSING_THOUGHT_SIGNATURE" => Err(ProviderError::Malformed {
                message: format!("the server discarded the model's answer ({finish})"),
            }),
            // STOP, OTHER, and what is yet to be invented.
            _ if self.calls > 0 => Ok(StopReason::ToolUse),
            _ => Ok(StopReason::Stop),
        }
    }
}

impl AnswerDecoder for GeminiDecoder {
    fn event(
        &mut self,
        event: &SseEvent,
        out: &mut VecDeque<StreamEvent>,
    ) -> Result<(), ProviderError> {
        let Some(data) = event_json(event)? else {
            return Ok(());
        };
        if is_error(event, &data) {
            let refusal = Refusal {
                body: &event.data,
                ..Refusal::default()
            };
            return Err(classify(refusal, None));
        }
        let candidate = &data["candidates"][0];
        let parts = candidate["content"]["parts"].as_array();
        for part in parts.into_iter().flatten() {
            self.part(part, out);
        }
        self.count(&data["usageMetadata"], out);
        if let Some(reason) = candidate["finishReason"].as_str().filter(|r| !r.is_empty()) {
            self.finish = Some(reason.to_owned());
        }
        match data["promptFeedback"]["blockReason"].as_str() {
            Some(reason) if self.finish.is_none() => Err(ProviderError::ContentRefused {
                message: format!("the prompt was blocked ({reason})"),
            }),
            _ => Ok(()),
        }
    }

    fn end(
        &mut self,
        _out: &mut VecDeque<StreamEvent>,
    ) -> Result<Option<StopReason>, ProviderError> {
        let finish = self.finish.as_deref();
        finish.map(|finish| self.stop_reason(finish)).transpose()
    }

    /// The counts may come after the reason: only the end of the bytes is the end.
    fn is_done(&self) -> bool {
        false
    }

    fn counted(&self) -> (Usage, Option<u64>) {
        (self.usage, self.info.window_tokens)
    }
}
