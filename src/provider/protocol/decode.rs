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

/// Whether a body is the whole answer of a server that cannot stream, in a format where it
/// reads like one large chunk: that of chat completions, or of Gemini.
pub(in crate::provider) fn is_whole(body: &str) -> bool {
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let has_some = |key: &str| body[key].as_array().is_some_and(|list| !list.is_empty());
    (has_some("choices") || has_some("candidates")) && body["error"].is_null()
}
