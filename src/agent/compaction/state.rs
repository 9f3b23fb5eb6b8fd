//! The state between compactions: why the next one waits or is owed, the summary that is
//! prepared, and whether one is being written.

use tokio_util::task::AbortOnDropHandle;

use crate::agent::compaction::attempt::AttemptOutcome;
use crate::agent::compaction::draft::SummaryDraft;
use crate::agent::compaction::material::CompactionMaterial;
use crate::context::{ContextView, RETRY_GROWTH_SHARE};
use crate::transcript::{EntryId, ModelRef, SummariserKey};

/// See the module's description.
#[derive(Default)]
pub(in crate::agent) struct Compactor {
    pub auto: AutoCompaction,
    /// A summary that is prepared for the load line.
    pub background: Option<BackgroundSummary>,
    /// A summary is being written: cancelling the review stops it.
    pub is_summarising: bool,
    /// A summary that was asked for again is being written; whether the user stopped it,
    /// so that the one before it comes back.
    pub retry_stopped: Option<bool>,
    /// Models of which it was said that they are not asked for summaries any more.
    pub given_up_told: Vec<SummariserKey>,
}

/// A summary that is written beside the conversation.
pub(in crate::agent) struct BackgroundSummary {
    pub material: CompactionMaterial,
    /// The newest entry that was known when it was begun.
    pub leaf: EntryId,
    /// The model that writes it.
    pub model: ModelRef,
    pub task: AbortOnDropHandle<Result<SummaryDraft, UnwrittenSummary>>,
}

/// A summary that could not be written beside the conversation.
pub(in crate::agent) struct UnwrittenSummary {
    pub message: String,
    /// What that says of the model.
    pub attempt: Option<AttemptOutcome>,
}

/// Keeps automatic compaction from running in circles.
#[derive(Debug, Default)]
pub(in crate::agent) struct AutoCompaction {
    /// Failed or cancelled at this view size; not again before the view has grown.
    pub failed_at_tokens: Option<u64>,
    /// Held by an undo until the user says something.
    pub is_held: bool,
    /// The provider answered a prompt that is longer than its window: the next one has
    /// to be shorter, whatever the load line is.
    pub is_owed: bool,
    /// Preparing one ahead failed; not again before the user says something.
    pub is_unprepared: bool,
}

impl AutoCompaction {
    pub(crate) fn on_user_message(&mut self) {
        self.failed_at_tokens = None;
        self.is_held = false;
        self.is_unprepared = false;
    }

    pub(crate) fn on_unprepared(&mut self) {
        self.is_unprepared = true;
    }

    /// Whether a summary may be written ahead.
    pub(crate) fn may_prepare(&self, view: &ContextView) -> bool {
        !self.is_unprepared && self.may_run(view)
    }

    pub(crate) fn on_applied(&mut self) {
        self.is_owed = false;
    }

    /// Whether the newest answer filled the window, and nothing has made room since.
    pub(crate) fn is_overfull(&self) -> bool {
        self.is_owed
    }

    pub(crate) fn on_overfull_answer(&mut self) {
        self.is_owed = true;
    }

    pub(crate) fn on_failed(&mut self, view_tokens: u64) {
        self.failed_at_tokens = Some(view_tokens);
    }

    /// Whether one failed since the user spoke.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed_at_tokens.is_some()
    }

    /// After an undo: what was compacted no longer is.
    pub(crate) fn hold(&mut self) {
        self.is_held = true;
    }

    pub(crate) fn may_run(&self, view: &ContextView) -> bool {
        view.compaction.waits_for.is_none()
            && self.may_run_at(view.usage.tokens, view.window.tokens)
    }

    pub(crate) fn may_run_at(&self, view_tokens: u64, window_tokens: Option<u64>) -> bool {
        let growth = window_tokens.map_or(u64::MAX, |tokens| {
            (tokens as f64 * RETRY_GROWTH_SHARE) as u64
        });
        let has_grown = self
            .failed_at_tokens
            .is_none_or(|at| view_tokens >= at.saturating_add(growth));
        !self.is_held && has_grown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Option<u64> = Some(200_000);

    #[test]
    fn after_a_failure_it_waits_for_a_message_or_another_twentieth_of_the_window() {
        let mut auto = AutoCompaction::default();
        assert!(auto.may_run_at(180_000, WINDOW));
        auto.on_failed(180_000);
        assert!(!auto.may_run_at(180_000, WINDOW));
        assert!(!auto.may_run_at(189_999, WINDOW));
        assert!(auto.may_run_at(190_000, WINDOW));
        // Without a window nothing can be a share of it.
        assert!(!auto.may_run_at(u64::MAX - 1, None));
        auto.on_user_message();
        assert!(auto.may_run_at(180_000, WINDOW));
    }

    #[test]
    fn an_undo_holds_it_until_the_user_says_something() {
        let mut auto = AutoCompaction::default();
        auto.on_applied();
        auto.hold();
        assert!(!auto.may_run_at(250_000, WINDOW));
        auto.on_user_message();
        assert!(auto.may_run_at(180_000, WINDOW));
    }
}
