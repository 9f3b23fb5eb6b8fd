//! The memory slot: what is remembered of a project beyond one session. Chosen by id, apart
//! from the context engine; what it recalls is one part of the system prompt.
//!
//! It never writes by itself: only what the user asks to remember is kept.

mod project_notes;

use std::path::Path;

use project_notes::ProjectNotes;

use crate::config::TrustedDirs;

/// The memory that is used unless another one is asked for.
pub(super) const DEFAULT_MEMORY: &str = "project-notes";

/// Opens a memory for a working directory.
type NotesFile = fn(&Path, &TrustedDirs) -> Box<dyn Memory>;

/// Every memory there is: its id, and how to open it for a working directory.
const MEMORIES: &[(&str, NotesFile)] = &[
    (DEFAULT_MEMORY, |cwd, trusted| {
        Box::new(ProjectNotes::of(cwd, trusted))
    }),
    ("none", |_, _| Box::new(NoMemory)),
];

/// Remembers between sessions.
pub trait Memory: Send + Sync {
    /// The notes for the system prompt.
    fn recall(&self) -> RecalledNotes;

    /// Keeps a text of the user; says where, as one clause.
    ///
    /// # Errors
    ///
    /// Why nothing was kept, as one sentence.
    fn remember(&self, text: &str) -> Result<String, String>;

    /// All that is remembered.
    ///
    /// # Errors
    ///
    /// Why it cannot be read, as one sentence.
    fn show(&self) -> Result<ShownNotes, String>;
}

/// The part of a memory in the system prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecalledNotes {
    /// A part with its heading; `None` when there is nothing to say.
    pub part: Option<String>,
    /// Names notes that were cut or could not be read, one sentence.
    pub warning: Option<String>,
}

/// The content of a memory, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownNotes {
    /// Where it is kept.
    pub place: String,
    /// The text as it is kept; empty when nothing was remembered yet.
    pub text: String,
}

/// A memory that was asked for.
pub(super) struct ChosenMemory {
    /// Ready to recall.
    pub memory: Box<dyn Memory>,
    /// There is none of the name that was asked for; this is [`DEFAULT_MEMORY`].
    pub is_substitute: bool,
}

/// Opens the memory of this id for a working directory.
pub(super) fn choose(id: &str, cwd: &Path, trusted: &TrustedDirs) -> ChosenMemory {
    let found = MEMORIES.iter().find(|(known, _)| *known == id);
    match found {
        Some((_, open)) => ChosenMemory {
            memory: open(cwd, trusted),
            is_substitute: false,
        },
        None => ChosenMemory {
            memory: Box::new(ProjectNotes::of(cwd, trusted)),
            is_substitute: true,
        },
    }
}

/// The values of `memory.engine`, for messages.
pub(super) fn known() -> String {
    let ids: Vec<&str> = MEMORIES.iter().map(|(id, _)| *id).collect();
    ids.join(", ")
}

/// Remembers nothing.
struct NoMemory;

/// The hint for a memory that is off.
const IS_OFF: &str = "notes are off: memory.engine is none";

impl Memory for NoMemory {
    fn recall(&self) -> RecalledNotes {
        RecalledNotes::default()
    }

    fn remember(&self, _: &str) -> Result<String, String> {
        Err(IS_OFF.to_owned())
    }

    fn show(&self) -> Result<ShownNotes, String> {
        Err(IS_OFF.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_memory_is_replaced_by_the_notes_and_said() {
        let dir = tempfile::tempdir().unwrap();
        for (id, is_substitute) in [("project-notes", false), ("none", false), ("magic", true)] {
            let chosen = choose(id, dir.path(), &TrustedDirs::default());
            assert_eq!(chosen.is_substitute, is_substitute, "{id}");
            assert_eq!(chosen.memory.remember("x").is_ok(), id != "none", "{id}");
        }
        assert_eq!(known(), "project-notes, none");
    }

    #[test]
    fn none_recalls_nothing_although_there_are_notes() {
        let dir = tempfile::tempdir().unwrap();
        let notes = choose(DEFAULT_MEMORY, dir.path(), &TrustedDirs::default()).memory;
        notes.remember("the port is 8080").unwrap();
        assert!(notes.recall().part.is_some());
        let none = choose("none", dir.path(), &TrustedDirs::default()).memory;
        assert_eq!(none.recall(), RecalledNotes::default());
        assert!(none.show().is_err());
    }
}
