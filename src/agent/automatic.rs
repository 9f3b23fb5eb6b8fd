//! Compaction that nobody asked for: before a request, between tool batches, at the end
//! of an answer, and what keeps it from running in circles.

use super::actor::Actor;
use super::compact::CompactionRun;
use super::compact::{Compacted, Wanted};
use super::mailbox::Stop;
use super::protocol::{AgentEvent, CompactionEvent};
use super::turn::Turn;
use super::turn::TurnLoop;
use crate::context::{ContextView, Pressure, RETRY_GROWTH_SHARE, ReviewMode};
use crate::transcript::Trigger;

/// Keeps automatic compaction from running in circles.
#[derive(Debug, Default)]
pub(super) struct AutoCompaction {
    /// Failed or cancelled at this view size; not again before the view has grown.
    failed_at_tokens: Option<u64>,
    /// Held by an undo until the user says something.
    is_held: bool,
    /// The provider answered a prompt that is longer than its window: the next one has
    /// to be shorter, whatever the load line is.
    is_owed: bool,
    /// Preparing one ahead failed; not again before the user says something.
    is_unprepared: bool,
}

impl AutoCompaction {
    pub fn on_user_message(&mut self) {
        self.failed_at_tokens = None;
        self.is_held = false;
        self.is_unprepared = false;
    }

    pub fn on_unprepared(&mut self) {
        self.is_unprepared = true;
    }

    /// Whether a summary may be written ahead.
    pub fn may_prepare(&self, view: &ContextView) -> bool {
        !self.is_unprepared && self.may_run(view)
    }

    pub fn on_applied(&mut self) {
        self.is_owed = false;
    }

    /// Whether the newest answer filled the window, and nothing has made room since.
    pub fn is_overfull(&self) -> bool {
        self.is_owed
    }

    pub fn on_overfull_answer(&mut self) {
        self.is_owed = true;
    }

    pub fn on_failed(&mut self, view_tokens: u64) {
        self.failed_at_tokens = Some(view_tokens);
    }

    /// After an undo: what was compacted no longer is.
    pub fn hold(&mut self) {
        self.is_held = true;
    }

    fn may_run(&self, view: &ContextView) -> bool {
        view.compaction.waits_for.is_none()
            && self.may_run_at(view.usage.tokens, view.window.tokens)
    }

    fn may_run_at(&self, view_tokens: u64, window_tokens: Option<u64>) -> bool {
        let growth = window_tokens.map_or(u64::MAX, |tokens| {
            (tokens as f64 * RETRY_GROWTH_SHARE) as u64
        });
        let has_grown = self
            .failed_at_tokens
            .is_none_or(|at| view_tokens >= at.saturating_add(growth));
        !self.is_held && has_grown
    }
}

impl CompactionRun<'_> {
    /// Compacts when the view has reached the load line; clears whole results when that
    /// cannot be done or did not help.
    pub async fn compact_at_load_line(&mut self, view: ContextView) -> Result<ContextView, Stop> {
        let Some(trigger) = self.due(&view) else {
            self.prepare_summary(&view).await;
            return Ok(view);
        };
        let mut view = view;
        if self.agent.compactor.auto.may_run(&view)
            && self.compact_automatically(trigger, &view).await?
        {
            view = self.agent.thread.settle(Pressure::default()).await;
        }
        if view.compaction.due {
            view = self
                .agent
                .thread
                .settle(Pressure {
                    total: true,
                    ..Pressure::default()
                })
                .await;
        }
        Ok(view)
    }

    /// Why the view has to become smaller before the next request, when it has to.
    fn due(&self, view: &ContextView) -> Option<Trigger> {
        if self.agent.compactor.auto.is_owed && self.agent.thread.compacts_by_itself() {
            return Some(Trigger::Overflow);
        }
        view.compaction.due.then_some(Trigger::Threshold)
    }

    /// A finished answer that filled the window: make room now, while the user reads.
    /// True when the model shall go on by itself; at most once a turn.
    pub async fn compact_at_stream_end(&mut self, turn: &mut Turn) -> Result<bool, Stop> {
        let view = self.agent.thread.settle(Pressure::default()).await;
        if let Some(trigger) = self.due(&view)
            && self.agent.compactor.auto.may_run(&view)
            && self.compact_automatically(trigger, &view).await?
            && !turn.went_on
            && TurnLoop::of(self.agent).shall_go_on(&turn.text()).await?
        {
            turn.go_on();
            self.agent.thread.append_continue(false).await;
            return Ok(true);
        }
        self.prepare_summary(&view).await;
        Ok(false)
    }

    /// Compacts because the load line was reached; true when the view has changed.
    async fn compact_automatically(
        &mut self,
        trigger: Trigger,
        view: &ContextView,
    ) -> Result<bool, Stop> {
        let review = self.agent.thread.conversation.context().compaction.review;
        let yes = review != ReviewMode::Always || !self.agent.setup.is_interactive;
        let wanted = Wanted {
            trigger,
            yes,
            ..Wanted::default()
        };
        let compacted = match self.prepared_summary(&wanted).await {
            Ok(Some(prepared)) => Box::pin(self.put_in(wanted, prepared)).await,
            Ok(None) => Box::pin(self.compact(wanted)).await,
            Err(stop) => Err(stop),
        };
        match compacted {
            Ok(Compacted::Applied) => Ok(true),
            Ok(Compacted::Nothing) => Ok(false),
            Ok(Compacted::Cancelled | Compacted::Failed(_)) => {
                self.agent.compactor.auto.on_failed(view.usage.tokens);
                Ok(false)
            }
            Err(stop) => {
                self.agent.compactor.auto.on_failed(view.usage.tokens);
                let reason = "stopped by the user; the conversation is unchanged".to_owned();
                self.agent
                    .events
                    .emit(AgentEvent::Compaction(CompactionEvent::Cancelled {
                        reason,
                    }))
                    .await;
                Err(stop)
            }
        }
    }
}

impl Actor {}

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
