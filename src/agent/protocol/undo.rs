//! `/undo` and `/redo`: the request, and what it would do.

use crate::checkpoint::PlannedFile;

/// `/undo` or `/redo`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UndoOp {
    /// Which of the two.
    pub way: UndoWay,
    /// The person has seen which files change and which messages are left. Without it, an
    /// undo that does either is answered with [`AgentEvent::UndoPlanned`](super::AgentEvent).
    pub confirmed: bool,
}

impl UndoOp {
    /// `/undo`
    pub const UNDO: Self = Self {
        way: UndoWay::Undo,
        confirmed: false,
    };
    /// `/redo`
    pub const REDO: Self = Self {
        way: UndoWay::Redo,
        confirmed: false,
    };

    /// The answer to its question.
    #[must_use]
    pub fn confirmed(self) -> Self {
        Self {
            confirmed: true,
            ..self
        }
    }
}

/// In which direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoWay {
    /// Takes back.
    Undo,
    /// Puts back what was taken back.
    Redo,
}

impl UndoWay {
    /// The name of the command.
    pub fn name(self) -> &'static str {
        match self {
            Self::Undo => "undo",
            Self::Redo => "redo",
        }
    }

    /// The past participle for an act: undone or redone.
    pub fn done(self) -> &'static str {
        match self {
            Self::Undo => "undone",
            Self::Redo => "redone",
        }
    }
}

/// The preview of an undo or redo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndoPlan {
    /// Which of the two.
    pub way: UndoWay,
    /// The act in words.
    pub what: String,
    /// Messages that were said since and that the conversation would leave.
    pub leaves: usize,
    /// Files that would change, or cannot.
    pub files: Vec<PlannedFile>,
}
