//! The author of an entry. "The newest ask", "may be dropped", the categories of the gauge and
//! `/undo` all read this, so that they agree.

use super::{Entry, EntryBody};
use crate::transcript::{Message, Part};

/// The author of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Author {
    /// A person typed it.
    Person,
    /// A model answered.
    Model,
    /// A tool answered a call.
    Tool,
    /// Plimsoll (or a hook of the user) told the model something, in the user role.
    Note(NoteKind),
    /// A summary of a compaction.
    Summariser,
    /// Plimsoll itself: system prompt, tools, repairs, automatic decisions.
    Plimsoll,
    /// Another program injected it, in the user role.
    OtherProgram,
}

/// The kind of a note: the `custom_type` of its message in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoteKind {
    /// Asks a model to go on after an automatic compaction.
    Continue,
    /// A hook of the user added it before a request.
    Hook,
    /// Repeats the list of steps after a summary.
    Todo,
    /// Says how a background job has ended.
    Job,
    /// Says how a sub-agent has ended, or which ones still run.
    Agent,
    /// Says that the user took files back, or put them back again.
    Rewind,
    /// Begins plan mode.
    Plan,
    /// Ends plan mode.
    PlanOver,
    /// Says which program the conversation before it was imported from.
    Imported,
    /// Holds the text of a skill.
    Skill,
    /// Holds the rules of a folder that the work reached.
    Rules,
    /// Says that the model repeats itself.
    Repeat,
    /// Repeats the schemas of found tools that are in use, after a summary.
    Tools,
}

impl NoteKind {
    /// All kinds.
    pub const ALL: [Self; 13] = [
        Self::Continue,
        Self::Hook,
        Self::Todo,
        Self::Job,
        Self::Agent,
        Self::Rewind,
        Self::Plan,
        Self::PlanOver,
        Self::Imported,
        Self::Skill,
        Self::Rules,
        Self::Repeat,
        Self::Tools,
    ];

    /// The `custom_type` in the log.
    pub fn custom_type(self) -> &'static str {
        match self {
            Self::Continue => "plimsoll.continue",
            Self::Hook => "plimsoll.hook",
            Self::Todo => "plimsoll.todo",
            Self::Job => "plimsoll.job",
            Self::Agent => "plimsoll.agent-report",
            Self::Rewind => "plimsoll.rewind",
            Self::Plan => "plimsoll.plan",
            Self::PlanOver => "plimsoll.plan-over",
            Self::Imported => "plimsoll.imported",
            Self::Skill => "plimsoll.skill",
            Self::Rules => "plimsoll.rules",
            Self::Repeat => "plimsoll.repeat",
            Self::Tools => "plimsoll.tools",
        }
    }

    /// The kind with this `custom_type`; `None` for messages of other programs.
    pub fn from_custom_type(custom_type: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.custom_type() == custom_type)
    }
}

impl EntryBody {
    /// A note of this kind for the model.
    pub fn note(kind: NoteKind, text: impl Into<String>) -> Self {
        Self::CustomMessage {
            custom_type: kind.custom_type().to_owned(),
            content: vec![Part::Text(text.into())],
            // The list of steps has a place of its own on the screen; that a skill or rules
            // were added is said in a line.
            display: !matches!(
                kind,
                NoteKind::Todo | NoteKind::Skill | NoteKind::Rules | NoteKind::Tools
            ),
        }
    }

    /// The author.
    pub fn author(&self) -> Author {
        match self {
            Self::Message(message) => match message.as_ref() {
                Message::User(_) | Message::BashExecution(_) => Author::Person,
                Message::Assistant(_) => Author::Model,
                Message::ToolResult(_) => Author::Tool,
            },
            Self::CustomMessage { custom_type, .. } => {
                NoteKind::from_custom_type(custom_type).map_or(Author::OtherProgram, Author::Note)
            }
            Self::Compaction(_) => Author::Summariser,
            Self::BranchSummary { .. } | Self::Custom { .. } | Self::Unknown { .. } => {
                Author::OtherProgram
            }
            Self::ContextEdit { .. }
            | Self::Label { .. }
            | Self::SessionInfo { .. }
            | Self::ModelChange { .. }
            | Self::ThinkingLevelChange { .. } => Author::Person,
            Self::Decision(decision) => decision.author(),
            Self::Measurement(_)
            | Self::Expense(_)
            | Self::Files(_)
            | Self::Child(_)
            | Self::Import(_) => Author::Plimsoll,
        }
    }

    /// The kind of a note; `None` for everything else.
    pub fn note_kind(&self) -> Option<NoteKind> {
        match self.author() {
            Author::Note(kind) => Some(kind),
            _ => None,
        }
    }
}

impl Entry {
    /// Whether a person asked something here: text or an attachment, typed, not empty. An
    /// empty message is never sent.
    pub fn is_ask(&self) -> bool {
        self.is_typed_by_user()
            && self.message().is_some_and(|message| {
                !message.text().trim().is_empty() || message.images().next().is_some()
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_note_is_found_by_the_type_that_it_is_written_with() {
        for kind in NoteKind::ALL {
            assert_eq!(NoteKind::from_custom_type(kind.custom_type()), Some(kind));
        }
        assert_eq!(NoteKind::from_custom_type("other.program"), None);
    }

    #[test]
    fn what_no_person_typed_has_another_author() {
        let note = |custom_type: &str| EntryBody::CustomMessage {
            custom_type: custom_type.to_owned(),
            content: Vec::new(),
            display: true,
        };
        assert_eq!(note("plimsoll.plan").author(), Author::Note(NoteKind::Plan));
        assert_eq!(note("openclaw.memory").author(), Author::OtherProgram);
        let typed = EntryBody::Message(std::sync::Arc::new(Message::user_text("go")));
        assert_eq!(typed.author(), Author::Person);
    }
}
