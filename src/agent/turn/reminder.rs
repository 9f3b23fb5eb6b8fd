//! Notes that the model needs with every request, said again when the view has lost it: a
//! summary may leave out a mode that is on, or the list of steps.
//!
//! Reminders are entries behind all that was said: counted, in the ledger, and the prompt
//! before them stays as it was cached.

use crate::agent::actor::Actor;
use crate::agent::guidance::{Guidance, is_summarised};
use crate::agent::thread::plan_notes;
use crate::context::{ContextView, ShrinkMode};
use crate::session::Durability;
use crate::transcript::{EntryBody, NoteKind, TodoList};

/// Tells the model what it has to know before the next request.
pub(in crate::agent) struct Reminders<'a> {
    pub(in crate::agent) agent: &'a mut Actor,
}

impl<'a> Reminders<'a> {
    pub(crate) fn of(agent: &'a mut Actor) -> Self {
        Self { agent }
    }
}

impl Reminders<'_> {
    /// The view of the request with what it lacked.
    pub(crate) async fn remind(&mut self, view: ContextView) -> ContextView {
        let told = self.tell_plan_mode().await;
        let reminded = self.repeat_plan_mode(&view).await;
        let listed = self.repeat_todo(&view).await;
        let guided = Guidance::of(self.agent).repeat(&view).await;
        let ended = self.tell_ended_jobs().await;
        let named = self.repeat_children(&view).await;
        let reported = self.tell_ended_children().await;
        if told || reminded || listed || guided || ended || named || reported {
            self.agent.thread.settle(ShrinkMode::default()).await
        } else {
            view
        }
    }

    async fn repeat_plan_mode(&mut self, view: &ContextView) -> bool {
        let branch = self.agent.thread.conversation.transcript().branch();
        let note = plan_notes::notes(&branch).into_iter().next();
        let is_lost = self.agent.toolbox.policy.is_plan_mode()
            && note.is_some_and(|note| is_summarised(view, &note.entry));
        if is_lost {
            self.append_plan_note(true).await;
        }
        is_lost
    }

    async fn repeat_todo(&mut self, view: &ContextView) -> bool {
        let branch = self.agent.thread.conversation.transcript().branch();
        let is_lost =
            TodoList::newest_source(&branch).is_some_and(|source| is_summarised(view, &source));
        let list = TodoList::newest(&branch).filter(|list| is_lost && !list.is_finished());
        let Some(list) = list else {
            return false;
        };
        let text = format!(
            "[Your list of steps, as the `{}` tool has it:\n{}]",
            TodoList::TOOL,
            list.lines().trim_end()
        );
        let body = EntryBody::note(NoteKind::Todo, text);
        self.agent.thread.append(body, Durability::Flush).await;
        true
    }
}
