//! Plan mode: the model looks and plans, and changes nothing until the user ends it.
//!
//! It takes effect at once; the model is told by messages of the log that follow what was
//! said, so that the cached part of the prompt stays as it is. Invariant: outside a turn
//! the newest of these messages says whether it is on, and a restart finds it there.

use crate::agent::thread::plan_notes::{PlanNote, is_on, notes};

use crate::agent::protocol::SessionEvent;
use crate::agent::turn::reminder::Reminders;
use crate::session::Durability;
use crate::transcript::{Decision, EntryBody, NoteKind};

/// The note for the model when plan mode begins.
const BEGIN: &str = "[Plan mode is on. Look around and think, and work out a plan; change \
     nothing. Tools that edit files or run commands are refused until the user ends plan mode. \
     When the plan is ready, present it and stop.]";
/// The note for the model when plan mode ends.
const END: &str = "[Plan mode is over. Files may be changed and commands may be run again.]";

impl Reminders<'_> {
    /// Begins or ends it. The model is told with the next request.
    pub(crate) async fn set_plan_mode(&mut self, on: bool) {
        if on != self.agent.toolbox.policy.is_plan_mode() {
            self.agent.toolbox.policy.set_plan_mode(on);
            self.agent.events.emit(SessionEvent::PlanMode(on)).await;
        }
    }

    /// Whether it is on in the session that was opened.
    pub(crate) fn resume_plan_mode(&mut self) {
        let on = is_on(&self.agent.thread.conversation.transcript().branch());
        self.agent.toolbox.policy.set_plan_mode(on);
    }

    /// Writes down what changed since the model was told. A session that holds nothing yet
    /// is not begun for it.
    pub(crate) async fn record_plan_mode(&mut self) {
        if !self.agent.thread.conversation.transcript().is_empty() && self.tell_plan_mode().await {
            self.agent.thread.publish_view().await;
        }
    }

    /// Tells the model whether it is on, unless it knows; true when something was written.
    pub(crate) async fn tell_plan_mode(&mut self) -> bool {
        let on = self.agent.toolbox.policy.is_plan_mode();
        let branch = self.agent.thread.conversation.transcript().branch();
        let notes = notes(&branch);
        let is_begin = |note: Option<&PlanNote>| note.is_some_and(|note| note.is_begin);
        if is_begin(notes.first()) == on {
            return false;
        }
        let said_last = branch.iter().rfind(|it| it.body.speaks_to_model());
        // A change of mind before anything was said leaves no trace in the context.
        let unheard = notes
            .first()
            .filter(|note| said_last.is_some_and(|last| last.id == note.entry));
        match unheard {
            Some(note) if is_begin(notes.get(1)) == on => {
                let target = note.entry.clone();
                let undo = EntryBody::Decision(Decision::Undo { target });
                self.agent.thread.append(undo, Durability::Flush).await;
            }
            _ => self.append_plan_note(on).await,
        }
        true
    }

    /// Says once more what is said already, where a summary has taken its place.
    pub(crate) async fn append_plan_note(&mut self, on: bool) {
        let body = if on {
            EntryBody::note(NoteKind::Plan, BEGIN)
        } else {
            EntryBody::note(NoteKind::PlanOver, END)
        };
        self.agent.thread.append(body, Durability::Flush).await;
    }
}
