//! The request for a compaction, and the material it works on.

use std::sync::Arc;

use crate::context::ContextView;
use crate::context::summary::SourceMessage;
use crate::context::tail::TailPlan;
use crate::engine::text;
use crate::transcript::{Compaction, Entry, EntryBody, EntryId, Message, Trigger, UserMessage};

/// The kind of compaction that is wanted.
#[derive(Clone, Debug, Default)]
pub(in crate::agent) struct CompactionRequest {
    pub trigger: Trigger,
    pub instructions: Option<String>,
    /// Apply without review.
    pub yes: bool,
    /// Keep less than the settings say when nothing else is left to summarise.
    pub force: bool,
    pub extractive: bool,
    /// The first entry that the user wants kept, wherever the settings would cut.
    pub from: Option<EntryId>,
    /// Overflow attempt, else 0.
    pub attempt: u32,
    /// Keep nothing but the newest user message.
    pub tail_zero: bool,
    /// Usable tokens of a window that the kept part has to fit into as well.
    pub fit_usable_tokens: Option<u64>,
    /// A user message that will be sent again.
    pub held_back: Option<EntryId>,
}

/// How a compaction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::agent) enum CompactionOutcome {
    Applied,
    Nothing,
    Cancelled,
    /// With the cause that the event named.
    Failed(&'static str),
}

/// The replaced and the kept part, with the view that they were chosen from.
pub(in crate::agent) struct CompactionMaterial {
    pub view: ContextView,
    pub plan: TailPlan,
    pub previous: Option<(EntryId, Compaction)>,
    pub messages: Vec<SourceMessage>,
    pub turn_prefix: Vec<SourceMessage>,
}

/// An entry as the message that a model reads.
pub(in crate::agent) fn spoken(entry: &Entry) -> Option<Arc<Message>> {
    match &entry.body {
        EntryBody::Message(message) => Some(match text::cleaned_result(message) {
            Some((cleaned, _)) => cleaned,
            None => Arc::clone(message),
        }),
        EntryBody::CustomMessage { content, .. } => Some(Arc::new(Message::User(UserMessage {
            content: content.clone(),
        }))),
        EntryBody::BranchSummary { summary, .. } => {
            Some(Arc::new(Message::user_text(summary.clone())))
        }
        _ => None,
    }
}

/// By how much a view has grown, by estimate alone.
pub(in crate::agent) fn tokens_change(before: &ContextView, after: &ContextView) -> i64 {
    let signed = |view: &ContextView| i64::try_from(view.estimated_tokens()).unwrap_or(i64::MAX);
    signed(after) - signed(before)
}
