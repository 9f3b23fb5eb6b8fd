//! Compaction that nobody asked for: before a request, between tool batches, at the end
//! of an answer, and what keeps it from running in circles.

use crate::agent::compaction::CompactionRun;
use crate::agent::compaction::attempt::SUMMARISER_FAILED;
use crate::agent::compaction::material::{CompactionOutcome, CompactionRequest};
use crate::agent::compaction::run_summary::TIMEOUT;
use crate::agent::mailbox::TurnStop;
use crate::agent::turn::TurnLoop;
use crate::agent::turn::state::TurnState;
use crate::context::{ContextView, ReviewMode, ShrinkMode};
use crate::transcript::Trigger;

impl CompactionRun<'_> {
    /// Compacts when the view has reached the load line; clears whole results when that
    /// cannot be done or did not help.
    pub(crate) async fn compact_at_load_line(
        &mut self,
        view: ContextView,
    ) -> Result<ContextView, TurnStop> {
        let Some(trigger) = self.due(&view) else {
            self.prepare_summary(&view).await;
            return Ok(view);
        };
        let mut view = view;
        if self.agent.compactor.auto.may_run(&view)
            && self.compact_automatically(trigger, &view).await?
        {
            view = self.agent.thread.settle(ShrinkMode::default()).await;
        }
        if view.compaction.due {
            view = self
                .agent
                .thread
                .settle(ShrinkMode {
                    total: true,
                    ..ShrinkMode::default()
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
    /// True when the model should go on by itself; at most once a turn.
    pub(crate) async fn compact_at_stream_end(
        &mut self,
        turn: &mut TurnState,
    ) -> Result<bool, TurnStop> {
        let view = self.agent.thread.settle(ShrinkMode::default()).await;
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
    ) -> Result<bool, TurnStop> {
        let review = self.agent.thread.conversation.context().compaction.review;
        let yes = review != ReviewMode::Always || !self.agent.setup.is_interactive;
        let wanted = CompactionRequest {
            trigger,
            yes,
            ..CompactionRequest::default()
        };
        let mut compacted = match self.prepared_summary(&wanted).await {
            Ok(Some(prepared)) => Box::pin(self.put_in(wanted.clone(), prepared)).await,
            Ok(None) => Box::pin(self.compact(wanted.clone())).await,
            Err(stop) => Err(stop),
        };
        if let Ok(CompactionOutcome::Failed(SUMMARISER_FAILED | TIMEOUT)) = compacted
            && self.is_summariser_given_up().await
        {
            compacted = Box::pin(self.compact(wanted)).await;
        }
        match compacted {
            Ok(CompactionOutcome::Applied) => Ok(true),
            Ok(CompactionOutcome::Nothing) => Ok(false),
            Ok(CompactionOutcome::Cancelled | CompactionOutcome::Failed(_)) => {
                self.agent.compactor.auto.on_failed(view.usage.tokens);
                Ok(false)
            }
            Err(stop) => {
                self.agent.compactor.auto.on_failed(view.usage.tokens);
                self.agent
                    .events
                    .compaction_cancelled("stopped by the user")
                    .await;
                Err(stop)
            }
        }
    }
}
