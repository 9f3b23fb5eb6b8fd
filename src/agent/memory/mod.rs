//! The memory slot: what is remembered of a project beyond one session. Chosen by id, apart
//! from the context engine; what it recalls is one part of the system prompt.
//!
//! It never writes by itself: what the user asks to remember is kept, and, where the setting
//! `memory.flush` asks for it, notes of the model before a compaction, which can be taken back.

mod project_notes;
mod single_notes;

use std::path::Path;

use project_notes::ProjectNotes;
pub(in crate::agent) use single_notes::single_notes;

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
    /// The notes for the system prompt, at most so many tokens of them.
    fn recall(&self, limit_tokens: Option<u64>) -> RecalledNotes;

    /// Keeps a text of the user with its origin (`session 0198, r41`); says where, as one
    /// clause. What is noted already is not noted again.
    ///
    /// # Errors
    ///
    /// Why nothing was kept, as one sentence.
    fn remember(&self, text: &str, origin: &str) -> Result<String, String>;

    /// Keeps notes that a model wrote, each of one line, with their origin. Gives those that
    /// were not noted already.
    ///
    /// # Errors
    ///
    /// Why nothing was kept, as one sentence.
    fn add(&self, notes: &[String], origin: &str) -> Result<AddedNotes, String>;

    /// Takes back what `add` kept last for a session, by the origins that
    /// [`flush_origin`] gives. Gives the notes.
    ///
    /// # Errors
    ///
    /// Why they are still there, as one sentence.
    fn take_back(&self, session: &str) -> Result<Vec<String>, String>;

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

/// The origin of notes that the model wrote before a compaction; `place` as in `r41`.
pub(super) fn flush_origin(session: &str, place: &str) -> String {
    format!("session {session}, {place}{FLUSHED}")
}

/// How such an origin ends.
const FLUSHED: &str = ", by the model before a compaction";

/// What became of notes that a model wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddedNotes {
    /// The new ones.
    pub added: Vec<String>,
    /// Where they are kept.
    pub place: String,
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
    fn recall(&self, _: Option<u64>) -> RecalledNotes {
        RecalledNotes::default()
    }

    fn remember(&self, _: &str, _: &str) -> Result<String, String> {
        Err(IS_OFF.to_owned())
    }

    fn add(&self, _: &[String], _: &str) -> Result<AddedNotes, String> {
        Err(IS_OFF.to_owned())
    }

    fn take_back(&self, _: &str) -> Result<Vec<String>, String> {
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
            assert_eq!(
                chosen.memory.remember(&format!("for {id}"), "s").is_ok(),
                id != "none",
                "{id}"
            );
        }
        assert_eq!(known(), "project-notes, none");
    }

    #[test]
    fn none_recalls_nothing_although_there_are_notes() {
        let dir = tempfile::tempdir().unwrap();
        let notes = choose(DEFAULT_MEMORY, dir.path(), &TrustedDirs::default()).memory;
        notes.remember("the port is 8080", "s").unwrap();
        assert!(notes.recall(None).part.is_some());
        let none = choose("none", dir.path(), &TrustedDirs::default()).memory;
        assert_eq!(none.recall(None), RecalledNotes::default());
        assert!(none.show().is_err());
    }
}
