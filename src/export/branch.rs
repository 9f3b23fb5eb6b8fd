//! What holds of each entry of the active branch: which compaction replaces it, what was cut of
//! it, what a person decided about it, and which result answers which call.
//!
//! Read from the log alone, so that an export depends on no setting and no model.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::transcript::{
    Compaction, CompactionStanding, Cut, Decision, Entry, EntryBody, EntryId, EntryOverride,
    Message, Part, ToolResult, Transcript, undone_entries,
};

/// A place on the branch, root first.
pub(super) type Place = usize;

/// A branch with what holds of its entries.
pub(super) struct BranchReading {
    /// The entries, root first.
    pub(super) entries: Vec<Arc<Entry>>,
    /// Its compactions, oldest first, undone ones included.
    pub(super) compactions: Vec<CompactionPlace>,
    /// Entries that are on no part of the branch.
    pub(super) off_branch: usize,
    places: HashMap<EntryId, Place>,
    undone: HashSet<EntryId>,
    cuts: HashMap<EntryId, Cut>,
    overrides: HashMap<EntryId, EntryOverride>,
    media: HashMap<EntryId, String>,
    edits: HashMap<EntryId, Vec<Part>>,
    resent: HashMap<EntryId, EntryId>,
    pairs: CallPairs,
}

/// A compaction of the branch.
#[derive(Clone, Copy, Debug)]
pub(super) struct CompactionPlace {
    /// Where it is.
    pub(super) at: Place,
    /// The first entry that stays word for word.
    pub(super) first_kept: Place,
    /// Whether it counts.
    pub(super) standing: CompactionStanding,
}

/// Which result answers which call.
#[derive(Default)]
struct CallPairs {
    /// By the answer's place and the number of the call in it.
    results: HashMap<(Place, usize), Place>,
    /// By the result's place: the answer's.
    answers: HashMap<Place, Place>,
}

impl BranchReading {
    pub(super) fn of(transcript: &Transcript) -> Self {
        let entries = transcript.branch();
        let places: HashMap<EntryId, Place> = entries
            .iter()
            .enumerate()
            .map(|(at, entry)| (entry.id.clone(), at))
            .collect();
        let all: Vec<&Entry> = transcript.entries().iter().map(AsRef::as_ref).collect();
        let standings = CompactionStanding::of_all(&all, |id| places.contains_key(id));
        let mut compactions: Vec<CompactionPlace> = standings
            .into_iter()
            .filter_map(|(entry, compaction, standing)| {
                let at = *places.get(&entry.id)?;
                let first_kept = compaction.first_kept.as_ref();
                let first_kept = first_kept.and_then(|id| places.get(id)).copied();
                Some(CompactionPlace {
                    at,
                    first_kept: first_kept.unwrap_or(at).min(at),
                    standing,
                })
            })
            .collect();
        compactions.sort_by_key(|it| it.at);
        let mut reading = Self {
            off_branch: transcript.len() - entries.len(),
            undone: undone_entries(&entries),
            pairs: CallPairs::of(&entries),
            places,
            compactions,
            cuts: HashMap::new(),
            overrides: HashMap::new(),
            media: HashMap::new(),
            edits: HashMap::new(),
            resent: HashMap::new(),
            entries,
        };
        for entry in &reading.entries.clone() {
            if !reading.undone.contains(&entry.id) {
                reading.note(&entry.body);
            }
        }
        reading
    }

    fn note(&mut self, body: &EntryBody) {
        match body {
            EntryBody::ContextEdit {
                target,
                replacement,
            } => {
                let sent = replacement.clone().unwrap_or_default();
                self.edits.insert(target.clone(), sent);
            }
            EntryBody::Decision(decision) => self.note_decision(decision),
            _ => {}
        }
    }

    fn note_decision(&mut self, decision: &Decision) {
        match decision {
            Decision::Prune { cuts, .. } | Decision::Guard { cuts } => {
                for cut in cuts {
                    self.cuts.insert(cut.target.clone(), cut.clone());
                }
            }
            Decision::Media { targets, reason } => {
                let marked = targets.iter().map(|id| (id.clone(), reason.clone()));
                self.media.extend(marked);
            }
            Decision::Pin { target } => self.decide(target, EntryOverride::Pin),
            Decision::Restore { target } => self.decide(target, EntryOverride::Restore),
            Decision::Drop { target } => self.decide(target, EntryOverride::Drop),
            Decision::Replay {
                original, replay, ..
            } => {
                self.resent.insert(original.clone(), replay.clone());
            }
            Decision::Undo { .. } | Decision::Rule { .. } => {}
        }
    }

    /// A decision holds for an answer and the results of its calls together.
    fn decide(&mut self, target: &EntryId, decision: EntryOverride) {
        let Some(at) = self.place(target) else {
            return;
        };
        for place in self.pairs.group(at) {
            if let Some(entry) = self.entries.get(place) {
                self.overrides.insert(entry.id.clone(), decision);
            }
        }
    }

    /// Where an entry is on the branch.
    pub(super) fn place(&self, id: &EntryId) -> Option<Place> {
        self.places.get(id).copied()
    }

    /// Whether the entry was taken back.
    pub(super) fn is_undone(&self, id: &EntryId) -> bool {
        self.undone.contains(id)
    }

    /// The person's decision about an entry.
    pub(super) fn override_of(&self, id: &EntryId) -> Option<EntryOverride> {
        self.overrides.get(id).copied()
    }

    /// The cut of a result that holds; none where the person wants it in full.
    pub(super) fn cut_of(&self, id: &EntryId) -> Option<&Cut> {
        let is_whole = matches!(
            self.override_of(id),
            Some(EntryOverride::Pin | EntryOverride::Restore)
        );
        self.cuts.get(id).filter(|_| !is_whole)
    }

    /// Why the images of a message are no longer sent.
    pub(super) fn media_of(&self, id: &EntryId) -> Option<&str> {
        self.media.get(id).map(String::as_str)
    }

    /// What is sent instead of a message; nothing, where it is empty.
    pub(super) fn edit_of(&self, id: &EntryId) -> Option<&[Part]> {
        self.edits.get(id).map(Vec::as_slice)
    }

    /// The message that was sent in the place of this one.
    pub(super) fn resent_as(&self, id: &EntryId) -> Option<&EntryId> {
        self.resent.get(id)
    }

    /// The compaction in force.
    pub(super) fn compaction_in_force(&self) -> Option<(&Entry, &Compaction, CompactionPlace)> {
        let in_force = |it: &&CompactionPlace| it.standing == CompactionStanding::InForce;
        let place = *self.compactions.iter().find(in_force)?;
        let entry = self.entries.get(place.at)?;
        match &entry.body {
            EntryBody::Compaction(compaction) => Some((entry, compaction, place)),
            _ => None,
        }
    }

    /// Whether a summary stands for the entry now. What a person pinned and asks that the
    /// compaction kept are sent beside it.
    pub(super) fn is_replaced(&self, at: Place) -> bool {
        let Some((_, compaction, place)) = self.compaction_in_force() else {
            return false;
        };
        let Some(entry) = self.entries.get(at) else {
            return false;
        };
        let is_kept = compaction.details.exceptions.kept_asks.contains(&entry.id)
            || self.override_of(&entry.id) == Some(EntryOverride::Pin);
        at < place.first_kept && !is_kept
    }

    /// The result of a call of an answer.
    pub(super) fn result_of(&self, answer: Place, call: usize) -> Option<(Place, &ToolResult)> {
        let at = *self.pairs.results.get(&(answer, call))?;
        match self.entries.get(at)?.message()?.as_ref() {
            Message::ToolResult(result) => Some((at, result)),
            _ => None,
        }
    }

    /// The answer whose call a result answers.
    pub(super) fn answer_of(&self, result: Place) -> Option<Place> {
        self.pairs.answers.get(&result).copied()
    }
}

impl CallPairs {
    fn of(entries: &[Arc<Entry>]) -> Self {
        let mut pairs = Self::default();
        let mut open: HashMap<&str, (Place, usize)> = HashMap::new();
        for (at, entry) in entries.iter().enumerate() {
            match entry.message().map(AsRef::as_ref) {
                Some(Message::Assistant(answer)) => {
                    let calls = answer.tool_calls().enumerate();
                    open.extend(calls.map(|(number, call)| (call.id.as_str(), (at, number))));
                }
                Some(Message::ToolResult(result)) => {
                    if let Some(call) = open.remove(result.call_id.as_str()) {
                        pairs.results.insert(call, at);
                        pairs.answers.insert(at, call.0);
                    }
                }
                _ => {}
            }
        }
        pairs
    }

    /// The answer and the results that belong together with this entry.
    fn group(&self, at: Place) -> Vec<Place> {
        let answer = self.answers.get(&at).copied().unwrap_or(at);
        let results = self.answers.iter().filter(|(_, of)| **of == answer);
        let mut group: Vec<Place> = results.map(|(result, _)| *result).collect();
        group.push(answer);
        group
    }
}
