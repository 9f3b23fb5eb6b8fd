//! A compaction of the log, opened from its card: shown and undone, not changed.

use super::super::Reaction;
use super::Review;
use crate::agent::{AgentEvent, ContextOp, Op, SessionEvent};
use crate::transcript::CompactionStanding;
use crate::tui::effect::Effect;
use crate::tui::keymap::ScreenAction;

impl Review {
    /// Handles a key on an applied summary.
    pub(super) fn stored_command(
        &mut self,
        action: ScreenAction,
        standing: CompactionStanding,
    ) -> Reaction {
        match action {
            ScreenAction::Undo if standing == CompactionStanding::InForce => {
                Reaction::Close(vec![Effect::Send(Op::Context(ContextOp::Uncompact))])
            }
            ScreenAction::Copy => Reaction::Act(vec![Effect::Copy(self.proposal.summary.clone())]),
            ScreenAction::Sources
            | ScreenAction::Extractive
            | ScreenAction::Layout
            | ScreenAction::Fold => self.command(action),
            _ => Reaction::Ignored,
        }
    }
}

/// A compaction of the log closes with another conversation, or with this one without it.
pub(super) fn on_event(event: &AgentEvent) -> Reaction {
    match event {
        AgentEvent::Session(SessionEvent::Opened(_) | SessionEvent::BranchMoved(_)) => {
            Reaction::Close(Vec::new())
        }
        AgentEvent::Session(
            SessionEvent::Entry(_)
            | SessionEvent::ModelSwitched { .. }
            | SessionEvent::Reasoning(_)
            | SessionEvent::Engine(_)
            | SessionEvent::PlanMode(_)
            | SessionEvent::Saved(_)
            | SessionEvent::Approvals(_)
            | SessionEvent::ServersOffer(_)
            | SessionEvent::ModelsListed(_)
            | SessionEvent::Ended(_),
        )
        | AgentEvent::Stream(_)
        | AgentEvent::Turn(_)
        | AgentEvent::Context(_)
        | AgentEvent::Compaction(_)
        | AgentEvent::Child(_)
        | AgentEvent::Reply { .. }
        | AgentEvent::Notice(_) => Reaction::Ignored,
    }
}
