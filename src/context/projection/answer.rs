//! The part of an assistant message that can be sent: unusable calls are left out, and call
//! ids that no provider would take (reused, malformed) are replaced.

use std::collections::HashSet;
use std::sync::Arc;

use crate::transcript::{AssistantMessage, AssistantPart, EntryId, Message};

/// Longest call id that all providers take.
const MAX_CALL_ID_CHARS: usize = 40;
/// Longest tool name that all providers take.
const MAX_NAME_CHARS: usize = 64;

/// A tool call that is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ProjectedCall {
    /// The id in the log, which results refer to.
    pub logged_id: String,
    /// The id in the request.
    pub sent_id: String,
    /// The tool.
    pub name: String,
    /// Which part of the sent message it is.
    pub part: usize,
}

/// An assistant message as it is sent.
#[derive(Clone, Debug)]
pub(super) struct ProjectedAnswer {
    pub message: Arc<Message>,
    pub calls: Vec<ProjectedCall>,
    /// Calls that were left out.
    pub dropped_calls: u64,
}

/// Prepares an answer; `None` when nothing of it can be sent. `used` holds the call
/// ids sent so far and grows by those of this answer.
pub(super) fn prepare(
    entry: &EntryId,
    message: &Arc<Message>,
    answer: &AssistantMessage,
    used: &mut HashSet<String>,
) -> Option<ProjectedAnswer> {
    let mut calls: Vec<ProjectedCall> = Vec::new();
    let mut logged_ids: HashSet<&str> = HashSet::new();
    let mut content = Vec::with_capacity(answer.content.len());
    let mut dropped_calls = 0;
    let mut is_changed = false;
    for part in &answer.content {
        let AssistantPart::ToolCall(call) = part else {
            content.push(part.clone());
            continue;
        };
        let is_usable = !answer.stop.is_broken()
            && !call.id.is_empty()
            && is_valid(&call.name, MAX_NAME_CHARS)
            && call.arguments.is_object()
            && logged_ids.insert(&call.id);
        if !is_usable {
            dropped_calls += 1;
            is_changed = true;
            continue;
        }
        let mut sent = call.clone();
        if used.contains(&call.id) || !is_valid(&call.id, MAX_CALL_ID_CHARS) {
            sent.id = fresh_id(entry, calls.len(), used);
            is_changed = true;
        }
        used.insert(sent.id.clone());
        calls.push(ProjectedCall {
            logged_id: call.id.clone(),
            sent_id: sent.id.clone(),
            name: call.name.clone(),
            part: content.len(),
        });
        content.push(AssistantPart::ToolCall(sent));
    }
    let says_something = content
        .iter()
        .any(|part| matches!(part, AssistantPart::Text(text) if !text.trim().is_empty()));
    if calls.is_empty() && !says_something {
        return None;
    }
    let message = if is_changed {
        Arc::new(Message::Assistant(AssistantMessage {
            content,
            ..answer.clone()
        }))
    } else {
        Arc::clone(message)
    };
    Some(ProjectedAnswer {
        message,
        calls,
        dropped_calls,
    })
}

fn is_valid(name: &str, max_chars: usize) -> bool {
    !name.is_empty()
        && name.len() <= max_chars
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// An id made from the entry's, so that it is the same in every request.
fn fresh_id(entry: &EntryId, index: usize, used: &HashSet<String>) -> String {
    let safe: String = entry
        .as_str()
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .take(24)
        .collect();
    let mut id = format!("call_{safe}_{index}");
    let mut round = 0;
    while used.contains(&id) {
        round += 1;
        id = format!("call_{safe}_{index}_{round}");
    }
    id
}
