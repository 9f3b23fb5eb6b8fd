//! The decoder of a wire format: a pure state machine over server-sent events.

use std::collections::VecDeque;

use serde_json::Value;

use super::sse::SseEvent;
use crate::provider::error::ProviderError;
use crate::provider::event::StreamEvent;
use crate::transcript::{StopReason, Usage, mend_halves};

/// Turns the events of one answer into stream events.
pub(in crate::provider) trait AnswerDecoder: Send + 'static {
    /// Takes one event; appends what it means. After an error nothing more is fed.
    fn event(
        &mut self,
        event: &SseEvent,
        out: &mut VecDeque<StreamEvent>,
    ) -> Result<(), ProviderError>;

    /// The answer is over: appends what was held back and says how it ended; `None` when
    /// the server has not said so. Called once.
    fn end(&mut self, out: &mut VecDeque<StreamEvent>)
    -> Result<Option<StopReason>, ProviderError>;

    /// Whether the server said that the window was full before the answer was over.
    fn window_is_full(&self) -> bool {
        false
    }

    /// Whether the answer is complete, so that the connection need not be read further.
    fn is_done(&self) -> bool;

    /// The tokens counted so far, and the window that they have to fit into.
    fn counted(&self) -> (Usage, Option<u64>);
}

/// The data of an event as JSON; `None` for the `[DONE]` with which some servers end.
///
/// # Errors
///
/// The data is neither.
pub(in crate::provider) fn event_json(event: &SseEvent) -> Result<Option<Value>, ProviderError> {
    if event.data.trim() == "[DONE]" {
        return Ok(None);
    }
    let parsed = serde_json::from_str(&event.data).or_else(|error| {
        // Half a character that a server cut in two is no reason to lose the answer.
        let mended = mend_halves(&event.data).ok_or(error)?;
        serde_json::from_str(&mended)
    });
    parsed.map(Some).map_err(|error| ProviderError::Malformed {
        message: format!("an event is not JSON: {error}"),
    })
}

/// Whether a body is the whole answer of a server that cannot stream, in any of the formats.
pub(in crate::provider) fn is_whole(body: &str) -> bool {
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let has_some = |key: &str| body[key].as_array().is_some_and(|list| !list.is_empty());
    let is_message = body["type"] == "message" && body["content"].is_array();
    let is_response = body["object"] == "response" && body["output"].is_array();
    let is_answer = has_some("choices") || has_some("candidates") || is_message || is_response;
    is_answer && body["error"].is_null()
}

/// Whether the data of an event is an error, under whatever name: servers send
/// `{"error":…}`, `{"object":"error","message":…}`, `{"code":…,"message":…}` and
/// `{"base_resp":{"status_code":…,"status_msg":…}}`.
pub(in crate::provider) fn is_error(event: &SseEvent, data: &Value) -> bool {
    let is_some = |key: &str| data.get(key).is_some_and(|value| !value.is_null());
    let failed_base = || {
        let code = &data["base_resp"]["status_code"];
        code.as_i64().is_some_and(|code| code != 0)
    };
    let names_error = data["object"] == "error" || data["type"] == "error";
    let is_bare_error = || {
        let says_what = data["message"].is_string() || data["msg"].is_string();
        let is_answer = ["choices", "candidates", "usage", "delta", "id", "type"]
            .into_iter()
            .any(is_some);
        is_some("code") && says_what && !is_answer
    };
    is_some("error") || event.name == "error" || names_error || failed_base() || is_bare_error()
}
