//! The activity of the agent, and the inputs that wait for it.

use std::sync::Arc;
use std::time::Duration;

use super::super::numbers;
use crate::agent::QueuedInput;
use crate::context::ContextView;
use crate::transcript::{ModelRef, Timestamp, Trigger};

/// The activity of the agent.
#[derive(Debug, Default)]
pub struct Activity {
    /// The step of the turn.
    pub phase: TurnPhase,
    /// Since when.
    pub since: Timestamp,
    /// When the turn began.
    pub turn_since: Timestamp,
    /// The summary that is being written.
    pub compaction: Option<CompactionProgress>,
    /// Messages and commands that wait.
    pub queued: Vec<QueuedInput>,
    /// The gauge's view while motion is reduced.
    pub steady: SteadyView,
}

/// A view that is followed once a second at most.
#[derive(Debug, Default)]
pub struct SteadyView {
    shown: Option<(Arc<ContextView>, Timestamp)>,
}

impl SteadyView {
    /// How long a view is shown at least.
    const LEAST_MS: i64 = 1_000;

    /// A newer view came.
    pub fn follow(&mut self, view: &Arc<ContextView>, now: Timestamp) {
        let shown_at = self.shown.as_ref().map(|(_, at)| *at);
        if shown_at.is_none_or(|at| now.0.saturating_sub(at.0) >= Self::LEAST_MS) {
            self.shown = Some((Arc::clone(view), now));
        }
    }

    /// The view that is shown.
    pub fn get(&self) -> Option<&ContextView> {
        self.shown.as_ref().map(|(view, _)| view.as_ref())
    }
}

/// A step of a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TurnPhase {
    /// Nothing.
    #[default]
    Idle,
    /// A message was handed over.
    Sending,
    /// A request is out.
    Waiting(ModelRef),
    /// The model reasons.
    Thinking,
    /// The model answers.
    Answering,
    /// The model writes a tool call.
    Calling(String),
    /// A call waits for the user's consent.
    Asking,
    /// A tool runs.
    Tool(String),
    /// A request failed and is tried again.
    Retrying {
        /// Which try comes next.
        attempt: u32,
        /// At most this many.
        max_attempts: u32,
        /// When.
        until: Timestamp,
        /// Why.
        reason: String,
    },
}

/// A summary that is being written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompactionProgress {
    /// The cause of the compaction.
    pub trigger: Trigger,
    /// Estimate of the view before.
    pub tokens_before: u64,
    /// Messages that it replaces.
    pub summarized: u64,
    /// The current stage.
    pub stage: String,
    /// Since when.
    pub since: Timestamp,
}

impl Activity {
    /// Whether there is something to stop.
    pub fn is_busy(&self) -> bool {
        self.phase != TurnPhase::Idle || self.compaction.is_some()
    }

    /// Whether a turn runs.
    pub fn is_turn_running(&self) -> bool {
        self.phase != TurnPhase::Idle
    }

    /// Goes on to another step; the clock of a step starts when it does.
    pub fn enter(&mut self, phase: TurnPhase, now: Timestamp) {
        if self.phase == phase {
            return;
        }
        if self.phase == TurnPhase::Idle {
            self.turn_since = now;
        }
        self.phase = phase;
        self.since = now;
    }

    /// The activity in words, for the status line.
    pub fn text(&self, now: Timestamp) -> String {
        if let Some(compaction) = &self.compaction {
            let mut text = format!(
                "compacting {} ({})",
                numbers::plural(compaction.summarized, "message"),
                numbers::tokens(compaction.tokens_before)
            );
            if compaction.trigger != Trigger::Manual {
                text = format!("{text} · {}", compaction.trigger.name());
            }
            if !compaction.stage.is_empty() {
                text = format!("{text} · {}", compaction.stage);
            }
            return text;
        }
        match &self.phase {
            TurnPhase::Idle => String::new(),
            TurnPhase::Sending => "sending".to_owned(),
            TurnPhase::Waiting(model) => format!("waiting for {}", model.model),
            TurnPhase::Thinking => "thinking".to_owned(),
            TurnPhase::Answering => "answering".to_owned(),
            TurnPhase::Calling(tool) => format!("writing a call of {tool}"),
            TurnPhase::Asking => "waiting for your answer".to_owned(),
            TurnPhase::Tool(title) => format!("running {title}"),
            TurnPhase::Retrying {
                attempt,
                max_attempts,
                until,
                reason,
            } => {
                let left = numbers::between(now, *until);
                format!(
                    "attempt {attempt} of {max_attempts} in {} · {reason}",
                    numbers::elapsed(left)
                )
            }
        }
    }

    /// How long it has been going on.
    pub fn elapsed(&self, now: Timestamp) -> Duration {
        match &self.compaction {
            Some(compaction) => numbers::between(compaction.since, now),
            None => numbers::between(self.turn_since, now),
        }
    }

    /// Between tools and the next request the turn goes on; a run of the user's own ends here.
    pub fn end_tool(&mut self, now: Timestamp) {
        if matches!(self.phase, TurnPhase::Tool(_)) {
            self.enter(TurnPhase::Sending, now);
        }
    }

    /// A command of the user is over, when one runs; if a turn runs as well, its next event
    /// says so.
    pub fn end_shell(&mut self) -> bool {
        let is_over = matches!(self.phase, TurnPhase::Tool(_) | TurnPhase::Sending);
        if is_over {
            self.phase = TurnPhase::Idle;
        }
        is_over
    }

    /// The turn is over.
    pub fn end_turn(&mut self) {
        self.phase = TurnPhase::Idle;
        self.compaction = None;
    }

    /// A message that could not be taken ends the wait for it.
    pub fn refuse_message(&mut self) {
        if self.phase == TurnPhase::Sending {
            self.phase = TurnPhase::Idle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Category;
    use crate::tui::testing::view_of;

    #[test]
    fn the_clock_of_a_turn_starts_with_its_first_step() {
        let mut activity = Activity::default();
        activity.enter(TurnPhase::Sending, Timestamp(1_000));
        activity.enter(TurnPhase::Tool("ls".to_owned()), Timestamp(2_000));
        activity.end_tool(Timestamp(3_000));
        assert_eq!(activity.phase, TurnPhase::Sending);
        assert_eq!(activity.since, Timestamp(3_000));
        let elapsed = activity.elapsed(Timestamp(4_000));
        assert_eq!(elapsed, Duration::from_secs(3));
        activity.end_turn();
        assert!(!activity.is_busy());
    }

    #[test]
    fn a_steady_view_changes_once_a_second_at_most() {
        let views = [100, 200, 300].map(|tokens| {
            let mut by_category = [0; Category::COUNT];
            by_category[0] = tokens;
            Arc::new(view_of(&by_category))
        });
        let mut steady = SteadyView::default();
        let mut shown = |at: usize, millis| {
            steady.follow(&views[at], Timestamp(millis));
            steady.get().map(|view| view.usage.tokens)
        };
        assert_eq!(shown(0, 5_000), Some(100));
        assert_eq!(shown(1, 5_999), Some(100));
        assert_eq!(shown(2, 6_000), Some(300));
    }

    #[test]
    fn a_refused_message_ends_the_wait_for_it_and_no_answer() {
        let mut activity = Activity::default();
        activity.enter(TurnPhase::Sending, Timestamp(0));
        activity.refuse_message();
        assert!(!activity.is_turn_running());
        activity.enter(TurnPhase::Answering, Timestamp(0));
        activity.refuse_message();
        assert!(activity.is_turn_running());
        assert!(!activity.end_shell());
    }
}
