//! Plan mode: the model looks and plans, and changes nothing until the user ends it.
//!
//! It takes effect at once; the model is told by messages of the log that follow what was
//! said, so that the cached part of the prompt stays as it is. Invariant: outside a turn
//! the newest of these messages says whether it is on, and a restart finds it there.

use std::collections::HashSet;
use std::sync::Arc;

use super::actor::Actor;
use super::event::AgentEvent;
use crate::session::Durability;
use crate::transcript::{Entry, EntryBody, EntryId, Overlay, Part};

/// What the model reads when it begins.
const BEGIN: &str = "[Plan mode is on. Look around and think, and work out a plan; change \
     nothing. Tools that edit files or run commands are refused until the user ends plan mode. \
     When the plan is ready, present it and stop.]";
/// What the model reads when it is over.
const END: &str = "[Plan mode is over. Files may be changed and commands may be run again.]";

/// A message that begins or ends it.
pub(super) struct Note {
    pub entry: EntryId,
    is_begin: bool,
}

/// Whether a branch ends in plan mode.
pub(super) fn is_on(branch: &[Arc<Entry>]) -> bool {
    notes(branch).first().is_some_and(|note| note.is_begin)
}

/// The messages of a branch that begin or end it, newest first, without those taken back.
pub(super) fn notes(branch: &[Arc<Entry>]) -> Vec<Note> {
    let mut undone = HashSet::new();
    let mut notes = Vec::new();
    for entry in branch.iter().rev() {
        match &entry.body {
            EntryBody::Overlay(Overlay::Undo { target }) if !undone.contains(&entry.id) => {
                undone.insert(target.clone());
            }
            EntryBody::CustomMessage { custom_type, .. } if !undone.contains(&entry.id) => {
                let is_begin = custom_type == Overlay::PLAN;
                if is_begin || custom_type == Overlay::PLAN_OVER {
                    notes.push(Note {
                        entry: entry.id.clone(),
                        is_begin,
                    });
                }
            }
            _ => {}
        }
    }
    notes
}

impl Actor {
    /// Begins or ends it. The model is told with the next request.
    pub async fn set_plan_mode(&mut self, on: bool) {
        if on != self.policy.is_plan_mode() {
            self.policy.set_plan_mode(on);
            self.emit(AgentEvent::PlanMode(on)).await;
        }
    }

    /// Whether it is on in the session that was opened.
    pub fn resume_plan_mode(&mut self) {
        let on = is_on(&self.conversation.transcript().branch());
        self.policy.set_plan_mode(on);
    }

    /// Writes down what changed since the model was told. A session that holds nothing yet
    /// is not begun for it.
    pub async fn record_plan_mode(&mut self) {
        if !self.conversation.transcript().is_empty() && self.tell_plan_mode().await {
            self.publish_view().await;
        }
    }

    /// Tells the model whether it is on, unless it knows; true when something was written.
    pub async fn tell_plan_mode(&mut self) -> bool {
        let on = self.policy.is_plan_mode();
        let branch = self.conversation.transcript().branch();
        let notes = notes(&branch);
        let is_begin = |note: Option<&Note>| note.is_some_and(|note| note.is_begin);
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
                let undo = EntryBody::Overlay(Overlay::Undo { target });
                self.append(undo, Durability::Flush).await;
            }
            _ => self.append_plan_note(on).await,
        }
        true
    }

    /// Says once more what is said already, where a summary has taken its place.
    pub async fn append_plan_note(&mut self, on: bool) {
        let (custom_type, text) = if on {
            (Overlay::PLAN, BEGIN)
        } else {
            (Overlay::PLAN_OVER, END)
        };
        let body = EntryBody::CustomMessage {
            custom_type: custom_type.to_owned(),
            content: vec![Part::Text(text.to_owned())],
            display: true,
        };
        self.append(body, Durability::Flush).await;
    }
}
