//! How much a model may recall in one turn, and whether it has the same in the window.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::context::{ContextView, Disposition};
use crate::engine::recall::{RECALL_TOOL, rough_tokens};
use crate::tool::RecallRequest;
use crate::transcript::{Message, ToolResult, Transcript};

/// Recalls of one turn.
const MAX_RECALLS: usize = 8;
/// Share of the usable window that the recalls of one turn may take.
const MAX_SHARE: f64 = 0.15;
/// With less left than this a page says nothing, in tokens.
const MIN_ROOM_TOKENS: u64 = 100;

/// What is left of a turn's recalls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RecallLimits {
    recalls: usize,
    /// Tokens that may still be recalled; `None` when the window is unknown.
    pub room_tokens: Option<u64>,
    max_tokens: u64,
}

impl RecallLimits {
    /// What the turn that runs has left.
    pub(super) fn of(transcript: &Transcript, view: &ContextView) -> Self {
        let of_turn = transcript.ancestors().take_while(|entry| !entry.is_ask());
        let results = of_turn.filter_map(|entry| recalled(entry.message()?));
        let mut recalls = 0;
        let mut tokens = 0;
        for result in results {
            recalls += 1;
            tokens += rough_tokens(&result.text());
        }
        let max_tokens = (view.window.usable as f64 * MAX_SHARE) as u64;
        Self {
            recalls,
            room_tokens: (view.window.usable > 0).then(|| max_tokens.saturating_sub(tokens)),
            max_tokens,
        }
    }

    /// Why nothing more is recalled in this turn.
    pub(super) fn refusal(&self, request: &RecallRequest) -> Option<String> {
        if self.recalls >= MAX_RECALLS {
            return Some(format!(
                "Not recalled: {MAX_RECALLS} recalls were made in this turn, which is the limit. \
                 Work with what you have, or ask the user."
            ));
        }
        let is_full = self.room_tokens.is_some_and(|room| room < MIN_ROOM_TOKENS);
        let narrower = match request {
            RecallRequest::Entry { .. } => "",
            RecallRequest::Search { .. } => " A search is no smaller.",
        };
        is_full.then(|| {
            format!(
                "Not recalled: the recalls of this turn take {} tokens, the most that they may \
                 (15% of the window).{narrower} Work with what you have.",
                self.max_tokens
            )
        })
    }
}

/// Whether an equal request was answered before and the window shows its result whole.
pub(super) fn is_above(view: &ContextView, request: &RecallRequest) -> bool {
    let mut calls: HashMap<&str, Map<String, Value>> = HashMap::new();
    for item in &view.items {
        match item.sent.as_deref() {
            Some(Message::Assistant(answer)) => {
                let recalls = answer.tool_calls().filter(|call| call.name == RECALL_TOOL);
                calls.extend(recalls.map(|call| (call.id.as_str(), call.arguments_object())));
            }
            Some(message) => {
                let Some(result) = recalled(message) else {
                    continue;
                };
                let is_whole = item.disposition == Disposition::Sent && gave_something(result);
                let arguments = calls.remove(result.call_id.as_str()).filter(|_| is_whole);
                let earlier = arguments.and_then(|it| RecallRequest::parse(&it).ok());
                if earlier.as_ref() == Some(request) {
                    return true;
                }
            }
            None => {}
        }
    }
    false
}

fn recalled(message: &Message) -> Option<&ToolResult> {
    match message {
        Message::ToolResult(result) if result.tool_name == RECALL_TOOL && !result.is_error => {
            Some(result)
        }
        _ => None,
    }
}

/// Whether a result holds what was asked for, and not only why it does not.
fn gave_something(result: &ToolResult) -> bool {
    let kind = result.details.as_ref().and_then(|it| it["recall"].as_str());
    matches!(kind, Some("entry" | "search"))
}
