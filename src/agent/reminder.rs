//! What the model has to know with every request, said again when the view has lost it: a
//! summary may leave out a mode that is on.
//!
//! Reminders are entries behind all that was said: counted, in the ledger, and the prompt
//! before them stays as it was cached.

use super::actor::Actor;
use super::plan_mode;
use crate::context::{ContextView, Disposition, Pressure};
use crate::transcript::EntryId;

impl Actor {
    /// The view of the request with what it lacked.
    pub async fn remind(&mut self, view: ContextView) -> ContextView {
        let told = self.tell_plan_mode().await;
        let reminded = self.repeat_plan_mode(&view).await;
        if told || reminded {
            self.settle(Pressure::default()).await
        } else {
            view
        }
    }

    async fn repeat_plan_mode(&mut self, view: &ContextView) -> bool {
        let branch = self.conversation.transcript().branch();
        let note = plan_mode::notes(&branch).into_iter().next();
        let is_lost =
            self.policy.is_plan_mode() && note.is_some_and(|note| is_summarised(view, &note.entry));
        if is_lost {
            self.append_plan_note(true).await;
        }
        is_lost
    }
}

/// Whether a summary stands for an entry. What the user dropped is not said again.
fn is_summarised(view: &ContextView, entry: &EntryId) -> bool {
    view.left_out
        .iter()
        .any(|left| left.entry == *entry && left.disposition == Disposition::Summarized)
}
