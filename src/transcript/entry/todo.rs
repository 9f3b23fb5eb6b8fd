//! The list of steps that a model keeps of its task. It is derived from the log, so it lasts
//! as long as the log does: through restarts and summaries.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::{Value, json};

use super::{Entry, EntryId, NoteKind};
use crate::transcript::Message;

/// How far a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TodoState {
    /// Not begun.
    Pending,
    /// Being done.
    InProgress,
    /// Done.
    Done,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TodoItem {
    /// The step, in the model's words.
    pub text: String,
    /// How far it is.
    pub state: TodoState,
}

/// All steps, in the order of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TodoList {
    /// The steps.
    pub items: Vec<TodoItem>,
}

impl TodoState {
    /// All of them, in the order of work.
    pub const ALL: [Self; 3] = [Self::Pending, Self::InProgress, Self::Done];

    /// The name in calls and logs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Done => "done",
        }
    }

    /// The state with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

impl TodoList {
    /// The tool that takes a list.
    pub const TOOL: &'static str = "todo";

    /// The list in the details of a tool result, when there is one.
    pub fn from_details(details: &Value) -> Option<Self> {
        let items = details.get("todos")?.as_array()?.iter().map(|item| {
            Some(TodoItem {
                text: item.get("text")?.as_str()?.to_owned(),
                state: TodoState::from_name(item.get("state")?.as_str()?)?,
            })
        });
        Some(Self {
            items: items.collect::<Option<_>>()?,
        })
    }

    /// The details of a tool result that keep this list.
    pub fn to_details(&self) -> Value {
        let items: Vec<Value> = self
            .items
            .iter()
            .map(|item| json!({"text": item.text, "state": item.state.name()}))
            .collect();
        json!({ "todos": items })
    }

    /// Steps that are done.
    pub fn done(&self) -> usize {
        let is_done = |item: &&TodoItem| item.state == TodoState::Done;
        self.items.iter().filter(is_done).count()
    }

    /// Whether nothing is left to do.
    pub fn is_finished(&self) -> bool {
        self.done() == self.items.len()
    }

    /// The list as a model reads it, a line per step.
    pub fn lines(&self) -> String {
        let mut out = String::new();
        for item in &self.items {
            let mark = match item.state {
                TodoState::Pending => ' ',
                TodoState::InProgress => '~',
                TodoState::Done => 'x',
            };
            let _ = writeln!(out, "[{mark}] {}", item.text);
        }
        out
    }

    /// The list that an entry brings: the tool's answer to a good call has it.
    pub fn of_entry(entry: &Entry) -> Option<Self> {
        match entry.message()?.as_ref() {
            Message::ToolResult(result) if result.tool_name == Self::TOOL && !result.is_error => {
                Self::from_details(result.details.as_ref()?)
            }
            _ => None,
        }
    }

    /// The newest list of a branch, root first.
    pub fn newest(branch: &[Arc<Entry>]) -> Option<Self> {
        branch.iter().rev().find_map(|entry| Self::of_entry(entry))
    }

    /// The entry from which a model that reads the branch knows the newest list.
    pub fn newest_source(branch: &[Arc<Entry>]) -> Option<EntryId> {
        let is_source = |entry: &&Arc<Entry>| {
            let is_repeated = entry.body.note_kind() == Some(NoteKind::Todo);
            is_repeated || Self::of_entry(entry).is_some()
        };
        branch.iter().rfind(is_source).map(|entry| entry.id.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_comes_back_from_its_details_and_nothing_else_does() {
        let list = TodoList {
            items: TodoState::ALL
                .map(|state| TodoItem {
                    text: format!("a {}", state.name()),
                    state,
                })
                .to_vec(),
        };
        assert_eq!(
            TodoList::from_details(&list.to_details()).as_ref(),
            Some(&list)
        );
        assert_eq!(
            list.lines(),
            "[ ] a pending\n[~] a in_progress\n[x] a done\n"
        );
        assert_eq!((list.done(), list.is_finished()), (1, false));
        for other in [
            json!({}),
            json!({"todos": 1}),
            json!({"todos": [{"text": "a", "state": "soon"}]}),
            json!({"todos": [{"state": "done"}]}),
        ] {
            assert_eq!(TodoList::from_details(&other), None, "{other}");
        }
    }
}
