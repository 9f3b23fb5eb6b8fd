//! The request for a compaction, and the material it works on.

use std::collections::HashMap;
use std::sync::Arc;

use crate::agent::thread::Thread;
use crate::context::ContextView;
use crate::context::summary::SourceMessage;
use crate::context::tail::TailPlan;
use crate::engine::compaction::KeptTail;
use crate::engine::recall::RecallAddress;
use crate::engine::shrinking::{ShrinkPlan, ShrinkRequest};
use crate::engine::summary::source_message;
use crate::transcript::{Compaction, Decision, Entry, EntryId, Message, Trigger};

/// The kind of compaction that is wanted.
#[derive(Clone, Debug, Default)]
pub(in crate::agent) struct CompactionRequest {
    pub trigger: Trigger,
    pub instructions: Option<String>,
    /// Apply without review.
    pub yes: bool,
    /// The review is answered without a look at the text.
    pub is_unseen: bool,
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
    /// Read what summaries replaced again, from the beginning of the log.
    pub rebuild: bool,
    /// The model failed at this just now: write it without one, labelled.
    pub model_failed: bool,
}

impl CompactionRequest {
    /// What the engine is asked for.
    pub(super) fn shrink_request(&self) -> ShrinkRequest<'_> {
        ShrinkRequest {
            trigger: self.trigger,
            attempt: self.attempt,
            instructions: self.instructions.as_deref(),
            kept: KeptTail {
                may_keep_less: self.force || self.trigger == Trigger::Overflow,
                keep_nothing: self.tail_zero,
                from: self.from.as_ref(),
                held_back: self.held_back.as_ref(),
                fit_usable_tokens: self.fit_usable_tokens,
                may_summarise_nothing: self.rebuild,
            },
        }
    }
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
    /// What the view shows and the log does not say yet, with the cut that the compaction
    /// makes itself: recorded before it, so that what was counted is what is sent.
    pub decisions: Vec<Decision>,
    pub plan: TailPlan,
    /// The summary that the new one updates.
    pub previous: Option<(EntryId, Compaction)>,
    /// The summary that it takes the place of.
    pub in_force: Option<(EntryId, Compaction)>,
    /// How many of `messages` other summaries stood for and are read again.
    pub rebuilt: usize,
    pub messages: Vec<SourceMessage>,
    pub turn_prefix: Vec<SourceMessage>,
    /// What the engine planned.
    pub shrink: ShrinkPlan,
    /// Where the model can have failed results back.
    pub failed_at: HashMap<EntryId, RecallAddress>,
}

/// The addresses of the failed results of a branch.
pub(super) fn failed_at(branch: &[Arc<Entry>]) -> HashMap<EntryId, RecallAddress> {
    let failed = branch.iter().enumerate().filter(|(_, entry)| {
        let message = entry.message().map(AsRef::as_ref);
        matches!(message, Some(Message::ToolResult(result)) if result.is_error)
    });
    failed
        .map(|(at, entry)| (entry.id.clone(), RecallAddress::at(at)))
        .collect()
}

/// The source that an entry is, counted as the view counts it.
pub(in crate::agent) fn source_of(thread: &mut Thread, entry: &Entry) -> Option<SourceMessage> {
    let message = source_message(entry)?;
    let tokens = if entry.message().is_some() {
        thread.conversation.entry_tokens(&entry.id, &message)
    } else {
        thread.current_ruler().message_tokens(&message)
    };
    Some(SourceMessage {
        entry: entry.id.clone(),
        message,
        tokens,
    })
}

/// By how much a view has grown, by estimate alone.
pub(in crate::agent) fn tokens_change(before: &ContextView, after: &ContextView) -> i64 {
    let signed = |view: &ContextView| i64::try_from(view.estimated_tokens()).unwrap_or(i64::MAX);
    signed(after) - signed(before)
}
