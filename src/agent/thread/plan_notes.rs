//! The messages of a branch that begin or end plan mode.

use std::sync::Arc;

use crate::transcript::{Entry, EntryId, NoteKind, undone_entries};

/// A message that begins or ends it.
pub(in crate::agent) struct PlanNote {
    pub entry: EntryId,
    pub is_begin: bool,
}

/// Whether a branch ends in plan mode.
pub(in crate::agent) fn is_on(branch: &[Arc<Entry>]) -> bool {
    notes(branch).first().is_some_and(|note| note.is_begin)
}

/// The messages of a branch that begin or end it, newest first, without those taken back.
pub(in crate::agent) fn notes(branch: &[Arc<Entry>]) -> Vec<PlanNote> {
    let undone = undone_entries(branch);
    let entries = branch.iter().rev();
    entries
        .filter(|entry| !undone.contains(&entry.id))
        .filter_map(|entry| {
            let is_begin = match entry.body.note_kind()? {
                NoteKind::Plan => true,
                NoteKind::PlanOver => false,
                _ => return None,
            };
            Some(PlanNote {
                entry: entry.id.clone(),
                is_begin,
            })
        })
        .collect()
}
