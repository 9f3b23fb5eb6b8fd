//! How far a turn has come, and how it can end.

use std::sync::Arc;

use crate::agent::exit;
use crate::agent::protocol::TurnEnd;
use crate::agent::turn::repeats::CallRepeats;
use crate::context::{ContextView, ViewItem};
use crate::provider::ProviderError;
use crate::transcript::{AssistantMessage, Message, StopReason};

/// The state of a running turn.
#[derive(Debug, Default)]
pub(in crate::agent) struct TurnState {
    /// Overflow recoveries so far without an answer in between.
    pub overflow_attempts: u32,
    /// The sizes that the provider named in the last refusal.
    pub refused: Option<RefusedSizes>,
    /// Nobody refused: the view was known not to fit.
    pub is_foreseen: bool,
    /// Tokens for the answer, where a provider said that only the answer is too long.
    pub room_for_answer: Option<u64>,
    /// In its own words.
    pub refusal: String,
    /// Requests that were answered.
    pub steps: u32,
    /// Something was refused because nobody could be asked.
    pub was_refused: bool,
    /// Text of the newest answer, with what it said before it paused.
    pub newest: String,
    /// The answer that was whole when the model was told to go on after it.
    pub before: Option<String>,
    /// The newest answer only paused: the next one goes on from it.
    pub is_paused: bool,
    /// How often a paused answer was sent back to go on.
    pub resumed: u32,
    /// How often hooks had the model go on after its answer.
    pub hook_continued: u32,
    /// It was told to go on after a compaction at its end.
    pub went_on: bool,
    /// The calls of the newest answer, and how often they came.
    pub repeats: CallRepeats,
}

/// The sizes that a refusal names, in tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::agent) struct RefusedSizes {
    /// Of the request; with the answer that was asked for, where that is counted.
    pub requested: Option<u64>,
    /// Of the prompt alone, where the answer is in the other number.
    pub prompt: Option<u64>,
    /// Tokens that there is room for.
    pub limit: Option<u64>,
}

impl RefusedSizes {
    /// The provider's count of the conversation, as far as it can be told.
    pub(crate) fn counted(self) -> Option<u64> {
        self.prompt.or(self.requested)
    }
}

impl TurnState {
    /// Takes note of what an answer says, whole or not.
    pub(crate) fn hear(&mut self, answer: &AssistantMessage) {
        let said = answer.text();
        if !std::mem::replace(&mut self.is_paused, answer.stop == StopReason::Paused) {
            self.newest = said;
        } else if !said.is_empty() {
            if !self.newest.is_empty() && !self.newest.ends_with('\n') {
                self.newest.push('\n');
            }
            self.newest.push_str(&said);
        }
    }

    /// The answer so far: the newest answer, after the one that was whole before the model was
    /// told to go on, with a blank line between.
    pub(crate) fn text(&self) -> String {
        match &self.before {
            Some(before) if self.newest.trim().is_empty() => before.clone(),
            Some(before) => format!("{}\n\n{}", before.trim_end(), self.newest),
            None => self.newest.clone(),
        }
    }

    /// The answer is whole; what is said from here on comes after it.
    pub(crate) fn go_on(&mut self) {
        self.went_on = true;
        self.before = Some(std::mem::take(&mut self.newest));
    }
}

/// How a step of the turn goes on.
pub(in crate::agent) enum NextStep {
    Again,
    End(TurnEnd),
}

/// Whether another model may succeed where this one fails.
pub(in crate::agent) fn may_stand_in(error: &ProviderError) -> bool {
    matches!(
        error,
        ProviderError::Unauthorized { .. }
            | ProviderError::NotSetUp { .. }
            | ProviderError::PermissionDenied { .. }
            | ProviderError::RateLimited { .. }
            | ProviderError::Overloaded { .. }
            | ProviderError::Network { .. }
    )
}

/// The newest message that a person typed. What asks the model to go on comes after it and
/// is no such message.
pub(in crate::agent) fn newest_ask(view: &ContextView) -> Option<&ViewItem> {
    view.items
        .iter()
        .rev()
        .find(|item| item.is_ask())
        .map(AsRef::as_ref)
}

pub(in crate::agent) fn stopped(text: String) -> TurnEnd {
    TurnEnd {
        stop: StopReason::Aborted,
        text,
        error: None,
        error_kind: None,
        exit_code: exit::INTERRUPTED,
    }
}

/// The user refused a call without words: the turn ends and waits for them.
pub(in crate::agent) fn refused_end(text: &str) -> TurnEnd {
    TurnEnd {
        stop: StopReason::Aborted,
        text: text.to_owned(),
        error: None,
        error_kind: None,
        exit_code: exit::REFUSED,
    }
}

/// The newest user message of a view, when nothing has answered it.
pub(in crate::agent) fn unanswered(message: Option<&Arc<Message>>) -> bool {
    matches!(message.map(AsRef::as_ref), Some(Message::User(_)))
}
