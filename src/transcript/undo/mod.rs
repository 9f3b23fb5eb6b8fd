//! The acts that `/undo` takes back and `/redo` puts back: a person's acts on the context or
//! on files, read from the log. What a guard or automatic pruning did is none of them, nor are
//! settings and permissions.
//!
//! An undo is one more entry that names what it takes back, a redo one that names an undo.
//! So every such entry leads to an act, over an odd number of steps (it is taken back) or an
//! even one (it was put back).

use std::collections::HashSet;
use std::sync::Arc;

use super::{Decision, Entry, EntryBody, EntryId, FileCause, Transcript, Trigger};

/// The kind of act by a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoableKind {
    /// Went back (or to another branch) in the conversation, in files, or both.
    Rewind,
    /// Had the conversation summarised.
    Compaction,
    /// Had tool results pruned.
    Prune,
    /// Pinned an entry.
    Pin,
    /// Restored an entry.
    Restore,
    /// Dropped an entry.
    Drop,
    /// Shortened or replaced a message.
    Edit,
    /// Changed a standing rule.
    Rule,
}

impl UndoableKind {
    /// The name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rewind => "rewind",
            Self::Compaction => "compaction",
            Self::Prune => "prune",
            Self::Pin => "pin",
            Self::Restore => "restore",
            Self::Drop => "drop",
            Self::Edit => "edit",
            Self::Rule => "change",
        }
    }
}

/// An act that can be taken back, or put back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndoableAct {
    /// The entry of the act itself.
    pub entry: EntryId,
    /// The kind of act.
    pub kind: UndoableKind,
    /// The entry that an undo or redo has to name: for an undo the act, or the rewind that
    /// put it back; for a redo the undo.
    pub names: EntryId,
}

/// The newest act of the person that still holds on the active branch.
pub fn newest_act(transcript: &Transcript) -> Option<UndoableAct> {
    undoable_acts(transcript).pop()
}

/// The acts of the person that still hold on the active branch, the newest last.
pub fn undoable_acts(transcript: &Transcript) -> Vec<UndoableAct> {
    let mut done = ActHistory::of(transcript).done;
    // Taking back a compaction that a newer one has replaced would change nothing.
    let in_force = newest_compaction(&transcript.branch());
    done.retain(|act| {
        act.kind != UndoableKind::Compaction || Some(&act.entry) == in_force.as_ref()
    });
    done
}

/// The newest compaction of a branch (root first) that no undo takes back.
pub fn newest_compaction(branch: &[Arc<Entry>]) -> Option<EntryId> {
    let undone = undone_entries(branch);
    let is_it = |entry: &&Arc<Entry>| {
        matches!(entry.body, EntryBody::Compaction(_)) && !undone.contains(&entry.id)
    };
    branch.iter().rfind(is_it).map(|entry| entry.id.clone())
}

/// The act that a redo would put back: the act of the newest undo, unless the person did
/// something new since.
pub fn newest_undone_act(transcript: &Transcript) -> Option<UndoableAct> {
    ActHistory::of(transcript).undone.pop()
}

/// Entries that an undo on a branch (root first) takes back. An undo can itself be undone:
/// then it takes nothing back.
pub fn undone_entries(branch: &[Arc<Entry>]) -> HashSet<EntryId> {
    let mut undone = HashSet::new();
    for entry in branch.iter().rev() {
        if let EntryBody::Decision(Decision::Undo { target }) = &entry.body
            && !undone.contains(&entry.id)
        {
            undone.insert(target.clone());
        }
    }
    undone
}

/// The acts of a branch, in the order in which they would be taken back or put back.
#[derive(Default)]
struct ActHistory {
    done: Vec<UndoableAct>,
    undone: Vec<UndoableAct>,
}

impl ActHistory {
    fn of(transcript: &Transcript) -> Self {
        let mut acts = Self::default();
        for entry in transcript.branch() {
            acts.read(transcript, &entry);
        }
        acts
    }

    fn read(&mut self, transcript: &Transcript, entry: &Arc<Entry>) {
        let Some((root, steps)) = root_of(transcript, entry) else {
            return;
        };
        let Some((kind, is_by_person)) = kind_of(&root.body) else {
            return;
        };
        // A fork holds one branch: a rewind that came from another one stays done in it.
        if !can_move_back(transcript, &entry.body) {
            return;
        }
        let mut act = UndoableAct {
            entry: root.id.clone(),
            kind,
            names: entry.id.clone(),
        };
        if steps == 0 {
            if is_by_person {
                self.undone.clear();
                self.done.push(act);
            }
            return;
        }
        self.done.retain(|it| it.entry != act.entry);
        self.undone.retain(|it| it.entry != act.entry);
        if steps % 2 == 1 {
            self.undone.push(act);
            return;
        }
        // A rewind is undone by going back from where it was put back. All else is named
        // itself: what put it back may be on another branch.
        if kind != UndoableKind::Rewind {
            act.names = act.entry.clone();
        }
        self.done.push(act);
    }
}

/// The act that an entry is, or that it takes back or puts back, and the number of undos and
/// redos on the way to it.
fn root_of(transcript: &Transcript, entry: &Arc<Entry>) -> Option<(Arc<Entry>, usize)> {
    let mut root = Arc::clone(entry);
    let mut steps = 0;
    while let Some(target) = undone_by(&root.body) {
        steps += 1;
        // A damaged file may hold a circle.
        if steps > transcript.len() {
            return None;
        }
        root = Arc::clone(transcript.get(target)?);
    }
    Some((root, steps))
}

fn undone_by(body: &EntryBody) -> Option<&EntryId> {
    match body {
        EntryBody::Decision(Decision::Undo { target }) => Some(target),
        EntryBody::Files(record) => match &record.cause {
            FileCause::Rewind { undoes, .. } => undoes.as_ref(),
            _ => None,
        },
        _ => None,
    }
}

/// The kind of an act, and whether a person did it.
fn kind_of(body: &EntryBody) -> Option<(UndoableKind, bool)> {
    Some(match body {
        EntryBody::ContextEdit { .. } => (UndoableKind::Edit, true),
        EntryBody::Compaction(compaction) => {
            let details = &compaction.details;
            let is_by_person = details.cause.trigger == Trigger::Manual || details.edited;
            (
                UndoableKind::Compaction,
                is_by_person && !details.engine.is_empty(),
            )
        }
        EntryBody::Files(record) => match &record.cause {
            FileCause::Rewind { .. } => (UndoableKind::Rewind, true),
            _ => return None,
        },
        EntryBody::Decision(decision) => match decision {
            Decision::Prune { by_person, .. } => (UndoableKind::Prune, *by_person),
            Decision::Pin { .. } => (UndoableKind::Pin, true),
            Decision::Restore { .. } => (UndoableKind::Restore, true),
            Decision::Drop { .. } => (UndoableKind::Drop, true),
            Decision::Rule { .. } => (UndoableKind::Rule, true),
            Decision::Guard { .. }
            | Decision::Media { .. }
            | Decision::Undo { .. }
            | Decision::Replay { .. } => return None,
        },
        _ => return None,
    })
}

/// Whether the entry that a move came from is in this file.
fn can_move_back(transcript: &Transcript, body: &EntryBody) -> bool {
    match body {
        EntryBody::Files(record) => {
            let from = record.cause.moved_from();
            from.is_none_or(|from| transcript.get(from).is_some())
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests;
